/**
 * Counts the targets in the files of a made shop, by SQL alone. Prints them all:
 *
 *     node tools/made-shop/measure-targets.ts [FOLDER]
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { CANONICAL_TABLES } from '../../src/store/tables/all-tables.ts';
import { FROZEN_FOLDER } from './freeze.ts';
import { SHARED, TARGETS, type Target } from './targets.ts';

/** @returns the number of each target by its name; null where there is nothing to count */
export async function measureTargets(folder: string): Promise<Map<string, number | null>> {
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const db = await instance.connect();
    await db.run(`set timezone = 'Europe/Prague'`);
    await loadTables(db, folder);
    const found = new Map<string, number | null>();
    for (const { name, sql } of TARGETS) {
      const [value] = (await db.runAndReadAll(sql)).getRows()[0] ?? [];
      found.set(name, value === null || value === undefined ? null : Number(value));
    }
    db.closeSync();
    return found;
  } finally {
    instance.closeSync();
  }
}

export function isMet({ from, to }: Target, value: number | null): boolean {
  return value !== null && value >= from && value <= to;
}

/** All canonical tables with all their columns; those that were not written are empty. */
async function loadTables(db: DuckDBConnection, folder: string): Promise<void> {
  const files = new Set(await readdir(folder));
  for (const { name, columns } of CANONICAL_TABLES) {
    const file = `${name}.parquet`;
    const rows = files.has(file) ? `'${join(folder, file)}'` : '(select null as nothing where false)';
    const present = (await db.runAndReadAll(`describe from ${rows}`)).getRowObjects();
    const known = new Set(present.map(({ column_name }) => String(column_name)));
    const cells = Object.entries(columns).map(([column, kind]) => {
      const type = typeOf(kind.stored(column, (other) => other)[0]?.type ?? 'varchar');
      return `cast(${known.has(column) ? `"${column}"` : 'null'} as ${type}) as "${column}"`;
    });
    await db.run(`create table ${name} as select ${cells.join(', ')} from ${rows}`);
  }
  for (const [name, sql] of Object.entries(SHARED)) await db.run(`create table ${name} as ${sql}`);
}

function typeOf(stored: string): string {
  if (stored === 'timestamp') return 'timestamptz';
  if (stored === 'boolean') return stored;
  return /^(decimal|bigint)/.test(stored) ? 'double' : 'varchar';
}

if (import.meta.main) {
  const found = await measureTargets(process.argv[2] ?? FROZEN_FOLDER);
  for (const target of TARGETS) {
    const value = found.get(target.name) ?? null;
    const shown = value === null ? '–' : String(Number(value.toPrecision(3)));
    console.log(
      `${isMet(target, value) ? '  ' : '✗ '}${target.name}: ${shown} (${target.from} to ${target.to})`,
    );
  }
}
