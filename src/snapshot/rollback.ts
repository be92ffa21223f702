import { existsSync } from 'node:fs';
import { currentSnapshot, listSnapshots, serveSnapshot } from '../control/businesses/businesses.ts';
import { contentOf, type PublishedSnapshot } from '../control/businesses/published-snapshot.ts';
import { goingBack } from '../control/connections/read-again.ts';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { InputError } from '../errors.ts';
import { refuseNewerModel } from './build/newer-model.ts';
import { lockBusiness } from './lock-business.ts';
import { momentOfSnapshot } from './snapshot-folders.ts';

/**
 * Serves an earlier snapshot of the business: the one before the served one, or the named one. Later imports
 * build on it, so what came after it is gone unless it is served again while it is kept; what connections
 * brought after it, they bring once more.
 *
 * @returns the snapshot served now
 * @throws InputError when there is none to go back to, or a connection of the store is being read;
 *   ImportError while an import runs; OperatorError when a newer version of the program built it
 */
export async function rollBack(
  { control, data }: { readonly control: ControlDatabase; readonly data: DataFolder },
  businessId: string,
  to?: string,
): Promise<string> {
  using _lock = lockBusiness(data.lock(businessId));
  const kept = await listSnapshots(control, businessId);
  const target = to === undefined ? await snapshotBefore(control, businessId, kept) : named(kept, to);
  const folder = data.snapshot(businessId, target.snapshot_id);
  if (!existsSync(folder)) {
    throw new InputError(`${folder} is missing; restore it from a backup, or serve another snapshot`);
  }
  refuseNewerModel(target.model_version);
  const since = momentOfSnapshot(contentOf(target));
  await goingBack(control, businessId, since, () => serveSnapshot(control, businessId, target.snapshot_id));
  return target.snapshot_id;
}

/**
 * The rows before the newest, as the version that imported them built them, so that it may go on from there
 * too. Each version serves its own model of them, where it has one.
 */
async function snapshotBefore(
  control: ControlDatabase,
  businessId: string,
  kept: readonly PublishedSnapshot[],
): Promise<PublishedSnapshot> {
  const newest = await currentSnapshot(control, businessId);
  const before = kept.filter((snapshot) => newest !== null && contentOf(snapshot) < contentOf(newest));
  const content = before.map(contentOf).sort().at(-1);
  const same = before.filter((snapshot) => contentOf(snapshot) === content);
  const found = same.find(({ rebuilt_from }) => rebuilt_from === null) ?? same[0];
  if (found === undefined) throw new InputError('there is no earlier snapshot to go back to');
  return found;
}

function named(kept: readonly PublishedSnapshot[], snapshotId: string): PublishedSnapshot {
  const found = kept.find(({ snapshot_id }) => snapshot_id === snapshotId);
  if (found !== undefined) return found;
  throw new InputError(`there is no snapshot ${snapshotId}; \`snapshot list\` shows those that are kept`);
}
