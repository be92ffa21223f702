import { existsSync } from 'node:fs';
import { copyFile, link, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storeFile } from '../control/data-folder.ts';
import type { Base } from './base.ts';
import { ImportError } from './errors.ts';
import { literal, type Session } from './session.ts';
import { type CanonicalTable, haveSameKey, storedColumns } from './table.ts';

/**
 * Writes the canonical tables of a new snapshot: those of the previous one, in which the rows of the batch replace
 * those with the same key. A table without a batch is shared with the previous snapshot, not copied.
 */
export async function writeStore(
  session: Session,
  tables: readonly CanonicalTable[],
  batches: ReadonlySet<CanonicalTable>,
  previous: Pick<Base, 'folder' | 'tables'> | null,
  next: string,
): Promise<void> {
  for (const table of tables) {
    const target = storeFile(next, table.name);
    const source = previous === null ? null : previousFile(previous, table);
    const hasPrevious = source !== null;
    await mkdir(dirname(target), { recursive: true });
    if (batches.has(table)) {
      await session.run(
        `copy (${hasPrevious ? await merged(session, table, source) : allOf(table)}) to ${literal(target)} (format parquet, compression zstd)`,
      );
    } else if (hasPrevious) {
      await share(source, target);
    }
  }
}

/** @throws ImportError when rows that were loaded are gone: going on would lose them for good */
function previousFile(
  { folder, tables }: Pick<Base, 'folder' | 'tables'>,
  table: CanonicalTable,
): string | null {
  const file = storeFile(folder, table.name);
  if (existsSync(file)) return file;
  if (!tables.includes(table.name)) return null;
  throw new ImportError(
    `${file} is missing, with the ${table.name} that were loaded before. Restore it from a backup, or go back to ` +
      'another snapshot with `snapshot rollback`',
  );
}

function allOf(table: CanonicalTable): string {
  return `select * from batch_${table.name}`;
}

async function merged(session: Session, table: CanonicalTable, previous: string): Promise<string> {
  const batch = `batch_${table.name}`;
  return `select previous.* from (${await rowsOf(session, table, previous)}) as previous
      anti join ${batch} on ${haveSameKey(table, 'previous', batch)}
    union all by name
    ${allOf(table)}`;
}

async function share(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    // Not every file system can hold one file under two names.
    await copyFile(source, target);
  }
}

/**
 * Makes the canonical tables readable as `store.<table>`, without rows where none were ever imported.
 *
 * @returns the tables that hold rows
 */
export async function attachStore(
  session: Session,
  tables: readonly CanonicalTable[],
  snapshot: string,
): Promise<string[]> {
  await session.run("attach ':memory:' as store");
  const loaded: string[] = [];
  for (const table of tables) {
    const file = storeFile(snapshot, table.name);
    const rows = existsSync(file) ? await rowsOf(session, table, file) : noRows(table);
    await session.run(`create view store.${table.name} as ${rows}`);
    const [row] = await session.rows(`select 1 as one from store.${table.name} limit 1`);
    if (row !== undefined) loaded.push(table.name);
  }
  return loaded;
}

/** The rows of a stored file. In columns that are newer than the file, each has what an empty cell stands for. */
async function rowsOf(session: Session, table: CanonicalTable, file: string): Promise<string> {
  const parquet = `read_parquet(${literal(file)})`;
  const described = await session.rows(`describe from ${parquet}`);
  const present = new Set(described.map((row) => row.column_name));
  const columns = storedColumns(table).map(({ name, type, fallback }) =>
    present.has(name) ? `"${name}"` : `cast(${fallback ?? 'null'} as ${type}) as "${name}"`,
  );
  return `select ${columns.join(', ')} from ${parquet}`;
}

function noRows(table: CanonicalTable): string {
  const columns = storedColumns(table).map(({ name, type }) => `cast(null as ${type}) as "${name}"`);
  return `select ${columns.join(', ')} where false`;
}
