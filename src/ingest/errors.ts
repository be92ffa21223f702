import type { TableCounts } from './import.ts';

/** An import that was refused: nothing was changed. The message says what was wrong and what to do next. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly report: RefusalReport | undefined;

  constructor(message: string, report?: RefusalReport) {
    super(message);
    this.report = report;
  }
}

export interface RefusalReport {
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly rejects_file: string | null;
}
