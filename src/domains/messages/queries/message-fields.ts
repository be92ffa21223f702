import { field } from '../../../answers/fields/field.ts';
import { choice, flag, moment, text } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage, periodFields } from '../../../answers/fields/shared-fields.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { sql } from '../../../sql/sql.ts';
import { messageRevenueUntil } from './data-until.ts';
import type { MessageChannel } from './message-channels.ts';
import { periodRevenue } from './order-date-revenue.ts';
import { matureRevenue, sendRevenue } from './send-revenue.ts';

/** Fields that the answers about messages share. */

export const openWindow = {
  key: 'attribution_open_window_h',
  type: 'integer',
  unit: 'hours',
  definition: 'E-mail opens so long before an order are credited; 0: none.',
} as const;

export const clickWindow = {
  key: 'attribution_click_window_h',
  type: 'integer',
  unit: 'hours',
  definition: 'Clicks so long before an order are credited; 0: none.',
} as const;

/** The attribution rule in force, in every answer with credited revenue. */
export const attributionFields = [
  choice(
    'attribution_model',
    ['last_touch'],
    'An order is credited to the latest click or e-mail open before it, of e-mail and SMS.',
  ),
  field(openWindow),
  field(clickWindow),
];

export function attributionEcho(
  channel: Pick<MessageChannel, 'name'>,
  { attribution_windows }: SnapshotFacts,
) {
  return {
    attribution_model: 'last_touch',
    // Nobody opens an SMS as far as one can tell.
    attribution_open_window_h: channel.name === 'sms' ? 0 : attribution_windows.open,
    attribution_click_window_h: attribution_windows.click,
  } as const;
}

/** The channel whose windows an answer about several channels tells. Nothing is opened where all are SMS. */
export function windowsOf(channels: readonly string[] | null): Pick<MessageChannel, 'name'> {
  return { name: channels?.length && channels.every((channel) => channel === 'sms') ? 'sms' : 'email' };
}

/** Popups have a rule of their own: opens and clicks are not credited to them. */
export const popupAttributionEcho = {
  attribution_model: 'last_touch',
  attribution_open_window_h: 0,
  attribution_click_window_h: 0,
} as const;

/** The basis of answers about orders by when they were placed. */
export const orderDateBasis = choice('basis', ['order_date'], 'order_date: orders placed in the range.');

/** The basis of answers about messages by when they were sent. */
export const sendBasis = choice(
  'basis',
  ['send'],
  'send: messages sent in the range, with all that followed until data_until.',
);

/** The first fields of answers with revenue by messages sent. */
export const sendRevenueHead = [...coverage, ...attributionFields, sendBasis];

export function sendRevenueHeadOf(
  business_id: string,
  channel: Pick<MessageChannel, 'name'>,
  facts: SnapshotFacts,
) {
  return {
    business_id,
    data_until: messageRevenueUntil(facts),
    ...attributionEcho(channel, facts),
    basis: 'send',
  } as const;
}

export const revenuePeriods = field({
  key: 'periods',
  type: 'list',
  null: 'no breakdown asked for',
  definition: 'Every period of the range.',
  fields: [...periodFields, ...periodRevenue],
});

/** The id in rows that are campaigns. */
export const campaignId = text('campaign_id', 'As other tools take it.');
export const campaignName = text('name', 'Business data.');
/** The name that stands beside an id, where a row or an answer is about something else of the campaign. */
export const nameOfCampaign = text('campaign_name', 'Business data.');
export const campaignType = field({
  key: 'campaign_type',
  type: 'text',
  isKey: true,
  definition: 'One-off or automation, and of which channel.',
});
export const campaignCategory = field({
  key: 'campaign_category',
  type: 'text',
  isKey: true,
  definition: 'What it is for: see analytics://campaign-categories.',
});
export const campaignState = text('state', 'State of the campaign now, for example active, sent, paused.');

const firstSentAt = moment('first_sent_at', 'In the range.');
const lastSentAt = moment('last_sent_at', 'In the range.');

/** The fields of rows that are campaigns of one channel. */
export const channelCampaignFields = [
  campaignId,
  campaignName,
  campaignType,
  campaignCategory,
  firstSentAt,
  lastSentAt,
];

/** The fields of rows that are one-off campaigns or automations of either channel. */
export const sentCampaignFields = [
  campaignId,
  campaignName,
  text('channel', 'email or sms; only messages of it are counted.'),
  campaignType,
  campaignCategory,
  campaignState,
];

export const isMatureField = flag('is_mature', 'False: sent too recently, revenue can still grow.');

/** The fields of rows with revenue by messages sent. */
export const sendRevenueFields = [...sendRevenue(sql``, true), isMatureField];

/** The same of rows over a range, which may end with the data. */
export const rangeRevenueFields = [...sendRevenue(sql``, true), ...matureRevenue, isMatureField];
