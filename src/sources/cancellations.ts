import type { TranslatedRows } from '../ingest/find-files.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import { orders } from '../store/tables/orders.ts';
import { plural } from '../text/plural.ts';
import { statesIn } from './order-states.ts';
import { storedId } from './stored-id.ts';

/**
 * Says of how many orders the files take a cancellation back that is stored. A shop may do so; an export that
 * is older than what was imported before looks alike, and most exports do not say of when they are.
 *
 * @param rowsBefore makes the views `before_<table>`
 */
export async function cancellationsTakenBack(
  session: Session,
  tables: readonly (readonly [CanonicalTable, TranslatedRows])[],
  rowsBefore: () => Promise<void>,
): Promise<string[]> {
  const said: string[] = [];
  for (const [table, { name, table: relation }] of tables) {
    if (table !== orders) continue;
    const states = await statesIn(session, relation, 'status');
    if (states === null) continue;
    await rowsBefore();
    const { count } = await session.row(`
      select count(*) as count from (${states}) as o
      join (select order_id as stored_id from before_orders where status = 'cancelled') on stored_id = ${storedId('recordId', 'order_id')}
      where o.status <> 'cancelled'`);
    const orderCount = Number(count);
    if (orderCount > 0)
      said.push(
        `${plural(orderCount, 'order that was cancelled is', 'orders that were cancelled are')} not cancelled in the files of ${name}: where those are older than what was imported before, import the newer ones again`,
      );
  }
  return said;
}
