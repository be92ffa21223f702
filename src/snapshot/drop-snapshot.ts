import { removeKnown } from './leftovers.ts';
import { buildingFolder } from './snapshot-folders.ts';
import type { SnapshotWork } from './snapshot-work.ts';

/** Removes what was made of a snapshot that nobody needs. */
export async function dropSnapshot({ context, id, snapshotId }: SnapshotWork): Promise<void> {
  await removeKnown(context, id, [buildingFolder(snapshotId)]);
}
