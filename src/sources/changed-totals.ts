import type { Origin, TranslatedRows } from '../ingest/find-files.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import type { Session, Value } from '../store/duckdb-session.ts';
import { orders } from '../store/tables/orders.ts';
import { plural } from '../text/plural.ts';
import { statesIn } from './order-states.ts';
import { storedId } from './stored-id.ts';

/** At most this many files are named, and this many orders of each. An import may change thousands. */
const MOST_FILES = 5;
const MOST_ORDERS = 3;

/**
 * Says of which orders the files have another total than the store. A total goes up and down by edits in the
 * shop, so that none tells which of two exports is the older one: an older export takes an edit back.
 *
 * @param rowsBefore makes the views `before_<table>`
 */
export async function changedTotals(
  session: Session,
  tables: readonly (readonly [CanonicalTable, TranslatedRows])[],
  rowsBefore: () => Promise<void>,
): Promise<string[]> {
  const said: string[] = [];
  for (const [table, { table: relation, origins }] of tables) {
    if (table !== orders) continue;
    const states = await statesIn(session, relation, 'total');
    if (states === null) continue;
    await rowsBefore();
    const rows = await session.rows(`
      with changed as (
        select o._row, stored_id, stored_total, try_cast(cast(o.total as varchar) as decimal(18,4)) as new_total
        from (${states}) as o
        join (select order_id as stored_id, total as stored_total from before_orders) on stored_id = ${storedId('recordId', 'order_id')}
      ),
      numbered as (
        select *, row_number() over (partition by first_row order by _row) as place, count(*) over (partition by first_row) as orders
        from changed asof join (select unnest([${origins.map(({ firstRow }) => firstRow).join(', ')}]) as first_row) on _row >= first_row
        where new_total <> stored_total
      )
      select first_row, orders, stored_id, cast(stored_total as double) as stored_total, cast(new_total as double) as new_total
      from numbered where place <= ${MOST_ORDERS} order by first_row, place`);
    said.push(...sentences(rows, origins));
  }
  return said;
}

function sentences(rows: readonly Readonly<Record<string, Value>>[], origins: readonly Origin[]): string[] {
  const byFile = [...Map.groupBy(rows, ({ first_row }) => Number(first_row))];
  const said = byFile.slice(0, MOST_FILES).map(([firstRow, changed]) => {
    const name = origins.findLast((origin) => origin.firstRow === firstRow)?.file.name;
    const orderCount = Number(changed[0]?.orders);
    const some = changed.map(
      ({ stored_id, stored_total, new_total }) => `${stored_id} from ${stored_total} to ${new_total}`,
    );
    const rest = orderCount - changed.length;
    const others = rest === 0 ? '' : `, and ${plural(rest, 'other', 'others')}`;
    return `${name} changes the total of ${plural(orderCount, 'order that was loaded', 'orders that were loaded')}: ${some.join(', ')}${others}. If that file is older than what was imported before, import the newer one again`;
  });
  const rest = byFile.length - said.length;
  return rest === 0
    ? said
    : [
        ...said,
        `${plural(rest, 'other file changes', 'other files change')} totals of orders that were loaded`,
      ];
}
