import { LOW_VOLUME } from '../domains/messages/queries/low-volume.ts';
import { defineComparedPrompt } from './compared-prompt.ts';
import { call, callWith } from './prompt-message.ts';
import { breakdownFor } from './shared-arguments.ts';

/** Campaigns that are large enough to be ranked by rates. */
const ENOUGH = { min_delivered: LOW_VOLUME.email };
/** One that stopped sends little, so no ranking by results shows it. */
const AUTOMATIONS = { filter_campaign_types: ['incremental-emailing'], sort_by: 'sent_count', limit: 50 };

export const emailDiagnosis = defineComparedPrompt({
  name: 'email_diagnosis',
  title: 'E-mail diagnosis',
  description:
    'Explain email results: revenue, channel activity, campaign types, campaigns, links, deliverability.',
  groups: ['email'],
  source: 'messages',
  task: 'Explain the e-mail results of one period (A) of an online store beside another (B).',
  resources: ['analytics://metrics', 'analytics://comparisons', 'analytics://campaign-categories'],
  steps: (range) => [
    callWith(
      'A and with B',
      call('email_revenue_statistics'),
      call('email_channel_statistics', { breakdown: breakdownFor(range) }),
      call('email_campaign_type_statistics', { group_by: 'campaign_category' }),
    ),
    `${callWith(
      'A',
      call('email_campaign_statistics', { sort_by: 'attributed_revenue', ...ENOUGH }),
      call('email_campaign_statistics', { sort_by: 'unsubscribe_rate', ...ENOUGH }),
    )}\n   If no campaign has so many, both once more with min_delivered 0; rates are low-volume then.`,
    `${callWith('A', call('email_link_statistics', { filter_campaign_ids: ['<campaign_id>'] }))}\n   once for each of the three best and the three worst of these campaigns by revenue_per_recipient.`,
    callWith('A and with B', call('email_deliverability_statistics')),
    callWith('A and with B', call('email_campaign_statistics', AUTOMATIONS)),
  ],
  report: [
    'Decide in this order, and stop where the numbers explain the change: measurement (share of machine opens, data_until, immature rows), volume, mix of types, deliverability, content, offer.',
    'Revenue by order date (email_revenue_statistics) apart from results by send date (all other tools); never subtract the one from the other.',
    'The best and the worst campaigns inside one campaign_category, with delivered_count, click_rate and its interval, revenue_per_recipient, unsubscribe_rate, and the links that were clicked.',
    'Deliverability by mailbox provider: bounce_rate, spam_complaint_rate and open_rate in A beside B, and top_reasons of the one that fell; its status in A alone does not tell what changed.',
    'Automations that fell silent in A: last_sent_at more than 7 days before the end of A or data_until, whichever is earlier. They may be broken, or stopped on purpose: one to check for each. Apart from them those of B that are missing in A; a rare one may have had no occasion.',
    'What e-mail costs in subscribers: unsubscribes and complaints beside revenue.',
  ],
});
