import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, percent } from '../metrics/metric.ts';
import { emailActivity } from './email-activity.ts';

/**
 * What campaigns of e-mail and SMS have in common, over rows of `sends` of either channel. Nobody opens an SMS as far as
 * one can tell, so its messages are in no rate of opens.
 */
export const messageMeasures: Sql = sql`
  count(*) as sent,
  count(*) filter (where outcome = 'delivered') as delivered,
  count(*) filter (where outcome = 'delivered' and channel = 'email') as delivered_by_email,
  count(*) filter (where is_opened and channel = 'email') as opened,
  count(*) filter (where clicks > 0) as clicked,
  count(*) filter (where is_unsubscribed) as unsubscribed`;

const VALUES: Readonly<Record<string, Sql>> = {
  sent_count: sql`sent`,
  delivered_count: sql`delivered`,
  unique_opens_count: sql`opened`,
  unique_clicks_count: sql`clicked`,
  unsubscribes_count: sql`unsubscribed`,
  open_rate: percent(sql`opened`, sql`delivered_by_email`),
  click_rate: percent(sql`clicked`, sql`delivered`),
  unsubscribe_rate: percent(sql`unsubscribed`, sql`delivered`),
};

/** The part of EMAIL_ACTIVITY that SMS have too, over rows of `messageMeasures`. */
export const messageActivity: readonly Metric[] = emailActivity.flatMap((metric) => {
  const value = VALUES[metric.key];
  return value === undefined ? [] : [{ ...metric, value }];
});
