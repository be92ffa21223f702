import { all, parameter, type Sql, sql } from '../sql/sql.ts';
import { productCategories, products } from './tables.ts';

/** The arguments that choose products, as tools take them; null, an empty list or no such argument filters nothing. */
export interface ProductFilters {
  readonly filter_external_product_ids?: readonly string[] | null;
  readonly filter_external_master_product_ids?: readonly string[] | null;
  readonly filter_brands?: readonly string[] | null;
  readonly filter_categories?: readonly string[] | null;
  readonly filter_discontinued?: boolean | null;
}

/** The condition over `products` that the filters make. */
export function productCondition(filters: ProductFilters): Sql {
  const { filter_categories, filter_discontinued } = filters;
  return all([
    isOneOf(sql`external_product_id`, filters.filter_external_product_ids),
    isOneOf(sql`master_product_id`, filters.filter_external_master_product_ids),
    isOneOf(sql`brand`, filters.filter_brands),
    filter_categories?.length
      ? sql`product_key in (
          select product_key from ${productCategories} where ${isOneOf(sql`category`, filter_categories)})`
      : sql`true`,
    typeof filter_discontinued === 'boolean'
      ? sql`discontinued = ${parameter.boolean(filter_discontinued)}`
      : sql`true`,
  ]);
}

export function isOneOf(column: Sql, values: readonly string[] | null | undefined): Sql {
  return values?.length ? sql`${column} in (${parameter.texts(values)})` : sql`true`;
}

/** Where the names exist that an argument may give. */
const existingNames = {
  filter_external_product_ids: sql`select external_product_id as name from ${products}`,
  filter_external_master_product_ids: sql`select master_product_id as name from ${products}`,
  filter_brands: sql`select brand as name from ${products}`,
  filter_categories: sql`select category as name from ${productCategories}`,
  external_product_ids: sql`select external_product_id as name from ${products}`,
  external_master_product_ids: sql`select master_product_id as name from ${products}`,
  brands: sql`select brand as name from ${products}`,
  categories: sql`select category as name from ${productCategories}`,
};
type NamingArgument = keyof typeof existingNames;
export type NamingArguments = { readonly [argument in NamingArgument]?: readonly string[] | null };

/**
 * One query for the given names that exist: rows of (argument, name), for `unknownNameNotes`. Null when the arguments
 * name nothing.
 */
export function knownNames(args: NamingArguments): Sql | null {
  const queries = given(args).map(
    ([argument, names]) => sql`
      select distinct ${parameter.text(argument)} as argument, name
      from (${existingNames[argument]}) as existing where ${isOneOf(sql`name`, names)}`,
  );
  return queries.length === 0 ? null : queries.reduce((query, next) => sql`${query} union all ${next}`);
}

/** A sentence for each argument that gives names which do not exist. */
export function unknownNameNotes(
  args: NamingArguments,
  known: readonly { readonly [column: string]: unknown }[],
): string[] {
  return given(args).flatMap(([argument, names]) =>
    unknownNames(
      argument,
      names,
      known.filter((row) => row.argument === argument).map((row) => row.name),
    ),
  );
}

/** The same for one argument, whose existing names are known. */
export function unknownNames(
  argument: string,
  names: readonly string[],
  existing: readonly unknown[],
): string[] {
  const known = new Set(existing);
  const unknown = [...new Set(names)].filter((name) => !known.has(name));
  return unknown.length === 0 ? [] : [`Unknown in ${argument}, so without rows: ${JSON.stringify(unknown)}`];
}

function given(args: NamingArguments): [NamingArgument, readonly string[]][] {
  return (Object.keys(existingNames) as NamingArgument[]).flatMap((argument) => {
    const names = args[argument];
    return names?.length ? [[argument, names] as [NamingArgument, readonly string[]]] : [];
  });
}
