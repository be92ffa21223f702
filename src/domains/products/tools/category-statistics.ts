import { z } from 'zod';
import { namesFilter } from '../../../answers/arguments.ts';
import { bars } from '../../../answers/chart.ts';
import { field } from '../../../answers/fields/field.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { profitNotes } from '../../../answers/profit-notes.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { listingArguments } from '../listing-arguments.ts';
import { groupListing, groupRowMetrics } from '../queries/listing.ts';
import { zeroWhereUnknown } from '../queries/performance-metrics.ts';
import { unknownNameNotes } from '../queries/product-filters.ts';
import { refundNotes } from '../queries/refund-metrics.ts';

export const categoryStatistics = defineTool({
  name: 'category_statistics',
  title: 'Category statistics',
  group: 'Product analytics',
  description:
    'Categories ranked by sales, revenue, views, conversion or profit. A product counts in each of its categories, so rows do not add up.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'categories', identity: ['category'] },
  example: { limit: 2 },
  chart: [bars('categories', ['category'], ['estimated_revenue'], { sortedBy: 'sort_by' })],
  input: z.strictObject({
    ...listingArguments(groupRowMetrics),
    filter_categories: namesFilter(),
  }),
  fields: [
    businessIdField,
    field({
      key: 'categories',
      type: 'list',
      definition: 'The page of rows asked for.',
      fields: [
        field({
          key: 'category',
          type: 'text',
          definition: '(not set): products without category. Business data.',
        }),
        ...groupRowMetrics,
      ],
    }),
  ],
  plan: ({ args, timezone, currency, facts }) =>
    plan({
      queries: groupListing('category', args, timezone, facts),
      answer: ({ groups, known, withoutCustomer }) => ({
        result: {
          business_id: args.business_id,
          categories: groups.map(({ entity, name, ...group }) => ({
            category: entity,
            ...zeroWhereUnknown(group),
          })),
        },
        notes: [
          ...unknownNameNotes(args, known),
          ...withoutCustomerNotes(withoutCustomer, currency),
          ...profitNotes(facts),
          ...refundNotes(args, facts),
        ],
      }),
    }),
});
