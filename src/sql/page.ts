import { identifier, parameter, type Sql, sql } from './sql.ts';

/** The column that a caller sorts by, and its direction. */
export interface Sorting {
  readonly sort_by: string;
  readonly sort_order: 'asc' | 'desc';
}

/**
 * A column that counts, and how many make a row comparable by what is sorted: rows of fewer come after the
 * others, whichever way.
 */
export interface Comparable {
  readonly base: string;
  readonly least: number;
}

/** The part of the sorted rows that a caller gets. */
export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/**
 * One page of `rows`, which are wrapped:
 * `select sum(money) … as revenue from (select … as revenue …) order by revenue` sorts by what it selects on
 * DuckDB, but by the column of the inner select on ClickHouse.
 *
 * @param uniqueBy column of the rows; it follows the caller's, ascending, so that paging is stable
 */
export function sortedPage(
  rows: Sql,
  page: Sorting & Paging,
  uniqueBy: string,
  comparable: Comparable | null = null,
): Sql {
  return sql`
    select * from (${rows}) as unsorted
    order by ${sortedBy(page, comparable)}, ${identifier(uniqueBy)}
    ${pageOf(page)}`;
}

/**
 * The first columns of an `order by` over columns that the select takes as they are; a column that makes rows
 * unique must follow it.
 */
export function sortedBy({ sort_by, sort_order }: Sorting, comparable: Comparable | null = null): Sql {
  const direction = { asc: sql`asc`, desc: sql`desc` }[sort_order];
  const column = identifier(sort_by);
  const sorted = sql`${column} ${direction} nulls last`;
  if (comparable === null) return sorted;
  const { base, least } = comparable;
  return sql`case when ${column} is null then 2 when ${identifier(base)} >= ${parameter.integer(least)} then 0 else 1 end, ${sorted}`;
}

/** `limit … offset …` */
export function pageOf({ limit, offset }: Paging): Sql {
  return sql`limit ${parameter.integer(limit)} offset ${parameter.integer(offset)}`;
}
