import { z } from 'zod';
import { readRange } from '../../model/range.ts';
import { roundedPercent } from '../../model/rounded.ts';
import { trafficNotes, trafficUntil } from '../../model/traffic/data-until.ts';
import { listPaths, PATH_SEPARATOR, summarizePaths } from '../../model/traffic/journey-paths.ts';
import { OUTCOMES, TOUCHES } from '../../model/traffic/journey-touches.ts';
import { integerBetween, oneOf, pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { count, coverageFields, money, percent, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';
import { lookbackArgument, lookbackEcho } from '../traffic-arguments.ts';

const journey = z.strictObject({
  path: z.array(z.string()).describe('Oldest touch first; (…) stands for touches left out. Business data.'),
  touches_count: count('Touches in path.'),
  journeys_count: count('Journeys that took it.'),
  journeys_share: percent('Of all journeys.'),
  converted_journeys_count: count('Journeys that ended in an order.'),
  conversion_rate: percent('converted / journeys; only for outcome all.'),
  revenue: money('Revenue of the orders counted.'),
  new_customers_count: count('Journeys to a new order.'),
  avg_days_to_conversion: z.number().nullable().describe('First touch to order, days of 24 h. [days]'),
});

export const journeyStatistics = defineTool({
  name: 'journey_statistics',
  title: 'Journey statistics',
  group: 'Traffic',
  description:
    'The most frequent sequences of visits before an order, or before leaving, by channel, source or campaign: use it ' +
    'to see which channels begin and which end a purchase. A journey is what a visitor did since the previous order. ' +
    'For what a channel contributes use channel_transition_matrix, for totals by source session_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    touch: oneOf('touch', TOUCHES).default('channel').describe('What is told of each visit.'),
    outcome: oneOf('outcome', OUTCOMES)
      .default('converted')
      .describe(
        'converted: orders of the range. not_converted: last visits of the range without an order after.',
      ),
    ...lookbackArgument,
    collapse_repeats: z.boolean().default(true).describe('A A B becomes A B.'),
    max_touches: integerBetween('max_touches', 2, 20)
      .default(8)
      .describe('Longer journeys keep the last ones.'),
    ...sortArguments(['journeys_count', 'revenue', 'avg_days_to_conversion', 'touches_count'], {
      sort_by: 'journeys_count',
      sort_order: 'desc',
    }),
    ...pagingArguments(),
  }),
  output: z.strictObject({
    ...coverageFields,
    touch: z.string(),
    outcome: z.string(),
    ...lookbackEcho,
    journeys_count: count('Journeys; an order without a visit before it has none.'),
    converted_journeys_count: count('Journeys that ended in an order.'),
    revenue: money('Revenue of the orders counted.'),
    single_touch_share: percent('Journeys of one touch.'),
    avg_touches: z.number().nullable().describe('Touches per journey, also those left out. [touches]'),
    median_days_to_conversion: z.number().nullable().describe('First touch to order, days of 24 h. [days]'),
    identified_share: percent('Journeys of known customers; others are of one cookie.'),
    ...totalCountField,
    journeys: z.array(journey),
  }),
  plan({ args, timezone, facts }) {
    const { touch, outcome, lookback_days } = args;
    const selection = {
      range: readRange(args, timezone),
      touch,
      outcome,
      lookbackDays: lookback_days,
      collapsesRepeats: args.collapse_repeats,
      maxTouches: args.max_touches,
    };
    return plan({
      queries: {
        paths: listPaths(selection, args),
        summary: summarizePaths(selection),
      },
      answer: ({ paths, summary: [summary] }) => ({
        result: {
          business_id: args.business_id,
          data_until: trafficUntil(facts),
          touch,
          outcome,
          lookback_days,
          ...summary,
          journeys: paths.map((row) => ({
            ...row,
            path: String(row.path).split(PATH_SEPARATOR),
            journeys_share: roundedPercent(Number(row.journeys_count), Number(summary?.journeys_count)),
            conversion_rate:
              outcome === 'all'
                ? roundedPercent(Number(row.converted_journeys_count), Number(row.journeys_count))
                : null,
          })),
        },
        notes: trafficNotes(facts),
      }),
    });
  },
});
