// What customers of a cohort ordered in each calendar period after their first, from the rows of the import
// files.
import { amount } from './decimals.ts';
import { localDate } from './moments.ts';
import { type RangeArguments, revenueOf } from './order-statistics.ts';
import type { Order } from './orders.ts';
import { addDays, type Breakdown, periodOf } from './periods.ts';
import { percentOrNull, ratioOrNull } from './quantiles.ts';
import { shopOf } from './shop.ts';
import type { Store } from './store.ts';

type Arguments = RangeArguments & { cohort_period: Exclude<Breakdown, 'day'>; max_periods: number };

/** The `periods` of the cohort that begins on a day. */
export function calendarPeriods(store: Store, cohortStart: string, args: Arguments): object[] {
  const shop = shopOf(store);
  const breakdown = args.cohort_period;
  const cohort = periodOf(cohortStart, breakdown).period;
  const firsts = [...shop.firstOrders.values()].filter(
    (order) => periodOf(order.localDate, breakdown).period === cohort,
  );
  const members = customersIn(firsts);
  const later = shop.validOrders.filter(
    (order) => members.has(order.customer ?? '') && !firsts.includes(order),
  );
  const until = localDate(shop.orders.at(-1)?.moment ?? 0n, shop.timezone);
  const periods: object[] = [];
  let revenue = revenueOf(firsts);
  let day = cohortStart;
  for (let index = 0; index < args.max_periods; index += 1) {
    const { period, lastDay } = periodOf(day, breakdown);
    const orders = later.filter((order) => periodOf(order.localDate, breakdown).period === period);
    revenue += revenueOf(orders);
    periods.push({
      ...{ period_index: index, period },
      active_customers_count: customersIn(orders).size,
      retention_rate: percentOrNull(customersIn(orders).size, members.size) ?? 0,
      orders_count: orders.length,
      revenue: amount(revenueOf(orders)),
      cumulative_revenue_per_customer: ratioOrNull(amount(revenue), members.size) ?? 0,
      is_complete: lastDay <= until,
    });
    day = addDays(lastDay, 1);
  }
  return periods;
}

function customersIn(orders: Order[]): Set<string> {
  return new Set(orders.map(({ customer }) => customer).filter((customer) => customer !== null));
}
