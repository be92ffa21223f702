// The performance metric fields of a group of products: one product, a category, a brand, a master product.
import { doTellDiscounts } from './charges.ts';
import { amount, type Money, percent, ratio, round4, sum, wholeNumber } from './decimals.ts';
import { unknownMetrics } from './listing.ts';
import type { Line } from './order-lines.ts';
import { revenueOf } from './order-statistics.ts';
import { customersIn } from './orders.ts';
import { percentOrNull } from './quantiles.ts';
import { productRefundFields } from './refunds.ts';
import type { ProductEvent, Scope, Shop } from './shop.ts';

type PerformanceFields = ReturnType<typeof performanceOf>['fields'];

const longestView = 1800;

function cappedSeconds(view: ProductEvent): number {
  return Math.min(longestView, view.engagementSeconds);
}

function scoreOf(event: ProductEvent): number {
  if (event.kind === 'view') return 1 + Math.min(6, Math.floor(cappedSeconds(event) / 10));
  if (event.kind === 'add_to_cart') return 3;
  return event.kind === 'wishlist' || event.kind === 'watchdog' ? 2 : 0;
}

/**
 * Metrics of the products in one scope; the engagement time is not yet rounded. The profit is null when no
 * line in scope has a known purchase price.
 *
 * @param inRange the range of the call: whether its orders tell their discounts at all
 */
function performanceOf(shop: Shop, productIds: Set<string>, inScope: Scope, inRange: Scope = inScope) {
  const lines = shop.lines.filter((line) => productIds.has(line.productId) && inScope(line.order));
  const orders = [...new Set(lines.map((line) => line.order))];
  const ofNumber = (number: number) => orders.filter((order) => order.sequence === number);
  const firstOrders = ofNumber(1);
  const customers = customersIn(orders);
  const newCustomers = [...customers].filter((customer) => {
    const firstOrder = shop.firstOrders.get(customer);
    return firstOrder !== undefined && inScope(firstOrder);
  });

  const events = shop.events.filter((event) => productIds.has(event.productId) && inScope(event));
  const views = events.filter((event) => event.kind === 'view');
  const reached = new Set(views.map((view) => view.visitor));
  // The order's visitor on a shared cookie is somebody else than its customer: both ordered.
  const buyers = new Set(orders.flatMap((order) => [shop.visitorOfOrder(order), order.customer]));
  const converted = [...reached].filter((visitor) => buyers.has(visitor));
  let seconds = 0;
  for (const view of views) seconds += cappedSeconds(view);
  let score = 0;
  for (const event of events) score += scoreOf(event);

  let revenue = 0n;
  for (const line of lines) revenue += line.revenue;
  const { profit, knownRevenue, knownNet } = profitOf(lines);
  const discount = lines.reduce((all, line) => all + line.discount, 0n);
  const charges = shop.charges.filter(({ order }) => inRange(order));
  const told = new Set(charges.flatMap(({ order, discount }) => (discount === null ? [] : [order.orderId])));
  // Who writes down a discount of 0 leaves none out.
  const isNoneLeftOut = charges.some((charge) => charge.discount === 0n);
  const isDiscountKnown =
    lines.length === 0 ||
    (doTellDiscounts(charges) && (!isNoneLeftOut || lines.some(({ order }) => told.has(order.orderId))));
  const isVatKnown = lines.every((line) => line.netRevenue !== null);
  const net = lines.reduce((all, line) => all + (line.netRevenue ?? 0n), 0n);

  const fields = {
    unique_orders_count: orders.length,
    new_orders_count: firstOrders.length,
    returning_orders_count: orders.filter(({ sequence }) => sequence !== null && sequence > 1).length,
    total_quantity: wholeNumber(sum(lines.map((line) => line.quantity))),
    estimated_revenue: amount(revenue),
    unique_customers_count: customers.size,
    new_customers_count: newCustomers.length,
    returning_customers_count: customers.size - newCustomers.length,
    avg_order_value: ratio(amount(revenueOf(orders)), orders.length),
    impressions: views.length,
    reach: reached.size,
    total_engagement_time_s: seconds,
    total_engagement_score: score,
    avg_engagement_time_s: ratio(seconds, views.length),
    avg_engagement_score: ratio(score, views.length),
    conversion_rate: percent(converted.length, reached.size),
    first_order_occurrences: firstOrders.length,
    second_order_occurrences: ofNumber(2).length,
    discount: isDiscountKnown ? amount(discount) : null,
    discount_share: isDiscountKnown ? percentOrNull(amount(discount), amount(revenue)) : null,
    tax: isVatKnown ? amount(revenue - discount - net) : null,
    net_revenue: isVatKnown ? amount(net) : null,
    ...productRefundFields(shop.refunds, productIds, inScope, sum(lines.map((line) => line.quantity))),
    revenue_with_known_cost: percentOrNull(amount(knownRevenue), amount(revenue)),
    estimated_gross_profit_margin: profit === null ? null : percentOrNull(amount(profit), amount(knownNet)),
  };
  return { fields, profit, isSold: lines.length > 0 };
}

export type AggregatePerformance = PerformanceFields & {
  estimated_gross_profit: number;
  [unknownMetrics]: string[];
};
export type PeriodPerformance = PerformanceFields & { estimated_gross_profit: number | null };

/** The profit of the lines whose purchase price and VAT are known; null when there are none. */
export function profitOf(lines: readonly Line[]) {
  let profit: Money | null = null;
  let knownRevenue = 0n;
  let knownNet = 0n;
  for (const line of lines) {
    if (line.profit === null) continue;
    profit = (profit ?? 0n) + line.profit;
    knownRevenue += line.revenue;
    knownNet += line.netRevenue ?? 0n;
  }
  return { profit, knownRevenue, knownNet };
}

/** Fields of an aggregate row: whole seconds, and a profit of 0 when none is known. */
export function aggregatePerformance(
  shop: Shop,
  productIds: Set<string>,
  inScope: Scope,
): AggregatePerformance {
  const { fields, profit, isSold } = performanceOf(shop, productIds, inScope);
  return {
    ...fields,
    [unknownMetrics]: isSold && profit === null ? ['estimated_gross_profit'] : [],
    total_engagement_time_s: Math.round(fields.total_engagement_time_s),
    estimated_gross_profit: amount(profit ?? 0n),
  };
}

/** Fields of a trend row: seconds to 4 decimals, and a null profit when none is known. */
export function periodPerformance(
  shop: Shop,
  productIds: Set<string>,
  inPeriod: Scope,
  inRange: Scope,
): PeriodPerformance {
  const { fields, profit } = performanceOf(shop, productIds, inPeriod, inRange);
  return {
    ...fields,
    total_engagement_time_s: round4(fields.total_engagement_time_s),
    estimated_gross_profit: profit === null ? null : amount(profit),
  };
}
