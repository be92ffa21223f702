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

/** The first column of an `order by`; the identity, ascending, follows it, so that paging is stable. */
export function sortedBy({ sort_by, sort_order }: Sorting): Sql {
  const direction = { asc: sql`asc`, desc: sql`desc` }[sort_order];
  return sql`${identifier(sort_by)} ${direction} nulls last`;
}

/** `limit … offset …` */
export function pageOf({ limit, offset }: Paging): Sql {
  return sql`limit ${parameter.integer(limit)} offset ${parameter.integer(offset)}`;
}
