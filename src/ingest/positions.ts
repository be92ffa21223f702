import type { Session } from './session.ts';
import type { CanonicalTable } from './table.ts';

/** Numbers the staged rows that have the same other key in the order of the files, where the files do not. */
export async function positionRows(session: Session, table: CanonicalTable, position: string): Promise<void> {
  const parents = table.key.filter((name) => name !== position);
  const parent = parents.map((name) => `"${name}"`).join(', ');
  // Numbers given for some lines of an order and made up for others could collide.
  await session.run(`
    update staged set _errors = to_json([{'column_name': '${position}', 'value': null,
        'reason': 'must be given on all rows of one ${parents.join(', ')} or on none'}])
    where "${position}" is null and _errors is null and (${parent}) in (
      select (${parent}) from staged where "${position}" is not null)`);
  await session.run(`
    update staged set "${position}" = numbered.position
    from (
      select rowid as row, row_number() over (partition by ${parent} order by rowid) as position
      from staged where "${position}" is null
    ) as numbered
    where staged.rowid = numbered.row`);
}
