import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { literal, type Session } from '../store/session.ts';
import { areSame, type CanonicalTable, haveSameKey, listKey } from '../store/table.ts';

/** What becomes of a table in an import. */
interface TableChange {
  /** The rows that were loaded before, as SQL; null where there are none. */
  readonly before: string | null;
  /** Whether there is a batch of it. */
  readonly isImported: boolean;
  /** Whether it loses the rows whose keys are in `gone_<table>`. */
  readonly loses: boolean;
}

/**
 * Writes which rows of a table an import changes: those that it brings, and those that they take the place of or that are
 * deleted, as they were. Rows that come again as they are are no change. A list that comes again counts with all its rows.
 */
export async function writeChanges(
  session: Session,
  table: CanonicalTable,
  { before, isImported, loses }: TableChange,
  folder: string,
): Promise<void> {
  const batch = `batch_${table.name}`;
  await mkdir(folder, { recursive: true });
  if (before === null) {
    await write(session, `select *, true as is_new from ${batch}`, folder, table);
    return;
  }
  const going = [
    ...(isImported ? [`semi join ${batch} as batch on ${isReplaced(table)}`] : []),
    ...(loses ? [`semi join gone_${table.name} as gone on ${haveSameKey(table, 'before', 'gone')}`] : []),
  ];
  const old = going.map((condition) => `select before.* from (${before}) as before ${condition}`);
  await session.run(`create or replace temp table replaced as ${old.join(' union ')}`);
  const isOld = 'select *, false as is_new from';
  await write(
    session,
    isImported
      ? `(select *, true as is_new from (select * from ${batch} except select * from replaced))
        union all by name
        (${isOld} (select * from replaced except select * from ${batch}))`
      : `${isOld} replaced`,
    folder,
    table,
  );
  await session.run('drop table replaced');
}

function isReplaced(table: CanonicalTable): string {
  return table.list === undefined
    ? haveSameKey(table, 'before', 'batch')
    : areSame(listKey(table, table.list), 'before', 'batch');
}

async function write(session: Session, rows: string, folder: string, table: CanonicalTable): Promise<void> {
  await session.run(`copy (${rows}) to ${literal(join(folder, `${table.name}.parquet`))} (format parquet)`);
}

/**
 * Makes what `writeChanges` wrote readable as `changed.<table>`; the session has all rows as `whole.<table>`.
 *
 * @returns the tables with changed rows
 */
export async function attachChanges(
  session: Session,
  tables: readonly CanonicalTable[],
  folder: string,
): Promise<ReadonlySet<string>> {
  await session.run("attach ':memory:' as changed");
  const changed = new Set<string>();
  for (const { name } of tables) {
    const file = join(folder, `${name}.parquet`);
    const rows = existsSync(file)
      ? `from read_parquet(${literal(file)})`
      : `select *, true as is_new from whole.${name} where false`;
    const { Count } = await session.row(`create table changed.${name} as ${rows}`);
    if (Number(Count) > 0) changed.add(name);
  }
  return changed;
}
