import { currentSnapshot, listSnapshots, serveSnapshot } from '../control/businesses.ts';
import type { DataFolder } from '../control/data-folder.ts';
import type { ControlDatabase } from '../control/database.ts';
import { InputError } from '../model/errors.ts';
import { lockBusiness } from './lock.ts';

/**
 * Serves an earlier snapshot of the business: the one before the served one, or the named one. Later imports build
 * on it, so what came after it is gone unless it is served again while it is kept.
 *
 * @returns the snapshot served now
 * @throws InputError when there is none to go back to; ImportError while an import runs
 */
export async function rollBack(
  { control, data }: { readonly control: ControlDatabase; readonly data: DataFolder },
  businessId: string,
  to?: string,
): Promise<string> {
  using _lock = lockBusiness(data.lock(businessId));
  const target = to ?? (await snapshotBefore(control, businessId));
  await serveSnapshot(control, businessId, target);
  return target;
}

async function snapshotBefore(control: ControlDatabase, businessId: string): Promise<string> {
  const served = await currentSnapshot(control, businessId);
  const kept = await listSnapshots(control, businessId);
  const before = kept.find(({ snapshot_id }) => served !== null && snapshot_id < served.snapshot_id);
  if (before === undefined) throw new InputError('there is no earlier snapshot to go back to');
  return before.snapshot_id;
}
