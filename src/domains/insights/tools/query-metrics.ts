import { z } from 'zod';
import { integerBetween, oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineStoresTool, defineTool } from '../../../answers/tool.ts';
import { withTracking } from '../../messages/queries/with-tracking.ts';
import { planTable, tableFields } from '../queries/answered-table.ts';
import { DIMENSION_NAMES } from '../queries/dimensions.ts';
import { businessesField, joinTables } from '../queries/joined-stores.ts';
import { FACTS } from '../queries/metric-layer.ts';
import { asideQueries, valueNotes } from '../queries/metric-notes.ts';
import { readQuestion } from '../queries/question.ts';
import { weekdayNotes } from '../queries/weekday-notes.ts';

const names = (argument: string, least: number, most: number) =>
  z
    .array(z.string('must be text'), `${argument} must be a list of names`)
    .min(least, `${argument} must have at least one element`)
    .max(most, `at most ${most} elements are allowed`);

const values = z
  .array(z.string('must be text'))
  .min(1, 'must have at least one element')
  .max(1000, 'at most 1000 elements are allowed');

const bound = z.number('must be a number').nullable().optional();

const { business_id, ...range } = rangeArguments;

const questionArguments = {
  metrics: names('metrics', 1, 8).describe(
    FACTS.map(({ name, metrics }) => `${name}: ${Object.keys(metrics).join(', ')}`).join('. '),
  ),
  group_by: names('group_by', 0, 3)
    .default([])
    .describe(`Up to 3 of ${DIMENSION_NAMES.join(', ')}.`),
  ...range,
  compare: oneOf('compare', ['none', 'previous_period', 'previous_year', 'range'])
    .default('none')
    .describe('range: compare_from_date to compare_to_date.'),
  compare_from_date: z.string().nullable().default(null),
  compare_to_date: z.string().nullable().default(null),
  filters: z
    .array(
      z.strictObject({
        dimension: z.string('must be text'),
        in: values.optional(),
        not_in: values.optional(),
        has: values.optional(),
      }),
    )
    .max(10, 'at most 10 elements are allowed')
    .default([])
    .describe('All must hold. has: orders with one of these products, brands, categories or coupons.'),
  having: z
    .array(z.strictObject({ metric: z.string('must be text'), min: bound, max: bound }))
    .max(8, 'at most 8 elements are allowed')
    .default([])
    .describe('Of metrics asked for.'),
  click_window_days: integerBetween('click_window_days', 1, 90)
    .nullable()
    .default(null)
    .describe('For metrics after a click.'),
  sort_by: z
    .string()
    .nullable()
    .default(null)
    .describe('A metric or dimension; without: the period, else the first metric.'),
  sort_order: oneOf('sort_order', ['asc', 'desc']).nullable().default(null),
  limit: integerBetween('limit', 1, 1000).default(50),
};

/** The tool for one store. */
const queryStore = defineTool({
  name: 'query_metrics',
  title: 'Query metrics',
  group: 'Insights',
  description: 'One store of query_metrics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ business_id, ...questionArguments }),
  fields: [businessIdField, ...tableFields],
  plan({ args, timezone, currency, facts }) {
    const question = readQuestion(args, timezone);
    return planTable({
      business_id: args.business_id,
      args,
      question,
      facts,
      currency,
      aside: asideQueries(question, timezone, facts),
      notes: (rows, asked, keys, sorted) => [
        ...valueNotes(question, args, { rows, sorted, asked, keys, facts, currency, timezone }),
        ...weekdayNotes(question),
      ],
    });
  },
});

const tracked = withTracking(queryStore);

/** Visits, clicks and orders by last click are too low where tracking has a hole. */
const TRACKED: readonly string[] = [
  'visits',
  'orders_in_visits',
  'ad_costs',
  'emails',
  'email_clicks',
  'sms_clicks',
];

const each = {
  ...queryStore,
  plan(context: Parameters<typeof queryStore.plan>[0]) {
    const question = readQuestion(context.args, context.timezone);
    const isTracked = question.facts.some(({ name }) => TRACKED.includes(name));
    return (isTracked ? tracked : queryStore).plan(context);
  },
};

export const queryMetrics = defineStoresTool({
  name: 'query_metrics',
  title: 'Query metrics',
  group: 'Insights',
  description:
    'Any metrics by any dimensions, also of orders, products, visits, ads and email side by side, with a comparison, the rest and the total. Definitions, and what cuts what: list_metrics.',
  input: z.strictObject({
    business_ids: z.array(z.string()).describe('1 to 10; several: rows by business.'),
    ...questionArguments,
  }),
  example: { metrics: ['revenue', 'sessions_count', 'ad_cost'], group_by: ['channel'] },
  fields: [businessesField, ...tableFields],
  each,
  join: joinTables,
});
