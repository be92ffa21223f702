import { z } from 'zod';
import { countCampaignResults, listCampaignResults } from '../../model/marketing/campaign-listing.ts';
import { isMature } from '../../model/marketing/data-until.ts';
import { LOW_VOLUME } from '../../model/marketing/low-volume.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import { knownCampaigns, unknownCampaignNotes } from '../../model/marketing/sent.ts';
import { metricFields } from '../../model/metrics/metric.ts';
import { readRange } from '../../model/range.ts';
import { hasRefunds } from '../../model/snapshot.ts';
import { wilsonInterval } from '../../model/statistics/wilson.ts';
import { pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { campaignFilters, minDelivered } from '../marketing-arguments.ts';
import {
  campaignFields,
  sendRevenueFields,
  sendRevenueHead,
  sendRevenueHeadOf,
} from '../marketing-fields.ts';
import { count, percent, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const INTERVAL = 'Wilson 95 % interval of click_rate.';

export const emailCampaignStatistics = defineTool({
  name: 'email_campaign_statistics',
  title: 'Email campaign statistics',
  group: 'Email analytics',
  description:
    'Single e-mail campaigns ranked by what they sent in one range and what came of it: opens, clicks, damage, ' +
    'revenue; an automation counts only what it sent in the range. Compare campaigns of one category, and rates only ' +
    'where is_low_volume is false. Fields are defined in analytics://metrics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...sortArguments(
      [
        'sent_count',
        'delivered_count',
        'open_rate',
        'click_rate',
        'click_to_open_rate',
        'unsubscribe_rate',
        'spam_complaint_rate',
        'bounce_rate',
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
        subject: z.string().nullable().describe('Of the message sent most. Business data.'),
        messages_count: count('Distinct messages and variants sent.'),
        is_low_volume: z.boolean().describe(`delivered_count < ${LOW_VOLUME.email}: rates are noise.`),
        click_rate_low: percent(INTERVAL),
        click_rate_high: percent(INTERVAL),
        ...metricFields(emailChannel.activity),
        ...sendRevenueFields,
      }),
    ),
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        rows: listCampaignResults(emailChannel, range, args, hasRefunds(facts)),
        totals: countCampaignResults(emailChannel, range, args),
        known: knownCampaigns(emailChannel, args),
      },
      answer: ({ rows, totals, known }) => ({
        result: {
          ...sendRevenueHeadOf(args.business_id, emailChannel, facts),
          ...totals[0],
          campaigns: rows.map(({ message_text: _, ...row }) => {
            const delivered = Number(row.delivered_count);
            const { low, high } = wilsonInterval(Number(row.unique_clicks_count), delivered);
            return {
              ...row,
              is_mature: isMature(String(row.last_sent_at), facts),
              is_low_volume: delivered < LOW_VOLUME.email,
              click_rate_low: low,
              click_rate_high: high,
            };
          }),
        },
        notes: unknownCampaignNotes(emailChannel, args, known),
      }),
    });
  },
});
