import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, rate, ratio } from '../metrics/metric.ts';
import { sharedActivity } from './shared-activity.ts';

/** What the SMS activity is made of, over rows of `sends` of the channel `sms`. */
export const smsMeasures: Sql = sql`
  count(*) as sent,
  count(distinct customer_key) as recipients,
  coalesce(sum(sms_segments), 0) as segments,
  count(*) filter (where is_unicode) as unicode_messages,
  count(*) filter (where outcome = 'delivered') as delivered,
  count(*) filter (where outcome = 'failed') as failed,
  count(*) filter (where outcome = 'pending') as pending,
  coalesce(sum(clicks), 0) as clicks,
  count(*) filter (where clicks > 0) as clicked,
  coalesce(sum(bot_clicks), 0) as bot_clicks,
  count(*) filter (where is_unsubscribed) as opted_out,
  sum(cost) as cost`;

/** SMS_ACTIVITY, over rows of `smsMeasures`. Messages sent in the range, with all that happened to them since. */
export const smsActivity: readonly Metric[] = [
  sharedActivity.sent,
  sharedActivity.recipients,
  {
    key: 'segments_count',
    type: 'integer',
    unit: 'segments',
    definition: 'Billed parts.',
    value: sql`segments`,
  },
  {
    key: 'unicode_messages_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sent as UCS-2.',
    value: sql`unicode_messages`,
  },
  {
    key: 'delivered_count',
    type: 'integer',
    unit: 'messages',
    definition: 'E-mail: sent - hard_bounces - soft_bounces; SMS: reported as delivered.',
    value: sql`delivered`,
  },
  {
    key: 'failed_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Final report: not delivered.',
    value: sql`failed`,
  },
  {
    key: 'pending_count',
    type: 'integer',
    unit: 'messages',
    definition: 'No final report; sent = delivered + failed + pending.',
    value: sql`pending`,
  },
  sharedActivity.clicks,
  sharedActivity.clicked,
  sharedActivity.botClicks,
  {
    key: 'opt_outs_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sends that led to an opt-out.',
    value: sql`opted_out`,
  },
  {
    key: 'cost',
    type: 'number',
    unit: 'money',
    nullable: true,
    definition: 'Of the gateway, for messages sent; null: none loaded.',
    value: sql`cost`,
  },
  rate('delivery_rate', 'delivered_count / sent_count.', sql`delivered`, sql`sent`),
  rate('click_rate', 'unique_clicks_count / delivered_count.', sql`clicked`, sql`delivered`),
  rate('opt_out_rate', 'opt_outs_count / delivered_count.', sql`opted_out`, sql`delivered`),
  rate('failure_rate', 'failed_count / sent_count.', sql`failed`, sql`sent`),
  {
    key: 'avg_segments_per_message',
    type: 'number',
    unit: 'segments',
    nullable: true,
    definition: 'segments_count / sent_count.',
    value: ratio(sql`segments`, sql`sent`),
  },
  {
    key: 'cost_per_delivered',
    type: 'number',
    unit: 'money',
    nullable: true,
    definition: 'cost / delivered_count.',
    value: ratio(sql`cost`, sql`delivered`),
  },
];
