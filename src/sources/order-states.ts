import { bitsOf, MISSING } from '../ingest/missing-columns.ts';
import type { Session } from '../store/duckdb-session.ts';
import { orders } from '../store/tables/orders.ts';

/**
 * SQL of the translated orders that have a value in one of our columns, without rows that are rejected or
 * delete an order. It is null where no row has a value.
 *
 * @param relation a table of the session
 */
export async function statesIn(
  session: Session,
  relation: string,
  told: 'status' | 'total',
): Promise<string | null> {
  const columns = new Set((await session.rows(`describe "${relation}"`)).map((row) => row.column_name));
  if (!columns.has(told)) return null;
  const isTold = columns.has(MISSING) ? `coalesce(${MISSING}, 0) & ${bitsOf(orders, [told])} = 0` : 'true';
  const isGood = ['_malformed', '_deleted']
    .filter((column) => columns.has(column))
    .map((column) => ` and coalesce(cast(${column} as varchar), 'false') = 'false'`);
  return `select * from "${relation}" where ${told} is not null and ${isTold}${isGood.join('')}`;
}
