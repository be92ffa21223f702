import { z } from 'zod';
import { readRange } from '../../model/range.ts';
import { trafficNotes, trafficUntil } from '../../model/traffic/data-until.ts';
import {
  countJourneys,
  countTransitions,
  MATRIX_TOUCHES,
  type MatrixSelection,
  sumClicks,
} from '../../model/traffic/transition-matrix.ts';
import { matrixOf } from '../../model/traffic/transition-rows.ts';
import { oneOf, rangeArguments } from '../arguments.ts';
import { count, coverageFields, money, percent } from '../output.ts';
import { defineTool, plan } from '../tool.ts';
import { lookbackArgument, lookbackEcho } from '../traffic-arguments.ts';

export const channelTransitionMatrix = defineTool({
  name: 'channel_transition_matrix',
  title: 'Channel transition matrix',
  group: 'Traffic',
  description:
    'From which channel visitors go on to which, as a Markov chain, and what would be lost without a channel: use it to ' +
    'value channels that begin or assist purchases. It describes what happened and does not prove that a channel caused ' +
    'it. For whole paths use journey_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...lookbackArgument,
    include_not_converted: z
      .boolean()
      .default(true)
      .describe('False: only journeys that ended in an order; nothing can be said of lost ones then.'),
    touch: oneOf('touch', MATRIX_TOUCHES)
      .default('channel')
      .describe('source_medium: the 30 most frequent, the rest is (other).'),
  }),
  output: z.strictObject({
    ...coverageFields,
    ...lookbackEcho,
    journeys_count: count('Journeys; an order without a visit before it has none.'),
    conversions_count: count('Journeys that ended in an order.'),
    states: z.array(z.string()).describe('Business data.'),
    transitions: z
      .array(
        z.strictObject({
          from: z.string().describe('A channel or (start).'),
          to: z.string().describe('A channel, (conversion) or (exit).'),
          transitions_count: count('How often it occurred.'),
          probability: z.number().describe('Of all transitions from it. [percent]'),
        }),
      )
      .describe('A channel may follow itself.'),
    channels: z.array(
      z.strictObject({
        channel: z.string(),
        journeys_count: count('Journeys with the channel.'),
        first_touch_count: count('Journeys that begin with it.'),
        last_touch_count: count('Journeys that end with it.'),
        removal_effect: percent('Conversions lost if all who come to it left; null: no exits.'),
        markov_revenue: money('Revenue of the journeys, shared out by removal_effect.').nullable(),
        last_click_revenue: money('As in session_statistics.'),
        first_click_revenue: money('As in session_statistics.'),
      }),
    ),
  }),
  plan({ args, timezone, facts }) {
    const hasExits = args.include_not_converted;
    const selection: MatrixSelection = {
      range: readRange(args, timezone),
      touch: args.touch,
      outcome: hasExits ? 'all' : 'converted',
      lookbackDays: args.lookback_days,
    };
    return plan({
      queries: {
        transitions: countTransitions(selection),
        journeys: countJourneys(selection),
        clicks: sumClicks(selection),
      },
      answer: (rows) => ({
        result: {
          business_id: args.business_id,
          data_until: trafficUntil(facts),
          lookback_days: args.lookback_days,
          ...matrixOf({ ...rows, hasExits }),
        },
        notes: trafficNotes(facts),
      }),
    });
  },
});
