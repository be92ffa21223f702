import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, orZero, ratio } from './metric.ts';

/**
 * What the order metrics are made of, over rows of `orders` that are valid. `order_number` counts a customer's valid
 * orders over all loaded history, so the customers who are new in a range are those whose order 1 is in it.
 */
export const orderMeasures: Sql = sql`
  count(*) as orders,
  count(*) filter (where order_number = 1) as new_orders,
  coalesce(sum(revenue), 0) as revenue,
  coalesce(sum(revenue) filter (where order_number = 1), 0) as new_revenue,
  count(distinct customer_key) as customers`;

const returningOrders = sql`orders - new_orders`;
const returningRevenue = sql`revenue - new_revenue`;

/** Over rows of `orderMeasures`. */
export const orderMetrics: readonly Metric[] = [
  {
    key: 'orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Valid orders.',
    value: sql`orders`,
  },
  {
    key: 'new_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Of new orders.',
    value: sql`new_orders`,
  },
  {
    key: 'returning_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Of returning orders.',
    value: returningOrders,
  },
  {
    key: 'orders_revenues',
    type: 'number',
    unit: 'money',
    definition: 'Revenue of the orders.',
    value: sql`revenue`,
  },
  {
    key: 'new_orders_revenues',
    type: 'number',
    unit: 'money',
    definition: 'Of new orders.',
    value: sql`new_revenue`,
  },
  {
    key: 'returning_orders_revenues',
    type: 'number',
    unit: 'money',
    definition: 'Of returning orders.',
    value: returningRevenue,
  },
  {
    key: 'average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'orders_revenues / orders_count.',
    value: orZero(ratio(sql`revenue`, sql`orders`)),
  },
  {
    key: 'new_orders_average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'Of new orders.',
    value: orZero(ratio(sql`new_revenue`, sql`new_orders`)),
  },
  {
    key: 'returning_orders_average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'Of returning orders.',
    value: orZero(ratio(returningRevenue, returningOrders)),
  },
  {
    key: 'unique_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'Distinct customers.',
    value: sql`customers`,
  },
  {
    key: 'new_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'Customers with a new order.',
    value: sql`new_orders`,
  },
  {
    key: 'returning_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'unique_customers_count - new_customers_count.',
    value: sql`customers - new_orders`,
  },
];
