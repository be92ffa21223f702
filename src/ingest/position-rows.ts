import { type CanonicalTable, DELETED, type List, listKey } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';

/**
 * Numbers the staged rows of each list in the order of the files, where the files do not. Rows that are added
 * to what is there must say their place: made up, it would be that of another row.
 */
export async function positionRows(
  session: Session,
  table: CanonicalTable,
  list: List,
  addsLines: boolean,
): Promise<void> {
  const { position } = list;
  const key = listKey(table, list);
  const columns = key.map((name) => `"${name}"`).join(', ');
  const rows = await session.row(
    `select count("${position}") filter (${DELETED} is not true) as placed,
      count(*) filter ("${position}" is null and _errors is null) as unplaced from staged`,
  );
  if (rows.unplaced === 0) return;
  const reject = (reason: string, condition: string) =>
    session.run(`
      update staged set _errors = to_json([{'column_name': '${position}', 'value': null, 'reason': '${reason}'}])
      where "${position}" is null and _errors is null and ${condition}`);
  if (addsLines) await reject('is required with --add-lines', 'true');
  // Numbers given for some lines of an order and made up for others could collide.
  else if (Number(rows.placed) > 0)
    await reject(
      `must be given on all rows of one ${key.join(', ')} or on none`,
      `(${columns}) in (select (${columns}) from staged where "${position}" is not null and ${DELETED} is not true)`,
    );
  await session.run(`
    update staged set "${position}" = numbered.position
    from (
      select rowid as row, row_number() over (partition by ${columns} order by rowid) as position
      from staged where "${position}" is null
    ) as numbered
    where staged.rowid = numbered.row`);
}
