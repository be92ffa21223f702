import { parameter, type Sql, sql } from '../../sql/sql.ts';
import { type Metric, percent, ratio } from '../metrics/metric.ts';
import { orderAttribution, orders, orderTraffic } from '../tables.ts';
import type { MessageChannel } from './message-channels.ts';

/**
 * Valid orders with what the channel and last clicks claim of them.
 *
 * @param placed a condition over `ordered_at` or `ordered_date`
 */
export function claimedOrders({ name, lastClickChannel }: MessageChannel, placed: Sql): Sql {
  return sql`
    select ordered_date, order_number, customer_key, revenue, refunded, is_automation,
      touch_kind is not null as is_credited,
      coalesce(touch_kind = 'click', false) as is_by_click,
      coalesce(last_click_channel = ${parameter.text(lastClickChannel)}, false) as is_last_click,
      touch_kind is not null and last_click_channel is not null and last_click_channel not in (
        ${parameter.texts([lastClickChannel, 'Direct', 'Internal', 'Unassigned'])}) as is_contested
    from ${orders}
    left join (
      select order_key, touch_kind, is_automation from ${orderAttribution}
      where scenario = 'configured' and channel = ${parameter.text(name)} and ${placed}
    ) as credited using (order_key)
    left join (
      select order_key, last_click_channel from ${orderTraffic} where ${placed}
    ) as clicked using (order_key)
    where is_valid and ${placed}`;
}

/** Over rows of `claimedOrders`. */
export const orderDateMeasures: Sql = sql`
  count(*) as total_orders,
  coalesce(sum(revenue), 0) as total_revenue,
  count(*) filter (where is_credited) as attributed_orders,
  ${revenueWhere(sql`is_credited`)} as attributed_revenue,
  count(*) filter (where is_credited and order_number = 1) as new_orders,
  count(distinct customer_key) filter (where is_credited) as customers,
  count(*) filter (where is_by_click) as click_orders,
  ${revenueWhere(sql`is_by_click`)} as click_revenue,
  ${revenueWhere(sql`is_credited and not is_automation`)} as targeted_revenue,
  ${revenueWhere(sql`is_credited and is_automation`)} as incremental_revenue,
  count(*) filter (where is_last_click) as last_click_orders,
  ${revenueWhere(sql`is_last_click`)} as last_click_revenue,
  ${revenueWhere(sql`is_contested`)} as contested_revenue,
  coalesce(sum(refunded) filter (where is_credited), 0) as refunded_revenue`;

function revenueWhere(condition: Sql): Sql {
  return sql`coalesce(sum(revenue) filter (where ${condition}), 0)`;
}

/** Also of single periods. */
export const periodRevenue: readonly Metric[] = [
  orderCount('attributed_orders_count', 'Orders credited to the channel.', sql`attributed_orders`),
  revenue('attributed_revenue', 'Orders credited to the channel.', sql`attributed_revenue`),
  revenue('total_revenue', 'All of order_statistics.', sql`total_revenue`),
  {
    key: 'attributed_revenue_share',
    type: 'number',
    unit: 'percent',
    nullable: true,
    definition: 'attributed_revenue / total_revenue.',
    value: percent(sql`attributed_revenue`, sql`total_revenue`),
  },
  revenue('last_click_revenue', 'Orders whose last click is the channel.', sql`last_click_revenue`),
];

/**
 * ORDER_DATE_REVENUE, over rows of `orderDateMeasures`.
 *
 * @param hasRefunds whether refunds are loaded at all
 */
export function orderDateRevenue(hasRefunds: boolean): readonly Metric[] {
  const refunded = hasRefunds ? sql`refunded_revenue` : sql`cast(null as decimal(18,4))`;
  return [
    orderCount('total_orders_count', 'All of order_statistics.', sql`total_orders`),
    ...periodRevenue,
    nullable(
      revenue(
        'average_order_value',
        'attributed_revenue / attributed_orders_count.',
        ratio(sql`attributed_revenue`, sql`attributed_orders`),
      ),
    ),
    orderCount('new_orders_count', 'Credited new orders.', sql`new_orders`),
    orderCount('returning_orders_count', 'Credited returning orders.', sql`attributed_orders - new_orders`),
    {
      key: 'unique_customers_count',
      type: 'integer',
      unit: 'customers',
      definition: 'Distinct customers of credited orders.',
      value: sql`customers`,
    },
    orderCount('click_attributed_orders_count', 'Credited by a click.', sql`click_orders`),
    revenue('click_attributed_revenue', 'Credited by a click.', sql`click_revenue`),
    revenue('targeted_revenue', 'Credited to one-off campaigns.', sql`targeted_revenue`),
    revenue('incremental_revenue', 'Credited to automations.', sql`incremental_revenue`),
    orderCount('last_click_orders_count', 'Orders whose last click is the channel.', sql`last_click_orders`),
    revenue(
      'contested_revenue',
      'Credited, but last click of another marketing channel: claimed twice.',
      sql`contested_revenue`,
    ),
    nullable(
      revenue('refunded_revenue', 'Refunds to date on the orders counted; null: none loaded.', refunded),
    ),
    nullable(
      revenue(
        'net_attributed_revenue',
        'attributed_revenue - refunded_revenue.',
        sql`attributed_revenue - ${refunded}`,
      ),
    ),
  ];
}

function orderCount(key: string, definition: string, value: Sql): Metric {
  return { key, type: 'integer', unit: 'orders', definition, value };
}

function revenue(key: string, definition: string, value: Sql): Metric {
  return { key, type: 'number', unit: 'money', definition, value };
}

function nullable(metric: Metric): Metric {
  return { ...metric, nullable: true };
}

/** What would be credited to the channel under each of its scenarios. */
export function scenarioRevenue({ name, scenarios }: MessageChannel, placed: Sql): Sql {
  return sql`
    select scenario, count(*) as orders_count, sum(revenue) as revenue
    from ${orderAttribution}
    where channel = ${parameter.text(name)} and scenario in (${parameter.texts(scenarios)}) and ${placed}
    group by scenario`;
}
