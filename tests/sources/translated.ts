import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { stageTable } from '../../src/ingest/stage-table.ts';
import type { SourceReport, TableCounts } from '../../src/snapshot/import-report.ts';
import { ofSource } from '../../src/sources/check-settings.ts';
import { knownSources } from '../../src/sources/mapping/known-sources.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import type { Settings } from '../../src/sources/source.ts';
import type { Value } from '../../src/store/duckdb-session.ts';
import type { Files } from '../ingest/shop.ts';
import { openSession, temporaryFolder, writeFiles } from '../ingest/staging.ts';
import { readBatch } from './read-batch.ts';

export interface Translated {
  readonly sources: readonly SourceReport[];
  readonly warnings: readonly string[];
  readonly counts: Readonly<Record<string, TableCounts>>;
  readonly raw: Pick<TableCounts, 'read' | 'rejected'>;
  readonly rejects: readonly Record<string, Value>[];
  /** The good rows of a table, by an SQL select list; in the order of its values. */
  rows(table: string, select: string, where?: string): Promise<unknown[][]>;
}

/** Reads files as an import does, up to the rows of our own format, and looks at those before they go. */
export async function translateFiles(
  files: Files | string,
  look: (translated: Translated) => Promise<void> | void,
  settings: Settings = {},
  mapping?: string,
  { skipsUnreadable = false } = {},
): Promise<void> {
  using translated = await translate(files, settings, mapping, skipsUnreadable);
  await look(translated);
}

/**
 * Files that the tests of a `describe` look at, each at rows of its own: reading a file takes longer than all
 * that is asked of it. Read before the first test; gone after the last.
 */
export function translatedOnce(files: Files, settings: Settings = {}): () => Translated {
  let translated: Awaited<ReturnType<typeof translate>> | undefined;
  beforeAll(async () => {
    translated = await translate(files, settings);
  });
  afterAll(() => translated?.[Symbol.dispose]());
  return () => {
    if (translated === undefined) throw new Error('files are read before the first test');
    return translated;
  };
}

async function translate(
  files: Files | string,
  settings: Settings,
  mapping?: string,
  skipsUnreadable = false,
): Promise<Translated & Disposable> {
  const given =
    mapping === undefined
      ? []
      : [{ name: 'x', text: mapping, mapping: readMapping(mapping, 'mapping.yaml') }];
  using resources = new DisposableStack();
  const folder = resources.use(temporaryFolder());
  const session = resources.use(await openSession(folder.path));
  const path = typeof files === 'string' ? files : writeFiles(emptyFolder(folder.path), files);
  const batch = await readBatch(session, [path], {
    known: knownSources(given, new Map()),
    settingsOf: (source) => ofSource(source, settings),
    said: settings,
    skipsUnreadable,
  });
  const counts: Record<string, TableCounts> = {};
  const warnings = [...batch.warnings];
  for (const [table, rows] of batch.files) {
    const staged = await stageTable(session, table, rows);
    counts[table.name] = staged.counts;
    warnings.push(...staged.warnings);
  }
  const rows = async (table: string, select: string, where = 'true') =>
    (await session.rows(`select ${select} from batch_${table} where ${where} order by all`)).map((row) =>
      Object.values(row),
    );
  const rejects = await session.rows('select file, line, reason from rejects order by all');
  const kept = resources.move();
  const dispose = () => kept.dispose();
  const { sources, raw } = batch;
  return { sources, raw, warnings, counts, rejects, rows, [Symbol.dispose]: dispose };
}

function emptyFolder(parent: string): string {
  const folder = join(mkdtempSync(join(parent, 'exports-')), 'files');
  mkdirSync(folder);
  return folder;
}

/** The refusal of files that cannot be read. */
export async function refusalOf(
  files: Files | string,
  settings: Settings = {},
  mapping?: string,
): Promise<string> {
  return translateFiles(files, () => {}, settings, mapping).then(
    () => {
      throw new Error('the files were not refused');
    },
    (error: Error) => error.message,
  );
}

/** CSV of some columns out of rows that name their cells. */
export function csvOf(columns: readonly string[], rows: readonly Readonly<Record<string, string>>[]): string {
  const cell = (value = '') => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
    .map((cells) => `${cells.map(cell).join(',')}\n`)
    .join('');
}
