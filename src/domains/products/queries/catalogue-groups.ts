import { column } from '../../../answers/fields/field.ts';
import { count } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { productCategories, products } from '../../../model-table/table-names.ts';
import { type Paging, pageOf } from '../../../sql/page.ts';
import { hasPart } from '../../../sql/search.ts';
import { sql } from '../../../sql/sql.ts';

/** What products of the catalogue are grouped by, for tools that list the names alone. */
const groupings = {
  category: {
    rows: sql`${products} join ${productCategories} using (product_key)`,
    name: sql`category`,
    searchText: sql`category_search_text`,
  },
  brand: { rows: sql`${products}`, name: sql`brand`, searchText: sql`brand_search_text` },
};

/** How many products of the catalogue a category or brand has. */
export const catalogueGroupCounts = [
  count('products', 'products_count', 'Catalogue products, also discontinued.'),
  count('products', 'active_products_count', 'Catalogue products, not discontinued.'),
];

interface CatalogueGroupArguments extends Paging {
  readonly search: string | null;
}

/**
 * What a tool asks that lists the groups of the catalogue by name, with how many products each has. No sales
 * are read, so the names need no permission for analytics.
 */
export function catalogueGroups<const Grouping extends keyof typeof groupings>(
  grouping: Grouping,
  args: CatalogueGroupArguments,
) {
  const { rows, name, searchText } = groupings[grouping];
  const condition = sql`is_in_catalogue and ${hasPart(args.search ?? '', searchText)}`;
  return {
    groups: query(
      [column(grouping, 'text'), ...catalogueGroupCounts],
      sql`
        select ${name}, count(*) as products_count,
          count(*) filter (where not discontinued) as active_products_count
        from ${rows} where ${condition}
        group by ${name}
        order by ${name}
        ${pageOf(args)}`,
    ),
    total: query(
      [totalCount],
      sql`select count(distinct ${name}) as total_count from ${rows} where ${condition}`,
    ),
  };
}
