import { ImportError, ownWords } from '../snapshot/import-errors.ts';
import type { Origin } from './find-files.ts';

/** The format that a file is read as. */
export type ReadAs = 'csv' | 'ndjson' | 'json' | 'parquet' | 'xml' | 'duckdb' | 'zip' | 'workbook';

/** What is said of a file when only a library knows what is wrong with it. */
const DAMAGED: Readonly<Record<ReadAs, string>> = {
  csv: 'its rows are not understood. Is it damaged? Export it again, or give the table as Parquet',
  ndjson: 'its rows are not understood. Is it damaged? Export it again, or give the table as Parquet',
  json: 'it is no whole JSON. Is it damaged, or was its download cut off? Get it again',
  parquet:
    'it is damaged, cut off, or written in a way that is not read. Export it again, or give the table as CSV',
  xml: 'it is not well-formed. Was its download cut off? Get it again',
  duckdb:
    'it is damaged, or written by a newer DuckDB than this server has. Open it in DuckDB, and give its tables as Parquet',
  workbook: 'it is damaged, or its download was cut off. Get it again, or save its sheet as CSV',
  zip: 'it is damaged, or its download was cut off. Get it again',
};

const CALLED: Readonly<Partial<Record<ReadAs, string>>> = {
  json: 'JSON',
  xml: 'XML',
  duckdb: 'DuckDB',
  workbook: 'a workbook',
};

/**
 * Why a file cannot be read: the one place where what a reader throws becomes a sentence of ours. It names
 * the file, says what is wrong with it and what to do. What a library says is for programmers, and may name
 * folders of the server and hold cells of the file: it stays the error's cause.
 */
export function unreadable(
  file: { readonly name: string; readonly format: ReadAs },
  error: unknown,
): ImportError {
  if (error instanceof ImportError) return error;
  const packing = ofPacking(error);
  const isUnpacked = packing !== null || file.format === 'zip';
  const what = isUnpacked ? 'unpacked' : `read as ${CALLED[file.format] ?? file.format}`;
  const why = packing ?? ownWords(error) ?? missing(error) ?? damaged(file.format, error);
  return new ImportError(`${file.name} cannot be ${what}: ${why}`, undefined, error);
}

/**
 * The same of rows that a source makes of files, some of which are read only then: a Parquet file has only
 * what is asked of it. Without such a file the error is no file's.
 */
export function unreadableRows(origins: readonly Pick<Origin, 'file'>[], error: unknown): unknown {
  if (error instanceof ImportError || ownWords(error) !== null) return error;
  const message = error instanceof Error ? error.message : '';
  const files = origins.map(({ file }) => file).filter(({ format }) => format === 'parquet');
  const file = files.find(({ path }) => message.includes(path)) ?? files[0];
  if (file === undefined) return error;
  const isOne = files.length === 1 || message.includes(file.path);
  return unreadable(
    { ...file, name: isOne ? file.name : `${file.name}, or another Parquet file beside it,` },
    error,
  );
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/** What is wrong with a packed file, whether gzip or zip. */
function ofPacking(error: unknown): string | null {
  const code = codeOf(error);
  if (code === 'Z_BUF_ERROR') return 'it is cut off. Get it again';
  return code.startsWith('Z_') ? 'it is damaged. Get it again' : null;
}

function missing(error: unknown): string | null {
  const code = codeOf(error);
  if (code === 'EISDIR') return 'it is a folder, or a link to one. Import that folder itself';
  return code === 'ENOENT' ? 'it is not there: it was removed, or is a link that leads nowhere' : null;
}

function damaged(format: ReadAs, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (format === 'duckdb' && /[Cc]onflicting lock|set lock on file/.test(message))
    return 'it is being written by another program: close that, or copy the file and import the copy';
  const line = format === 'csv' || format === 'ndjson' ? /\bLine: (\d+)/.exec(message)?.[1] : undefined;
  return line === undefined
    ? DAMAGED[format]
    : DAMAGED[format].replace('understood', `understood, first on line ${line}`);
}
