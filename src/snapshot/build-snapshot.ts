import type { Business } from '../business/business.ts';
import { beginSnapshot, openSnapshot, type SnapshotOptions } from './begin-snapshot.ts';
import { buildMerged } from './build-merged.ts';
import type { ImportContext } from './import-context.ts';
import type { ImportReport } from './import-report.ts';
import { lockBusiness } from './lock-business.ts';
import { mergeStaged } from './merge-staged.ts';
import { publish } from './publish.ts';
import type { OpenSnapshot, SnapshotWork } from './snapshot-work.ts';
import { NOTHING_STAGED, type Staged } from './staged-tables.ts';
import { undoSnapshot } from './undo-snapshot.ts';

type Published = ImportReport & { readonly snapshot: string };

/**
 * Makes a snapshot of the rows that are there, for other settings or another version of the model. Everything
 * happens in a folder that no one reads until its name and one row of the control database say otherwise, so
 * that work killed at any moment leaves the old snapshot served, and folders that the next import knows by
 * their mark.
 *
 * @throws ImportError when it is not served; nothing has changed then
 */
export async function buildSnapshot(
  context: ImportContext,
  { business_id }: Pick<Business, 'business_id'>,
  options?: SnapshotOptions,
): Promise<Published> {
  using _lock = lockBusiness(context.data.lock(business_id));
  const work = await beginSnapshot(context, business_id, options);
  try {
    using open = await openSnapshot(work);
    return await finishSnapshot(work, open, NOTHING_STAGED);
  } catch (error) {
    throw await undoSnapshot(work, error);
  }
}

/** Merges what is staged in an open session, builds the model, checks it and serves it. */
export async function finishSnapshot(
  work: SnapshotWork,
  open: OpenSnapshot,
  staged: Staged,
): Promise<Published> {
  const merged = await mergeStaged(work, open, staged);
  const model = await buildMerged(work, merged);
  return publish(work, merged, model);
}

/** Builds the model of the newest rows: after `business create`, or for this version of the model. */
export async function rebuildSnapshot(
  context: ImportContext,
  business: Pick<Business, 'business_id'>,
): Promise<string> {
  const { snapshot } = await buildSnapshot(context, business, { isRebuild: true });
  return snapshot;
}
