import { AS_NAMED } from '../../../answers/fields/field.ts';
import { counted } from '../../../answers/metric.ts';
import { sql } from '../../../sql/sql.ts';

/**
 * What the activity of e-mail and that of SMS have in common, in the words of both, over rows of their
 * measures.
 */
export const sharedActivity = {
  sent: counted(
    'messages',
    'sent_count',
    'Taken by the mail server or SMS gateway, one per recipient; not those skipped.',
    sql`sent`,
  ),
  recipients: counted('profiles', 'unique_recipients_count', 'Distinct recipients.', sql`recipients`),
  clicks: counted(
    'clicks',
    'clicks_count',
    'Human clicks; not on unsubscribe, preferences, view online.',
    sql`clicks`,
  ),
  clicked: counted('messages', 'unique_clicks_count', 'Sends with a human click.', sql`clicked`),
  botClicks: counted('clicks', 'bot_clicks_count', AS_NAMED, sql`bot_clicks`),
};
