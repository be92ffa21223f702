import { NONE_LOADED, NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { counted, measured, metric, rate, ratio } from '../../../answers/metric.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
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

/**
 * SMS_ACTIVITY, over rows of `smsMeasures`. Messages sent in the range, with all that happened to them since.
 */
export const smsActivity = [
  sharedActivity.sent,
  sharedActivity.recipients,
  counted('segments', 'segments_count', 'Billed parts.', sql`segments`),
  counted('messages', 'unicode_messages_count', 'Sent as UCS-2.', sql`unicode_messages`),
  counted(
    'messages',
    'delivered_count',
    'E-mail: sent - hard_bounces - soft_bounces; SMS: reported as delivered.',
    sql`delivered`,
  ),
  counted('messages', 'failed_count', 'Final report: not delivered.', sql`failed`),
  counted('messages', 'pending_count', 'No final report; sent = delivered + failed + pending.', sql`pending`),
  sharedActivity.clicks,
  sharedActivity.clicked,
  sharedActivity.botClicks,
  counted(
    'messages',
    'opt_outs_count',
    'Sends with an opt-out: the one it names, else the last not failed in the 72 h before; others not.',
    sql`opted_out`,
  ),
  measured('money', 'cost', 'Of the gateway, for messages sent.', sql`cost`, NONE_LOADED),
  rate('delivery_rate', 'delivered_count / sent_count.', sql`delivered`, sql`sent`),
  rate('click_rate', 'unique_clicks_count / delivered_count.', sql`clicked`, sql`delivered`),
  rate('opt_out_rate', 'opt_outs_count / delivered_count.', sql`opted_out`, sql`delivered`),
  rate('failure_rate', 'failed_count / sent_count.', sql`failed`, sql`sent`),
  metric({
    key: 'avg_segments_per_message',
    type: 'number',
    unit: 'segments',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'segments_count / sent_count.',
    value: ratio(sql`segments`, sql`sent`),
  }),
  metric({
    key: 'cost_per_delivered',
    type: 'number',
    unit: 'money',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'cost / delivered_count.',
    value: ratio(sql`cost`, sql`delivered`),
  }),
];
