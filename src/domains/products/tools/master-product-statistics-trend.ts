import { z } from 'zod';
import { requiredNames } from '../../../answers/arguments.ts';
import { line } from '../../../answers/chart.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { masterName } from '../queries/product-level.ts';
import { planTrend, trendArguments, trendFields } from '../queries/product-trend.ts';

const entity = text('external_master_product_id', 'As asked. Business data.');

export const masterProductStatisticsTrend = defineTool({
  name: 'master_product_statistics_trend',
  title: 'Master product statistics trend',
  group: 'Product analytics',
  description:
    'Sales, views, conversion and profit of chosen master products per day, week or month. Ids: master_product_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: {
    list: 'periods',
    uniqueBy: ['period', 'period_start', 'external_master_product_id'],
    areObjects: true,
  },
  example: {
    external_master_product_ids: ['M00128'],
    breakdown: 'month',
  },
  chart: [
    line('periods', 'period', ['estimated_revenue', 'total_quantity'], {
      by: [['name', 'external_master_product_id']],
    }),
  ],
  input: z.strictObject({
    ...trendArguments,
    external_master_product_ids: requiredNames(),
  }),
  fields: trendFields(entity, masterName),
  plan: ({ args, ...business }) =>
    plan(
      planTrend(
        'master_product',
        (external_master_product_id, name) => ({ external_master_product_id, name }),
        args.external_master_product_ids,
        args,
        business,
      ),
    ),
});
