import { z } from 'zod';
import { field } from '../../../answers/fields/field.ts';
import { defineAccountTool } from '../../../answers/tool.ts';
import { DIMENSION_NAMES, DIMENSIONS } from '../queries/dimensions.ts';
import { definitionOf, FACTS, METRICS } from '../queries/metric-layer.ts';

export const listMetrics = defineAccountTool({
  name: 'list_metrics',
  title: 'List metrics',
  group: 'Insights',
  description: 'The metrics and dimensions of query_metrics, with definitions, and which cuts which.',
  // As objects these lists are longer than hosts show: in the text they are tables.
  rows: { list: 'metrics', uniqueBy: ['name'], areObjects: true },
  input: z.strictObject({}),
  fields: [
    field({
      key: 'facts',
      type: 'list',
      definition: 'What is counted.',
      fields: [
        field({ key: 'fact', type: 'text', definition: 'Its name.' }),
        field({ key: 'definition', type: 'text', definition: 'What a row is, and by which time.' }),
        field({ key: 'dimensions', type: 'text', definition: 'What its metrics can be cut by.' }),
        field({ key: 'has', type: 'text', definition: 'Dimensions of filters with has; empty: none.' }),
      ],
    }),
    field({
      key: 'metrics',
      type: 'list',
      definition: 'All metrics.',
      fields: [
        field({ key: 'name', type: 'text', definition: 'As query_metrics takes it.' }),
        field({ key: 'fact', type: 'text', definition: 'On which it is counted.' }),
        field({ key: 'unit', type: 'text', definition: 'In which it is counted.' }),
        field({
          key: 'adds_up',
          type: 'boolean',
          definition: 'Whether rows may be added up; never by coupon or category.',
        }),
        field({ key: 'definition', type: 'text', definition: 'As in the other tools.' }),
      ],
    }),
    field({
      key: 'dimensions',
      type: 'list',
      definition: 'All dimensions.',
      fields: [
        field({ key: 'name', type: 'text', definition: 'As query_metrics takes it.' }),
        field({ key: 'definition', type: 'text', definition: 'Of what, or how it is written.' }),
      ],
    }),
  ],
  answer: () => ({
    result: {
      facts: FACTS.map(({ name, definition, cuts, has = {} }) => ({
        fact: name,
        definition,
        dimensions: Object.keys(cuts).join(', '),
        has: Object.keys(has).join(', '),
      })),
      metrics: METRICS.map((one) => ({
        name: one.name,
        fact: one.fact.name,
        unit: one.metric.unit ?? '',
        adds_up: one.addsUp,
        definition: definitionOf(one),
      })),
      dimensions: DIMENSION_NAMES.map((name) => ({ name, definition: DIMENSIONS[name].definition })),
    },
  }),
});
