import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { trendMetrics } from '../../model/product-analytics/performance-metrics.ts';
import { planTrend } from '../../model/product-analytics/trend.ts';
import { breakdownArgument, rangeArguments, requiredNames } from '../arguments.ts';
import { periodFields } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const productStatisticsTrend = defineTool({
  name: 'product_statistics_trend',
  title: 'Product statistics trend',
  group: 'Product analytics',
  description:
    'Sales, revenue, views, conversion and profit of chosen products per day, week or month. ' +
    'Take the ids from product_statistics or list_products. Every (product, period) has a row.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...breakdownArgument,
    external_product_ids: requiredNames('The products.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    periods: z.array(
      z.strictObject({ ...periodFields, external_product_id: z.string(), ...metricFields(trendMetrics) }),
    ),
  }),
  plan: ({ args, timezone }) => plan(planTrend('product', args.external_product_ids, args, timezone)),
});
