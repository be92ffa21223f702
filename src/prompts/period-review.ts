import { defineComparedPrompt } from './compared-prompt.ts';
import { call, callWith } from './prompt-message.ts';
import { breakdownFor } from './shared-arguments.ts';

export const periodReview = defineComparedPrompt({
  name: 'period_review',
  title: 'Period review',
  description: 'Summarize orders, traffic, email and SMS for one period, with the previous period beside it.',
  groups: ['orders', 'traffic', 'email', 'sms'],
  source: 'orders',
  task: 'Review one period (A) of an online store beside another (B): orders, traffic, e-mail and SMS.',
  resources: ['analytics://metrics', 'analytics://comparisons', 'analytics://campaign-categories'],
  steps: (range) => [
    callWith(
      'A and with B',
      call('order_statistics'),
      call('session_statistics', { group_by: 'channel', limit: 30 }),
      call('email_revenue_statistics'),
      call('email_channel_statistics'),
      call('sms_revenue_statistics'),
      call('sms_channel_statistics'),
    ),
    callWith('A', call('order_statistics_trend', { breakdown: breakdownFor(range) })),
  ],
  report: [
    'A table of value in A, value in B, change: orders_count, unique_customers_count, average_order_value, orders_revenues, sessions_count, conversion_rate, attributed_revenue of e-mail and of SMS, and what was sent.',
    'What moved revenue: sessions_count x orders_count per session x last_click_revenue per order + untracked_revenue, all of session_statistics.',
    'contested_revenue: how much e-mail and SMS claim that another marketing channel claims by last click.',
    'Days or weeks of A that stand out, with calendar_events of these days, and what is left open.',
  ],
});
