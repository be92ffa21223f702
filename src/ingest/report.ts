import type { PersonalDataRemoved } from './personal-data/session-gate.ts';

/** What became of the rows of a table's files: `read = loaded + rejected + replaced + ignored`. */
export interface TableCounts {
  /** Rows in the files, counted in their bytes. A malformed stretch counts as the rows it may have been: its lines. */
  readonly read: number;
  /** Rows that are in the store now. */
  readonly loaded: number;
  /** Bad rows, listed in the rejects file. */
  readonly rejected: number;
  /** Rows with other values than a later row with the same key, which counts instead. */
  readonly replaced: number;
  /** Rows with the same values as the later row with the same key. */
  readonly ignored: number;
}

export interface ImportReport {
  /** The id of the snapshot that is served now. */
  readonly snapshot: string;
  readonly tables: Readonly<Record<string, TableCounts>>;
  readonly rejects_file: string | null;
  /** In how many cells of which table and column an e-mail address or a phone number was hashed or taken out. */
  readonly personal_data_removed: PersonalDataRemoved;
  readonly warnings: readonly string[];
}
