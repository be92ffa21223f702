import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { KeptAnswers } from '../asking/kept-answers.ts';
import type { ServedSnapshot, ToolEnvironment } from '../asking/run-tool.ts';
import { listAssumptions } from '../control/businesses/assumptions.ts';
import { contentOf, type PublishedSnapshot } from '../control/businesses/published-snapshot.ts';
import {
  findServedAndNewest,
  SeenVersion,
  type ServedAndNewest,
} from '../control/businesses/served-models.ts';
import { keyFor } from '../control/tokens/instance-secret.ts';
import { InputError, OperatorError } from '../errors.ts';
import { staleNotes } from '../live/freshness.ts';
import { MODEL_VERSION } from '../snapshot/build/model-version.ts';
import { isNewerModel, refuseNewerModel } from '../snapshot/build/newer-model.ts';
import { rebuildSnapshot } from '../snapshot/build-snapshot.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { BusinessLockedError } from '../snapshot/import-errors.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Instance } from './instance.ts';

interface EnvironmentOptions {
  /** Ends what is being built. */
  readonly stop?: AbortSignal;
  /**
   * The log of a process that goes on: where there is something to answer with, calls do not wait until later
   * rows are built, and this log is told where they could not be built.
   */
  readonly beside?: Logger;
  /** The kept answers of a process that answers many questions. */
  readonly kept?: KeptAnswers;
}

export function toolEnvironment(
  instance: Instance,
  warehouse: Warehouse,
  { stop, beside, kept }: EnvironmentOptions = {},
): ToolEnvironment {
  const building = { ...instance, ...(stop && { signal: stop }), ...(beside && LEAVING_ROOM) };
  const rebuilds = new Rebuilds(building, beside);
  const seen = new SeenVersion(instance.control, MODEL_VERSION);
  return {
    warehouse,
    findServed: (businessId) => {
      seen.tell();
      return findServed(instance, rebuilds, businessId);
    },
    staleNotes: (businessIds) => staleNotes(instance.control, businessIds),
    assumptionsOf: (businessId) => listAssumptions(instance.control, businessId),
    noiseKey: keyFor(instance.secret, 'noise of counts'),
    kept: kept ?? null,
  };
}

/** Half of the processors: the others answer calls meanwhile. */
const LEAVING_ROOM = { importThreads: Math.max(1, Math.floor(availableParallelism() / 2)) };

/**
 * What servers of this version serve. Where rows are newer than that, as after an import by another version
 * or an update of the program, they are built anew: beside the answers where there is something to answer
 * with, else the first call that needs them has them built, and the others wait for the same.
 */
async function findServed(
  { control }: Instance,
  rebuilds: Rebuilds,
  businessId: string,
): Promise<ServedSnapshot | null> {
  const found = await findServedAndNewest(control, businessId, MODEL_VERSION);
  if (found === null) return null;
  const { served, newest } = found;
  if (served !== null) {
    if (newest === null || isCurrent(found)) return servedAs(businessId, served, []);
    if (isNewerModel(newest.model_version)) return servedAs(businessId, served, [NEWER_IMPORTED]);
    if (rebuilds.areBeside) {
      rebuilds.rebuildBeside(businessId, newest.snapshot_id);
      return servedAs(businessId, served, [BEING_PREPARED]);
    }
  }
  if (newest !== null) refuseNewerModel(newest.model_version);
  await rebuilds.rebuild(businessId, newest?.snapshot_id ?? null);
  const built = (await findServedAndNewest(control, businessId, MODEL_VERSION))?.served ?? null;
  return built && servedAs(businessId, built, []);
}

/** Whether this version serves the newest rows. */
export function isCurrent({ served, newest }: ServedAndNewest): boolean {
  return served !== null && (newest === null || contentOf(newest) === contentOf(served));
}

const NEWER_IMPORTED =
  'A later import is not in this answer: a newer version of Storesight made it; servers of that version answer with it.';
const BEING_PREPARED =
  'A later import is not in this answer yet: it is being prepared for this version of Storesight.';

function servedAs(
  business_id: string,
  { snapshot_id, facts }: PublishedSnapshot,
  notes: readonly string[],
): ServedSnapshot {
  return { facts, snapshot: { business_id, snapshot_id }, notes };
}

/**
 * The time for which a snapshot that could not be built anew is not tried again: it would take a machine that
 * others need.
 */
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
  /** The last build that began. Each takes as much memory as an import may, so one waits for the other. */
  #lastBegun: Promise<void> = Promise.resolve();
  /** The last of each business. */
  readonly #failed = new Map<string, Failure>();
  readonly #log: Logger | undefined;

  constructor(context: ImportContext, log: Logger | undefined) {
    this.#context = context;
    this.#log = log;
  }

  /**
   * @param snapshotId what is served: another one is tried at once
   * @throws OperatorError when it failed, now or a short while ago
   */
  rebuild(id: string, snapshotId: string | null): Promise<void> {
    const failed = this.#failed.get(id);
    if (failed?.snapshotId === snapshotId && Date.now() < failed.until) return Promise.reject(failed.error);
    return this.#running.get(id) ?? this.#begin(id, snapshotId);
  }

  /** Whether calls are answered meanwhile. */
  get areBeside(): boolean {
    return this.#log !== undefined;
  }

  /**
   * The same while calls are answered with what there is: nobody waits, so a failure is told to the log
   * alone.
   */
  rebuildBeside(id: string, snapshotId: string | null): void {
    if (this.#running.has(id)) return;
    const before = this.#failed.get(id);
    this.rebuild(id, snapshotId).catch((error: unknown) => {
      const isNew = this.#failed.get(id) !== before;
      if (isNew) this.#log?.error({ err: error, business_id: id }, 'a later import is not served');
    });
  }

  #begin(id: string, snapshotId: string | null): Promise<void> {
    const running = this.#lastBegun
      .then(() => this.#build(id, snapshotId))
      .finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    this.#lastBegun = running.catch(() => {});
    return running;
  }

  async #build(business_id: string, snapshotId: string | null): Promise<void> {
    try {
      const found = await findServedAndNewest(this.#context.control, business_id, MODEL_VERSION);
      // While this one waited, another server may have built it.
      if (found !== null && isCurrent(found)) return;
      await rebuildSnapshot(this.#context, { business_id });
      this.#failed.delete(business_id);
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
      this.#failed.set(business_id, { snapshotId, error, until: Date.now() + PAUSE_MS });
      throw error;
    }
  }
}
