import { z } from 'zod';
import { metricFields } from '../../model/metrics/metric.ts';
import { listProductPerformance, productRowMetrics } from '../../model/product-analytics/listing.ts';
import { knownNames, unknownNameNotes } from '../../model/product-filters.ts';
import { readRange } from '../../model/range.ts';
import { flagFilter, namesFilter } from '../arguments.ts';
import { listingArguments } from '../listing-arguments.ts';
import { defineTool, plan } from '../tool.ts';

export const productStatistics = defineTool({
  name: 'product_statistics',
  title: 'Product statistics',
  group: 'Product analytics',
  description:
    'Products ranked by sales, revenue, views, conversion or profit in one range: best and worst sellers, what did not ' +
    'sell, what is viewed but not bought. Best by money: sort_by estimated_revenue. Rows are SKUs by id; list_products ' +
    'turns ids into names and names into ids. For whole products over sizes and colors use master_product_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...listingArguments(productRowMetrics),
    filter_external_product_ids: namesFilter('Only these products.'),
    filter_brands: namesFilter('Only products of these brands; "" = without brand.'),
    filter_categories: namesFilter('Only products in any of these categories.'),
    filter_discontinued: flagFilter('true: only discontinued products, false: only the others.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    products: z.array(
      z.strictObject({
        external_product_id: z.string(),
        brand: z.string().describe('Empty when none. Business data.'),
        categories: z.array(z.string()).describe('The first is the main one. Business data.'),
        discontinued: z.boolean(),
        ...metricFields(productRowMetrics),
      }),
    ),
  }),
  plan({ args, timezone }) {
    return plan({
      queries: {
        products: listProductPerformance(readRange(args, timezone), args),
        known: knownNames(args),
      },
      answer: ({ products, known }) => ({
        result: {
          business_id: args.business_id,
          products: products.map(({ entity, ...product }) => ({ external_product_id: entity, ...product })),
        },
        notes: unknownNameNotes(args, known),
      }),
    });
  },
});
