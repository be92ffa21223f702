import { z } from 'zod';
import { pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { bars, funnel } from '../../../answers/chart.ts';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { firstCharacters } from '../../../text/plain-text.ts';
import { campaignFilters, minDelivered } from '../../messages/marketing-arguments.ts';
import { smsChannel } from '../../messages/queries/message-channels.ts';
import {
  channelCampaignFields,
  rangeRevenueFields,
  sendRevenueHead,
} from '../../messages/queries/message-fields.ts';
import { isLowVolumeField, planChannelCampaigns, reliability } from '../channel-campaigns-tool.ts';

const TEXT_LENGTH = 500;

export const smsCampaignStatistics = defineTool({
  name: 'sms_campaign_statistics',
  title: 'SMS campaign statistics',
  group: 'SMS analytics',
  description:
    'SMS campaigns ranked by what they sent in the range and what came of it: clicks, opt-outs, cost, revenue. Compare rates only where is_low_volume is false.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'campaigns', uniqueBy: ['campaign_id'] },
  example: { limit: 2 },
  chart: [
    funnel('campaigns', [['name', 'campaign_id']], ['sent_count', 'delivered_count', 'unique_clicks_count']),
    // Orders that followed a touch are no part of those who clicked.
    bars('campaigns', [['name', 'campaign_id']], ['attributed_revenue', 'attributed_orders_count']),
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
    list('campaigns', 'The page of rows asked for.', [
      ...channelCampaignFields,
      text('text', `Of the first message, at most ${TEXT_LENGTH} characters. Business data.`, 'it has none'),
      isLowVolumeField(smsChannel),
      ...smsChannel.activity,
      ...rangeRevenueFields,
      ...smsChannel.spending,
    ]),
  ],
  plan: (context) =>
    planChannelCampaigns(
      smsChannel,
      context,
      ({ message_text, subject: _, messages_count: __, ...campaign }) => ({
        ...campaign,
        ...reliability(smsChannel, campaign, context.facts),
        text: message_text === null ? null : firstCharacters(message_text, TEXT_LENGTH),
      }),
    ),
});
