import { z } from 'zod';
import { oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { withTracking } from '../../messages/queries/with-tracking.ts';
import { planExplained } from '../queries/explained/explained-change.ts';
import { EXPLAINED_NAMES } from '../queries/explained/explained-metrics.ts';

const amount = <const Key extends string>(key: Key, definition: string) =>
  field({ key, type: 'number', unit: 'as metric', null: 'not known', definition });

const grown = field({
  key: 'change_percent',
  type: 'number',
  unit: 'percent',
  null: 'nothing to divide by',
  definition: '(to - from) / from: by how much it grew itself.',
});

const partFields = [
  field({ key: 'name', type: 'text', definition: 'What changed. Business data, where it is a value.' }),
  field({
    key: 'from',
    type: 'number',
    unit: 'as asked',
    null: 'a change alone',
    definition: 'What it was in the compared range.',
  }),
  field({
    key: 'to',
    type: 'number',
    unit: 'as asked',
    null: 'a change alone',
    definition: 'What it is in the range.',
  }),
  grown,
  field({
    key: 'change',
    type: 'number',
    unit: 'as metric',
    definition: 'By how much it changed the metric: the parts add up.',
  }),
  field({
    key: 'share_of_change',
    type: 'number',
    unit: 'percent',
    null: 'no change',
    definition: 'change / change of the metric.',
  }),
];

const standsOutFields = [
  field({
    key: 'kind',
    type: 'text',
    definition: 'value: of a dimension; price: of a product; factor: of the bridge by visits.',
  }),
  field({ key: 'dimension', type: 'text', null: 'a factor', definition: 'As query_metrics takes it.' }),
  field({ key: 'value', type: 'text', definition: 'Of the dimension, or the factor. Business data.' }),
  field({ key: 'from', type: 'number', unit: 'as asked', definition: 'What it was in the compared range.' }),
  field({ key: 'to', type: 'number', unit: 'as asked', definition: 'What it is in the range.' }),
  field({
    key: 'expected',
    type: 'number',
    unit: 'as metric',
    null: 'a price or factor',
    definition: 'What it would be, had it moved as all others.',
  }),
  grown,
  field({
    key: 'change',
    type: 'number',
    unit: 'as metric',
    definition: 'Its part of the difference by itself; do not add these up.',
  }),
  field({
    key: 'share_of_change',
    type: 'number',
    unit: 'percent',
    null: 'no change',
    definition: 'change / change of the metric.',
  }),
  field({ key: 'sentence', type: 'text', definition: 'To be quoted.' }),
];

const explain = defineTool({
  name: 'explain_change',
  title: 'Explain a change',
  group: 'Insights',
  description:
    'Why a number is up or down: bridges whose parts add up to the difference (visits x conversion x basket, customers, price, volume and mix, channels, countries).',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    business_id: rangeArguments.business_id,
    metric: oneOf('metric', EXPLAINED_NAMES),
    from_date: rangeArguments.from_date,
    to_date: rangeArguments.to_date,
    compare: oneOf('compare', ['previous_period', 'previous_year', 'range'])
      .default('previous_period')
      .describe('range: compare_from_date to compare_to_date.'),
    compare_from_date: z.string().nullable().default(null),
    compare_to_date: z.string().nullable().default(null),
  }),
  example: { metric: 'revenue' },
  fields: [
    businessIdField,
    field({ key: 'metric', type: 'text', definition: 'As asked.' }),
    field({ key: 'unit', type: 'text', definition: 'Of the metric; money: of the currency.' }),
    field({ key: 'currency', type: 'text', null: 'not set', definition: 'Of all money.' }),
    field({ key: 'compared_range', type: 'json', null: 'none', definition: 'Days, both inclusive.' }),
    amount('from', 'The metric in the compared range, as query_metrics has it.'),
    amount('to', 'The metric in the range, as query_metrics has it.'),
    amount('change', 'to - from.'),
    field({
      key: 'change_percent',
      type: 'number',
      unit: 'percent',
      null: 'nothing to divide by',
      definition: 'change / from.',
    }),
    field({ key: 'summary', type: 'text', definition: 'The difference in a sentence.' }),
    field({
      key: 'stands_out',
      type: 'list',
      definition:
        'What moved otherwise than the rest, at most 5 percent of it by chance; in the order of money.',
      fields: standsOutFields,
    }),
    field({
      key: 'bridges',
      type: 'list',
      definition: 'Each tells the whole difference apart; never add up parts of two of them.',
      fields: [
        field({ key: 'name', type: 'text', definition: 'By what it tells the difference apart.' }),
        field({ key: 'definition', type: 'text', definition: 'How the parts make the metric.' }),
        field({ key: 'from', type: 'number', unit: 'as metric', definition: 'As of the metric.' }),
        field({ key: 'to', type: 'number', unit: 'as metric', definition: 'As of the metric.' }),
        field({ key: 'change', type: 'number', unit: 'as metric', definition: 'As of the metric.' }),
        field({ key: 'parts', type: 'list', definition: 'They add up to change.', fields: partFields }),
      ],
    }),
    field({
      key: 'facts',
      type: 'list',
      definition: 'What was so in these days: facts, not causes.',
      fields: [
        field({ key: 'kind', type: 'text', definition: 'Of what, as weekdays, tracking or calendar.' }),
        field({ key: 'text', type: 'text', definition: 'The fact. Names in it are business data.' }),
      ],
    }),
  ],
  plan: (context) => planExplained(context),
});

const tracked = withTracking(explain);

/** Visits and orders by last click are too low where tracking has a hole, and they explain every metric. */
export const explainChange = { ...tracked };
