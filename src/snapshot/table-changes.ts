import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../control/data-folder/make-folder.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import { literal, type Session } from '../store/duckdb-session.ts';

/** What an import changes of a table, as SQL: the rows that it brings, and those that go, as they were. */
export interface TableChange {
  readonly coming: string;
  readonly going: string | null;
}

/** A row that comes again as it is is no change. */
export async function writeChange(
  session: Session,
  table: CanonicalTable,
  { coming, going }: TableChange,
  folder: string,
): Promise<void> {
  makeFolder(folder);
  const rows = `select *, true as is_new from (${coming})`;
  const all = going === null ? rows : `${rows} union all by name select *, false as is_new from (${going})`;
  await session.run(`copy (${all}) to ${literal(join(folder, `${table.name}.parquet`))} (format parquet)`);
}

/**
 * Makes what `writeChange` wrote readable as `changed.<table>`; the session has all rows as `whole.<table>`.
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
