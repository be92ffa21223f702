import { NO_RATE, NONE_LOADED, NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { counted, knownSum, metric, rate, ratio } from '../../../answers/metric.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { matureBefore } from './data-until.ts';

/**
 * What the revenue of messages is made of, over rows of `sends`; `delivered` comes from the channel's
 * measures.
 */
export const sendRevenueMeasures: Sql = sql`
  coalesce(sum(attributed_orders), 0) as attributed_orders,
  ${knownSum(sql`attributed_revenue`)} as attributed_revenue,
  ${knownSum(sql`click_attributed_revenue`)} as click_attributed_revenue,
  ${knownSum(sql`refunded_revenue`)} as refunded,
  coalesce(sum(priced_orders), 0) as priced_orders,
  count(*) filter (where attributed_orders > 0) as converted,
  max(sent_at) as last_sent_at`;

/**
 * The measures of messages whose windows are over, so that nothing more is credited to them. They are over
 * rows of `sends`.
 *
 * @param facts of the snapshot
 */
export function matureMeasures(facts: SnapshotFacts): Sql {
  const hadTime = sql`sent_at < ${parameter.timestamp(matureBefore(facts))}`;
  return sql`
    count(*) filter (where outcome = 'delivered' and ${hadTime}) as mature_delivered,
    count(*) filter (where attributed_orders > 0 and ${hadTime}) as mature_converted,
    ${knownSum(sql`attributed_revenue`, hadTime)} as mature_revenue`;
}

/** The revenue over rows of `matureMeasures`. In a range that ends with the data it is what can be quoted. */
export const matureRevenue = [
  counted(
    'messages',
    'mature_delivered_count',
    'Delivered so long ago that credit is final.',
    sql`mature_delivered`,
  ),
  rate(
    'mature_conversion_rate',
    'conversion_rate of mature messages. Quote this.',
    sql`mature_converted`,
    sql`mature_delivered`,
  ),
  metric({
    key: 'mature_revenue_per_recipient',
    type: 'number',
    unit: 'money',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'revenue_per_recipient of mature messages. Quote this.',
    value: ratio(sql`mature_revenue`, sql`mature_delivered`),
  }),
];

/**
 * SEND_REVENUE: orders credited to messages sent in the range, whenever placed.
 *
 * @param delivered messages, over the same rows
 * @param hasRefunds whether refunds are loaded at all
 */
export function sendRevenue(delivered: Sql, hasRefunds: boolean) {
  return [
    counted(
      'orders',
      'attributed_orders_count',
      'Orders credited to the messages, whenever placed.',
      sql`attributed_orders`,
    ),
    metric({
      key: 'attributed_revenue',
      type: 'number',
      unit: 'money',
      revenue: 'credited',
      null: NO_RATE,
      definition: 'Revenue credited to the messages, whenever ordered.',
      value: sql`attributed_revenue`,
    }),
    metric({
      key: 'click_attributed_revenue',
      type: 'number',
      unit: 'money',
      null: NO_RATE,
      definition: 'attributed_revenue by a click.',
      value: sql`click_attributed_revenue`,
    }),
    metric({
      key: 'average_order_value',
      type: 'number',
      unit: 'money',
      null: NOTHING_TO_DIVIDE_BY,
      definition: 'attributed_revenue / attributed_orders_count, of known amounts.',
      value: ratio(sql`attributed_revenue`, sql`priced_orders`),
    }),
    rate(
      'conversion_rate',
      'Sends with a credited order / delivered_count.',
      sql`converted`,
      sql`(${delivered})`,
    ),
    metric({
      key: 'revenue_per_recipient',
      type: 'number',
      unit: 'money',
      null: NOTHING_TO_DIVIDE_BY,
      definition: 'attributed_revenue / delivered_count: per message, not per person.',
      value: ratio(sql`attributed_revenue`, sql`(${delivered})`),
    }),
    metric({
      key: 'revenue_per_person',
      type: 'number',
      unit: 'money',
      null: NOTHING_TO_DIVIDE_BY,
      definition: 'attributed_revenue / unique_recipients_count.',
      value: ratio(sql`attributed_revenue`, sql`recipients`),
    }),
    metric({
      key: 'refunded_revenue',
      type: 'number',
      unit: 'money',
      null: NONE_LOADED,
      definition: 'Refunds to date on credited orders.',
      value: hasRefunds ? sql`refunded` : sql`cast(null as decimal(18,4))`,
    }),
  ];
}
