import { z } from 'zod';
import { requiredNames } from '../../../answers/arguments.ts';
import { line } from '../../../answers/chart.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { planTrend, trendArguments, trendFields } from '../queries/product-trend.ts';

const entity = text('category', 'As asked. Business data.');

export const categoryStatisticsTrend = defineTool({
  name: 'category_statistics_trend',
  title: 'Category statistics trend',
  group: 'Product analytics',
  description: 'Sales, views, conversion and profit of chosen categories per day, week or month.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start', 'category'], areObjects: true },
  example: {
    categories: ['Backpacks > Day'],
    breakdown: 'month',
  },
  chart: [line('periods', 'period', ['estimated_revenue', 'total_quantity'], { by: ['category'] })],
  input: z.strictObject({
    ...trendArguments,
    categories: requiredNames({ description: 'Names as in category_statistics.' }),
  }),
  fields: trendFields(entity),
  plan: ({ args, ...business }) =>
    plan(planTrend('category', (category) => ({ category }), args.categories, args, business)),
});
