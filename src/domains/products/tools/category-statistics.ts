import { z } from 'zod';
import { namesFilter } from '../../../answers/arguments.ts';
import { bars } from '../../../answers/chart.ts';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { listingArguments } from '../listing-arguments.ts';
import { totalsFields } from '../queries/listing-totals.ts';
import { groupRowMetrics, planGroups } from '../queries/product-listing.ts';

export const categoryStatistics = defineTool({
  name: 'category_statistics',
  title: 'Category statistics',
  group: 'Product analytics',
  description:
    'Categories ranked by sales, revenue, views, conversion or profit. A product counts in each of its categories, so rows do not add up.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'categories', uniqueBy: ['category'], areObjects: true },
  example: { limit: 2 },
  chart: [
    bars('categories', ['category'], ['estimated_revenue', 'unique_orders_count'], { sortedBy: 'sort_by' }),
  ],
  input: z.strictObject({
    ...listingArguments(groupRowMetrics),
    filter_categories: namesFilter(),
    main_categories: z.boolean().default(false).describe('Each product in its first only.'),
  }),
  fields: [
    businessIdField,
    ...totalsFields,
    list('categories', 'The page of rows asked for.', [
      text('category', '(not set): products without category. Business data.'),
      ...groupRowMetrics,
    ]),
  ],
  plan: ({ args, ...business }) =>
    plan(
      planGroups('category', args, business, (groups) => ({
        categories: groups.map(({ entity, name: _, ...group }) => ({ category: entity, ...group })),
      })),
    ),
});
