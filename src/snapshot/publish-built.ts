import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { BusinessSettings } from '../control/businesses/business-settings.ts';
import { isListed, publishSnapshot } from '../control/businesses/businesses.ts';
import type { PublishedSnapshot } from '../control/businesses/published-snapshot.ts';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { UncertainImportError } from './import-errors.ts';
import { removeKnown } from './leftovers.ts';
import { makeDurable, makeNamesDurable } from './make-durable.ts';
import { buildingFolder } from './snapshot-folders.ts';
import { markFinished, markUnfinished, type Unfinished } from './unfinished.ts';
import type { WarehouseCopier } from './warehouse-copier.ts';

interface Context {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly copier: WarehouseCopier | null;
}

/** What else changes when the snapshot is served. */
interface Changes {
  /** Snapshots that are kept beside it. */
  readonly staying: readonly string[];
  /** The snapshots that are kept no longer. */
  readonly going: readonly string[];
  /** The settings of the business that are new. */
  readonly settings: Partial<BusinessSettings>;
}

/**
 * Gives a finished snapshot its name and serves it, in one transaction of the control database; then removes
 * those that are no longer kept. All of it is on the disk before anybody may read it.
 *
 * @throws when it is not served
 * @throws UncertainImportError when nobody knows whether it is
 */
export async function publishBuilt(
  { control, data, copier }: Context,
  businessId: string,
  snapshot: PublishedSnapshot,
  work: Unfinished,
  { staying, going, settings }: Changes,
): Promise<void> {
  const snapshots = data.snapshots(businessId);
  const folder = join(snapshots, snapshot.snapshot_id);
  const building = join(snapshots, buildingFolder(snapshot.snapshot_id));
  await makeDurable(building);
  await rename(building, folder);
  await makeNamesDurable(snapshots, data.root);
  // One that cannot be marked, or is not there, is told as unknown if it cannot be removed either.
  for (const old of going) await markUnfinished(join(snapshots, old), work).catch(() => {});
  try {
    await publishSnapshot(control, businessId, snapshot, going, settings);
  } catch (error) {
    if (!(await isServedAfterAll(control, businessId, snapshot.snapshot_id, error))) throw error;
  }
  await markFinished(folder).catch(() => {});
  await removeKnown({ data, copier }, businessId, going, [...staying, snapshot.snapshot_id]);
}

/** A connection that breaks may do so before or after the control database has done what it was asked. */
async function isServedAfterAll(
  control: ControlDatabase,
  businessId: string,
  snapshotId: string,
  error: unknown,
): Promise<boolean> {
  try {
    return await isListed(control, businessId, snapshotId);
  } catch {
    throw new UncertainImportError(
      `the control database went away while it was told to serve the new snapshot ${snapshotId}. ` +
        `When it is back, \`snapshot list ${businessId}\` shows whether that is served; if not, import again`,
      undefined,
      error,
    );
  }
}
