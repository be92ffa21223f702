import { z } from 'zod';
import { field } from '../../model/fields/field.ts';
import { smsChannel } from '../../model/marketing/message-channels.ts';
import { sendRevenueFields } from '../../model/marketing/message-fields.ts';
import { campaignTypeFields, shareMetrics } from '../../model/marketing/type-statistics.ts';
import { campaignTypeArguments, campaignTypeHead, planCampaignTypes } from '../campaign-type-tool.ts';
import { defineTool } from '../tool.ts';

export const smsCampaignTypeStatistics = defineTool({
  name: 'sms_campaign_type_statistics',
  title: 'SMS campaign type statistics',
  group: 'SMS analytics',
  description:
    'SMS results and cost by type or category of campaign, for what was sent in one range: one-off promotions against ' +
    'automations. Single campaigns: sms_campaign_statistics. Fields are defined in analytics://metrics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject(campaignTypeArguments),
  fields: [
    ...campaignTypeHead,
    field({
      key: 'types',
      type: 'list',
      definition: 'The most sent first.',
      fields: [
        ...campaignTypeFields,
        ...shareMetrics,
        ...smsChannel.activity,
        ...sendRevenueFields,
        ...smsChannel.spending,
      ],
    }),
  ],
  plan: (context) => planCampaignTypes(smsChannel, context),
});
