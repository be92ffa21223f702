import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { trendMetrics } from '../../model/product-analytics/performance-metrics.ts';
import { planTrend } from '../../model/product-analytics/trend.ts';
import { breakdownArgument, rangeArguments, requiredNames } from '../arguments.ts';
import { periodFields } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const brandStatisticsTrend = defineTool({
  name: 'brand_statistics_trend',
  title: 'Brand statistics trend',
  group: 'Product analytics',
  description:
    'Sales, revenue, views, conversion and profit of chosen brands per day, week or month. ' +
    'Take the names from brand_statistics. Every (brand, period) has a row.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...breakdownArgument,
    brands: requiredNames('The brands, exactly as named in brand_statistics.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    periods: z.array(z.strictObject({ ...periodFields, brand: z.string(), ...metricFields(trendMetrics) })),
  }),
  plan: ({ args, timezone }) => plan(planTrend('brand', args.brands, args, timezone)),
});
