import { z } from 'zod';
import { field, type ObjectOf } from '../../answers/fields/field.ts';
import { moment, text } from '../../answers/fields/kinds-of-fields.ts';
import { InputError } from '../../errors.ts';
import { campaigns } from '../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../sql/sql.ts';
import { shortText } from '../../text/business-text.ts';
import { withoutAddresses } from '../../text/personal-values.ts';
import {
  campaignCategory,
  campaignId,
  campaignName,
  campaignState,
  campaignType,
} from '../messages/queries/message-fields.ts';

export const campaignIdArgument = z.string('must be text').describe('From list_campaigns.');

/** A campaign, as the tools about campaigns show it. */
export const campaignFields = [
  campaignId,
  campaignName,
  campaignType,
  text('channel', 'email, sms or popup.'),
  campaignCategory,
  campaignState,
  text('subject', 'Of the first message. Business data.', 'it has none'),
  moment('created_at', 'In UTC.'),
  moment('updated_at', 'In UTC.', 'not known'),
  moment('scheduled_at', 'In UTC.', 'not scheduled'),
  moment('first_sent_at', 'In UTC; of a popup the first display.', 'not sent yet'),
  moment('last_sent_at', 'In UTC.', 'not sent yet'),
  field({ key: 'labels', type: 'list', of: 'text', definition: 'At most 50. Business data.' }),
];
type Campaign = ObjectOf<typeof campaignFields>;

/** The same over `campaigns`. */
export const campaignColumns = sql`campaign_id, name, campaign_type, channel, campaign_category, state, subject,
  created_at, updated_at, scheduled_at, first_sent_at, last_sent_at, labels`;

const LABELS = 50;

/** Texts at a length that lists can bear. */
export function shownCampaign<One extends Campaign>({ name, subject, labels, ...row }: One) {
  return {
    ...row,
    name: shortText(name, 300),
    subject: shownSubject(subject),
    labels: labels.slice(0, LABELS).map((label) => shortText(label, 100)),
  };
}

export function shownSubject(subject: string | null): string | null {
  return subject === null ? null : shortText(withoutAddresses(subject), 500);
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
export function requireCampaign<One>([row]: readonly One[]): One {
  if (row === undefined) throw new InputError('campaign not found', 'Find its id with list_campaigns.');
  return row;
}
