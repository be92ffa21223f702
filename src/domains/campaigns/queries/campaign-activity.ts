import { fieldNamed } from '../../../answers/fields/field.ts';
import { percent } from '../../../answers/metric.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { emailActivity } from '../../messages/queries/email-activity.ts';

/**
 * What campaigns of e-mail and SMS have in common, over rows of `sends` of either channel. Nobody opens an
 * SMS as far as one can tell, so its messages are in no rate of opens.
 */
export const messageMeasures: Sql = sql`
  count(*) as sent,
  count(*) filter (where outcome = 'delivered') as delivered,
  count(*) filter (where outcome = 'delivered' and channel = 'email') as delivered_by_email,
  count(*) filter (where is_opened and channel = 'email') as opened,
  count(*) filter (where clicks > 0) as clicked,
  count(*) filter (where is_unsubscribed) as unsubscribed`;

const ofEmail = <const Key extends (typeof emailActivity)[number]['key']>(key: Key) =>
  fieldNamed(emailActivity, key);

/** The part of EMAIL_ACTIVITY that SMS have too, over rows of `messageMeasures`. */
export const messageActivity = [
  { ...ofEmail('sent_count'), value: sql`sent`, definition: 'Messages sent.' },
  { ...ofEmail('delivered_count'), value: sql`delivered`, definition: 'Messages delivered.' },
  {
    ...ofEmail('unique_opens_count'),
    value: sql`opened`,
    definition: 'E-mails with a human open or click; SMS 0.',
  },
  { ...ofEmail('unique_clicks_count'), value: sql`clicked` },
  {
    ...ofEmail('unsubscribes_count'),
    value: sql`unsubscribed`,
    definition: 'unsubscribes_count of e-mails + opt_outs_count of SMS.',
  },
  {
    ...ofEmail('open_rate'),
    value: percent(sql`opened`, sql`delivered_by_email`),
    definition: 'unique_opens_count / delivered_count of e-mails; SMS null.',
    base: 'delivered_count',
  },
  { ...ofEmail('click_rate'), value: percent(sql`clicked`, sql`delivered`) },
  { ...ofEmail('unsubscribe_rate'), value: percent(sql`unsubscribed`, sql`delivered`) },
];
