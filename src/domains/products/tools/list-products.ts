import { z } from 'zod';
import {
  businessId,
  flagFilter,
  namesFilter,
  numberBound,
  pagingArguments,
  searchArgument,
  sortArguments,
} from '../../../answers/arguments.ts';
import { column } from '../../../answers/fields/field.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { InputError } from '../../../errors.ts';
import { products } from '../../../model-table/table-names.ts';
import { sortedPage } from '../../../sql/page.ts';
import { hasEveryWord } from '../../../sql/search.ts';
import { all, parameter, sql } from '../../../sql/sql.ts';
import { productColumns, productFields } from '../product-fields.ts';
import { knownNames, productCondition, unknownNameNotes } from '../queries/product-filters.ts';
import { stockNotes, unsureStockNotes, withStock } from '../queries/stock.ts';

const UNSURE = [column('unsure_count', 'integer')];

export const listProducts = defineTool({
  name: 'list_products',
  title: 'List products',
  group: 'Products',
  description:
    'Finds products: turns a name, SKU or EAN into the external_product_id that other tools take; also by brand, category, stock.',
  permissions: ['LIST_PRODUCT'],
  rows: { list: 'products', uniqueBy: ['external_product_id'] },
  example: { search: 'backpack', limit: 2 },
  input: z.strictObject({
    business_id: businessId,
    search: searchArgument('Words, all of them in name, SKU, EAN or id.'),
    filter_external_product_ids: namesFilter(),
    filter_external_master_product_ids: namesFilter('Only variants of these.'),
    filter_brands: namesFilter(),
    filter_categories: namesFilter('In any of them.'),
    filter_discontinued: flagFilter(),
    filter_in_stock: flagFilter('false: out of stock.'),
    min_stock_quantity: numberBound(),
    max_stock_quantity: numberBound(),
    ...sortArguments(['name', 'price', 'stock_quantity', 'created_at', 'updated_at'], {
      sort_by: 'name',
      sort_order: 'asc',
    }),
    ...pagingArguments(),
  }),
  fields: [businessIdField, totalCount, list('products', 'The page of rows asked for.', productFields)],
  plan({ args, timezone, facts }) {
    const { min_stock_quantity: least, max_stock_quantity: most } = args;
    if (least !== null && most !== null && least > most) {
      throw new InputError('min_stock_quantity must not be above max_stock_quantity');
    }
    const ofProduct = all([
      sql`is_in_catalogue`,
      productCondition(args),
      least === null ? sql`true` : sql`stock_quantity >= ${parameter.number(least)}`,
      most === null ? sql`true` : sql`stock_quantity <= ${parameter.number(most)}`,
      hasEveryWord(args.search ?? '', sql`search_text`),
    ]);
    const stocked = sql`${withStock(ofProduct, timezone, facts)} as stocked`;
    const isInStock = sql`known_in_stock = ${parameter.boolean(args.filter_in_stock ?? false)}`;
    return plan({
      queries: {
        products: query(
          productFields,
          sortedPage(
            sql`
          select ${productColumns}
          from ${stocked}
          where ${args.filter_in_stock === null ? sql`true` : isInStock}`,
            args,
            'external_product_id',
          ),
        ),
        total: query(
          [totalCount],
          args.filter_in_stock === null
            ? sql`select count(*) as total_count from ${products} where ${ofProduct}`
            : sql`select count(*) as total_count from ${stocked} where ${isInStock}`,
        ),
        unsure:
          args.filter_in_stock === null
            ? null
            : query(
                UNSURE,
                sql`select count(*) as unsure_count from ${stocked} where known_in_stock is null`,
              ),
        known: knownNames(args),
      },
      answer: ({ products, total, unsure, known }) => ({
        result: { business_id: args.business_id, ...onlyRow(total), products },
        notes: [
          ...unsureStockNotes(unsure[0]?.unsure_count ?? 0),
          ...stockNotes(products, timezone, facts),
          ...unknownNameNotes(args, known),
        ],
      }),
    });
  },
});
