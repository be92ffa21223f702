import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUuid } from '../business/business.ts';
import { forgetBusiness, listSnapshots, readBusiness } from '../control/businesses/businesses.ts';
import { uploadsOf } from '../control/businesses/uploads.ts';
import { holdingBusiness } from '../control/connections/hold-connections.ts';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import { makeFolder } from '../control/data-folder/make-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { lockBusiness } from './lock-business.ts';
import { syncFile, syncFolder } from './make-durable.ts';
import { findSnapshotFolders, snapshotOf } from './snapshot-folders.ts';
import type { WarehouseCopier } from './warehouse-copier.ts';

export interface DeletionPlace {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly copier: WarehouseCopier | null;
}

/**
 * Lies in the folder of a business that somebody deletes, and says that all of it may go once the control
 * database does not know it.
 */
const MARK = 'deleted';

/**
 * Deletes a business for good: its imports, connections and uploads, what is set for it, and who may read it.
 * Nobody reads it any more before the first of its rows goes; what a killed process leaves is removed by
 * `removeDeleted`.
 *
 * @throws InputError while a connection of it is read; ImportError while an import runs
 */
export async function deleteBusiness(place: DeletionPlace, businessId: string): Promise<void> {
  const { control, data } = place;
  await holdingBusiness(control, businessId, async () => {
    using _lock = lockBusiness(data.lock(businessId));
    const uploads = await uploadsOf(control, businessId);
    await mark(data.business(businessId));
    const snapshots = await namesOfSnapshots(place, businessId);
    try {
      await forgetBusiness(control, businessId);
    } catch (error) {
      if ((await readBusiness(control, businessId).catch(() => null)) !== null)
        await unmark(data.business(businessId));
      throw error;
    }
    for (const uploadId of uploads)
      await rm(join(data.uploads, uploadId), { recursive: true, force: true }).catch(() => {});
    await removeAll(place, businessId, snapshots).catch(() => {});
  });
}

/**
 * Removes what is left of businesses that were deleted while their process was killed, or the warehouse was
 * away. Folders without the mark of `deleteBusiness` stay: a server that was started with another control
 * database removes nothing.
 *
 * @returns how many businesses went
 */
export async function removeDeleted(place: DeletionPlace): Promise<{ readonly removed: number }> {
  const { control, data } = place;
  let removed = 0;
  for (const id of await readdir(data.businesses).catch(() => [])) {
    const folder = data.business(id);
    if (!isUuid(id) || !existsSync(join(folder, MARK))) continue;
    if ((await readBusiness(control, id)) !== null) {
      await unmark(folder);
      continue;
    }
    await removeAll(place, id, await namesOfSnapshots(place, id));
    removed += 1;
  }
  return { removed };
}

async function namesOfSnapshots(
  { control, data }: DeletionPlace,
  businessId: string,
): Promise<readonly string[]> {
  const listed = (await listSnapshots(control, businessId)).map(({ snapshot_id }) => snapshot_id);
  const { kept, leftovers, unknown } = await findSnapshotFolders(data.snapshots(businessId), listed, null);
  return [...new Set([...listed, ...[...kept, ...leftovers, ...unknown].map(snapshotOf)])];
}

/** The folder goes last, since it says what the warehouse still has. */
async function removeAll(
  { data, copier }: DeletionPlace,
  businessId: string,
  snapshots: readonly string[],
): Promise<void> {
  if (copier !== null && snapshots.length > 0) {
    await copier.remove(businessId, snapshots, []);
    await copier.forget(businessId);
  }
  await rm(data.business(businessId), { recursive: true, force: true });
}

async function mark(folder: string): Promise<void> {
  makeFolder(folder);
  const file = join(folder, MARK);
  await writeFile(file, '');
  await syncFile(file);
  await syncFolder(folder);
}

async function unmark(folder: string): Promise<void> {
  await rm(join(folder, MARK), { force: true });
}
