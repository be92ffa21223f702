import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { trendMetrics } from '../../model/product-analytics/performance-metrics.ts';
import { planTrend } from '../../model/product-analytics/trend.ts';
import { breakdownArgument, rangeArguments, requiredNames } from '../arguments.ts';
import { periodFields } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const masterProductStatisticsTrend = defineTool({
  name: 'master_product_statistics_trend',
  title: 'Master product statistics trend',
  group: 'Product analytics',
  description:
    'Sales, revenue, views, conversion and profit of chosen master products (all variants together) per day, week or ' +
    'month. Take the ids from master_product_statistics. Every (master product, period) has a row.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...breakdownArgument,
    external_master_product_ids: requiredNames('The master products.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    periods: z.array(
      z.strictObject({
        ...periodFields,
        external_master_product_id: z.string(),
        ...metricFields(trendMetrics),
      }),
    ),
  }),
  plan: ({ args, timezone }) =>
    plan(planTrend('master_product', args.external_master_product_ids, args, timezone)),
});
