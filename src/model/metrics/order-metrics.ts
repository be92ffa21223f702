import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, orZero, ratio } from './metric.ts';

/**
 * Over rows of `orders` that are valid. `order_number` counts a customer's valid orders over all loaded history,
 * so the customers who are new in a range are those whose order 1 is in it.
 */
const isNew = sql`order_number = 1`;
const isReturning = sql`order_number > 1`;

const revenue = (condition: Sql): Sql => sql`coalesce(sum(revenue) filter (where ${condition}), 0)`;
const count = (condition: Sql): Sql => sql`count(*) filter (where ${condition})`;
const average = (condition: Sql): Sql => orZero(ratio(revenue(condition), count(condition)));

export const orderMetrics: readonly Metric[] = [
  {
    key: 'orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Valid orders: no test orders, not cancelled.',
    value: count(sql`true`),
  },
  {
    key: 'new_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: "Orders that are their customer's first ever.",
    value: count(isNew),
  },
  {
    key: 'returning_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Orders that are not.',
    value: count(isReturning),
  },
  {
    key: 'orders_revenues',
    type: 'number',
    unit: 'money',
    definition: 'Total paid incl. VAT, shipping and payment fee; refunds not deducted.',
    value: revenue(sql`true`),
  },
  {
    key: 'new_orders_revenues',
    type: 'number',
    unit: 'money',
    definition: 'Revenue of new orders.',
    value: revenue(isNew),
  },
  {
    key: 'returning_orders_revenues',
    type: 'number',
    unit: 'money',
    definition: 'Revenue of returning orders.',
    value: revenue(isReturning),
  },
  {
    key: 'average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'orders_revenues / orders_count; 0 when none.',
    value: average(sql`true`),
  },
  {
    key: 'new_orders_average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'The same of new orders.',
    value: average(isNew),
  },
  {
    key: 'returning_orders_average_order_value',
    type: 'number',
    unit: 'money',
    definition: 'The same of returning orders.',
    value: average(isReturning),
  },
  {
    key: 'unique_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'Distinct customers; not additive over periods.',
    value: sql`count(distinct customer_key)`,
  },
  {
    key: 'new_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'Of those, with their first ever order in the range.',
    value: count(isNew),
  },
  {
    key: 'returning_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'unique_customers_count - new_customers_count.',
    value: sql`count(distinct customer_key) - ${count(isNew)}`,
  },
];
