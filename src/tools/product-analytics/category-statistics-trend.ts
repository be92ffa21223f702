import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { trendMetrics } from '../../model/product-analytics/performance-metrics.ts';
import { planTrend } from '../../model/product-analytics/trend.ts';
import { breakdownArgument, rangeArguments, requiredNames } from '../arguments.ts';
import { periodFields } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const categoryStatisticsTrend = defineTool({
  name: 'category_statistics_trend',
  title: 'Category statistics trend',
  group: 'Product analytics',
  description:
    'Sales, revenue, views, conversion and profit of chosen categories per day, week or month. ' +
    'Take the names from category_statistics. Every (category, period) has a row.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...breakdownArgument,
    categories: requiredNames('The categories, exactly as named in category_statistics.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    periods: z.array(
      z.strictObject({ ...periodFields, category: z.string(), ...metricFields(trendMetrics) }),
    ),
  }),
  plan: ({ args, timezone }) => plan(planTrend('category', args.categories, args, timezone)),
});
