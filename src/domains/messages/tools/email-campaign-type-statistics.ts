import { z } from 'zod';
import { bars } from '../../../answers/chart.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { campaignTypeArguments, campaignTypeHead, planCampaignTypes } from '../campaign-type-tool.ts';
import { emailChannel } from '../queries/message-channels.ts';
import { rangeRevenueFields } from '../queries/message-fields.ts';
import { campaignTypeFields, shareMetrics } from '../queries/type-statistics.ts';

export const emailCampaignTypeStatistics = defineTool({
  name: 'email_campaign_type_statistics',
  title: 'Email campaign type statistics',
  group: 'Email analytics',
  description: 'E-mail results by type or category of campaign, of what was sent in the range.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'types', uniqueBy: ['campaign_type', 'campaign_category'] },
  chart: [
    bars(
      'types',
      ['campaign_type', 'campaign_category'],
      ['sent_count', 'attributed_revenue', 'open_rate', 'click_rate'],
      { groupedBy: 'group_by' },
    ),
  ],
  input: z.strictObject(campaignTypeArguments),
  fields: [
    ...campaignTypeHead,
    list('types', 'The most sent first.', [
      ...campaignTypeFields,
      ...shareMetrics,
      ...emailChannel.activity,
      ...rangeRevenueFields,
    ]),
  ],
  plan: (context) => planCampaignTypes(emailChannel, context),
});
