import { type Sql, sql } from './sql.ts';

/** Text as it is compared in searches: without regard to case and accents. */
export function searchKey(value: Sql): Sql {
  return sql`lower(strip_accents(${value}))`;
}
