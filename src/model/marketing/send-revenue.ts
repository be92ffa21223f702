import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, percent, ratio } from '../metrics/metric.ts';

/** What the revenue of messages is made of, over rows of `sends`; `delivered` comes from the channel's measures. */
export const sendRevenueMeasures: Sql = sql`
  coalesce(sum(attributed_orders), 0) as attributed_orders,
  coalesce(sum(attributed_revenue), 0) as attributed_revenue,
  coalesce(sum(click_attributed_revenue), 0) as click_attributed_revenue,
  coalesce(sum(refunded_revenue), 0) as refunded,
  count(*) filter (where attributed_orders > 0) as converted,
  max(sent_at) as last_sent_at`;

/**
 * SEND_REVENUE: orders credited to messages sent in the range, whenever placed.
 *
 * @param delivered messages, over the same rows
 * @param hasRefunds whether refunds are loaded at all
 */
export function sendRevenue(delivered: Sql, hasRefunds: boolean): readonly Metric[] {
  return [
    {
      key: 'attributed_orders_count',
      type: 'integer',
      unit: 'orders',
      definition: 'Orders credited to the messages, whenever placed.',
      value: sql`attributed_orders`,
    },
    {
      key: 'attributed_revenue',
      type: 'number',
      unit: 'money',
      definition: 'Orders credited to the messages, whenever placed.',
      value: sql`attributed_revenue`,
    },
    {
      key: 'click_attributed_revenue',
      type: 'number',
      unit: 'money',
      definition: 'Credited by a click.',
      value: sql`click_attributed_revenue`,
    },
    {
      key: 'average_order_value',
      type: 'number',
      unit: 'money',
      nullable: true,
      definition: 'attributed_revenue / attributed_orders_count.',
      value: ratio(sql`attributed_revenue`, sql`attributed_orders`),
    },
    {
      key: 'conversion_rate',
      type: 'number',
      unit: 'percent',
      nullable: true,
      definition: 'Sends with a credited order / delivered_count.',
      value: percent(sql`converted`, sql`(${delivered})`),
    },
    {
      key: 'revenue_per_recipient',
      type: 'number',
      unit: 'money',
      nullable: true,
      definition: 'attributed_revenue / delivered_count.',
      value: ratio(sql`attributed_revenue`, sql`(${delivered})`),
    },
    {
      key: 'refunded_revenue',
      type: 'number',
      unit: 'money',
      nullable: true,
      definition: 'Refunds to date on the orders counted; null: none loaded.',
      value: hasRefunds ? sql`refunded` : sql`cast(null as decimal(18,4))`,
    },
  ];
}
