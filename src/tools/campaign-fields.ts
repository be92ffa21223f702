import { z } from 'zod';
import { shortText, shortTextOrNull } from '../model/business-text.ts';
import { InputError } from '../model/errors.ts';
import { withoutAddresses } from '../model/marketing/personal-values.ts';
import { campaigns } from '../model/tables.ts';
import type { Row } from '../sql/row.ts';
import { parameter, type Sql, sql } from '../sql/sql.ts';

export const campaignIdArgument = z.string('must be text').describe('From list_campaigns.');

/** Moments in UTC, which their `Z` says. */
const utc = z.string().meta({ format: 'date-time' });

/** A campaign, as the tools about campaigns show it. */
export const campaignFields = {
  campaign_id: z.string(),
  name: z.string(),
  campaign_type: z.string(),
  channel: z.string(),
  campaign_category: z.string().describe('What it is for.'),
  state: z.string(),
  subject: z.string().nullable().describe('Of the first message.'),
  created_at: utc,
  updated_at: utc.nullable(),
  scheduled_at: utc.nullable(),
  first_sent_at: utc.nullable().describe('Of a popup the first display.'),
  last_sent_at: utc.nullable(),
  labels: z.array(z.string()),
};

/** The same over `campaigns`. */
export const campaignColumns = sql`campaign_id, name, campaign_type, channel, campaign_category, state, subject,
  created_at, updated_at, scheduled_at, first_sent_at, last_sent_at, labels`;

const LABELS = 50;

/** Texts at a length that lists can bear. */
export function shownCampaign({ name, subject, labels, ...row }: Row) {
  return {
    ...row,
    name: shortText(String(name), 300),
    subject: shownSubject(subject),
    labels: (labels as readonly string[]).slice(0, LABELS).map((label) => shortText(label, 100)),
  };
}

export function shownSubject(subject: unknown): string | null {
  return typeof subject === 'string' ? shortTextOrNull(withoutAddresses(subject), 500) : null;
}

/** The most messages of a campaign that are listed. */
export const MOST_MESSAGES = 200;

/** @param count of all messages */
export function cutMessagesNotes(count: number): string[] {
  return count > MOST_MESSAGES
    ? [`The campaign has ${count} messages, of which the first ${MOST_MESSAGES} are listed.`]
    : [];
}

/** The rows of a table that belong to one campaign. */
export function ofCampaign(campaignId: string): Sql {
  return sql`campaign_key in (select campaign_key from ${campaigns} where campaign_id = ${parameter.text(campaignId)})`;
}

/** @throws InputError when there is no row */
export function requireCampaign([row]: readonly Row[]): Row {
  if (row === undefined) throw new InputError('campaign not found', 'Find its id with list_campaigns.');
  return row;
}
