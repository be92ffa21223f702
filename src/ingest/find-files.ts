import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ImportError } from '../snapshot/import-errors.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import { type Meter, UNMETERED } from '../store/meter.ts';

export interface SourceFile {
  readonly path: string;
  /** The path is relative to the imported folder. */
  readonly name: string;
  readonly format: 'csv' | 'ndjson' | 'parquet';
  /** What parts the cells of a CSV file; a comma, unless it says otherwise. */
  readonly delimiter?: Delimiter;
}

export type Delimiter = ',' | ';' | '\t' | '|';

/** Rows that were made of the rows of files of another format: a table of the session. */
export interface TranslatedRows {
  readonly name: string;
  readonly format: 'translated';
  /**
   * The table. Its column `_row` says from which row of those files each was made, `_malformed` what was
   * wrong with it, `_untold` of which columns the row says nothing (`missing-columns.ts`). A row also says
   * nothing of columns that the table does not have.
   */
  readonly table: string;
  /** The files in their order. */
  readonly origins: readonly Origin[];
}

export interface Origin {
  readonly file: SourceFile;
  /** The number among the rows of all files that its first row has, and the one behind its last. */
  readonly firstRow: number;
  readonly endRow: number;
}

const EXTENSIONS = /\.(?:(csv|ndjson)(?:\.gz)?|(parquet))$/;

/**
 * The files of each table: `orders.csv`, `orders-2026-01.csv`, `orders/*.csv`, likewise `.ndjson`, `.parquet`
 * and, but for Parquet, `.gz`. In the order of their names, which is the order in which a later row replaces
 * an earlier one.
 *
 * @throws ImportError when the folder cannot be read or holds no table
 */
export async function findFiles(
  folder: string,
  tables: readonly CanonicalTable[],
  meter: Meter = UNMETERED,
): Promise<{ files: Map<CanonicalTable, SourceFile[]>; warnings: string[] }> {
  const files = new Map<CanonicalTable, SourceFile[]>();
  const warnings: string[] = [];
  const names = await listFolder(folder);
  meter.files(folder, names.length);
  for (const name of names) {
    const found = tableOfFile(name, tables);
    if (found === null) {
      warnings.push(notRead(name));
      continue;
    }
    const file = { path: join(folder, name), name, format: found.format };
    // A file that is not there is told where it is read.
    meter.given(file.path, (await stat(file.path).catch(() => null))?.size ?? 0);
    files.set(found.table, [...(files.get(found.table) ?? []), file]);
  }
  if (files.size === 0) {
    const names = tables.map((table) => table.name).join(', ');
    const found = warnings.length === 0 ? 'it is empty' : warnings.slice(0, 5).join('; ');
    throw new ImportError(
      `no table found in ${folder}: ${found}. Name the files after the tables (${names}), as .csv, .ndjson or .parquet`,
    );
  }
  return { files, warnings };
}

function notRead(name: string): string {
  return `${name} was not read: its name is not that of a table and a format`;
}

/** The table that a file of our own format holds by its name; null where it is named otherwise. */
export function tableOfFile(
  name: string,
  tables: readonly CanonicalTable[],
): { readonly table: CanonicalTable; readonly format: SourceFile['format'] } | null {
  const table = tables.find((candidate) => belongsTo(candidate.name, name));
  const match = EXTENSIONS.exec(name);
  if (table === undefined || match === null) return null;
  return { table, format: (match[1] ?? match[2]) as SourceFile['format'] };
}

function belongsTo(table: string, name: string): boolean {
  const rest = name.startsWith(table) ? name.slice(table.length) : '';
  // `orders.old.csv` is somebody's copy.
  return /^(?:-[^/]*)?\.[a-z]+(?:\.gz)?$/.test(rest) || rest.startsWith('/');
}

/** The files below a folder in the order of their names, without hidden ones. @throws ImportError */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
      .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ImportError(`there is no folder ${folder}`);
    if (code === 'ENOTDIR')
      throw new ImportError(`${folder} is not a folder: give the folder that holds the files`);
    throw error;
  }
}
