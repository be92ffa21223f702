import type { Business } from '../business/business.ts';
import { listBusinesses } from '../control/businesses/businesses.ts';
import { contentOf } from '../control/businesses/published-snapshot.ts';
import { findServedAndNewest } from '../control/businesses/served-models.ts';
import { MODEL_VERSION } from '../snapshot/build/model-version.ts';
import { refuseNewerModel } from '../snapshot/build/newer-model.ts';
import { rebuildSnapshot } from '../snapshot/build-snapshot.ts';
import type { ImportContext } from '../snapshot/import-context.ts';

interface BuiltAhead {
  readonly built: readonly string[];
  /** The snapshots of which this version had its model already. */
  readonly ready: readonly string[];
  /** The snapshots that could not be built, with the reason. Their servers go on with what they have. */
  readonly failed: Readonly<Record<string, string>>;
}

/**
 * Builds this version's model of every business, before its servers answer: those of another version go on
 * with theirs meanwhile.
 */
export async function buildAllAhead(
  context: ImportContext,
  onBusiness: (business: Business) => void,
): Promise<BuiltAhead> {
  const built: string[] = [];
  const ready: string[] = [];
  const failed: Record<string, string> = {};
  for (const business of await listBusinesses(context.control)) {
    const { business_id } = business;
    onBusiness(business);
    try {
      const isBuilt = (await buildAhead(context, business_id)) !== null;
      (isBuilt ? built : ready).push(business_id);
    } catch (error) {
      if (context.signal?.aborted) throw error;
      failed[business_id] = error instanceof Error ? error.message : String(error);
    }
  }
  return { built, ready, failed };
}

/**
 * Builds this version's model of the newest rows of a business.
 *
 * @returns the snapshot that was built; null when there was one already, or there are no rows
 * @throws OperatorError when a newer version of the program imported them
 */
export async function buildAhead(context: ImportContext, business_id: string): Promise<string | null> {
  const found = await findServedAndNewest(context.control, business_id, MODEL_VERSION);
  if (found === null || found.newest === null) return null;
  const { served, newest } = found;
  if (served !== null && contentOf(served) === contentOf(newest)) return null;
  refuseNewerModel(newest.model_version);
  return rebuildSnapshot(context, { business_id });
}
