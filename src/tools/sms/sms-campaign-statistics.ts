import { z } from 'zod';
import { countCampaignResults, listCampaignResults } from '../../model/marketing/campaign-listing.ts';
import { isMature } from '../../model/marketing/data-until.ts';
import { LOW_VOLUME } from '../../model/marketing/low-volume.ts';
import { smsChannel } from '../../model/marketing/message-channels.ts';
import { knownCampaigns, unknownCampaignNotes } from '../../model/marketing/sent.ts';
import { metricFields } from '../../model/metrics/metric.ts';
import { firstCharacters } from '../../model/plain-text.ts';
import { readRange } from '../../model/range.ts';
import { hasRefunds } from '../../model/snapshot.ts';
import { pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { campaignFilters, minDelivered } from '../marketing-arguments.ts';
import {
  campaignFields,
  sendRevenueFields,
  sendRevenueHead,
  sendRevenueHeadOf,
} from '../marketing-fields.ts';
import { totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const TEXT_LENGTH = 500;

export const smsCampaignStatistics = defineTool({
  name: 'sms_campaign_statistics',
  title: 'SMS campaign statistics',
  group: 'SMS analytics',
  description:
    'Single SMS campaigns ranked by what they sent in one range and what came of it: clicks, opt-outs, cost, revenue; ' +
    'an automation counts only what it sent in the range. Compare rates only where is_low_volume is false. Fields ' +
    'are defined in analytics://metrics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...sortArguments(
      [
        'sent_count',
        'delivered_count',
        'click_rate',
        'opt_out_rate',
        'failure_rate',
        'cost',
        'attributed_orders_count',
        'attributed_revenue',
        'conversion_rate',
        'revenue_per_recipient',
      ],
      { sort_by: 'attributed_revenue', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    ...campaignFilters,
    ...minDelivered,
  }),
  output: z.strictObject({
    ...sendRevenueHead,
    ...totalCountField,
    campaigns: z.array(
      z.strictObject({
        ...campaignFields,
        text: z.string().nullable().describe('Of the first message, at most 500 characters. Business data.'),
        is_low_volume: z.boolean().describe(`delivered_count < ${LOW_VOLUME.sms}: rates are noise.`),
        ...metricFields(smsChannel.activity),
        ...sendRevenueFields,
        ...metricFields(smsChannel.spending),
      }),
    ),
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        rows: listCampaignResults(smsChannel, range, args, hasRefunds(facts)),
        totals: countCampaignResults(smsChannel, range, args),
        known: knownCampaigns(smsChannel, args),
      },
      answer: ({ rows, totals, known }) => ({
        result: {
          ...sendRevenueHeadOf(args.business_id, smsChannel, facts),
          ...totals[0],
          campaigns: rows.map(({ message_text, subject: _, messages_count: __, ...row }) => ({
            ...row,
            text: message_text === null ? null : firstCharacters(String(message_text), TEXT_LENGTH),
            is_mature: isMature(String(row.last_sent_at), facts),
            is_low_volume: Number(row.delivered_count) < LOW_VOLUME.sms,
          })),
        },
        notes: unknownCampaignNotes(smsChannel, args, known),
      }),
    });
  },
});
