import { z } from 'zod';
import { namesFilter } from '../../../answers/arguments.ts';
import { bars } from '../../../answers/chart.ts';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { listingArguments } from '../listing-arguments.ts';
import { totalsFields } from '../queries/listing-totals.ts';
import { groupRowMetrics, planGroups } from '../queries/product-listing.ts';

export const brandStatistics = defineTool({
  name: 'brand_statistics',
  title: 'Brand statistics',
  group: 'Product analytics',
  description: 'Brands ranked by sales, revenue, views, conversion or profit.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'brands', uniqueBy: ['brand'], areObjects: true },
  example: { limit: 2 },
  chart: [bars('brands', ['brand'], ['estimated_revenue', 'unique_orders_count'], { sortedBy: 'sort_by' })],
  input: z.strictObject({
    ...listingArguments(groupRowMetrics),
    filter_brands: namesFilter(),
  }),
  fields: [
    businessIdField,
    ...totalsFields,
    list('brands', 'The page of rows asked for.', [
      text('brand', '(not set): products without brand. Business data.'),
      ...groupRowMetrics,
    ]),
  ],
  plan: ({ args, ...business }) =>
    plan(
      planGroups('brand', args, business, (groups) => ({
        brands: groups.map(({ entity, name: _, ...group }) => ({ brand: entity, ...group })),
      })),
    ),
});
