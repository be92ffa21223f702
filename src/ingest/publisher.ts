/** Brings finished snapshots to where queries run, when that is not here. */
export interface SnapshotPublisher {
  /**
   * Copies a snapshot and checks that it arrived whole. Nothing reads it before it is served.
   *
   * @param file the snapshot's model, of DuckDB
   * @returns false when it was there already
   */
  publish(snapshot: PublishedReference, file: string): Promise<boolean>;
  /** Takes away what a business has there, but for the named snapshots: old ones, and what a killed import left. */
  keepOnly(businessId: string, snapshotIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

interface PublishedReference {
  readonly business_id: string;
  readonly snapshot_id: string;
}
