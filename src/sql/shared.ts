import { identifier, type Sql, sql } from './sql.ts';

/** The value that a column has in all rows of a group; null where it has several. */
export function shared(column: string): Sql {
  const name = identifier(column);
  return sql`case when min(${name}) = max(${name}) then min(${name}) end as ${name}`;
}
