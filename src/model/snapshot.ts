/** What is known of a snapshot beside its tables. */
export interface SnapshotFacts {
  /** The tables of the canonical format that hold rows. */
  readonly loaded_tables: readonly string[];
  /** Moment of the first loaded order, ISO 8601 in UTC; null when there is none. */
  readonly history_starts_at: string | null;
  /** Latest moment up to which orders are loaded; null when there is none. */
  readonly orders_until: string | null;
  /** The same of sessions. */
  readonly sessions_until: string | null;
}
