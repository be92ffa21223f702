import { isInRange, localDate, utcText, wholeDays } from './moments.ts';
import type { RangeArguments } from './order-statistics.ts';
import { daysBetween } from './periods.ts';
import { percentile, percentOrNull, ratioOrNull } from './quantiles.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';

type Arguments = RangeArguments & { from_order_number?: number };
/** A customer whose n-th order is in the range; days to the next order, null where there is none. */
type Customer = { days: number | null; observed: number };

const bins = [
  [0, 6],
  [7, 13],
  [14, 20],
  [21, 29],
  [30, 44],
  [45, 59],
  [60, 89],
  [90, 119],
  [120, 179],
  [180, 269],
  [270, 364],
  [365, null],
] as const;

export function repeatPurchaseCycle(store: Store, args: Arguments): object {
  const shop = shopOf(store);
  const number = args.from_order_number ?? 1;
  const eligible = customersAt(shop, args, number);
  const days = daysOf(eligible);
  const latest = shop.orders.at(-1);
  return {
    business_id: args.business_id,
    data_until: latest === undefined ? null : utcText(latest.moment),
    from_order_number: number,
    eligible_customers_count: eligible.length,
    returned_customers_count: days.length,
    return_rate: percentOrNull(days.length, eligible.length),
    avg_days_to_next_order: ratioOrNull(
      days.reduce((a, b) => a + b, 0),
      days.length,
    ),
    median_days_to_next_order: quantile(days, 50),
    p25_days: quantile(days, 25),
    p75_days: quantile(days, 75),
    p90_days: quantile(days, 90),
    same_day_returned_count: days.filter((day) => day === 0).length,
    observed_days_min: eligible.length === 0 ? null : Math.min(...eligible.map(({ observed }) => observed)),
    within: [7, 14, 30, 60, 90, 180, 365, 730].map((limit) => {
      const returned = (customers: Customer[]) => daysOf(customers).filter((day) => day <= limit).length;
      const mature = eligible.filter(({ observed }) => observed >= limit);
      return {
        days: limit,
        returned_customers_count: returned(eligible),
        return_rate: percentOrNull(returned(eligible), eligible.length),
        mature_customers_count: mature.length,
        mature_return_rate: percentOrNull(returned(mature), mature.length),
        is_mature: eligible.length > 0 && mature.length === eligible.length,
      };
    }),
    histogram: bins.map(([from, to]) => {
      const customers = days.filter((day) => day >= from && day <= (to ?? Infinity)).length;
      return {
        from_day: from,
        to_day: to,
        customers_count: customers,
        share: percentOrNull(customers, days.length),
      };
    }),
    by_order_number: [1, 2, 3, 4, 5].map((step) => {
      const customers = customersAt(shop, args, step);
      return {
        order_number: step,
        eligible_customers_count: customers.length,
        returned_customers_count: daysOf(customers).length,
        return_rate: percentOrNull(daysOf(customers).length, customers.length),
        median_days_to_next_order: quantile(daysOf(customers), 50),
      };
    }),
  };
}

function customersAt(shop: Shop, args: Arguments, number: number): Customer[] {
  const range = wholeDays(args.from_date, args.to_date, shop.timezone);
  const until = localDate(shop.orders.at(-1)?.moment ?? 0n, shop.timezone);
  return shop.validOrders
    .filter((order) => order.sequence === number && isInRange(order.moment, range))
    .map((order) => {
      const next = shop.validOrders.find(
        (other) => other.customer === order.customer && other.sequence === number + 1,
      );
      return {
        days: next === undefined ? null : daysBetween(order.localDate, next.localDate),
        observed: daysBetween(order.localDate, until),
      };
    });
}

function daysOf(customers: Customer[]): number[] {
  return customers.map(({ days }) => days).filter((days) => days !== null);
}

function quantile(days: number[], p: number): number | null {
  return percentile(days.map(BigInt), p, 1);
}
