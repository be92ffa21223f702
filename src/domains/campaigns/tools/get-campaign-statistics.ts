import { z } from 'zod';
import { businessId, optionalMoment } from '../../../answers/arguments.ts';
import { funnel } from '../../../answers/chart.ts';
import {
  field,
  fieldNamed,
  fieldsNamed,
  NO_RATE,
  NONE_LOADED,
  NOTHING_TO_DIVIDE_BY,
  nullableColumn,
} from '../../../answers/fields/field.ts';
import { choice, count, list, moment, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query, type RowOf } from '../../../answers/fields/query.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { valuesOf } from '../../../answers/metric.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { hasRefunds } from '../../../business/snapshot-facts.ts';
import { campaigns } from '../../../model-table/table-names.ts';
import { identifier, parameter, sql } from '../../../sql/sql.ts';
import { cents } from '../../../statistics/rounded.ts';
import { shortText, shortTextOrNull } from '../../../text/business-text.ts';
import { readMoment } from '../../../time/moment.ts';
import { isBetween } from '../../../time/range.ts';
import { POPUP_WINDOWS_D } from '../../messages/definitions/popup-windows.ts';
import { campaignRevenueUntil, isCampaignMature } from '../../messages/queries/data-until.ts';
import { emailChannel, smsChannel } from '../../messages/queries/message-channels.ts';
import {
  attributionEcho,
  attributionFields,
  campaignCategory,
  campaignId,
  campaignName,
  campaignState,
  campaignType,
  isMatureField,
  popupAttributionEcho,
  sendBasis,
} from '../../messages/queries/message-fields.ts';
import {
  devicesField,
  popupActivity,
  popupDefinitionNotes,
  popupDevices,
  popupNotes,
  shownDevice,
} from '../../popups/queries/popup-activity.ts';
import {
  campaignIdArgument,
  cutMessagesNotes,
  MOST_MESSAGES,
  requireCampaign,
  shownSubject,
} from '../campaign-fields.ts';
import { campaignTrendMetrics } from '../queries/campaign-trend.ts';
import {
  type AskedCampaign,
  countSteps,
  lastClickRevenue,
  ofPopup,
  popupResults,
  sentResults,
  stepNames,
  stepResults,
} from '../queries/single-campaign.ts';

const centsOf = <const Key extends string>(key: Key, definition: string) =>
  field({ key, type: 'integer', unit: 'cents', null: NO_RATE, definition });

const described = [
  campaignId,
  campaignName,
  campaignType,
  campaignCategory,
  choice(
    'channel',
    ['email', 'sms', 'popup'],
    'What the campaign sends; its results are in the object of that name.',
  ),
  campaignState,
];

export const getCampaignStatistics = defineTool({
  name: 'get_campaign_statistics',
  title: 'Get campaign statistics',
  group: 'Campaign statistics',
  description:
    'All results of one campaign of any channel, but lift: activity, revenue, each message. Fields ending in _revenue_cents are the amount x 100 in every currency.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  example: { campaign_id: '2026-09-25-posledni-sance' },
  chart: [
    funnel('email', [], ['sent_count', 'delivered_count', 'unique_opens_count', 'unique_clicks_count']),
    funnel('sms', [], ['sent_count', 'delivered_count', 'unique_clicks_count']),
    funnel('popup', [], ['unique_displays_count', 'unique_submissions_count', 'new_subscribers_count']),
  ],
  input: z.strictObject({
    business_id: businessId,
    campaign_id: campaignIdArgument,
    from_date: optionalMoment('Range start, inclusive. null: from the first send or display.'),
    to_date: optionalMoment('Range end, inclusive. null: until now.'),
  }),
  fields: [
    ...coverage,
    ...described,
    text('currency', 'ISO 4217 code of all money.', 'not set'),
    moment('first_sent_at', 'In the range; of a popup the first display.', 'nothing sent in it'),
    moment('last_sent_at', 'In the range.', 'nothing sent in it'),
    sendBasis,
    ...attributionFields,
    field({
      key: 'email',
      type: 'object',
      null: 'another channel',
      definition: 'What was sent.',
      fields: emailChannel.activity,
    }),
    field({
      key: 'sms',
      type: 'object',
      null: 'another channel',
      definition: 'What was sent.',
      fields: smsChannel.activity,
    }),
    field({
      key: 'popup',
      type: 'object',
      null: 'another channel',
      definition: 'What was shown.',
      fields: [...popupActivity, devicesField],
    }),
    field({
      key: 'attributed_orders_count',
      type: 'integer',
      unit: 'orders',
      definition: `Orders credited to the messages, whenever placed; of a popup: of submitters within ${POPUP_WINDOWS_D.order} days.`,
    }),
    centsOf('attributed_revenue_cents', 'Revenue of attributed_orders_count.'),
    centsOf('click_attributed_revenue_cents', 'attributed_revenue_cents by a click; popups 0.'),
    centsOf('open_attributed_revenue_cents', 'attributed_revenue_cents by an open; SMS and popups 0.'),
    centsOf(
      'last_click_revenue_cents',
      "Orders placed in the range whose last click has the campaign's UTM tag; not part of what is credited.",
    ),
    count('cents', 'refunded_revenue_cents', 'Refunds to date of attributed_revenue_cents.', NONE_LOADED),
    field({
      key: 'average_order_revenue_cents',
      type: 'integer',
      unit: 'cents',
      null: 'nothing to divide by',
      definition: 'attributed_revenue_cents / attributed_orders_count, of known amounts.',
    }),
    field({
      key: 'conversion_rate',
      type: 'number',
      unit: 'percent',
      null: NOTHING_TO_DIVIDE_BY,
      definition:
        'Sends with a credited order / delivered_count; of a popup submitters / unique_submissions_count.',
    }),
    isMatureField,
    list('steps', 'Its messages, by position; none of a popup.', [
      ...stepNames,
      ...fieldsNamed(campaignTrendMetrics, ['delivered_count', 'open_rate']),
      fieldNamed(emailChannel.activity, 'click_rate'),
      centsOf('attributed_revenue_cents', 'Revenue credited to the message, whenever ordered.'),
    ]),
  ],
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
        campaign: query(
          [...described, nullableColumn('utm_campaign', 'text')],
          sql`
          select campaign_id, name, campaign_type, campaign_category, channel, state, utm_campaign
          from ${campaigns} where campaign_id = ${parameter.text(args.campaign_id)}`,
        ),
        email: sentResults(emailChannel, asked, hasRefunds(facts)),
        sms: sentResults(smsChannel, asked, hasRefunds(facts)),
        popup: popupResults(asked, hasRefunds(facts)),
        devices: popupDevices(ofPopup(asked)),
        steps: stepResults(asked, MOST_MESSAGES),
        total: countSteps(asked),
        clicked: lastClickRevenue(asked),
      },
      answer: ({ campaign, email, sms, popup, devices, steps, total, clicked }) => {
        const { utm_campaign, ...described } = requireCampaign(campaign);
        const { channel } = described;
        const ofEmail = onlyRow(email);
        const ofSms = onlyRow(sms);
        const ofPopups = onlyRow(popup);
        const results = { email: ofEmail, sms: ofSms, popup: ofPopups }[channel];
        const lastAt = (channel === 'popup' ? ofPopups.last_submitted_at : results.last_sent_at) ?? end;
        return {
          result: {
            business_id: args.business_id,
            data_until: campaignRevenueUntil(channel, facts),
            ...described,
            name: shortText(described.name, 300),
            currency,
            first_sent_at: results.first_sent_at,
            last_sent_at: results.last_sent_at,
            basis: 'send',
            ...(channel === 'popup' ? popupAttributionEcho : attributionEcho({ name: channel }, facts)),
            email: channel === 'email' ? valuesOf(emailChannel.activity, ofEmail) : null,
            sms: channel === 'sms' ? valuesOf(smsChannel.activity, ofSms) : null,
            popup:
              channel === 'popup'
                ? { ...valuesOf(popupActivity, ofPopups), devices: devices.map(shownDevice) }
                : null,
            ...revenueInCents(channel, results),
            last_click_revenue_cents: knownCents(onlyRow(clicked).last_click_revenue),
            is_mature: lastAt !== null && isCampaignMature(channel, lastAt, facts),
            steps: steps.map(shownStep),
          },
          notes: [
            ...cutMessagesNotes(onlyRow(total).steps_count),
            ...(channel === 'popup'
              ? [...popupDefinitionNotes(ofPopups.unique_displays_count), ...popupNotes(facts)]
              : utm_campaign === null
                ? [NO_TAG]
                : []),
          ],
        };
      },
    });
  },
});

const NO_TAG =
  'The campaign has no utm_campaign, so which visits are its is not known: last_click_revenue_cents is 0.';

interface Results {
  readonly attributed_orders_count: number;
  readonly priced_orders: number;
  readonly attributed_revenue: number | null;
  readonly click_attributed_revenue: number | null;
  readonly refunded_revenue: number | null;
  readonly conversion_rate: number | null;
}

function revenueInCents(channel: string, results: Results) {
  const { attributed_orders_count, priced_orders, attributed_revenue, refunded_revenue, conversion_rate } =
    results;
  const [all, byClick] = [knownCents(attributed_revenue), knownCents(results.click_attributed_revenue)];
  return {
    attributed_orders_count,
    attributed_revenue_cents: all,
    click_attributed_revenue_cents: byClick,
    open_attributed_revenue_cents:
      channel !== 'email' ? 0 : all === null || byClick === null ? null : all - byClick,
    refunded_revenue_cents: knownCents(refunded_revenue),
    average_order_revenue_cents:
      priced_orders === 0 || attributed_revenue === null ? null : cents(attributed_revenue, priced_orders),
    conversion_rate,
  };
}

/** Null where all of it is in another currency without a rate. */
function knownCents(amount: number | null): number | null {
  return amount === null ? null : cents(amount);
}

/** A message that was not sent delivered nothing. */
function shownStep(step: RowOf<ReturnType<typeof stepResults>>) {
  const { name, subject, attributed_revenue, delivered_count, ...rest } = step;
  return {
    ...rest,
    name: shortTextOrNull(name, 300),
    subject: shownSubject(subject),
    delivered_count: delivered_count ?? 0,
    attributed_revenue_cents: delivered_count === null ? 0 : knownCents(attributed_revenue),
  };
}
