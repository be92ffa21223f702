import { z } from 'zod';
import { namesFilter } from '../../../answers/arguments.ts';
import { bars } from '../../../answers/chart.ts';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { listingArguments } from '../listing-arguments.ts';
import { totalsFields } from '../queries/listing-totals.ts';
import { masterName } from '../queries/product-level.ts';
import { groupRowMetrics, planGroups } from '../queries/product-listing.ts';

export const masterProductStatistics = defineTool({
  name: 'master_product_statistics',
  title: 'Master product statistics',
  group: 'Product analytics',
  description:
    'Whole products, all variants (sizes, colors) in one row, ranked by sales, revenue, views, conversion or profit. Single SKUs: product_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'master_products', uniqueBy: ['external_master_product_id'], areObjects: true },
  example: { limit: 2 },
  chart: [
    bars(
      'master_products',
      [['name', 'external_master_product_id']],
      ['estimated_revenue', 'unique_orders_count'],
      {
        sortedBy: 'sort_by',
      },
    ),
  ],
  input: z.strictObject({
    ...listingArguments(groupRowMetrics),
    filter_external_master_product_ids: namesFilter(),
    filter_brands: namesFilter(),
    filter_categories: namesFilter('In any of them.'),
  }),
  fields: [
    businessIdField,
    ...totalsFields,
    list('master_products', 'The page of rows asked for.', [
      text('external_master_product_id', 'Of the variants, or of a product that is its own.'),
      masterName,
      ...groupRowMetrics,
    ]),
  ],
  plan: ({ args, ...business }) =>
    plan(
      planGroups('master_product', args, business, (groups) => ({
        master_products: groups.map(({ entity, ...group }) => ({
          external_master_product_id: entity,
          ...group,
        })),
      })),
    ),
});
