import { z } from 'zod';
import { field } from '../../model/fields/field.ts';
import { businessIdField } from '../../model/fields/shared-fields.ts';
import { groupListing, groupRowMetrics } from '../../model/product-analytics/listing.ts';
import { unknownNameNotes } from '../../model/product-filters.ts';
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
  fields: [
    businessIdField,
    field({
      key: 'brands',
      type: 'list',
      definition: 'The page of rows asked for.',
      fields: [
        field({ key: 'brand', type: 'text', definition: 'Empty: products without brand. Business data.' }),
        ...groupRowMetrics,
      ],
    }),
  ],
  plan: ({ args, timezone }) =>
    plan({
      queries: groupListing('brand', args, timezone),
      answer: ({ groups, known }) => ({
        result: {
          business_id: args.business_id,
          brands: groups.map(({ entity, ...group }) => ({ brand: entity, ...group })),
        },
        notes: unknownNameNotes(args, known),
      }),
    }),
});
