import { amount } from './decimals.ts';
import { argumentRange, isInRange, wholeDays } from './moments.ts';
import { type RangeArguments, revenueOf } from './order-statistics.ts';
import { type Breakdown, periodOf, periodsOf } from './periods.ts';
import { shopOf } from './shop.ts';
import type { Store } from './store.ts';

type Arguments = RangeArguments & {
  breakdown?: Breakdown;
  cohort_period?: 'week' | 'month';
  dimension?: string;
  relation?: string;
};

/**
 * The orders that an answer counts, but in no number about customers: how many and how much revenue its note
 * tells.
 */
export function nobodysOrders(
  store: Store,
  tool: string,
  args: Arguments,
): { count: number; revenue: number } {
  const shop = shopOf(store);
  const follows =
    tool === 'repeat_purchase_cycle' ||
    args.dimension === 'order_number' ||
    (args.relation !== undefined && args.relation !== 'same_order');
  const rangeOf = follows ? wholeDays : argumentRange;
  const range = rangeOf(args.from_date, args.to_date, shop.timezone);
  const widening = tool === 'first_purchase_cohorts' ? (args.cohort_period ?? 'month') : args.breakdown;
  const periods = widening && periodsOf(range, widening, shop.timezone).map(({ period }) => period);
  const orders = shop.validOrders.filter(
    ({ customer, moment, localDate }) =>
      customer === null &&
      (widening === undefined
        ? isInRange(moment, range)
        : periods?.includes(periodOf(localDate, widening).period)),
  );
  return { count: orders.length, revenue: amount(revenueOf(orders)) };
}
