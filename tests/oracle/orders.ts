// The loaded orders with everything the tools need to know about each.
import { type Customers, customersOf } from './customers.ts';
import { type Decimal, decimal, type Money, money, one, product } from './decimals.ts';
import { cell, listCell, loadedRows } from './loaded-rows.ts';
import { importedMoment, localDate, type Moment } from './moments.ts';
import { withoutVat } from './order-lines.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';
import { visitorsOf } from './visitors.ts';
import { visitsOf } from './visits.ts';

export type Order = {
  orderId: string;
  moment: Moment;
  localDate: string;
  isValid: boolean;
  isTest: boolean;
  isCancelled: boolean;
  /** Null when the order names nobody and its visitor is not known: it is no customer's. */
  customer: string | null;
  visitorId: string | null;
  sessionId: string | null;
  /**
   * The rate to the business currency; null when it is not known: no store of the oracle has such orders, see
   * unpriced-money.test.ts.
   */
  rate: Decimal | null;
  revenue: Money;
  /** Null when nobody tells it, and no rate is set. */
  tax: Money | null;
  country: string | null;
  coupons: readonly string[];
  /** 1 for the customer's first valid order ever, 2 for the second ...; null when not valid or nobody's. */
  sequence: number | null;
};

function byTime(a: Order, b: Order): number {
  if (a.moment !== b.moment) return a.moment < b.moment ? -1 : 1;
  return compareText(a.orderId, b.orderId);
}

/** Its own rate, else that of its currency on the nearest day that is not after its own. */
function rateOf(row: Row<'orders'>, store: Store, day: string): Decimal | null {
  const { primary_currency: own } = store.business;
  if (own === null) return one; // money is summed as loaded
  const rate = cell(row.fx_rate);
  if (rate !== null) return decimal(rate);
  const currency = cell(row.currency) ?? own;
  if (currency === own) return one;
  const earlier = store.fx_rates.filter(
    (each) => each.currency === currency && each.date !== undefined && each.date <= day,
  );
  const latest = earlier.toSorted((a, b) => compareText(a.date ?? '', b.date ?? '')).at(-1);
  return latest === undefined ? null : decimal(latest.rate ?? '');
}

/** Everybody who placed some of these orders. */
export function customersIn(orders: readonly Order[]): Set<string> {
  return new Set(orders.flatMap(({ customer }) => customer ?? []));
}

/** All loaded orders in the order of their times. */
export function ordersOf(store: Store, timezone: string): Order[] {
  const customers: Customers = customersOf(store);
  const visits = visitsOf(store, timezone);
  const orders = loadedRows(store.orders, (row) => row.order_id ?? '').map((row): Order => {
    const orderId = row.order_id ?? '';
    const moment = importedMoment(row.ordered_at ?? '', timezone);
    const rate = rateOf(row, store, localDate(moment, timezone));
    const customer = customers.ofReference(row);
    const revenue = rate === null ? 0n : money(product(decimal(row.total ?? ''), rate));
    const tax = cell(row.tax);
    const net = withoutVat(revenue, store.business);
    return {
      orderId,
      moment,
      localDate: localDate(moment, timezone),
      isTest: row.is_test === 'true',
      isCancelled: row.status === 'cancelled',
      isValid: row.is_test !== 'true' && row.status !== 'cancelled' && row.status !== 'credit_note',
      customer,
      visitorId: cell(row.visitor_id),
      sessionId: cell(row.session_id) ?? cell(visits.ofOrder(row)?.session_id),
      rate,
      revenue,
      tax: tax === null ? net && revenue - net : rate === null ? 0n : money(product(decimal(tax), rate)),
      country: cell(row.country),
      coupons: listCell(row.coupon_codes),
      sequence: null,
    };
  });
  orders.sort(byTime);
  const visitors = visitorsOf(store, orders);
  for (const order of orders) {
    order.customer ??= visitors.customerOf(order);
    order.country ??= order.customer === null ? null : customers.countryOf(order.customer);
  }
  const counts = new Map<string, number>();
  for (const order of orders) {
    if (!order.isValid || order.customer === null) continue;
    const sequence = (counts.get(order.customer) ?? 0) + 1;
    counts.set(order.customer, sequence);
    order.sequence = sequence;
  }
  return orders;
}
