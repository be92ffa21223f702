import type { SnapshotFacts } from '../../business/snapshot-facts.ts';

export interface PublishedSnapshot {
  readonly snapshot_id: string;
  /** The model version of the program that built it: see `MODEL_VERSION`. */
  readonly model_version: string;
  readonly facts: SnapshotFacts;
  readonly created_at: string;
  /**
   * The snapshot whose rows it has, when it is only their model in another version; null when it brought its
   * rows.
   */
  readonly rebuilt_from: string | null;
}

/** The snapshot that brought the rows of this one: itself, unless it was only built anew from another's. */
export function contentOf(snapshot: Pick<PublishedSnapshot, 'snapshot_id' | 'rebuilt_from'>): string {
  return snapshot.rebuilt_from ?? snapshot.snapshot_id;
}

/**
 * What a version of the model builds, whichever version of the package builds it: `3f2a9c0b1d4e` of
 * `1.2.0+3f2a9c0b1d4e`.
 */
export function modelOf(version: string): string {
  return version.split('+')[1] ?? version;
}

export function haveSameModel(one: string, other: string): boolean {
  return modelOf(one) === modelOf(other);
}
