import { Temporal } from 'temporal-polyfill';

const WEEKS = 8;
const LEAST_DAYS = 4;
const DEVIATIONS = 5;

/**
 * Eight small counts can lie close together by chance: one deviation is never less than this share of the
 * usual count.
 */
const LEAST_SHARE = 0.1;

/** How many days before the first one are needed to judge it. */
export const DAYS_BEFORE = 7 * WEEKS;

/**
 * Whether a day has far more or fewer sessions than its weekday had in the eight weeks before: further from
 * their median than five deviations. A deviation is the median of their own distances, but at least what
 * chance makes of such a count (its square root) and a tenth of it. Days before the first loaded session do
 * not count, and days after the last one are not judged.
 *
 * @param countOf sessions of a local day, YYYY-MM-DD
 * @param loaded the local days of the first and the last session; null when there is none
 */
export function isAnomalous(
  date: string,
  countOf: (date: string) => number,
  loaded: { readonly first: string; readonly last: string } | null,
): boolean {
  if (loaded === null || date > loaded.last) return false;
  const day = Temporal.PlainDate.from(date);
  const weekdays = Array.from({ length: WEEKS }, (_, index) =>
    day.subtract({ days: 7 * (index + 1) }).toString(),
  );
  const counts = weekdays.filter((weekday) => weekday >= loaded.first).map(countOf);
  return isFarOff(countOf(date), counts);
}

/** @param before the counts of the same weekday in the weeks before */
export function isFarOff(count: number, before: readonly number[]): boolean {
  if (before.length < LEAST_DAYS) return false;
  const usual = median(before);
  const spread = median(before.map((value) => Math.abs(value - usual)));
  const deviation = Math.max(spread, Math.sqrt(usual), LEAST_SHARE * usual);
  return Math.abs(count - usual) > DEVIATIONS * deviation;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
