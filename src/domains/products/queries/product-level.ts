import { isOneOf } from '../../../answers/existing-names.ts';
import { column, field, nullableColumn } from '../../../answers/fields/field.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { NOT_SET } from '../../../model-table/shown-name.ts';
import { productCategories, products } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type ProductFilters, productCondition } from './product-filters.ts';

/** What a row of product analytics stands for. */
export type Level = 'product' | 'category' | 'brand' | 'master_product';

/**
 * The name or id of the entity that a product belongs to, over `products` and, for categories,
 * `product_categories`.
 */
const entityColumn = {
  product: sql`external_product_id`,
  category: sql`category`,
  brand: sql`brand`,
  master_product: sql`master_product_id`,
} satisfies Record<Level, Sql>;

export const productName = text('name', 'Business data.', 'not in the catalogue');

export const masterName = field({
  key: 'name',
  type: 'text',
  null: 'variants have no word in common',
  definition: 'Of the master product, else what the names of its variants have in common. Business data.',
});

/** The names of entities that are named by an id, over a row of `products`. */
const entityName = { product: sql`name`, master_product: sql`master_name` };

/**
 * The name of a group, over its rows of `products`: brands and categories have none beside the one they go
 * by.
 */
export function groupName(level: Exclude<Level, 'product'>): Sql {
  return level === 'master_product' ? sql`min(${entityName[level]})` : sql`cast(null as varchar)`;
}

/** One query for the names of the entities. Null if the entities are names already. */
export function entityNames(level: Level, entities: readonly string[]) {
  if (level === 'category' || level === 'brand') return null;
  const entity = entityColumn[level];
  return query(
    [column('entity', 'text'), nullableColumn('name', 'text')],
    sql`select distinct ${entity} as entity, ${entityName[level]} as name from ${products} where ${isOneOf(entity, entities)}`,
  );
}

/** A small integer for each of them, which joins and groups faster than its text. */
const entityKey = {
  product: sql`product_key`,
  category: sql`category_key`,
  brand: sql`brand_key`,
  master_product: sql`master_product_key`,
} satisfies Record<Level, Sql>;

/**
 * (product_key, entity_key, entity) of every product that passes the filters. A product is in one brand and
 * one master product, and in any number of categories. A category filter on categories selects rows,
 * elsewhere it selects products.
 */
export function members(level: Level, filters: ProductFilters): Sql {
  const entity = entityColumn[level];
  const key = entityKey[level];
  if (level === 'category') {
    const table = sql`select product_key, ${key} as entity_key, ${entity} as entity from ${productCategories}`;
    const isAsked = isOneOf(entity, filters.filter_categories);
    if (filters.main_categories !== true) return sql`${table} where ${isAsked}`;
    // The first one; of a product without any, the one that says so.
    return sql`${table} join (select product_key, categories[1] as main_category from ${products}) as mains using (product_key)
      where ${isAsked} and ${entity} in (main_category, ${parameter.text(NOT_SET)})`;
  }
  return sql`select product_key, ${key} as entity_key, ${entity} as entity from ${products} where ${productCondition(filters)}`;
}
