import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, rate } from '../metrics/metric.ts';
import { sharedActivity } from './shared-activity.ts';

/** What the e-mail activity is made of, over rows of `sends` of the channel `email`. */
export const emailMeasures: Sql = sql`
  count(*) as sent,
  count(distinct customer_key) as recipients,
  count(*) filter (where outcome = 'hard') as hard,
  count(*) filter (where outcome in ('soft', 'block')) as soft,
  coalesce(sum(opens), 0) as opens,
  count(*) filter (where is_opened) as opened,
  coalesce(sum(machine_opens), 0) as machine_opens,
  count(*) filter (where machine_opens > 0 and not is_opened and outcome = 'delivered') as opened_by_machine,
  coalesce(sum(clicks), 0) as clicks,
  count(*) filter (where clicks > 0) as clicked,
  coalesce(sum(bot_clicks), 0) as bot_clicks,
  count(*) filter (where is_unsubscribed) as unsubscribed,
  count(*) filter (where is_complained) as complained`;

export const delivered = sql`sent - hard - soft`;

/** EMAIL_ACTIVITY, over rows of `emailMeasures`. Messages sent in the range, with all that happened to them since. */
export const emailActivity: readonly Metric[] = [
  sharedActivity.sent,
  sharedActivity.recipients,
  {
    key: 'delivered_count',
    type: 'integer',
    unit: 'messages',
    definition: 'E-mail: sent - hard_bounces - soft_bounces; SMS: reported as delivered.',
    value: delivered,
  },
  {
    key: 'hard_bounces_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Permanent failures.',
    value: sql`hard`,
  },
  {
    key: 'soft_bounces_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Temporary failures and blocks, when final.',
    value: sql`soft`,
  },
  {
    key: 'opens_count',
    type: 'integer',
    unit: 'opens',
    definition: 'Human opens.',
    value: sql`opens`,
  },
  {
    key: 'unique_opens_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sends with a human open or click.',
    value: sql`opened`,
  },
  {
    key: 'machine_opens_count',
    type: 'integer',
    unit: 'opens',
    definition: 'Opens by machines.',
    value: sql`machine_opens`,
  },
  {
    key: 'unique_machine_only_opens_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sends with opens by machines alone.',
    value: sql`opened_by_machine`,
  },
  sharedActivity.clicks,
  sharedActivity.clicked,
  sharedActivity.botClicks,
  {
    key: 'unsubscribes_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sends that led to an unsubscribe.',
    value: sql`unsubscribed`,
  },
  {
    key: 'spam_complaints_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sends reported as spam; Gmail reports none.',
    value: sql`complained`,
  },
  rate('delivery_rate', 'delivered_count / sent_count.', delivered, sql`sent`),
  rate('bounce_rate', '(hard + soft) / sent_count.', sql`(hard + soft)`, sql`sent`),
  rate('open_rate', 'unique_opens_count / delivered_count.', sql`opened`, delivered),
  rate(
    'raw_open_rate',
    '(unique_opens_count + unique_machine_only_opens_count) / delivered_count: as platforms show it.',
    sql`(opened + opened_by_machine)`,
    delivered,
  ),
  rate('click_rate', 'unique_clicks_count / delivered_count.', sql`clicked`, delivered),
  rate('click_to_open_rate', 'unique_clicks_count / unique_opens_count.', sql`clicked`, sql`opened`),
  rate('unsubscribe_rate', 'unsubscribes_count / delivered_count.', sql`unsubscribed`, delivered),
  rate('spam_complaint_rate', 'spam_complaints_count / delivered_count.', sql`complained`, delivered),
];
