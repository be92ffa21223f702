import { existsSync } from 'node:fs';
import { copyFile, link, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storeFile } from '../control/data-folder.ts';
import { literal, type Session } from './session.ts';
import type { CanonicalTable } from './table.ts';

/**
 * Writes the canonical tables of a new snapshot: those of the previous one, in which the rows of the batch replace
 * those with the same key. A table without a batch is shared with the previous snapshot, not copied.
 */
export async function writeStore(
  session: Session,
  tables: readonly CanonicalTable[],
  batches: ReadonlySet<CanonicalTable>,
  previous: string | null,
  next: string,
): Promise<void> {
  for (const table of tables) {
    const target = storeFile(next, table.name);
    const source = previous === null ? null : storeFile(previous, table.name);
    const hasPrevious = source !== null && existsSync(source);
    await mkdir(dirname(target), { recursive: true });
    if (batches.has(table)) {
      await session.run(
        `copy (${hasPrevious ? merged(table, source) : allOf(table)}) to ${literal(target)} (format parquet, compression zstd)`,
      );
    } else if (hasPrevious) {
      await share(source, target);
    }
  }
}

function allOf(table: CanonicalTable): string {
  return `select * from batch_${table.name}`;
}

function merged(table: CanonicalTable, previous: string): string {
  const key = table.key.map((name) => `"${name}"`).join(', ');
  return `select * from read_parquet(${literal(previous)}) anti join batch_${table.name} using (${key})
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

/** Makes the canonical tables readable as `store.<table>`, without rows where none were ever imported. */
export async function attachStore(
  session: Session,
  tables: readonly CanonicalTable[],
  snapshot: string,
): Promise<string[]> {
  await session.run("attach ':memory:' as store");
  const loaded: string[] = [];
  for (const table of tables) {
    const file = storeFile(snapshot, table.name);
    const columns = Object.entries(table.columns).flatMap(([name, column]) =>
      column.stored(name, (cell) => cell),
    );
    const empty = columns.map(({ name, type }) => `cast(null as ${type}) as "${name}"`).join(', ');
    if (existsSync(file)) {
      loaded.push(table.name);
      // Columns that are newer than the file are null.
      await session.run(`create view store.${table.name} as
        select * from (select ${empty} where false) union all by name select * from read_parquet(${literal(file)})`);
    } else {
      await session.run(`create view store.${table.name} as select ${empty} where false`);
    }
  }
  return loaded;
}
