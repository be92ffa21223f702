import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, percent, ratio } from '../metrics/metric.ts';

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
  {
    key: 'sent_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Messages that the gateway accepted.',
    value: sql`sent`,
  },
  {
    key: 'unique_recipients_count',
    type: 'integer',
    unit: 'profiles',
    definition: 'Distinct recipients; not additive.',
    value: sql`recipients`,
  },
  {
    key: 'segments_count',
    type: 'integer',
    unit: 'segments',
    definition: 'Billed parts: 160 characters or 153 each in several, with a non-GSM character 70 or 67.',
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
    definition: 'Final report: delivered.',
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
    definition: 'No final report. sent = delivered + failed + pending.',
    value: sql`pending`,
  },
  {
    key: 'clicks_count',
    type: 'integer',
    unit: 'clicks',
    definition: 'Clicks by people.',
    value: sql`clicks`,
  },
  {
    key: 'unique_clicks_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sends with such a click.',
    value: sql`clicked`,
  },
  {
    key: 'bot_clicks_count',
    type: 'integer',
    unit: 'clicks',
    definition: 'Clicks by previews and scanners.',
    value: sql`bot_clicks`,
  },
  {
    key: 'opt_outs_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sends that led to an SMS withdrawal.',
    value: sql`opted_out`,
  },
  {
    key: 'cost',
    type: 'number',
    unit: 'money',
    nullable: true,
    definition: 'Gateway cost; null when none is loaded.',
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

function rate(key: string, definition: string, part: Sql, whole: Sql): Metric {
  return { key, type: 'number', unit: 'percent', nullable: true, definition, value: percent(part, whole) };
}
