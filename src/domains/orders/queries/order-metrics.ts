import { VAT_UNKNOWN } from '../../../answers/fields/field.ts';
import { counted, metric, orZero, ratio } from '../../../answers/metric.ts';
import { type Sql, sql } from '../../../sql/sql.ts';

/**
 * What the order metrics are made of, over rows of `orders` that are valid. `order_number` counts a customer's valid
 * orders over all loaded history, so the customers who are new in a range are those whose order 1 is in it. An order without
 * a customer has no number and is neither new nor returning.
 */
export const orderMeasures: Sql = sql`
  count(*) as orders,
  count(*) filter (where order_number = 1) as new_orders,
  count(*) filter (where order_number > 1) as returning_orders,
  coalesce(sum(revenue), 0) as revenue,
  case when count(tax) = count(*) then coalesce(sum(tax), 0) end as tax,
  coalesce(sum(revenue) filter (where order_number = 1), 0) as new_revenue,
  coalesce(sum(revenue) filter (where order_number > 1), 0) as returning_revenue,
  count(distinct customer_key) as customers`;

/** Null as soon as one order does not tell it and no rate is set: a part of the tax would look like all of it. */
export const taxOfOrders = {
  key: 'tax',
  type: 'number',
  unit: 'money',
  null: VAT_UNKNOWN,
  definition: 'VAT in revenue: as orders tell it, else by the VAT rate set.',
} as const;

/** Over rows of `orderMeasures`. */
export const orderMetrics = [
  counted('orders', 'orders_count', 'Valid orders.', sql`orders`),
  counted('orders', 'new_orders_count', 'Of new orders.', sql`new_orders`),
  counted('orders', 'returning_orders_count', 'Of returning orders.', sql`returning_orders`),
  metric({
    key: 'orders_revenues',
    type: 'number',
    unit: 'money',
    revenue: 'of the store',
    definition: 'Revenue of the orders.',
    value: sql`revenue`,
  }),
  metric({
    key: 'new_orders_revenues',
    type: 'number',
    unit: 'money',
    definition: 'Of new orders.',
    value: sql`new_revenue`,
  }),
  metric({
    key: 'returning_orders_revenues',
    type: 'number',
    unit: 'money',
    definition: 'Of returning orders.',
    value: sql`returning_revenue`,
  }),
  metric({
    key: 'average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'orders_revenues / orders_count.',
    value: orZero(ratio(sql`revenue`, sql`orders`)),
  }),
  metric({
    key: 'new_orders_average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'Of new orders.',
    value: orZero(ratio(sql`new_revenue`, sql`new_orders`)),
  }),
  metric({
    key: 'returning_orders_average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'Of returning orders.',
    value: orZero(ratio(sql`returning_revenue`, sql`returning_orders`)),
  }),
  metric({ ...taxOfOrders, value: sql`tax` }),
  counted('customers', 'unique_customers_count', 'Distinct customers.', sql`customers`),
  counted('customers', 'new_customers_count', 'Customers with a new order.', sql`new_orders`),
  counted(
    'customers',
    'returning_customers_count',
    'unique_customers_count - new_customers_count.',
    sql`customers - new_orders`,
  ),
];
