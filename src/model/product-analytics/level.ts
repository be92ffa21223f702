import { all, parameter, type Sql, sql } from '../../sql/sql.ts';
import { productCategories, products } from '../tables.ts';

/** What a row of product analytics stands for. */
export type Level = 'product' | 'category' | 'brand' | 'master_product';

/** Which products take part; null or an empty list filters nothing. */
export interface ProductFilters {
  readonly external_product_ids?: readonly string[] | null;
  readonly external_master_product_ids?: readonly string[] | null;
  readonly brands?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
  readonly discontinued?: boolean | null;
}

/** The name or id of the entity that a product belongs to, over `products` and, for categories, `product_categories`. */
const entityColumn = {
  product: sql`external_product_id`,
  category: sql`category`,
  brand: sql`brand`,
  master_product: sql`master_product_id`,
} satisfies Record<Level, Sql>;

/** A small integer for each of them, which joins and groups faster than its text. */
const entityKey = {
  product: sql`product_key`,
  category: sql`category_key`,
  brand: sql`brand_key`,
  master_product: sql`master_product_key`,
} satisfies Record<Level, Sql>;

/**
 * (product_key, entity_key, entity) of every product that passes the filters. A product is in one brand and one master product,
 * and in any number of categories. A category filter on categories selects rows, elsewhere it selects products.
 */
export function members(level: Level, filters: ProductFilters): Sql {
  const entity = entityColumn[level];
  const key = entityKey[level];
  if (level === 'category') {
    return sql`select product_key, ${key} as entity_key, ${entity} as entity from ${productCategories}
      where ${isOneOf(entity, filters.categories)}`;
  }
  return sql`select product_key, ${key} as entity_key, ${entity} as entity from ${products} where ${productCondition(filters)}`;
}

/** The condition over `products` that the filters make. */
export function productCondition(filters: ProductFilters): Sql {
  const { categories, discontinued } = filters;
  return all([
    isOneOf(sql`external_product_id`, filters.external_product_ids),
    isOneOf(sql`master_product_id`, filters.external_master_product_ids),
    isOneOf(sql`brand`, filters.brands),
    ...(categories?.length
      ? [
          sql`product_key in (select product_key from ${productCategories} where ${isOneOf(sql`category`, categories)})`,
        ]
      : []),
    ...(typeof discontinued === 'boolean' ? [sql`discontinued = ${parameter.boolean(discontinued)}`] : []),
  ]);
}

function isOneOf(column: Sql, values: readonly string[] | null | undefined): Sql {
  return values?.length ? sql`${column} in (${parameter.texts(values)})` : sql`true`;
}

/** One query for the names that exist: rows of (argument, name). Null when the filters name nothing. */
export function knownNames(named: readonly NamedEntities[]): Sql | null {
  const asked = named.filter((entities) => entities.names?.length);
  if (asked.length === 0) return null;
  return asked
    .map(({ argument, level, names }) => {
      const source = level === 'category' ? productCategories : products;
      return sql`select distinct ${parameter.text(argument)} as argument, ${entityColumn[level]} as name
        from ${source} where ${isOneOf(entityColumn[level], names)}`;
    })
    .reduce((query, next) => sql`${query} union all ${next}`);
}

/** The names that one argument gives. */
export interface NamedEntities {
  readonly argument: string;
  readonly level: Level;
  readonly names: readonly string[] | null;
}

/** A sentence for each argument that names entities which do not exist. */
export function unknownNameNotes(
  named: readonly NamedEntities[],
  known: readonly { readonly [column: string]: unknown }[],
): string[] {
  const existing = new Set(known.map((row) => JSON.stringify([row.argument, row.name])));
  return named.flatMap(({ argument, names }) => {
    const unknown = [...new Set(names ?? [])].filter(
      (name) => !existing.has(JSON.stringify([argument, name])),
    );
    return unknown.length === 0
      ? []
      : [`Unknown in ${argument}, so without rows: ${JSON.stringify(unknown)}`];
  });
}
