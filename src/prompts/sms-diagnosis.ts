import { defineComparedPrompt } from './compared-prompt.ts';
import { call, callWith } from './prompt-message.ts';
import { breakdownFor } from './shared-arguments.ts';

export const smsDiagnosis = defineComparedPrompt({
  name: 'sms_diagnosis',
  title: 'SMS diagnosis',
  description: 'Explain SMS results: revenue, channel activity, campaign types, campaigns.',
  groups: ['sms'],
  source: 'messages',
  task: 'Explain the SMS results of one period (A) of an online store beside another (B).',
  resources: ['analytics://metrics', 'analytics://comparisons', 'analytics://campaign-categories'],
  steps: (range) => [
    callWith(
      'A and with B',
      call('sms_revenue_statistics'),
      call('sms_channel_statistics', { breakdown: breakdownFor(range) }),
      call('sms_campaign_type_statistics', { group_by: 'campaign_category' }),
    ),
    callWith('A', call('sms_campaign_statistics', { sort_by: 'attributed_revenue', limit: 20 })),
  ],
  report: [
    'Cost per part (cost / segments_count), parts per message, and the share of unicode messages (unicode_messages_count / sent_count), which need more parts.',
    'Failures by reason and by country; opt-outs beside what was sent.',
    'Return on spend, in total and by campaign, beside gross_profit_after_cost; revenue by order date apart from results by send date.',
    'Campaigns that earned less than they cost.',
  ],
});
