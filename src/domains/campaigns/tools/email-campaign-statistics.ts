import { z } from 'zod';
import { pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { bars, funnel, interval } from '../../../answers/chart.ts';
import { NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { intervalOf } from '../../../answers/fields/interval.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { wilsonInterval } from '../../../statistics/wilson.ts';
import { campaignExclusions, campaignFilters, minDelivered } from '../../messages/marketing-arguments.ts';
import { emailChannel } from '../../messages/queries/message-channels.ts';
import {
  channelCampaignFields,
  rangeRevenueFields,
  sendRevenueHead,
} from '../../messages/queries/message-fields.ts';
import { isLowVolumeField, planChannelCampaigns, reliability } from '../channel-campaigns-tool.ts';
import { messagesCount, subject } from '../queries/campaign-listing.ts';

export const emailCampaignStatistics = defineTool({
  name: 'email_campaign_statistics',
  title: 'Email campaign statistics',
  group: 'Email analytics',
  description:
    'E-mail campaigns ranked by what they sent in the range and what came of it: opens, clicks, unsubscribes, revenue. Compare inside one category, rates only where is_low_volume is false.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'campaigns', uniqueBy: ['campaign_id'] },
  example: { sort_by: 'revenue_per_recipient', limit: 2 },
  chart: [
    funnel(
      'campaigns',
      [['name', 'campaign_id']],
      ['sent_count', 'delivered_count', 'unique_opens_count', 'unique_clicks_count'],
    ),
    // Orders that followed a touch are no part of those who clicked.
    bars('campaigns', [['name', 'campaign_id']], ['attributed_revenue', 'attributed_orders_count']),
    interval('campaigns', [['name', 'campaign_id']], {
      value: 'click_rate',
      low: 'click_rate_low',
      high: 'click_rate_high',
    }),
  ],
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
    ...campaignExclusions,
    ...minDelivered,
  }),
  fields: [
    ...sendRevenueHead,
    totalCount,
    list('campaigns', 'The page of rows asked for.', [
      ...channelCampaignFields,
      subject,
      messagesCount,
      isLowVolumeField(emailChannel),
      ...intervalOf('click_rate', 'Wilson', { unit: 'percent', null: NOTHING_TO_DIVIDE_BY }),
      ...emailChannel.activity,
      ...rangeRevenueFields,
    ]),
  ],
  plan: (context) =>
    planChannelCampaigns(emailChannel, context, ({ message_text: _, ...campaign }) => {
      const { low, high } = wilsonInterval(campaign.unique_clicks_count, campaign.delivered_count);
      return {
        ...campaign,
        ...reliability(emailChannel, campaign, context.facts),
        click_rate_low: low,
        click_rate_high: high,
      };
    }),
});
