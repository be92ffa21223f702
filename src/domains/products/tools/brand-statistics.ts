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

export const brandStatistics = defineTool({
  name: 'brand_statistics',
  title: 'Brand statistics',
  group: 'Product analytics',
  description: 'Brands ranked by sales, revenue, views, conversion or profit.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'brands', identity: ['brand'] },
  example: { limit: 2 },
  chart: [bars('brands', ['brand'], ['estimated_revenue'], { sortedBy: 'sort_by' })],
  input: z.strictObject({
    ...listingArguments(groupRowMetrics),
    filter_brands: namesFilter(),
  }),
  fields: [
    businessIdField,
    field({
      key: 'brands',
      type: 'list',
      definition: 'The page of rows asked for.',
      fields: [
        field({
          key: 'brand',
          type: 'text',
          definition: '(not set): products without brand. Business data.',
        }),
        ...groupRowMetrics,
      ],
    }),
  ],
  plan: ({ args, timezone, currency, facts }) =>
    plan({
      queries: groupListing('brand', args, timezone, facts),
      answer: ({ groups, known, withoutCustomer }) => ({
        result: {
          business_id: args.business_id,
          brands: groups.map(({ entity, name, ...group }) => ({ brand: entity, ...zeroWhereUnknown(group) })),
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
