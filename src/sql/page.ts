import { identifier, parameter, type Sql, sql } from './sql.ts';

/** Which column a caller sorts by, and how. */
export interface Sorting {
  readonly sort_by: string;
  readonly sort_order: 'asc' | 'desc';
}

/** Which of the sorted rows a caller gets. */
export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/**
 * One page of `rows`, which are wrapped: `select sum(money) … as revenue from (select … as revenue …) order by revenue`
 * sorts by what it selects on DuckDB, but by the column of the inner select on ClickHouse.
 *
 * @param uniqueBy column of the rows; it follows the caller's, ascending, so that paging is stable
 */
export function sortedPage(rows: Sql, page: Sorting & Paging, uniqueBy: string): Sql {
  return sql`
    select * from (${rows}) as unsorted
    order by ${sortedBy(page)}, ${identifier(uniqueBy)}
    ${pageOf(page)}`;
}

/** The first column of an `order by` over columns that the select takes as they are; a column that makes rows unique must follow it. */
export function sortedBy({ sort_by, sort_order }: Sorting): Sql {
  const direction = { asc: sql`asc`, desc: sql`desc` }[sort_order];
  return sql`${identifier(sort_by)} ${direction} nulls last`;
}

/** `limit … offset …` */
export function pageOf({ limit, offset }: Paging): Sql {
  return sql`limit ${parameter.integer(limit)} offset ${parameter.integer(offset)}`;
}
