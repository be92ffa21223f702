import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { coverWithPeriods } from '../../model/periods.ts';
import { trendMetrics } from '../../model/product-analytics/performance-metrics.ts';
import { planTrend } from '../../model/product-analytics/trend.ts';
import { readRange } from '../../model/range.ts';
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
  plan({ args, timezone }) {
    const names = [...new Set(args.brands)];
    const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, names.length);
    const trend = planTrend('brand', names, periods);
    return plan({
      queries: trend.queries,
      answer: (rows) => ({
        result: {
          business_id: args.business_id,
          periods: trend.rows(rows).map(({ entity, ...row }) => ({ brand: entity, ...row })),
        },
        notes: trend.notes(rows),
      }),
    });
  },
});
