import type { Card, Overview } from './overview.ts';
import { lengthOf } from './page-periods.ts';

/** Cards that are no sums of their days. */
const NO_SUMS: readonly string[] = ['average', 'known', 'conversion', 'returning'];

/**
 * Whether a sum rose and yet fell by day, or the reverse, as the days before are not as many: 99 orders in
 * 30 days are fewer than 100 in 31, and more by day.
 */
export function isOtherByDay(
  { key, value, before: valueBefore }: Pick<Card, 'key' | 'value' | 'before'>,
  { days, before }: Pick<Overview, 'days' | 'before'>,
): boolean {
  if (value === null || valueBefore === null || before === null || NO_SUMS.includes(key)) return false;
  const byDay = value / lengthOf(days) - valueBefore / lengthOf(before);
  return Math.sign(byDay) !== Math.sign(value - valueBefore);
}

/**
 * Whether refunds rose and yet are no larger part of the revenue, or fell and are no smaller one: those of a
 * store that grew by a third grow by a third, and its returns are as before.
 */
export function isOtherByRevenue(
  { key, value, before }: Pick<Card, 'key' | 'value' | 'before'>,
  cards: readonly Pick<Card, 'key' | 'value' | 'before'>[],
): boolean {
  const revenue = cards.find((card) => card.key === 'revenue');
  if (key !== 'refunds' || value === null || before === null || !revenue?.value || !revenue.before)
    return false;
  const share = value / revenue.value - before / revenue.before;
  return Math.sign(share) !== Math.sign(value - before);
}

/** The change in percent, or in points where the values are percentages. */
export function changeOf(
  value: number | null,
  before: number | null,
  unit: string | undefined,
): number | null {
  if (value === null || before === null) return null;
  if (unit === 'percent') return value - before;
  return before === 0 ? null : (100 * (value - before)) / Math.abs(before);
}
