import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { groupRowMetrics, planGroupListing } from '../../model/product-analytics/listing.ts';
import { namesFilter } from '../arguments.ts';
import { listingArguments } from '../listing-arguments.ts';
import { defineTool, plan } from '../tool.ts';

export const brandStatistics = defineTool({
  name: 'brand_statistics',
  title: 'Brand statistics',
  group: 'Product analytics',
  description:
    'Brands ranked by sales, revenue, views, conversion or profit in one range. ' +
    'Products without brand are the row with an empty name. For values over time use brand_statistics_trend.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...listingArguments(groupRowMetrics),
    filter_brands: namesFilter('Only these brands; "" = products without brand.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    brands: z.array(
      z.strictObject({
        brand: z.string().describe('Empty: products without brand. Business data.'),
        ...metricFields(groupRowMetrics),
      }),
    ),
  }),
  plan: ({ args, timezone }) => plan(planGroupListing('brand', 'brands', args, timezone)),
});
