import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findDeletions, rowsBeforeOf } from '../../src/ingest/deletions.ts';
import { findFiles } from '../../src/ingest/find-files.ts';
import { createRejects, stageTable } from '../../src/ingest/stage-table.ts';
import type { RowChanges, TableCounts } from '../../src/snapshot/import-report.ts';
import { MOST_IN_MEMORY, type TableBatch } from '../../src/snapshot/table-batches.ts';
import { writeStore } from '../../src/snapshot/write-canonical.ts';
import type { CanonicalTable } from '../../src/store/canonical-table.ts';
import { Session, type Value } from '../../src/store/duckdb-session.ts';
import { defineGate } from '../../src/store/personal-data/session-gate.ts';
import { CANONICAL_TABLES, canonicalTable } from '../../src/store/tables/all-tables.ts';
import { type Files, storedSql } from './shop.ts';

interface StagedTable {
  readonly counts: TableCounts;
  readonly warnings: readonly string[];
  readonly rejects: readonly Record<string, Value>[];
  /** The rows that would be loaded. */
  readonly rows: readonly Record<string, Value>[];
}

/** Reads the files of one table as an import does, without merging, building and publishing them. */
export async function stageFiles(tableName: string, files: Files): Promise<StagedTable> {
  using folder = temporaryFolder();
  return await stageFolder(tableName, writeFiles(join(folder.path, 'files'), files));
}

export async function stageFolder(tableName: string, files: string): Promise<StagedTable> {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  const table = canonicalTable(tableName);
  const found = await findFiles(files, [table]);
  const staged = await stageTable(session, table, found.files.get(table) ?? []);
  return {
    ...staged,
    warnings: [...found.warnings, ...staged.warnings],
    rejects: await session.rows('from rejects order by file, line, column_name'),
    rows: await session.rows(`from batch_${table.name}`),
  };
}

/** Reads the files of all tables; the rows of each, in an order that is always the same. */
export async function stageAll(files: string): Promise<{
  readonly warnings: readonly string[];
  readonly tables: Readonly<Record<string, readonly Record<string, Value>[]>>;
}> {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  const found = await findFiles(files, CANONICAL_TABLES);
  const warnings = [...found.warnings];
  const tables: Record<string, Record<string, Value>[]> = {};
  for (const [table, sources] of found.files) {
    warnings.push(...(await stageTable(session, table, sources)).warnings);
    tables[table.name] = await session.rows(`from batch_${table.name} order by all`);
  }
  return { warnings, tables };
}

export interface Batch {
  readonly files: Files;
  readonly addsLines?: boolean;
  readonly mostInMemory?: number;
}

interface Imported {
  /** The counts of each batch, by table. */
  readonly counts: readonly Readonly<Record<string, TableCounts>>[];
  /** The changes of each batch, by table. */
  readonly changes: readonly Readonly<Record<string, RowChanges>>[];
  /** The warnings of each batch. */
  readonly warnings: readonly (readonly string[])[];
  /** The rows of a table after the last batch, by an SQL select list. */
  rows(table: string, select: string): Promise<unknown[][]>;
}

/** Imports batches one after the other into a store without a model, and looks at it before it goes. */
export async function importInTurn(
  batches: readonly Batch[],
  look: (imported: Imported) => Promise<void>,
): Promise<void> {
  using folder = temporaryFolder();
  const counts: Readonly<Record<string, TableCounts>>[] = [];
  const changes: Readonly<Record<string, RowChanges>>[] = [];
  const warnings: (readonly string[])[] = [];
  let previous: string | null = null;
  for (const [index, batch] of batches.entries()) {
    const next: string = join(folder.path, `snapshot-${index}`);
    const imported = await importInto(previous, next, batch);
    counts.push(imported.counts);
    changes.push(imported.changes);
    warnings.push(imported.warnings);
    previous = next;
  }
  using session = await openSession(folder.path);
  const rows = async (table: string, select: string) => {
    const stored = await storedSql(previous ?? '', table);
    return (await session.rows(`select ${select} from (${stored}) order by all`)).map((row) =>
      Object.values(row),
    );
  };
  await look({ counts, changes, warnings, rows });
}

/** Imports a batch as an import does, without a model: the store of one snapshot becomes that of the next. */
export async function importInto(
  previous: string | null,
  next: string,
  { files, addsLines = false, mostInMemory = MOST_IN_MEMORY }: Batch,
) {
  using session = await openSession(dirname(next));
  const found = await findFiles(writeFiles(`${next}-files`, files), CANONICAL_TABLES);
  const warnings = [...found.warnings];
  const counts: Record<string, TableCounts> = {};
  const batches = new Map<CanonicalTable, TableBatch>();
  for (const [table, sources] of found.files) {
    const staged = await stageTable(session, table, sources, { addsLines, mostInMemory });
    counts[table.name] = staged.counts;
    batches.set(table, staged.batch);
    warnings.push(...staged.warnings);
  }
  const base = previous === null ? null : { folder: previous, tables: [] };
  const deletions = await findDeletions(session, counts, rowsBeforeOf(session, base));
  const changes = { addsLines, losing: deletions.losing };
  const told = await writeStore(session, CANONICAL_TABLES, batches, base, next, changes);
  return {
    counts: deletions.tables,
    changes: told.changes,
    warnings: [...warnings, ...deletions.warnings, ...told.warnings],
  };
}

export async function openSession(folder: string): Promise<Session> {
  const path = mkdtempSync(join(folder, 'temporary-'));
  const session = await Session.open(':memory:', { memory: '2GB', spillFolder: path, spillLimit: '10GB' });
  await session.run("set variable business_timezone = 'UTC'");
  defineGate(session, Buffer.alloc(32), {
    business_id: 'a business',
    timezone: null,
    primary_currency: null,
  });
  await createRejects(session);
  return session;
}

export function writeFiles(folder: string, files: Files): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(content) : content);
  }
  return folder;
}

export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'storesight-staging-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
