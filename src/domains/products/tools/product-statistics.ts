import { z } from 'zod';
import { flagFilter, namesFilter } from '../../../answers/arguments.ts';
import { bars } from '../../../answers/chart.ts';
import { field } from '../../../answers/fields/field.ts';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { discountNotes, unknownProfitNotes, vatNotes } from '../../../answers/profit-notes.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { readRange } from '../../../time/range.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { listingArguments } from '../listing-arguments.ts';
import { totalsFields, totalsOf } from '../queries/listing-totals.ts';
import { paidPriceNotes } from '../queries/paid-prices.ts';
import { partlyKnownProfitNotes, unseenBuyersNotes } from '../queries/part-known-notes.ts';
import { MOST_CHANGES, priceChangeFields, priceChangeNotes, priceChanges } from '../queries/price-changes.ts';
import { knownNames, unknownNameNotes } from '../queries/product-filters.ts';
import {
  catalogueFields,
  listingTotal,
  listProductPerformance,
  productRowMetrics,
  shownRow,
  withRowNotes,
} from '../queries/product-listing.ts';
import { refundNotes, returnedMoneyNotes } from '../queries/refund-metrics.ts';

export const productStatistics = defineTool({
  name: 'product_statistics',
  title: 'Product statistics',
  group: 'Product analytics',
  description:
    'Products (SKUs) ranked by sales, revenue, views, conversion or profit: best and worst, not sold, viewed but not bought. Sizes and colors in one row: master_product_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'products', uniqueBy: ['external_product_id'], areObjects: true },
  example: { sort_by: 'estimated_revenue', limit: 2 },
  chart: [
    bars('products', [['name', 'external_product_id']], ['estimated_revenue', 'unique_orders_count'], {
      sortedBy: 'sort_by',
    }),
  ],
  input: z.strictObject({
    ...listingArguments(productRowMetrics),
    filter_external_product_ids: namesFilter(),
    filter_brands: namesFilter(),
    filter_categories: namesFilter('In any of them.'),
    filter_discontinued: flagFilter(),
    price_changes: z.boolean().default(false).describe('true: also list them, with sales around each.'),
  }),
  fields: [
    businessIdField,
    ...totalsFields,
    list('products', 'The page of rows asked for.', [
      text('external_product_id', 'Id of the product in the shop.'),
      ...catalogueFields,
      ...productRowMetrics,
    ]),
    field({
      key: 'price_changes',
      type: 'list',
      null: 'not asked for',
      definition: `Changes of catalogue prices in the range, of products that pass the filters but filter_metrics, newest first, at most ${MOST_CHANGES}.`,
      fields: priceChangeFields,
    }),
  ],
  plan({ args, timezone, currency, facts }) {
    const range = readRange(args, timezone);
    return plan({
      queries: {
        products: listProductPerformance(range, args, facts),
        totals: listingTotal('product', range, args, facts),
        withoutCustomer: ordersWithoutCustomer(range, facts),
        known: knownNames(args),
        changes: args.price_changes ? priceChanges(range, args, timezone, facts) : null,
      },
      answer: ({ products, totals, known, withoutCustomer, changes }) =>
        withRowNotes({ level: 'product', range, timezone, filters: args }, products, (rowNotes) => ({
          result: {
            business_id: args.business_id,
            ...totalsOf(onlyRow(totals)),
            products: products.map(shownRow).map(({ entity, ...product }) => ({
              external_product_id: entity,
              ...product,
            })),
            price_changes: args.price_changes ? changes.slice(0, MOST_CHANGES) : null,
          },
          notes: [
            ...unknownNameNotes(args, known),
            ...rowNotes,
            ...paidPriceNotes(products, args, 'price'),
            ...returnedMoneyNotes(products, args),
            ...unseenBuyersNotes(products, args),
            ...partlyKnownProfitNotes(products, args),
            ...withoutCustomerNotes(withoutCustomer, currency),
            ...vatNotes(products, facts),
            ...discountNotes(products),
            ...unknownProfitNotes(products),
            ...priceChangeNotes(changes, args.price_changes, facts),
            ...refundNotes(args, facts),
          ],
        })),
    });
  },
});
