import type { ModelChanges } from './incremental/model-changes.ts';

/** Brings finished snapshots to where queries run, when that is not here. */
export interface WarehouseCopier {
  /**
   * Copies a snapshot and checks that it arrived whole. Nothing reads it before it is served.
   *
   * @param file the snapshot's model, of DuckDB
   * @param changes how it differs from the model of an earlier snapshot, most of which it takes over then
   * @returns false when it was there already
   */
  copy(snapshot: SnapshotReference, file: string, changes?: ModelChanges | null): Promise<boolean>;
  /**
   * Takes away what the named snapshots of a business have there, and of `staying` what lies where the
   * business no longer lives. What is not named is left alone.
   */
  remove(businessId: string, going: readonly string[], staying: readonly string[]): Promise<void>;
  /** Takes what was removed of a business off the disks there too, which else happens at some time. */
  forget(businessId: string): Promise<void>;
  close(): Promise<void>;
}

interface SnapshotReference {
  readonly business_id: string;
  readonly snapshot_id: string;
}
