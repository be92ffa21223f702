import { MODEL_VERSION } from '../build/model-version.ts';
import { refuseNewerModel } from '../build/newer-model.ts';
import { currentSnapshot, readBusiness } from '../control/businesses.ts';
import { keyFor } from '../control/secret.ts';
import type { ImportContext } from '../ingest/build-snapshot.ts';
import { BusinessLockedError } from '../ingest/errors.ts';
import { rebuildSnapshot } from '../ingest/import.ts';
import type { ServedBusiness, ToolEnvironment } from '../mcp/run-tool.ts';
import type { Business } from '../model/business.ts';
import { InputError, OperatorError } from '../model/errors.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Instance } from './instance.ts';

/** @param stop ends what is being built */
export function toolEnvironment(
  instance: Instance,
  warehouse: Warehouse,
  stop?: AbortSignal,
): ToolEnvironment {
  const rebuilds = new Rebuilds({ ...instance, ...(stop && { signal: stop }) });
  return {
    warehouse,
    findServed: (businessId) => findServed(instance, rebuilds, businessId),
    noiseKey: keyFor(instance.secret, 'noise of counts'),
  };
}

/**
 * After an update of Storesight a snapshot may lack what its tools read, also one that a rollback brings back: the
 * first call that needs it has it built anew, the others wait for the same.
 */
async function findServed(
  { control }: Instance,
  rebuilds: Rebuilds,
  businessId: string,
): Promise<ServedBusiness | null> {
  const business = await readBusiness(control, businessId);
  if (business === null) return null;
  let snapshot = await currentSnapshot(control, businessId);
  if (snapshot !== null) refuseNewerModel(snapshot.model_version);
  if (snapshot?.model_version !== MODEL_VERSION) {
    await rebuilds.rebuild(business, snapshot?.snapshot_id ?? null);
    snapshot = await currentSnapshot(control, businessId);
  }
  if (snapshot === null) return null;
  return {
    business,
    facts: snapshot.facts,
    snapshot: { business_id: businessId, snapshot_id: snapshot.snapshot_id },
  };
}

/** For so long a snapshot that could not be built anew is not tried again: it would take a machine that others need. */
const PAUSE_MS = 5 * 60_000;

interface Failure {
  readonly snapshotId: string | null;
  readonly error: OperatorError;
  readonly until: number;
}

/** One for each business at a time, and none for a while after a failure. */
class Rebuilds {
  readonly #context: ImportContext;
  readonly #running = new Map<string, Promise<void>>();
  /** The last of each business. */
  readonly #failed = new Map<string, Failure>();

  constructor(context: ImportContext) {
    this.#context = context;
  }

  /**
   * @param snapshotId what is served: another one is tried at once
   * @throws OperatorError when it failed, now or a short while ago
   */
  rebuild(business: Business, snapshotId: string | null): Promise<void> {
    const id = business.business_id;
    const failed = this.#failed.get(id);
    if (failed?.snapshotId === snapshotId && Date.now() < failed.until) return Promise.reject(failed.error);
    const running = this.#running.get(id) ?? this.#begin(business, snapshotId);
    this.#running.set(id, running);
    return running.finally(() => this.#running.delete(id));
  }

  async #begin(business: Business, snapshotId: string | null): Promise<void> {
    try {
      await rebuildSnapshot(this.#context, business);
      this.#failed.delete(business.business_id);
    } catch (cause) {
      if (cause instanceof BusinessLockedError) {
        throw new InputError(
          'the data of this business are being prepared for this version of Storesight; try again in a moment',
        );
      }
      if (cause instanceof OperatorError) throw cause;
      const error = new OperatorError(
        'the data of this business could not be prepared for this version of Storesight; whoever runs this server ' +
          'finds the reason in its log',
        { cause },
      );
      this.#failed.set(business.business_id, { snapshotId, error, until: Date.now() + PAUSE_MS });
      throw error;
    }
  }
}
