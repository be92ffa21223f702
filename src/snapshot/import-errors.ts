import { InputError, OperatorError, ReasonError } from '../errors.ts';
import type { SourceReport, TableCounts } from './import-report.ts';

/** An import that was refused: nothing was changed. The message says what was wrong and what to do next. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly report: RefusalReport | undefined;

  constructor(message: string, report?: RefusalReport, cause?: unknown) {
    super(message, { cause });
    this.report = report;
  }
}

/** What was imported is what was there: nothing was changed, and no snapshot made. */
export class UnchangedError extends ImportError {}

/** More rows are bad than allowed. */
export class RejectsError extends ImportError {
  readonly rows: RejectedRows;

  constructor(message: string, report: RefusalReport, rows: RejectedRows) {
    super(message, report);
    this.rows = rows;
  }
}

export interface RejectedRows {
  readonly read: number;
  readonly rejected: number;
  /** The first of them, as lines for a person. */
  readonly examples: readonly string[];
  /** The same, as what they are made of. Older versions wrote none. */
  readonly cells?: readonly RejectedCell[];
  /** The name of the list of all of them, in the folder of the store's rejects. */
  readonly list?: string | null;
}

/** A cell that cannot be, or a row that is not whole; then there is no column. */
export interface RejectedCell {
  readonly file: string;
  readonly line: string | null;
  readonly column: string | null;
  readonly value: string | null;
  readonly reason: string;
}

/** Another process imports into the business. */
export class BusinessLockedError extends ImportError {}

/**
 * An import of which nobody knows whether it is served: the control database went away when it was asked to
 * serve it.
 */
export class UncertainImportError extends ImportError {}

/**
 * Why something failed, in words of ours: what we say ourselves, and what is known of the server. Null of
 * what else a library throws; its own words are for programmers.
 */
export function ownWords(error: unknown): string | null {
  if (isOurs(error)) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('max_temp_directory_size'))
    return 'it needs more temporary disk space than STORESIGHT_SPILL_LIMIT allows; raise that, or import fewer files at once';
  if (/^Out of Memory Error/.test(message))
    return 'it needs more memory than STORESIGHT_IMPORT_MEMORY allows; raise that, or import fewer files at once';
  return ofTheSystem(error, message);
}

function isOurs(error: unknown): error is Error {
  return [ReasonError, ImportError, InputError, OperatorError].some((kind) => error instanceof kind);
}

/** What is said of a failure that nobody foresaw. */
export const UNFORESEEN =
  'something went wrong that is not foreseen. Whoever runs this server sees what it was by giving the command again with STORESIGHT_LOG_LEVEL=debug; please report it';

/** Whether the disk is full, whatever was said of it on the way here. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ofTheSystem(error, error.message) === DISK_FULL || isDiskFull(error.cause);
}

const DISK_FULL = 'the disk of this server is full; whoever runs it must make room';

/** The words by the code of the system, and by what DuckDB and SQLite write for it. */
const OF_THE_SYSTEM: readonly (readonly [code: RegExp, text: RegExp, words: string])[] = [
  [/^(ENOSPC|EDQUOT)$/, /No space left on device|Disk quota exceeded|disk is full/, DISK_FULL],
  [
    /^EROFS$/,
    /Read-only file system|readonly database/,
    'the data folder can only be read, because its disk is mounted read-only; whoever runs this server must make it writable',
  ],
  [
    /^(EACCES|EPERM)$/,
    /Permission denied|Operation not permitted|unable to open database file/,
    'this server may not read or write one of the files; whoever runs it must give its user the right to the data folder and to the files',
  ],
  [
    /^(EMFILE|ENFILE)$/,
    /Too many open files/,
    'this server has too many files open at once; try again later, or whoever runs it raises the limit of open files (ulimit -n)',
  ],
  [
    /^EFBIG$/,
    /File too large/,
    'a file would be larger than the system lets this server write; whoever runs it raises the limit of file sizes (ulimit -f)',
  ],
  [
    /^EIO$/,
    /Input\/output error/,
    'the disk of this server fails to read or write; whoever runs it must look at it',
  ],
];

function ofTheSystem(error: unknown, message: string): string | null {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  return OF_THE_SYSTEM.find(([codes, texts]) => codes.test(code) || texts.test(message))?.[2] ?? null;
}

export interface RefusalReport {
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly rejects_file: string | null;
  /** What the files were recognised as, where that is known by then. */
  readonly sources?: readonly SourceReport[];
}
