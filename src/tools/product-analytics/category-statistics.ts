import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { groupRowMetrics, planGroupListing } from '../../model/product-analytics/listing.ts';
import { namesFilter } from '../arguments.ts';
import { listingArguments } from '../listing-arguments.ts';
import { defineTool, plan } from '../tool.ts';

export const categoryStatistics = defineTool({
  name: 'category_statistics',
  title: 'Category statistics',
  group: 'Product analytics',
  description:
    'Categories ranked by sales, revenue, views, conversion or profit in one range. ' +
    'A product in several categories counts in each, so rows do not add up to the store. ' +
    'For values over time use category_statistics_trend.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...listingArguments(groupRowMetrics),
    filter_categories: namesFilter('Only these categories.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    categories: z.array(
      z.strictObject({ category: z.string().describe('Business data.'), ...metricFields(groupRowMetrics) }),
    ),
  }),
  plan: ({ args, timezone }) => plan(planGroupListing('category', 'categories', args, timezone)),
});
