import { sql } from '../../sql/sql.ts';
import type { Metric } from '../metrics/metric.ts';

/** What the activity of e-mail and that of SMS have in common, in the words of both, over rows of their measures. */
export const sharedActivity = {
  sent: {
    key: 'sent_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Taken by the mail server or SMS gateway, one per recipient; not those skipped.',
    value: sql`sent`,
  },
  recipients: {
    key: 'unique_recipients_count',
    type: 'integer',
    unit: 'profiles',
    definition: 'Distinct recipients.',
    value: sql`recipients`,
  },
  clicks: {
    key: 'clicks_count',
    type: 'integer',
    unit: 'clicks',
    definition: 'Human clicks; not on unsubscribe, preferences, view online.',
    value: sql`clicks`,
  },
  clicked: {
    key: 'unique_clicks_count',
    type: 'integer',
    unit: 'messages',
    definition: 'Sends with a human click.',
    value: sql`clicked`,
  },
  botClicks: {
    key: 'bot_clicks_count',
    type: 'integer',
    unit: 'clicks',
    definition: 'Clicks by bots.',
    value: sql`bot_clicks`,
  },
} as const satisfies Record<string, Metric>;
