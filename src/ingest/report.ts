export interface TableCounts {
  /** Rows in the files. */
  readonly read: number;
  /** Rows that were good: `read - rejected`. */
  readonly loaded: number;
  readonly rejected: number;
}

export interface ImportReport {
  /** The id of the snapshot that is served now. */
  readonly snapshot: string;
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly rejects_file: string | null;
  readonly warnings: readonly string[];
}
