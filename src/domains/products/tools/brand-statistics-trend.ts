import { z } from 'zod';
import { requiredNames } from '../../../answers/arguments.ts';
import { line } from '../../../answers/chart.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { planTrend, trendArguments, trendFields } from '../queries/product-trend.ts';

const entity = text('brand', 'As asked. Business data.');

export const brandStatisticsTrend = defineTool({
  name: 'brand_statistics_trend',
  title: 'Brand statistics trend',
  group: 'Product analytics',
  description: 'Sales, views, conversion and profit of chosen brands per day, week or month.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start', 'brand'], areObjects: true },
  example: {
    brands: ['Altiva'],
    breakdown: 'month',
  },
  chart: [line('periods', 'period', ['estimated_revenue', 'total_quantity'], { by: ['brand'] })],
  input: z.strictObject({
    ...trendArguments,
    brands: requiredNames({ description: 'Names as in brand_statistics.' }),
  }),
  fields: trendFields(entity),
  plan: ({ args, ...business }) =>
    plan(planTrend('brand', (brand) => ({ brand }), args.brands, args, business)),
});
