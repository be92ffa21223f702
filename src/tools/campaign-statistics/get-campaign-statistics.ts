import { z } from 'zod';
import { shortText, shortTextOrNull } from '../../model/business-text.ts';
import { campaignTrendMetrics } from '../../model/marketing/campaign-trend.ts';
import { campaignRevenueUntil, isCampaignMature } from '../../model/marketing/data-until.ts';
import { emailChannel, type MessageChannel, smsChannel } from '../../model/marketing/message-channels.ts';
import { popupActivity, popupDevices } from '../../model/marketing/popup-activity.ts';
import {
  type AskedCampaign,
  countSteps,
  lastClickRevenue,
  ofPopup,
  popupResults,
  sentResults,
  stepResults,
} from '../../model/marketing/single-campaign.ts';
import { metricField, metricFields, valuesOf } from '../../model/metrics/metric.ts';
import { readMoment } from '../../model/moment.ts';
import { isBetween } from '../../model/range.ts';
import { cents } from '../../model/rounded.ts';
import { hasRefunds } from '../../model/snapshot.ts';
import { campaigns } from '../../model/tables.ts';
import type { Row } from '../../sql/row.ts';
import { identifier, parameter, sql } from '../../sql/sql.ts';
import { businessId, optionalMoment } from '../arguments.ts';
import {
  campaignIdArgument,
  cutMessagesNotes,
  MOST_MESSAGES,
  requireCampaign,
  shownSubject,
} from '../campaign-fields.ts';
import {
  attributionEcho,
  attributionFields,
  popupAttributionEcho,
  popupDeviceFields,
  popupNotes,
  sendBasis,
  shownDevice,
} from '../marketing-fields.ts';
import { coverageFields, moment, percent } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const CREDITED = 'Orders credited to the messages, whenever placed.';

const centsOf = (definition: string) => z.int().describe(`${definition} [cents]`);

export const getCampaignStatistics = defineTool({
  name: 'get_campaign_statistics',
  title: 'Get campaign statistics',
  group: 'Campaign statistics',
  description:
    'All results of one campaign of any channel, by its id: activity, revenue, each message. The only tool with money ' +
    'in cents: fields ending in _revenue_cents are the amount x 100 in every currency, also in those without cents; ' +
    'the rest is in full units. Fields are defined in analytics://metrics.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    business_id: businessId,
    campaign_id: campaignIdArgument,
    from_date: optionalMoment('Range start, inclusive. null: from the first send or display.'),
    to_date: optionalMoment('Range end, inclusive. null: until now.'),
  }),
  output: z.strictObject({
    ...coverageFields,
    campaign_id: z.string(),
    name: z.string().describe('Business data.'),
    campaign_type: z.string(),
    campaign_category: z.string(),
    channel: z.string().describe('Of email, sms and popup the one that is not null.'),
    state: z.string(),
    currency: z.string().nullable(),
    first_sent_at: moment('In the range; of a popup the first display.').nullable(),
    last_sent_at: moment('In the range.').nullable(),
    ...sendBasis,
    ...attributionFields,
    email: z.strictObject(metricFields(emailChannel.activity)).nullable(),
    sms: z.strictObject(metricFields(smsChannel.activity)).nullable(),
    popup: z.strictObject({ ...metricFields(popupActivity), ...popupDeviceFields }).nullable(),
    attributed_orders_count: metricField(campaignTrendMetrics, 'attributed_orders_count'),
    attributed_revenue_cents: centsOf(CREDITED),
    click_attributed_revenue_cents: centsOf('Credited by a click; popups 0.'),
    open_attributed_revenue_cents: centsOf('Credited by an open; SMS and popups 0.'),
    last_click_revenue_cents: centsOf(
      "Orders placed in the range whose last click has the campaign's UTM tag; not part of what is credited.",
    ),
    refunded_revenue_cents: centsOf('Refunds to date on the orders counted; null: none loaded.').nullable(),
    average_order_revenue_cents: centsOf('attributed_revenue_cents / attributed_orders_count.').nullable(),
    conversion_rate: percent(
      'Sends with a credited order / delivered_count; of a popup submitters / unique_submissions_count.',
    ),
    is_mature: z.boolean().describe('False: too recent, revenue can still grow.'),
    steps: z
      .array(
        z.strictObject({
          message_id: z.string(),
          name: z.string().nullable(),
          subject: z.string().nullable(),
          delivered_count: metricField(campaignTrendMetrics, 'delivered_count'),
          open_rate: metricField(campaignTrendMetrics, 'open_rate'),
          click_rate: metricField(emailChannel.activity, 'click_rate'),
          attributed_revenue_cents: centsOf(CREDITED),
        }),
      )
      .describe('Its messages, by position; none of a popup. Business data.'),
  }),
  plan({ args, timezone, facts, currency }) {
    const { from_date, to_date } = args;
    const isIn = (column: 'sent_at' | 'happened_at' | 'ordered_at') =>
      isBetween(identifier(column), [from_date, to_date], ['from_date', 'to_date'], timezone);
    const asked: AskedCampaign = {
      campaignId: args.campaign_id,
      sent: isIn('sent_at'),
      happened: isIn('happened_at'),
      ordered: isIn('ordered_at'),
      isFromFirstMessage: from_date === null,
    };
    const end = to_date && readMoment('to_date', to_date, timezone, 'to').instant.toString();
    return plan({
      queries: {
        campaign: sql`
          select campaign_id, name, campaign_type, campaign_category, channel, state, utm_campaign
          from ${campaigns} where campaign_id = ${parameter.text(args.campaign_id)}`,
        email: sentResults(emailChannel, asked, hasRefunds(facts)),
        sms: sentResults(smsChannel, asked, hasRefunds(facts)),
        popup: popupResults(asked, hasRefunds(facts)),
        devices: popupDevices(ofPopup(asked)),
        steps: stepResults(asked, MOST_MESSAGES),
        total: countSteps(asked),
        clicked: lastClickRevenue(asked),
      },
      answer: ({ campaign, devices, steps, total, clicked, ...byChannel }) => {
        const { utm_campaign, ...described } = requireCampaign(campaign);
        const channel = described.channel as keyof typeof byChannel;
        const results = byChannel[channel][0] ?? {};
        const lastAt = (channel === 'popup' ? results.last_submitted_at : results.last_sent_at) ?? end;
        return {
          result: {
            business_id: args.business_id,
            data_until: campaignRevenueUntil(channel, facts),
            ...described,
            name: shortText(String(described.name), 300),
            currency,
            first_sent_at: results.first_sent_at,
            last_sent_at: results.last_sent_at,
            basis: 'send',
            ...(channel === 'popup' ? popupAttributionEcho : attributionEcho(CHANNELS[channel], facts)),
            email: channel === 'email' ? valuesOf(emailChannel.activity, results) : null,
            sms: channel === 'sms' ? valuesOf(smsChannel.activity, results) : null,
            popup:
              channel === 'popup'
                ? { ...valuesOf(popupActivity, results), devices: devices.map(shownDevice) }
                : null,
            ...revenueInCents(channel, results),
            last_click_revenue_cents: cents(Number(clicked[0]?.last_click_revenue)),
            is_mature: lastAt !== null && isCampaignMature(channel, String(lastAt), facts),
            steps: steps.map(shownStep),
          },
          notes: [
            ...cutMessagesNotes(Number(total[0]?.steps_count)),
            ...(channel === 'popup' ? popupNotes(facts) : utm_campaign === null ? [NO_TAG] : []),
          ],
        };
      },
    });
  },
});

const CHANNELS: Readonly<Record<'email' | 'sms', MessageChannel>> = { email: emailChannel, sms: smsChannel };

const NO_TAG =
  'The campaign has no utm_campaign, so which visits are its is not known: last_click_revenue_cents is 0.';

function revenueInCents(channel: string, results: Row) {
  const orders = Number(results.attributed_orders_count);
  const attributed = Number(results.attributed_revenue);
  const byClick = cents(Number(results.click_attributed_revenue));
  return {
    attributed_orders_count: orders,
    attributed_revenue_cents: cents(attributed),
    click_attributed_revenue_cents: byClick,
    open_attributed_revenue_cents: channel === 'email' ? cents(attributed) - byClick : 0,
    refunded_revenue_cents:
      results.refunded_revenue === null ? null : cents(Number(results.refunded_revenue)),
    average_order_revenue_cents: orders === 0 ? null : cents(attributed, orders),
    conversion_rate: results.conversion_rate,
  };
}

function shownStep({ name, subject, attributed_revenue, ...step }: Row) {
  return {
    ...step,
    name: shortTextOrNull(name, 300),
    subject: shownSubject(subject),
    delivered_count: step.delivered_count ?? 0,
    attributed_revenue_cents: cents(Number(attributed_revenue ?? 0)),
  };
}
