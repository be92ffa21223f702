import { z } from 'zod';
import { field } from '../../../answers/fields/field.ts';
import { defineAccountTool } from '../../../answers/tool.ts';
import { DIMENSION_NAMES, DIMENSIONS, isPeriod } from '../queries/dimensions.ts';
import type { Fact } from '../queries/fact.ts';
import { foundMetrics } from '../queries/found-metrics.ts';
import { definitionOf, FACTS } from '../queries/metric-layer.ts';

/** All facts have the periods, so that these are one word. */
function cutsOf({ cuts }: Fact): string {
  return ['day to year', ...DIMENSION_NAMES.filter((one) => cuts[one] !== undefined && !isPeriod(one))].join(
    ', ',
  );
}

export const listMetrics = defineAccountTool({
  name: 'list_metrics',
  title: 'List metrics',
  group: 'Insights',
  description:
    'The metrics and dimensions of query_metrics by name, and which cuts which; with search the definitions of those looked for.',
  // The text has these lists as tables, since as objects they are longer than hosts show.
  rows: { list: 'facts', uniqueBy: ['fact'], areObjects: true },
  input: z.strictObject({
    search: z
      .string()
      .max(200, 'at most 200 characters are allowed')
      .nullable()
      .default(null)
      .describe('Words, as sales without tax, or names.'),
  }),
  fields: [
    field({
      key: 'facts',
      type: 'list',
      definition: 'What is counted; with search that of what is found.',
      fields: [
        field({ key: 'fact', type: 'text', definition: 'Its name.' }),
        field({ key: 'definition', type: 'text', definition: 'What a row is, and by which time.' }),
        field({
          key: 'metrics',
          type: 'text',
          definition: 'Names, as query_metrics takes them; empty with search.',
        }),
        field({ key: 'dimensions', type: 'text', definition: 'What its metrics can be cut by.' }),
        field({ key: 'has', type: 'text', definition: 'Dimensions of filters with has; empty: none.' }),
      ],
    }),
    field({
      key: 'metrics',
      type: 'list',
      definition: 'What search finds, the best first.',
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
      definition: 'Those that search finds.',
      fields: [
        field({ key: 'name', type: 'text', definition: 'As query_metrics takes it.' }),
        field({ key: 'definition', type: 'text', definition: 'Of what, or how it is written.' }),
      ],
    }),
  ],
  answer: ({ args: { search } }) => {
    const found = search === null ? null : foundMetrics(search);
    const facts =
      found === null ? FACTS : FACTS.filter((fact) => found.metrics.some((one) => one.fact === fact));
    const isNothing = found !== null && found.metrics.length + found.dimensions.length === 0;
    return {
      result: {
        facts: facts.map((fact) => ({
          fact: fact.name,
          definition: fact.definition,
          metrics: found === null ? Object.keys(fact.metrics).join(', ') : '',
          dimensions: cutsOf(fact),
          has: Object.keys(fact.has ?? {}).join(', '),
        })),
        metrics: (found?.metrics ?? []).map((one) => ({
          name: one.name,
          fact: one.fact.name,
          unit: one.metric.unit ?? '',
          adds_up: one.addsUp,
          definition: definitionOf(one),
        })),
        dimensions: (found?.dimensions ?? []).map((name) => ({
          name,
          definition: DIMENSIONS[name].definition,
        })),
      },
      notes: isNothing
        ? [
            'Nothing has these words: without search all names are listed, and other tools have other numbers.',
          ]
        : [],
    };
  },
});
