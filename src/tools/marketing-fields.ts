import { z } from 'zod';
import { pressureMetrics } from '../model/marketing/channel-activity.ts';
import { messageRevenueUntil } from '../model/marketing/data-until.ts';
import type { MessageChannel } from '../model/marketing/message-channels.ts';
import { periodRevenue } from '../model/marketing/order-date-revenue.ts';
import { popupActivity } from '../model/marketing/popup-activity.ts';
import { sendRevenue } from '../model/marketing/send-revenue.ts';
import { metricField, metricFields } from '../model/metrics/metric.ts';
import type { SnapshotFacts } from '../model/snapshot.ts';
import type { Row } from '../sql/row.ts';
import { sql } from '../sql/sql.ts';
import { count, coverageFields, moment, money, periodFields } from './output.ts';

/** Fields that the tools about messages share. */

/** How long before an order a touch is credited with it. */
const attributionWindow = count('Before the order; 0: not credited.');

/** The attribution rule in force, in every answer with credited revenue. */
export const attributionFields = {
  attribution_model: z
    .string()
    .describe(
      'last_touch: an order is credited to the latest click or e-mail open before it, of e-mail and SMS.',
    ),
  attribution_open_window_h: attributionWindow,
  attribution_click_window_h: attributionWindow,
};

export function attributionEcho(
  channel: Pick<MessageChannel, 'name'>,
  { attribution_windows }: SnapshotFacts,
) {
  return {
    attribution_model: 'last_touch',
    // Nobody opens an SMS as far as one can tell.
    attribution_open_window_h: channel.name === 'sms' ? 0 : attribution_windows.open,
    attribution_click_window_h: attribution_windows.click,
  };
}

/** Popups are credited neither with opens nor with clicks: they have a rule of their own. */
export const popupAttributionEcho = {
  attribution_model: 'last_touch',
  attribution_open_window_h: 0,
  attribution_click_window_h: 0,
};

/** Of answers about orders by when they were placed. */
export const orderDateBasis = { basis: z.string().describe('order_date: orders placed in the range.') };

/** Of answers about messages by when they were sent. */
export const sendBasis = {
  basis: z.string().describe('send: messages sent in the range, with all that followed until data_until.'),
};

/** What answers with revenue by messages sent begin with. */
export const sendRevenueHead = { ...coverageFields, ...attributionFields, ...sendBasis };

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
  };
}

export const scenarioFields = {
  attribution_scenarios: z
    .array(
      z.strictObject({
        scenario: z.string(),
        orders_count: count('Credited under the scenario.'),
        revenue: money('Credited under the scenario.'),
      }),
    )
    .describe('The same orders credited by other rules; configured is the headline.'),
};

export const revenuePeriodFields = {
  periods: z.array(z.strictObject({ ...periodFields, ...metricFields(periodRevenue) })).nullable(),
};

/** Of rows by type or category of campaign. */
export const campaignTypeFields = {
  campaign_type: z.string().nullable().describe('Null when the row mixes types.'),
  campaign_category: z.string().nullable().describe('Null when the row mixes categories.'),
  campaigns_count: metricField(pressureMetrics, 'campaigns_count'),
};

/** Of rows that are campaigns. */
export const campaignFields = {
  campaign_id: z.string(),
  name: z.string().describe('Business data.'),
  campaign_type: z.string(),
  campaign_category: z.string(),
  first_sent_at: moment('In the range.'),
  last_sent_at: moment('In the range.'),
};

/** Of rows that are one-off campaigns or automations of either channel. */
export const sentCampaignFields = {
  campaign_id: z.string(),
  name: z.string().describe('Business data.'),
  channel: z.string().describe('email or sms; only messages of it are counted.'),
  campaign_type: z.string(),
  campaign_category: z.string(),
  state: z.string(),
};

/** Of popups, beside their activity. */
export const popupDeviceFields = {
  devices: z
    .array(
      z.strictObject({
        device: z.string(),
        unique_displays_count: metricField(popupActivity, 'unique_displays_count'),
        unique_submissions_count: metricField(popupActivity, 'unique_submissions_count'),
      }),
    )
    .describe('desktop, mobile, tablet, other, (not set).'),
};

/** A row of `popupDevices`, among those of its popup. */
export function shownDevice({ campaign_id: _, ...device }: Row) {
  return device;
}

/** A zero of a store without consents does not mean that nobody subscribed. */
export function popupNotes({ loaded_tables }: SnapshotFacts): string[] {
  return loaded_tables.includes('consent_events')
    ? []
    : ['No consent events are loaded, so new subscribers are not known.'];
}

/** Of rows with revenue by messages sent. */
export const sendRevenueFields = {
  ...metricFields(sendRevenue(sql``, true)),
  is_mature: z.boolean().describe('False: sent too recently, revenue can still grow.'),
};
