import { AS_NAMED } from '../../../answers/fields/field.ts';
import { counted, rate } from '../../../answers/metric.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
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

/**
 * EMAIL_ACTIVITY, over rows of `emailMeasures`. Messages sent in the range, with all that happened to them
 * since.
 */
export const emailActivity = [
  sharedActivity.sent,
  sharedActivity.recipients,
  counted(
    'messages',
    'delivered_count',
    'E-mail: sent - hard_bounces - soft_bounces; SMS: reported as delivered.',
    delivered,
  ),
  counted('messages', 'hard_bounces_count', 'Permanent failures.', sql`hard`),
  counted('messages', 'soft_bounces_count', 'Temporary failures and blocks, when final.', sql`soft`),
  counted('opens', 'opens_count', 'Human opens.', sql`opens`),
  counted('messages', 'unique_opens_count', 'Sends with a human open or click.', sql`opened`),
  counted('opens', 'machine_opens_count', AS_NAMED, sql`machine_opens`),
  counted(
    'messages',
    'unique_machine_only_opens_count',
    'Sends with opens by machines alone.',
    sql`opened_by_machine`,
  ),
  sharedActivity.clicks,
  sharedActivity.clicked,
  sharedActivity.botClicks,
  counted(
    'messages',
    'unsubscribes_count',
    'Sends with an unsubscribe that names them; one that names no message is not here.',
    sql`unsubscribed`,
  ),
  counted(
    'messages',
    'spam_complaints_count',
    'Sends reported as spam; Gmail reports none, and complaints without a send are not here.',
    sql`complained`,
  ),
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
