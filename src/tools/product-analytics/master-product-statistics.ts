import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { groupRowMetrics, planGroupListing } from '../../model/product-analytics/listing.ts';
import { namesFilter } from '../arguments.ts';
import { listingArguments } from '../listing-arguments.ts';
import { defineTool, plan } from '../tool.ts';

export const masterProductStatistics = defineTool({
  name: 'master_product_statistics',
  title: 'Master product statistics',
  group: 'Product analytics',
  description:
    'Whole products ranked by sales, revenue, views, conversion or profit in one range: all variants (sizes, colors) of a ' +
    'product in one row. A product without master product is a row of its own. For single SKUs use product_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...listingArguments(groupRowMetrics),
    filter_external_master_product_ids: namesFilter('Only these master products.'),
    filter_brands: namesFilter('Only variants of these brands; "" = without brand.'),
    filter_categories: namesFilter('Only variants in any of these categories.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    master_products: z.array(
      z.strictObject({ external_master_product_id: z.string(), ...metricFields(groupRowMetrics) }),
    ),
  }),
  plan: ({ args, timezone }) => plan(planGroupListing('master_product', 'master_products', args, timezone)),
});
