import { type Paging, pageOf } from '../../sql/page.ts';
import type { Row } from '../../sql/row.ts';
import { hasPart } from '../../sql/search.ts';
import { sql } from '../../sql/sql.ts';
import { productCategories, products } from '../tables.ts';

/** What products of the catalogue are grouped by, for tools that list the names alone. */
const groupings = {
  category: {
    rows: sql`${products} join ${productCategories} using (product_key)`,
    name: sql`category`,
    searchText: sql`category_search_text`,
  },
  brand: { rows: sql`${products}`, name: sql`brand`, searchText: sql`brand_search_text` },
};

interface CatalogueGroupArguments extends Paging {
  readonly business_id: string;
  readonly search: string | null;
}

/**
 * The plan of a tool that lists the groups of the catalogue by name, with how many products each has. No sales are
 * read, so the names need no permission for analytics.
 *
 * @param rowsField the field of the answer that holds the rows
 */
export function planCatalogueGroups(
  grouping: keyof typeof groupings,
  rowsField: string,
  args: CatalogueGroupArguments,
) {
  const { rows, name, searchText } = groupings[grouping];
  const condition = sql`is_in_catalogue and ${hasPart(args.search ?? '', searchText)}`;
  return {
    queries: {
      groups: sql`
        select ${name}, count(*) as products_count,
          count(*) filter (where not discontinued) as active_products_count
        from ${rows} where ${condition}
        group by ${name}
        order by ${name}
        ${pageOf(args)}`,
      total: sql`select count(distinct ${name}) as total_count from ${rows} where ${condition}`,
    },
    answer: ({ groups, total }: Readonly<Record<'groups' | 'total', readonly Row[]>>) => ({
      result: { business_id: args.business_id, ...total[0], [rowsField]: groups },
    }),
  };
}
