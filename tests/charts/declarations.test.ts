import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bars, cohorts, heat, line } from '../../src/answers/chart.ts';
import { field } from '../../src/answers/fields/field.ts';
import { businessIdField, periodFields } from '../../src/answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { describeCharts } from '../../src/charts/described-chart.ts';
import { QUESTIONS } from './questions.ts';

const DRAWN = CATALOGUE.filter(({ chart }) => chart !== undefined);

describe.each(DRAWN.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  it('has units and definitions for all that it draws, and arguments that it sorts by', () => {
    const described = describeCharts(tool);
    for (const chart of tool.chart ?? []) {
      const at = (key: string) => (chart.rows === '' ? key : `${chart.rows}.${key}`);
      const values =
        chart.kind === 'line' || chart.kind === 'bars'
          ? chart.values.flat()
          : chart.kind === 'funnel'
            ? chart.steps
            : chart.kind === 'cohorts'
              ? [`${chart.windows}.${chart.value}`]
              : [chart.value];
      for (const key of values) {
        expect(described?.fields[at(key)], at(key)).toMatchObject({
          unit: expect.any(String),
          definition: expect.any(String),
        });
      }
      if (chart.kind === 'bars' && chart.sortedBy !== undefined)
        expect(tool.input.shape).toHaveProperty(chart.sortedBy);
      if ('groupedBy' in chart && chart.groupedBy !== undefined)
        expect(tool.input.shape).toHaveProperty(chart.groupedBy);
    }
  });
});

it('lines are told apart by what no choice of fields leaves out', () => {
  for (const { name, chart, rows } of DRAWN) {
    for (const one of chart ?? []) {
      if (one.kind !== 'line' || one.by === undefined || one.rows !== rows?.list) continue;
      const identity = rows.uniqueBy.filter((key) => ![one.along, `${one.along}_start`].includes(key));
      expect(identity, name).not.toEqual([]);
    }
  }
});

it.each([
  ['email_channel_statistics', 'periods.click_rate', 'delivered_count'],
  ['sms_channel_statistics', 'periods.delivery_rate', 'sent_count'],
  ['session_statistics_trend', 'periods.conversion_rate', 'sessions_count'],
  ['category_statistics', 'categories.conversion_rate', 'reach'],
  ['email_revenue_statistics', 'periods.attributed_revenue_share', 'total_revenue'],
])('%s says what %s is a part of: the divisor of its definition', (name, path, of) => {
  const tool = DRAWN.find((one) => one.name === name);
  const fields = (tool && describeCharts(tool)?.fields) ?? {};
  expect(fields[path]).toMatchObject({ unit: 'percent', of });
  expect(fields[path.replace(/[^.]+$/, of)]).toMatchObject({ unit: expect.any(String) });
});

it('knows how a list is sorted where nobody asks', () => {
  const sortOf = (name: string) =>
    DRAWN.flatMap((tool) => (tool.name === name ? (describeCharts(tool)?.sort ?? []) : []));
  expect(sortOf('brand_statistics')).toEqual([{ sort_by: 'unique_orders_count', sort_order: 'desc' }]);
  expect(sortOf('order_distribution_statistics')).toEqual([]);
});

it('questions to the made shop are to the tools that have a chart', () => {
  expect(new Set(QUESTIONS.map(({ tool }) => tool))).toEqual(new Set(DRAWN.map(({ name }) => name)));
});

/** A chart of what the rows lack does not compile: `npm run check` fails when one of these lines does. */
function wrongCharts() {
  const declared = {
    name: 'a_tool',
    title: 'A tool',
    group: 'Orders',
    description: 'A tool.',
    permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
    input: z.strictObject({}),
    fields: [
      businessIdField,
      field({
        key: 'periods',
        type: 'list',
        definition: 'Periods.',
        fields: [
          ...periodFields,
          field({ key: 'orders_count', type: 'integer', unit: 'orders', definition: 'Orders.' }),
        ],
      }),
    ],
    plan: () =>
      plan({
        queries: {},
        answer: () => ({
          result: { business_id: '', periods: [{ period: '', period_start: '', orders_count: 1 }] },
        }),
      }),
  } as const;
  return [
    defineTool({ ...declared, chart: [line('periods', 'period', ['orders_count'])] }),
    // @ts-expect-error no such list
    defineTool({ ...declared, chart: [line('weeks', 'period', ['orders_count'])] }),
    // @ts-expect-error no such value
    defineTool({ ...declared, chart: [line('periods', 'period', ['orders_revenues'])] }),
    // @ts-expect-error not a number
    defineTool({ ...declared, chart: [line('periods', 'period', ['period_start'])] }),
    // @ts-expect-error nothing that names a row
    defineTool({ ...declared, chart: [bars('periods', ['name'], ['orders_count'])] }),
    // @ts-expect-error no hours
    defineTool({ ...declared, chart: [heat('periods', 'orders_count')] }),
    defineTool({
      ...declared,
      // @ts-expect-error no windows in its rows
      chart: [cohorts('periods', ['period'], 'windows', { across: 'a', value: 'b', complete: 'c' })],
    }),
  ];
}

it('knows charts of fields that exist', () => {
  expect(wrongCharts()[0]?.chart).toEqual([
    { kind: 'line', rows: 'periods', along: 'period', values: ['orders_count'] },
  ]);
});
