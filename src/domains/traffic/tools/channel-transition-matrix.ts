import { z } from 'zod';
import { oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { bars, calling, matrix, saying } from '../../../answers/chart.ts';
import { field, HIDDEN, NO_RATE } from '../../../answers/fields/field.ts';
import { count, list, measure, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { readWholeDays } from '../../../time/whole-days.ts';
import { trafficUntil } from '../queries/data-until.ts';
import {
  countJourneys,
  countNoTouch,
  countTransitions,
  MATRIX_TOUCHES,
  type MatrixSelection,
  sumClicks,
} from '../queries/transition-matrix.ts';
import { matrixOf } from '../queries/transition-rows.ts';
import { lookbackArgument, lookbackEcho, touchNotes } from '../traffic-arguments.ts';

/** What the names mean, for somebody who looks at the picture. */
const WORDS_OF_STATES = {
  '(start)': 'At first',
  '(conversion)': 'Order',
  '(exit)': 'No order',
  '(no touch)': 'Journey not known',
};

export const channelTransitionMatrix = defineTool({
  name: 'channel_transition_matrix',
  title: 'Channel transition matrix',
  group: 'Traffic',
  description:
    'From which channel visitors go on to which (a Markov chain), and what would be lost without a channel. It does not prove a cause.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'transitions', uniqueBy: ['from', 'to'] },
  chart: [
    saying(
      'Read a row from left to right: of 100 visits from that channel, how many were followed by a visit from each channel, by an order, or by nothing. Where a row differs from the others is what to look at. Not every visit is recorded, and those of buyers more often: the true shares of orders are lower.',
      calling(
        { probability: { name: 'What comes next' } },
        matrix('transitions', 'from', 'to', 'probability', { counts: 'transitions_count' }),
        WORDS_OF_STATES,
      ),
    ),
    saying(
      'The same revenue, shared out by three rules: do not add them up, and none proves what caused an order. Orders without a recorded visit are in none, so the bars of one colour are less than the revenue of the store.',
      calling(
        {
          markov_revenue: {
            name: 'Shared among all visits',
            means:
              'by the orders that would be missing if its visits led nowhere (a Markov chain), so visits in between count too. For a budget, beside what a channel costs.',
          },
          last_click_revenue: {
            name: 'All to the last visit',
            means:
              'of the 30 days before the order, not Direct if there is another. For comparing with advertising accounts and web analytics.',
          },
          first_click_revenue: {
            name: 'All to the first visit',
            means: 'for what brings new people.',
          },
        },
        bars('channels', ['channel'], [['markov_revenue', 'last_click_revenue', 'first_click_revenue']]),
        WORDS_OF_STATES,
      ),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    ...lookbackArgument,
    include_not_converted: z.boolean().default(true).describe('False: only journeys that ended in an order.'),
    touch: oneOf('touch', MATRIX_TOUCHES)
      .default('channel')
      .describe('source_medium: the 30 most frequent, the rest is (other).'),
  }),
  fields: [
    ...coverage,
    lookbackEcho,
    field({
      key: 'journeys_count',
      type: 'integer',
      unit: 'journeys',
      null: HIDDEN,
      definition: 'Journeys, also (no touch): orders of session_statistics without a touch.',
    }),
    count('journeys', 'conversions_count', 'Journeys, also (no touch), with an order.', HIDDEN),
    field({
      key: 'states',
      type: 'list',
      of: 'text',
      definition: 'All that transitions lead from and to. Business data.',
    }),
    list('transitions', 'A channel may follow itself.', [
      text('from', 'A channel or (start).'),
      text('to', 'A channel, (conversion) or (exit).'),
      count('transitions', 'transitions_count', 'How often it occurred.', HIDDEN),
      measure('percent', 'probability', 'transitions_count / all transitions from it.', HIDDEN),
    ]),
    list('channels', 'The most frequent first.', [
      field({
        key: 'channel',
        type: 'text',
        definition:
          'A channel, or a source and medium; (no touch) last, so that the three revenues add up to one. Business data.',
      }),
      count('journeys', 'journeys_count', 'Journeys with the channel.', HIDDEN),
      count('journeys', 'first_touch_count', 'Journeys, bought or not, that begin with it.', HIDDEN),
      count('journeys', 'last_touch_count', 'Journeys, bought or not, that end with it.', HIDDEN),
      field({
        key: 'removal_effect',
        type: 'number',
        unit: 'percent',
        null: `no exits, (no touch), or ${HIDDEN}`,
        definition: 'Conversions lost if all who come to it left / all with a touch.',
      }),
      field({
        key: 'markov_revenue',
        type: 'number',
        unit: 'money',
        revenue: 'credited',
        null: `no exits, or ${HIDDEN}`,
        definition:
          'Revenue of the journeys with a touch, shared out by removal_effect; (no touch): that of its orders.',
      }),
      field({
        key: 'last_click_revenue',
        type: 'number',
        unit: 'money',
        null: NO_RATE,
        revenue: 'credited',
        definition:
          'As in session_statistics; (no touch): journeys whose touches are all older than 30 days.',
      }),
      field({
        key: 'first_click_revenue',
        type: 'number',
        unit: 'money',
        null: NO_RATE,
        revenue: 'credited',
        definition: 'As in session_statistics; (no touch): equal to last_click_revenue.',
      }),
    ]),
  ],
  plan({ args, timezone, facts, leastFollowed }) {
    const hasExits = args.include_not_converted;
    const { range, notes } = readWholeDays(args, timezone);
    const selection: MatrixSelection = {
      range,
      touch: args.touch,
      outcome: hasExits ? 'all' : 'converted',
      lookbackDays: args.lookback_days,
    };
    return plan({
      queries: {
        transitions: countTransitions(selection),
        journeys: countJourneys(selection),
        clicks: sumClicks(selection),
        noTouch: countNoTouch(selection),
      },
      answer: ({ noTouch, ...rows }) => {
        const people = new FollowedPeople(leastFollowed);
        const result = {
          business_id: args.business_id,
          data_until: trafficUntil(facts),
          lookback_days: args.lookback_days,
          ...matrixOf({ ...rows, noTouch: onlyRow(noTouch), hasExits }, people),
        };
        return { result, notes: [...notes, ...touchNotes(false), ...people.notes()] };
      },
    });
  },
});
