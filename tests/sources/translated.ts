import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { stageTable } from '../../src/ingest/stage.ts';
import type { SourceReport, TableCounts } from '../../src/snapshot/report.ts';
import { readBatch } from '../../src/sources/import-files.ts';
import { knownSources } from '../../src/sources/mapping/known-sources.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { ofSource } from '../../src/sources/settings.ts';
import type { Settings } from '../../src/sources/source.ts';
import type { Value } from '../../src/store/session.ts';
import type { Files } from '../ingest/shop.ts';
import { openSession, temporaryFolder, writeFiles } from '../ingest/staging.ts';

export interface Translated {
  readonly sources: readonly SourceReport[];
  readonly warnings: readonly string[];
  readonly counts: Readonly<Record<string, TableCounts>>;
  readonly raw: Pick<TableCounts, 'read' | 'rejected'>;
  readonly rejects: readonly Record<string, Value>[];
  /** The good rows of a table, by an SQL select list; in the order of its values. */
  rows(table: string, select: string): Promise<unknown[][]>;
}

/** Reads files as an import does, up to the rows of our own format, and looks at those before they go. */
export async function translateFiles(
  files: Files | string,
  look: (translated: Translated) => Promise<void> | void,
  settings: Settings = {},
  mapping?: string,
): Promise<void> {
  const given =
    mapping === undefined
      ? []
      : [{ name: 'x', text: mapping, mapping: readMapping(mapping, 'mapping.yaml') }];
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  const path = typeof files === 'string' ? files : writeFiles(emptyFolder(folder.path), files);
  const batch = await readBatch(session, [path], (source) => ofSource(source, settings), {
    known: knownSources(given, new Map()),
    history: { base: null, said: settings, remembered: {} },
  });
  const counts: Record<string, TableCounts> = {};
  const warnings = [...batch.warnings];
  for (const [table, rows] of batch.files) {
    const staged = await stageTable(session, table, rows);
    counts[table.name] = staged.counts;
    warnings.push(...staged.warnings);
  }
  const rows = async (table: string, select: string) =>
    (await session.rows(`select ${select} from batch_${table} order by all`)).map((row) =>
      Object.values(row),
    );
  const rejects = await session.rows('select file, line, reason from rejects order by all');
  await look({ sources: batch.sources, raw: batch.raw, warnings, counts, rejects, rows });
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
