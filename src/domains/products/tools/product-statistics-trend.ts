import { z } from 'zod';
import { requiredNames } from '../../../answers/arguments.ts';
import { line } from '../../../answers/chart.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { productName } from '../queries/product-level.ts';
import { planTrend, trendArguments, trendFields } from '../queries/product-trend.ts';

const entity = text('external_product_id', 'As asked. Business data.');

export const productStatisticsTrend = defineTool({
  name: 'product_statistics_trend',
  title: 'Product statistics trend',
  group: 'Product analytics',
  description:
    'Sales, views, conversion and profit of chosen products per day, week or month. Ids: list_products.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start', 'external_product_id'], areObjects: true },
  example: {
    external_product_ids: ['P00123'],
    breakdown: 'month',
  },
  chart: [
    line('periods', 'period', ['estimated_revenue', 'total_quantity'], {
      by: [['name', 'external_product_id']],
    }),
  ],
  input: z.strictObject({
    ...trendArguments,
    external_product_ids: requiredNames(),
  }),
  fields: trendFields(entity, productName),
  plan: ({ args, ...business }) =>
    plan(
      planTrend(
        'product',
        (external_product_id, name) => ({ external_product_id, name }),
        args.external_product_ids,
        args,
        business,
      ),
    ),
});
