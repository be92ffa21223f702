import { amount, type Money, ratio } from './decimals.ts';
import { argumentRange, isInRange } from './moments.ts';
import { customersIn, type Order } from './orders.ts';
import { type Breakdown, periodOf, periodsOf } from './periods.ts';
import { orderRefundFields } from './refunds.ts';
import { type Scope, type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';

export type RangeArguments = { business_id: string; from_date: string; to_date: string };
export type TrendArguments = RangeArguments & { breakdown: Breakdown };

export type OrderStatistics = {
  orders_count: number;
  new_orders_count: number;
  returning_orders_count: number;
  orders_revenues: number;
  new_orders_revenues: number;
  returning_orders_revenues: number;
  average_order_value: number;
  new_orders_average_order_value: number;
  returning_orders_average_order_value: number;
  tax: number | null;
  unique_customers_count: number;
  new_customers_count: number;
  returning_customers_count: number;
} & ReturnType<typeof orderRefundFields>;

export function revenueOf(orders: Order[]): Money {
  let revenue = 0n;
  for (const order of orders) revenue += order.revenue;
  return revenue;
}

/** Null when that of one is not known. */
export function taxOf(orders: Order[]): number | null {
  const taxes = orders.flatMap(({ tax }) => tax ?? []);
  return taxes.length < orders.length ? null : amount(taxes.reduce((all, tax) => all + tax, 0n));
}

function statisticsOf(shop: Shop, inScope: Scope): OrderStatistics {
  const orders = shop.validOrders.filter(inScope);
  const newOrders = orders.filter((order) => order.sequence === 1);
  // Orders of nobody are not new, and not returning.
  const returningOrders = orders.filter(({ sequence }) => sequence !== null && sequence > 1);
  const [all, fresh, returning] = [orders, newOrders, returningOrders].map((group) => ({
    count: group.length,
    revenue: amount(revenueOf(group)),
  })) as [Totals, Totals, Totals];
  const customers = customersIn(orders);
  // A customer has one first order, so the new customers of a range are those of its new orders.
  const newCustomers = customersIn(newOrders);
  return {
    orders_count: all.count,
    new_orders_count: fresh.count,
    returning_orders_count: returning.count,
    orders_revenues: all.revenue,
    new_orders_revenues: fresh.revenue,
    returning_orders_revenues: returning.revenue,
    average_order_value: ratio(all.revenue, all.count),
    new_orders_average_order_value: ratio(fresh.revenue, fresh.count),
    returning_orders_average_order_value: ratio(returning.revenue, returning.count),
    tax: taxOf(orders),
    unique_customers_count: customers.size,
    new_customers_count: newCustomers.size,
    returning_customers_count: customers.size - newCustomers.size,
    ...orderRefundFields(shop.refunds, inScope, all.revenue),
  };
}

type Totals = { count: number; revenue: number };

export function orderStatistics(
  store: Store,
  args: RangeArguments,
): { business_id: string } & OrderStatistics {
  const shop = shopOf(store);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  return {
    business_id: args.business_id,
    ...statisticsOf(shop, (timed) => isInRange(timed.moment, range)),
  };
}

export type OrderStatisticsByPeriod = OrderStatistics & { period: string; period_start: string };

export function orderStatisticsTrend(
  store: Store,
  args: TrendArguments,
): { business_id: string; periods: OrderStatisticsByPeriod[]; forecast: null } {
  const shop = shopOf(store);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const periods = periodsOf(range, args.breakdown, shop.timezone).map(({ period, period_start }) => ({
    period,
    period_start,
    ...statisticsOf(shop, (timed) => periodOf(timed.localDate, args.breakdown).period === period),
  }));
  return { business_id: args.business_id, periods, forecast: null };
}
