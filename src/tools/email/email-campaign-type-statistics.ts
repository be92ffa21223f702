import { emailChannel } from '../../model/marketing/message-channels.ts';
import { defineCampaignTypeTool } from '../campaign-type-tool.ts';

export const emailCampaignTypeStatistics = defineCampaignTypeTool(emailChannel, {
  name: 'email_campaign_type_statistics',
  title: 'Email campaign type statistics',
  group: 'Email analytics',
  description:
    'E-mail results by type or category of campaign, for what was sent in one range: newsletters against automations, ' +
    'welcome against abandoned cart. Single campaigns: email_campaign_statistics. Fields are defined in ' +
    'analytics://metrics.',
});
