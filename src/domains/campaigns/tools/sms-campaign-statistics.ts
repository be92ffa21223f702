import { z } from 'zod';
import { pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { funnel } from '../../../answers/chart.ts';
import { field } from '../../../answers/fields/field.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { firstCharacters } from '../../../text/plain-text.ts';
import { readRange } from '../../../time/range.ts';
import { campaignFilters, minDelivered } from '../../messages/marketing-arguments.ts';
import { isMature } from '../../messages/queries/data-until.ts';
import { LOW_VOLUME } from '../../messages/queries/low-volume.ts';
import { smsChannel } from '../../messages/queries/message-channels.ts';
import {
  channelCampaignFields,
  rangeRevenueFields,
  sendRevenueHead,
  sendRevenueHeadOf,
} from '../../messages/queries/message-fields.ts';
import { knownCampaigns, unknownCampaignNotes } from '../../messages/queries/sent.ts';
import { countCampaignResults, listCampaignResults } from '../queries/campaign-listing.ts';

const TEXT_LENGTH = 500;

export const smsCampaignStatistics = defineTool({
  name: 'sms_campaign_statistics',
  title: 'SMS campaign statistics',
  group: 'SMS analytics',
  description:
    'SMS campaigns ranked by what they sent in the range and what came of it: clicks, opt-outs, cost, revenue. Compare rates only where is_low_volume is false.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'campaigns', identity: ['campaign_id'] },
  example: { limit: 2 },
  chart: [
    funnel(
      'campaigns',
      [['name', 'campaign_id']],
      ['sent_count', 'delivered_count', 'unique_clicks_count', 'attributed_orders_count'],
    ),
  ],
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
  fields: [
    ...sendRevenueHead,
    totalCount,
    field({
      key: 'campaigns',
      type: 'list',
      definition: 'The page of rows asked for.',
      fields: [
        ...channelCampaignFields,
        field({
          key: 'text',
          type: 'text',
          null: 'it has none',
          definition: `Of the first message, at most ${TEXT_LENGTH} characters. Business data.`,
        }),
        field({
          key: 'is_low_volume',
          type: 'boolean',
          definition: `delivered_count < ${LOW_VOLUME.sms}: rates are noise.`,
        }),
        ...smsChannel.activity,
        ...rangeRevenueFields,
        ...smsChannel.spending,
      ],
    }),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        rows: listCampaignResults(smsChannel, range, args, facts),
        totals: countCampaignResults(smsChannel, range, args),
        known: knownCampaigns(smsChannel, args),
      },
      answer: ({ rows, totals, known }) => ({
        result: {
          ...sendRevenueHeadOf(args.business_id, smsChannel, facts),
          ...onlyRow(totals),
          campaigns: rows.map(({ message_text, subject: _, messages_count: __, ...row }) => ({
            ...row,
            text: message_text === null ? null : firstCharacters(message_text, TEXT_LENGTH),
            is_mature: isMature(row.last_sent_at, facts),
            is_low_volume: row.delivered_count < LOW_VOLUME.sms,
          })),
        },
        notes: unknownCampaignNotes(smsChannel, args, known),
      }),
    });
  },
});
