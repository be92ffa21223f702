import { shownNames } from '../../../../answers/existing-names.ts';
import { LEAST_SHARING } from '../../../../answers/shared-values.ts';
import { LIFETIME_VALUE_DAYS } from '../../../orders/queries/cohorts.ts';
import type { CustomerBin } from './customer-bins.ts';
import type { CustomerModel } from './customer-model.ts';
import type { ValueHistory } from './value-history.ts';

const MOST_NAMED = 3;

/**
 * The share of first orders in the revenue per customer: a group that pays much at once looks loyal by it.
 */
export function firstOrderShareNotes(rows: readonly ValueHistory[]): string[] {
  const days = LIFETIME_VALUE_DAYS.findLast(
    (one) => sumOf(rows, (row) => row[`mature_${one}`]) >= LEAST_SHARING,
  );
  if (days === undefined || rows.some((row) => row[`unpriced_${days}`] > 0)) return [];
  const spent = sumOf(rows, (row) => Number(row[`spent_${days}`] ?? 0));
  const first = sumOf(rows, (row) => row[`first_${days}`] ?? 0);
  if (spent <= 0) return [];
  return [
    `revenue_per_customer is of first and later orders together: of all rows after ${days} days, ${Math.round((100 * first) / spent)} % is of first orders.`,
  ];
}

/**
 * Names the groups that are too young for some numbers of days: those values are of their older customers
 * only, or missing.
 *
 * @param groups as the answer has them, with small groups hidden
 */
export function youngGroupNotes(
  groups: readonly {
    readonly group: string | null;
    readonly customers_count: number | null;
    readonly after: readonly { readonly days: number; readonly mature_customers_count: number | null }[];
  }[],
): string[] {
  const young = LIFETIME_VALUE_DAYS.flatMap((days) => {
    const names = groups.flatMap(({ group, customers_count, after }) => {
      const mature = after.find((one) => one.days === days)?.mature_customers_count ?? null;
      return customers_count !== null && mature !== null && mature < customers_count ? [group ?? 'all'] : [];
    });
    if (names.length === 0) return [];
    if (names.length === groups.length && groups.length > 1) return [`${days} days: all groups`];
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    return [`${days} days: ${shownNames(names.slice(0, MOST_NAMED)).slice(1, -1)}${more}`];
  });
  if (young.length === 0) return [];
  return [
    `Too young, in part or whole, so that mature_customers_count is below customers_count and values are of the older ones alone: ${young.join('; ')}.`,
  ];
}

/** A customer who has not ordered for so long is named as one who may have left. */
const LONG_DAYS = 180;

/**
 * If the history does not show that customers leave, the model takes all of them for active, even those who
 * ordered last long ago.
 *
 * @param bins of all customers of the store
 */
export function stayingNotes(model: CustomerModel | null, bins: readonly CustomerBin[]): string[] {
  if (model === null || model.tellsLeaving) return [];
  const count = (some: typeof bins) => some.reduce((sum, { customers_count }) => sum + customers_count, 0);
  const long = bins.filter(({ age, recency }) => age - recency > LONG_DAYS);
  const percent = Math.round((100 * count(long)) / count(bins));
  return [
    `This history does not tell who has left: a model in which nobody ever leaves fits as well, as where all order by the season. So expected_active_share is null, and expected_orders and expected_revenue take everybody for active, also the ${percent} % of all customers whose last order is more than ${LONG_DAYS} days old: read them as the most that can be expected.`,
  ];
}

function sumOf(rows: readonly ValueHistory[], value: (row: ValueHistory) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}
