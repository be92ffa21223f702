import { join } from 'node:path';
import { currentSnapshot, forgetSnapshot, listSnapshots } from '../control/businesses/businesses.ts';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { InputError } from '../errors.ts';
import { MODEL_VERSION } from './build/model-version.ts';
import { removeKnown } from './leftovers.ts';
import { lockBusiness } from './lock-business.ts';
import { findSnapshotFolders } from './snapshot-folders.ts';
import { markUnfinished } from './unfinished.ts';
import type { WarehouseCopier } from './warehouse-copier.ts';

/**
 * Removes a snapshot for good: a kept one, or one that the control database does not know.
 *
 * @throws InputError when it is served, or not there
 */
export async function removeSnapshot(
  context: {
    readonly control: ControlDatabase;
    readonly data: DataFolder;
    readonly copier: WarehouseCopier | null;
  },
  businessId: string,
  name: string,
): Promise<void> {
  const { control, data } = context;
  using _lock = lockBusiness(data.lock(businessId));
  const listed = (await listSnapshots(control, businessId)).map(({ snapshot_id }) => snapshot_id);
  const served = (await currentSnapshot(control, businessId))?.snapshot_id ?? null;
  const { kept, leftovers, unknown } = await findSnapshotFolders(data.snapshots(businessId), listed, served);
  const isHere = [...kept, ...leftovers, ...unknown].includes(name);
  if (!isHere && !listed.includes(name)) {
    throw new InputError(
      `there is no snapshot ${name}; \`snapshot list ${businessId}\` shows those there are`,
    );
  }
  await forgetSnapshot(control, businessId, name, MODEL_VERSION);
  if (!isHere) return;
  await markUnfinished(join(data.snapshots(businessId), name), { import: served ?? '', builds_on: served });
  await removeKnown(context, businessId, [name]);
}
