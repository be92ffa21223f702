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

/** What DuckDB and Node say, without the hints for programmers that follow. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('max_temp_directory_size'))
    return 'it needs more temporary disk space than STORESIGHT_SPILL_LIMIT allows; raise that, or import fewer files at once';
  if (/^Out of Memory Error/.test(message))
    return 'it needs more memory than STORESIGHT_IMPORT_MEMORY allows; raise that, or import fewer files at once';
  return message.split('\n', 1)[0] ?? '';
}

export interface RefusalReport {
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly rejects_file: string | null;
  /** What the files were recognised as, where that is known by then. */
  readonly sources?: readonly SourceReport[];
}
