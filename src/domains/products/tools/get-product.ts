import { z } from 'zod';
import { businessId } from '../../../answers/arguments.ts';
import { line } from '../../../answers/chart.ts';
import {
  type Column,
  column,
  field,
  fieldNamed,
  fieldsNamed,
  nullableColumn,
  type ObjectOf,
} from '../../../answers/fields/field.ts';
import { flag, list, measure, moment, object, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { InputError } from '../../../errors.ts';
import { productDetails, productPrices, products } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { plainText } from '../../../text/plain-text.ts';
import { productColumns, productFields } from '../product-fields.ts';
import { stockNotes, withStock } from '../queries/stock.ts';

const DESCRIPTION_CHARACTERS = 4000;
const PRICE_CHANGES = 20;
const VARIANTS = 1000;

const attributesField = list('attributes', 'As loaded. Business data.', [
  text('name', 'Of the attribute. Business data.'),
  text('value', 'Business data.'),
]);

/** Attributes as they are stored. */
const attributeColumns: [
  Column<'attribute_names', readonly string[]>,
  Column<'attribute_values', readonly (string | null)[]>,
] = [
  { key: 'attribute_names', type: 'list' },
  { key: 'attribute_values', type: 'list' },
];
type Attributes = ObjectOf<typeof attributeColumns>;

const variantFields = fieldsNamed(productFields, [
  'external_product_id',
  'name',
  'price',
  'in_stock',
  'discontinued',
]);

const priceFields = [
  moment('valid_from', 'In UTC.'),
  measure('money', 'price', 'Catalogue price from then on.'),
  fieldNamed(productFields, 'original_price'),
];

const flagsField = field({
  key: 'flags',
  type: 'list',
  of: 'text',
  definition: 'As loaded, for example new. Business data.',
});

export const getProduct = defineTool({
  name: 'get_product',
  title: 'Get product',
  group: 'Products',
  description: 'One product in full: description, attributes, flags, variants, price changes.',
  permissions: ['LIST_PRODUCT'],
  example: { external_product_id: 'P00123' },
  chart: [line('product.price_history', 'valid_from', [['price', 'original_price']], { step: true })],
  input: z.strictObject({
    business_id: businessId,
    external_product_id: z
      .string('must be text')
      .describe('Of a product or master product: then its variant with the lowest id.'),
  }),
  fields: [
    businessIdField,
    object('product', 'The product asked for.', [
      ...productFields,
      text('description', 'Plain text, at most 4,000 characters. Business data.', 'it has none'),
      flag('description_truncated', 'True: description is not all.'),
      attributesField,
      flagsField,
      list('variants', 'Products of the same master product by id, this one included.', [
        ...fieldsNamed(productFields, ['external_product_id', 'name']),
        attributesField,
        ...fieldsNamed(productFields, ['price', 'in_stock', 'discontinued']),
      ]),
      list(
        'price_history',
        'The last 20 changes of price or original_price, newest first; empty when none are loaded.',
        priceFields,
      ),
    ]),
  ],
  plan({ args, timezone, facts }) {
    const id = parameter.text(args.external_product_id);
    // An id can be that of a product and of the master product of others: then the product is meant.
    const chosen = sql`
      select product_key, master_product_key from ${products}
      where is_in_catalogue and (external_product_id = ${id} or master_product_id = ${id})
      order by case when external_product_id = ${id} then 0 else 1 end, external_product_id
      limit 1`;
    const isChosen = sql`product_key in (select product_key from (${chosen}) as chosen)`;
    const variants = sql`
      select product_key from ${products}
      where is_in_catalogue and master_product_key in (select master_product_key from (${chosen}) as chosen)`;
    return plan({
      queries: {
        found: query(
          [...productFields, nullableColumn('description', 'text'), ...attributeColumns, flagsField],
          sql`
          select ${productColumns}, description, attribute_names, attribute_values, flags
          from ${withDetails(isChosen, timezone, facts)}`,
        ),
        variants: query(
          [...variantFields, ...attributeColumns],
          sql`
          select external_product_id, name, attribute_names, attribute_values, price, known_in_stock as in_stock, discontinued
          from ${withDetails(sql`product_key in (${variants})`, timezone, facts)}
          order by external_product_id
          limit ${parameter.integer(VARIANTS)}`,
        ),
        total: query(
          [column('variants_count', 'integer')],
          sql`select count(*) as variants_count from (${variants}) as variants`,
        ),
        price_history: query(
          priceFields,
          sql`
          select valid_from, price, original_price
          from ${productPrices} where ${isChosen}
          order by valid_from desc
          limit ${parameter.integer(PRICE_CHANGES)}`,
        ),
      },
      answer: ({ found: [product], variants, total, price_history }) => {
        if (product === undefined) {
          throw new InputError(
            'product not found',
            'Find its id with list_products. Products that are only in orders or views are not in the catalogue.',
          );
        }
        return {
          result: {
            business_id: args.business_id,
            product: {
              ...withAttributes(product),
              ...describeProduct(product.description),
              variants: variants.map(withAttributes),
              price_history,
            },
          },
          notes: [...stockNotes([product], timezone, facts), ...variantNotes(onlyRow(total).variants_count)],
        };
      },
    });
  },
});

/**
 * The products with these keys. Both tables are narrowed before the join: nobody must read all descriptions.
 */
function withDetails(condition: Sql, timezone: string, facts: SnapshotFacts): Sql {
  return sql`${withStock(condition, timezone, facts)} as listed
    join (select * from ${productDetails} where ${condition}) as details using (product_key)`;
}

/** The two columns of attributes as one list, without attributes that have no value. */
function withAttributes<One extends Attributes>({ attribute_names, attribute_values, ...row }: One) {
  const attributes = attribute_names.flatMap((name, index) => {
    const value = attribute_values[index] ?? null;
    return value === null ? [] : [{ name, value }];
  });
  return { ...row, attributes };
}

function describeProduct(description: string | null) {
  if (description === null) return { description, description_truncated: false };
  const { text, isTruncated } = plainText(description, DESCRIPTION_CHARACTERS);
  return { description: text === '' ? null : text, description_truncated: isTruncated };
}

function variantNotes(count: number): string[] {
  if (count <= VARIANTS) return [];
  return [
    `The master product has ${count} variants, of which the first ${VARIANTS} are listed; list_products with ` +
      'filter_external_master_product_ids pages through all.',
  ];
}
