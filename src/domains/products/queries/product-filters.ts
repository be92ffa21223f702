import {
  type ExistingNames,
  isOneOf,
  type KnownName,
  type Names,
  namedButUnknown,
  namesThatExist,
} from '../../../answers/existing-names.ts';
import type { Query } from '../../../answers/fields/query.ts';
import { productCategories, products } from '../../../model-table/table-names.ts';
import { all, parameter, type Sql, sql } from '../../../sql/sql.ts';

/**
 * The arguments that choose products, as tools take them; null, an empty list or no such argument filters
 * nothing.
 */
export interface ProductFilters {
  readonly filter_external_product_ids?: readonly string[] | null;
  readonly filter_external_master_product_ids?: readonly string[] | null;
  readonly filter_brands?: readonly string[] | null;
  readonly filter_categories?: readonly string[] | null;
  readonly filter_discontinued?: boolean | null;
  /** Whether each product is in its first category alone. */
  readonly main_categories?: boolean;
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

/** Whether `productCondition` leaves out any product. */
export function selectsProducts(filters: ProductFilters): boolean {
  const named = [
    filters.filter_external_product_ids,
    filters.filter_external_master_product_ids,
    filters.filter_brands,
    filters.filter_categories,
  ];
  return typeof filters.filter_discontinued === 'boolean' || named.some((names) => names?.length);
}

const existingNames = {
  filter_external_product_ids: sql`select external_product_id as name from ${products}`,
  filter_external_master_product_ids: sql`select master_product_id as name from ${products}`,
  filter_brands: sql`select brand as name from ${products}`,
  filter_categories: sql`select category as name from ${productCategories}`,
  external_product_ids: sql`select external_product_id as name from ${products}`,
  external_master_product_ids: sql`select master_product_id as name from ${products}`,
  brands: sql`select brand as name from ${products}`,
  categories: sql`select category as name from ${productCategories}`,
} satisfies ExistingNames;
export type NamingArguments = Names<keyof typeof existingNames>;

/** One query for the given names that exist, for `unknownNameNotes`. Null when the arguments name nothing. */
export function knownNames(args: NamingArguments): Query<KnownName> | null {
  return namesThatExist(existingNames, args);
}

/** A sentence for each argument that gives names which do not exist. */
export function unknownNameNotes(args: NamingArguments, known: readonly KnownName[]): string[] {
  return namedButUnknown(existingNames, args, known);
}
