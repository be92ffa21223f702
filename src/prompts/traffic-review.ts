import { defineComparedPrompt } from './compared-prompt.ts';
import { call, callWith } from './prompt-message.ts';
import { breakdownFor } from './shared-arguments.ts';

export const trafficReview = defineComparedPrompt({
  name: 'traffic_review',
  title: 'Traffic review',
  description: 'Review traffic volume, sources, journeys, and the channel transition matrix.',
  groups: ['traffic'],
  source: 'sessions',
  task: 'Review the traffic of an online store in one period (A) beside another (B): volume, sources, journeys.',
  resources: ['analytics://metrics', 'analytics://comparisons'],
  steps: (range) => [
    callWith(
      'A and with B',
      call('session_statistics_trend', { breakdown: breakdownFor(range) }),
      call('session_statistics', { group_by: 'channel', limit: 30 }),
      call('session_statistics', { group_by: 'source_medium', limit: 30 }),
    ),
    callWith('A', call('journey_statistics'), call('channel_transition_matrix')),
  ],
  report: [
    'First what distorts the rest: days with is_anomalous or an outage in calendar_events, suspected_bot_sessions_count, and the untracked share (untracked_revenue beside last_click_revenue).',
    'Volume, mix of channels, conversion_rate and revenue_per_session, in A and B.',
    'First click, last click and markov_revenue by channel as three views of the same orders; none is the true one.',
    'The most frequent journeys, and how many days they take.',
  ],
});
