import { smsChannel } from '../../model/marketing/message-channels.ts';
import { defineCampaignTypeTool } from '../campaign-type-tool.ts';

export const smsCampaignTypeStatistics = defineCampaignTypeTool(smsChannel, {
  name: 'sms_campaign_type_statistics',
  title: 'SMS campaign type statistics',
  group: 'SMS analytics',
  description:
    'SMS results and cost by type or category of campaign, for what was sent in one range: one-off promotions against ' +
    'automations. Single campaigns: sms_campaign_statistics. Fields are defined in analytics://metrics.',
});
