import type { SourceReport, TableCounts } from './report.ts';

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
}

/** Another process imports into the business. */
export class BusinessLockedError extends ImportError {}

/** An import of which nobody knows whether it is served: the control database went away when it was asked to serve it. */
export class UncertainImportError extends ImportError {}

/** What DuckDB and Node say, without the hints for programmers that follow; of what is known, in our own words. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('max_temp_directory_size'))
    return 'it needs more temporary disk space than STORESIGHT_SPILL_LIMIT allows; raise that, or import fewer files at once';
  if (/^Out of Memory Error/.test(message))
    return 'it needs more memory than STORESIGHT_IMPORT_MEMORY allows; raise that, or import fewer files at once';
  return ofTheSystem(error, message) ?? message.split('\n', 1)[0] ?? '';
}

/** By the code of the system, and what DuckDB writes for it. */
const OF_THE_SYSTEM: readonly (readonly [code: RegExp, text: RegExp, words: string])[] = [
  [
    /^(ENOSPC|EDQUOT)$/,
    /No space left on device|Disk quota exceeded/,
    'the disk of this server is full; whoever runs it must make room',
  ],
  [
    /^EROFS$/,
    /Read-only file system/,
    'the data folder can only be read, because its disk is mounted read-only; whoever runs this server must make it writable',
  ],
  [
    /^(EACCES|EPERM)$/,
    /Permission denied|Operation not permitted/,
    'this server may not read or write one of the files; whoever runs it must give its user the right to the data folder and to the files',
  ],
  [
    /^(EMFILE|ENFILE)$/,
    /Too many open files/,
    'this server has too many files open at once; try again later, or whoever runs it raises the limit of open files (ulimit -n)',
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

/** Whether what failed is this server and not the file that was read. */
export function isOfTheServer(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /max_temp_directory_size|^Out of Memory Error/.test(message) || ofTheSystem(error, message) !== null;
}

/** Whether a text is a library's for programmers: DuckDB says of which kind each error is. */
export function isOfDuckDb(error: unknown): boolean {
  return /^(?:[A-Z][A-Za-z-]*(?: [A-Za-z-]+)* Error|INTERNAL Error|\w*Exception): /.test(
    error instanceof Error ? error.message : '',
  );
}

export interface RefusalReport {
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly rejects_file: string | null;
  /** What the files were recognised as, where that is known by then. */
  readonly sources?: readonly SourceReport[];
}
