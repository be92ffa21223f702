import { z } from 'zod';
import { flagFilter, namesFilter } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { readRange } from '../../../time/range.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { listingArguments } from '../listing-arguments.ts';
import { catalogueFields, listProductPerformance, productRowMetrics } from '../queries/listing.ts';
import { zeroWhereUnknown } from '../queries/performance-metrics.ts';
import { knownNames, unknownNameNotes } from '../queries/product-filters.ts';

export const productStatistics = defineTool({
  name: 'product_statistics',
  title: 'Product statistics',
  group: 'Product analytics',
  description:
    'Products (SKUs) ranked by sales, revenue, views, conversion or profit: best and worst, not sold, viewed but not bought. Sizes and colors in one row: master_product_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'products', identity: ['external_product_id'] },
  example: { sort_by: 'estimated_revenue', limit: 2 },
  input: z.strictObject({
    ...listingArguments(productRowMetrics),
    filter_external_product_ids: namesFilter(),
    filter_brands: namesFilter(),
    filter_categories: namesFilter('In any of them.'),
    filter_discontinued: flagFilter(),
  }),
  fields: [
    businessIdField,
    field({
      key: 'products',
      type: 'list',
      definition: 'The page of rows asked for.',
      fields: [
        field({ key: 'external_product_id', type: 'text', definition: 'Id of the product in the shop.' }),
        ...catalogueFields,
        ...productRowMetrics,
      ],
    }),
  ],
  plan({ args, timezone, currency, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        products: listProductPerformance(range, args, facts),
        withoutCustomer: ordersWithoutCustomer(range),
        known: knownNames(args),
      },
      answer: ({ products, known, withoutCustomer }) => ({
        result: {
          business_id: args.business_id,
          products: products.map(({ entity, ...product }) => ({
            external_product_id: entity,
            ...zeroWhereUnknown(product),
          })),
        },
        notes: [...unknownNameNotes(args, known), ...withoutCustomerNotes(withoutCustomer, currency)],
      }),
    });
  },
});
