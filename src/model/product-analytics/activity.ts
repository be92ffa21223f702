import { parameter, type Sql, sql } from '../../sql/sql.ts';
import { ratio } from '../metrics/metric.ts';
import { type Periods, periodStart } from '../periods.ts';
import type { Range } from '../range.ts';
import { orderProducts, productEvents } from '../tables.ts';
import type { Level } from './level.ts';

/** Which sales and events count, and how they fall into periods. */
export interface ActivityWindow {
  readonly orders: Sql;
  readonly events: Sql;
  readonly orderPeriod: Sql;
  readonly eventPeriod: Sql;
  /** Whether the customer's first order ever lies in the same range or period as this one. */
  readonly isNewCustomer: Sql;
}

/** The exact range as one period. */
export function exactWindow(range: Range): ActivityWindow {
  const start = parameter.timestamp(range.start);
  const end = parameter.timestamp(range.end);
  const whole = parameter.date(range.firstDate.toString());
  return {
    orders: sql`ordered_at >= ${start} and ordered_at < ${end}`,
    events: sql`happened_at >= ${start} and happened_at < ${end}`,
    orderPeriod: sql`${whole}`,
    eventPeriod: sql`${whole}`,
    isNewCustomer: sql`first_ordered_at >= ${start}`,
  };
}

/** The widened range, period by period. */
export function periodsWindow(periods: Periods): ActivityWindow {
  const first = parameter.date(periods.firstDate);
  const last = parameter.date(periods.lastDate);
  const orderPeriod = periodStart(periods.breakdown, sql`ordered_date`);
  return {
    orders: sql`ordered_date between ${first} and ${last}`,
    events: sql`happened_date between ${first} and ${last}`,
    orderPeriod,
    eventPeriod: periodStart(periods.breakdown, sql`happened_date`),
    isNewCustomer: sql`first_ordered_date >= ${orderPeriod}`,
  };
}

/**
 * CTEs `sales`, `attention` and `buyers`, each with one row per (entity, period) that has any; needs the CTE
 * `members` before them. Their columns are what the performance metrics are made of.
 */
export function activity(level: Level, window: ActivityWindow): Sql {
  return sql`
    baskets as (${baskets(level, window)}),
    sales as (
      select entity, period,
        count(*) as unique_orders_count,
        count(*) filter (where order_number = 1) as first_orders,
        count(*) filter (where order_number = 2) as second_orders,
        cast(round(sum(quantity)) as bigint) as total_quantity,
        sum(revenue) as estimated_revenue,
        sum(profit) as estimated_gross_profit,
        count(distinct customer_key) as unique_customers_count,
        count(distinct customer_key) filter (where is_new_customer) as new_customers_count,
        ${ratio(sql`sum(order_revenue)`, sql`count(*)`)} as avg_order_value
      from baskets
      group by entity, period
    ),
    events as (
      select entity, ${window.eventPeriod} as period, visitor_key, kind, engagement_s, score
      from ${productEvents} join members using (product_key)
      where ${window.events}
    ),
    attention as (
      select entity, period,
        count(*) filter (where kind = 'view') as impressions,
        count(distinct visitor_key) filter (where kind = 'view') as reach,
        sum(engagement_s) as engagement_time_s,
        sum(score) as engagement_score
      from events
      group by entity, period
    ),
    buyers as (
      select entity, period, count(*) as visitors
      from (select distinct entity, period, visitor_key from events where kind = 'view') as viewers
      join (select distinct entity, period, visitor_key from baskets) as orderers using (entity, period, visitor_key)
      group by entity, period
    )`;
}

/** One row per (entity, valid order that contains it). */
function baskets(level: Level, window: ActivityWindow): Sql {
  if (level === 'product') {
    // `order_products` already has one row per order and product.
    return sql`
      select entity, ${window.orderPeriod} as period, order_number, customer_key, visitor_key, order_revenue,
        quantity, revenue, profit, ${window.isNewCustomer} as is_new_customer
      from ${orderProducts} join members using (product_key)
      where ${window.orders}`;
  }
  return sql`
    select entity, ${window.orderPeriod} as period,
      any_value(order_number) as order_number, any_value(customer_key) as customer_key,
      any_value(visitor_key) as visitor_key, any_value(order_revenue) as order_revenue,
      sum(quantity) as quantity, sum(revenue) as revenue, sum(profit) as profit,
      any_value(${window.isNewCustomer}) as is_new_customer
    from ${orderProducts} join members using (product_key)
    where ${window.orders}
    group by entity, period, order_key`;
}
