import { z } from 'zod';
import {
  integerBetween,
  oneOf,
  pagingArguments,
  rangeArguments,
  sortArguments,
} from '../../../answers/arguments.ts';
import { bars, saying } from '../../../answers/chart.ts';
import {
  field,
  fieldNamed,
  fieldsNamed,
  HIDDEN,
  NOTHING_TO_DIVIDE_BY,
} from '../../../answers/fields/field.ts';
import { choice, count, flag, list, measure } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage, totalCount } from '../../../answers/fields/shared-fields.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { FollowedPeople, fewNotes, OTHERS } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { roundedPercent } from '../../../statistics/rounded.ts';
import { readWholeDays } from '../../../time/whole-days.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { trafficUntil } from '../queries/data-until.ts';
import {
  listPaths,
  PATH_SEPARATOR,
  pathFields,
  shownSummary,
  summarizePaths,
  summaryFields,
} from '../queries/journey-paths.ts';
import { OUTCOMES, TOUCHES } from '../queries/journey-touches.ts';
import { lookbackArgument, lookbackEcho, touchNotes } from '../traffic-arguments.ts';

/** The fields of a path, in the order of the specification. */
const journeyFields = [
  ...fieldsNamed(pathFields, ['touches_count', 'journeys_count']),
  field({
    key: 'journeys_share',
    type: 'number',
    unit: 'percent',
    null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
    definition: 'journeys_count / all journeys.',
  }),
  fieldNamed(pathFields, 'converted_journeys_count'),
  measure('percent', 'conversion_rate', 'converted / journeys.', `outcome is not all, or ${HIDDEN}`),
  ...fieldsNamed(pathFields, ['revenue', 'new_customers_count', 'avg_days_to_conversion']),
];

export const journeyStatistics = defineTool({
  name: 'journey_statistics',
  title: 'Journey statistics',
  group: 'Traffic',
  description:
    'Most frequent paths of visits from one order to the next, or until leaving, by channel, source or campaign.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'journeys', uniqueBy: ['path'] },
  chart: [
    saying(
      'The channels of the visits that one person made one after another, until an order unless others were asked for.',
      bars('journeys', ['path'], ['journeys_count'], { sortedBy: 'sort_by' }),
    ),
  ],
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
  fields: [
    ...coverage,
    choice('touch', TOUCHES, 'What is told of each visit, as asked.'),
    choice('outcome', OUTCOMES, 'Which journeys, as asked.'),
    lookbackEcho,
    flag('collapse_repeats', 'As asked.'),
    count('touches', 'max_touches', 'As asked.'),
    ...summaryFields,
    totalCount,
    list('journeys', 'The page of rows asked for.', [
      field({
        key: 'path',
        type: 'list',
        of: 'text',
        definition: `Oldest touch first; (…) stands for touches left out, ${OTHERS} for all paths of under ${LEAST_SHARING} people. Business data.`,
      }),
      ...journeyFields,
    ]),
  ],
  plan({ args, timezone, currency, facts, leastFollowed = LEAST_SHARING }) {
    const { touch, outcome, lookback_days, collapse_repeats, max_touches } = args;
    const { range, notes } = readWholeDays(args, timezone);
    const selection = {
      range,
      touch,
      outcome,
      lookbackDays: lookback_days,
      collapsesRepeats: collapse_repeats,
      maxTouches: max_touches,
      leastFollowed,
    };
    return plan({
      queries: {
        paths: listPaths(selection, args),
        summary: summarizePaths(selection),
        withoutCustomer: outcome === 'not_converted' ? null : ordersWithoutCustomer(selection.range, facts),
      },
      answer: ({ paths, summary, withoutCustomer }) => {
        const people = new FollowedPeople(leastFollowed);
        const all = shownSummary(onlyRow(summary), people);
        const share = (count: number | null, whole: number | null) =>
          count === null || whole === null ? null : roundedPercent(count, whole);
        const result = {
          business_id: args.business_id,
          data_until: trafficUntil(facts),
          touch,
          outcome,
          lookback_days,
          collapse_repeats,
          max_touches,
          ...all,
          journeys: paths.map((row) => ({
            ...row,
            path: row.path.split(PATH_SEPARATOR),
            journeys_share: share(row.journeys_count, all.journeys_count),
            conversion_rate:
              outcome === 'all' ? share(row.converted_journeys_count, row.journeys_count) : null,
          })),
        };
        const hidden = fewNotes(paths, 'journeys_count', 'converted_journeys_count', 'new_customers_count');
        return {
          result,
          notes: [
            ...notes,
            ...touchNotes(collapse_repeats),
            ...new Set([...people.notes(), ...hidden]),
            ...withoutCustomerNotes(withoutCustomer, currency),
          ],
        };
      },
    });
  },
});
