import { column, NO_RATE, sinceFirst, VAT_UNKNOWN } from '../../../answers/fields/field.ts';
import { counted, knownAverage, knownSum, metric } from '../../../answers/metric.ts';
import { HOW_TO_SET_VAT } from '../../../answers/profit-notes.ts';
import { type Sql, sql } from '../../../sql/sql.ts';

/**
 * The tax over rows of `orders`. It is null as soon as one order does not tell it and no rate is set, since a
 * part of the tax would look like all of it.
 */
export const taxSum = sql`case when count(tax) = count(revenue) then ${knownSum(sql`tax`)} end`;

/** The number of orders whose tax is known. It stands beside the metrics, and only notes tell it. */
export const taxedOrders = column('taxed_orders_count', 'integer');

/**
 * The inputs of the order metrics, over rows of `orders` that are valid. `order_number` counts a customer's
 * valid orders over all loaded history, so the customers who are new in a range are those whose order 1 is in
 * it. An order without a customer has no number and is neither new nor returning.
 */
export const orderMeasures: Sql = sql`
  count(*) as orders,
  count(*) filter (where order_number = 1) as new_orders,
  count(*) filter (where order_number > 1) as returning_orders,
  ${taxSum} as tax,
  count(tax) as taxed_orders_count,
  count(revenue) as priced,
  count(revenue) filter (where order_number = 1) as new_priced,
  count(revenue) filter (where order_number > 1) as returning_priced,
  ${knownSum(sql`revenue`)} as revenue,
  ${knownSum(sql`revenue`, sql`order_number = 1`)} as new_revenue,
  ${knownSum(sql`revenue`, sql`order_number > 1`)} as returning_revenue,
  count(distinct customer_key) as customers`;

export const taxOfOrders = {
  key: 'tax',
  type: 'number',
  unit: 'money',
  null: VAT_UNKNOWN,
  definition: 'VAT in revenue, as told, else by the rate set.',
} as const;

/** The metrics over rows of `orderMeasures`. */
export const orderMetrics = [
  counted('orders', 'orders_count', 'Valid orders.', sql`orders`),
  sinceFirst(
    counted(
      'orders',
      'new_orders_count',
      'First orders ever of customers; orders without a customer are neither new nor returning.',
      sql`new_orders`,
    ),
  ),
  sinceFirst(
    counted(
      'orders',
      'returning_orders_count',
      'Later orders, also of new customers; orders without a customer are neither new nor returning.',
      sql`returning_orders`,
    ),
  ),
  metric({
    key: 'orders_revenues',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    revenue: 'of the store',
    definition: 'Paid in total, with VAT, shipping and payment fee; refunds not taken off.',
    value: sql`revenue`,
  }),
  metric({
    key: 'new_orders_revenues',
    sinceFirst: true,
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'Revenue of new_orders_count.',
    value: sql`new_revenue`,
  }),
  metric({
    key: 'returning_orders_revenues',
    sinceFirst: true,
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'Revenue of returning_orders_count.',
    value: sql`returning_revenue`,
  }),
  metric({
    key: 'average_order_value',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'orders_revenues / orders_count, of known amounts; 0 without orders.',
    value: knownAverage(sql`revenue`, sql`priced`, sql`orders`),
  }),
  metric({
    key: 'new_orders_average_order_value',
    sinceFirst: true,
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'new_orders_revenues / new_orders_count.',
    value: knownAverage(sql`new_revenue`, sql`new_priced`, sql`new_orders`),
  }),
  metric({
    key: 'returning_orders_average_order_value',
    sinceFirst: true,
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'returning_orders_revenues / returning_orders_count.',
    value: knownAverage(sql`returning_revenue`, sql`returning_priced`, sql`returning_orders`),
  }),
  metric({ ...taxOfOrders, value: sql`tax` }),
  counted('customers', 'unique_customers_count', 'Distinct known customers.', sql`customers`),
  sinceFirst(
    counted(
      'customers',
      'new_customers_count',
      'Customers whose first order ever is in the range.',
      sql`new_orders`,
    ),
  ),
  sinceFirst(
    counted(
      'customers',
      'returning_customers_count',
      'unique_customers_count - new_customers_count: never divide returning_orders_count by it.',
      sql`customers - new_orders`,
    ),
  ),
];

/**
 * Names the orders that make the tax unknown, if others have one; if no order has a tax, nothing can be
 * mended.
 */
export function taxNotes(
  rows: readonly { readonly orders_count: number; readonly taxed_orders_count: number }[],
): string[] {
  const sum = (key: 'orders_count' | 'taxed_orders_count') => rows.reduce((all, row) => all + row[key], 0);
  const [all, taxed] = [sum('orders_count'), sum('taxed_orders_count')];
  if (taxed === 0 || taxed === all) return [];
  return [
    `The VAT of ${all - taxed} of ${all} orders is not known: tax is null where they are counted. ${HOW_TO_SET_VAT}`,
  ];
}
