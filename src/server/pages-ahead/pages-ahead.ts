import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ToolEnvironment } from '../../asking/run-tool.ts';
import type { Business } from '../../business/business.ts';
import { listAssumptions } from '../../control/businesses/assumptions.ts';
import { readBusiness } from '../../control/businesses/businesses.ts';
import { findServedAndNewest } from '../../control/businesses/served-models.ts';
import type { ControlDatabase } from '../../control/database/control-database.ts';
import { operatorCaller } from '../../control/people/callers.ts';
import { ENGLISH } from '../../messages/messages.ts';
import { readAsked } from '../../overview/asked-overview.ts';
import { readFindings } from '../../overview/findings.ts';
import { readOverview } from '../../overview/read-overview.ts';
import { salesFigure } from '../../overview/sales-figure.ts';
import { MODEL_VERSION } from '../../snapshot/build/model-version.ts';
import { isCurrent } from '../tool-environment.ts';
import { PatientWarehouse } from './patient-warehouse.ts';
import type { VisitedStores } from './visited-stores.ts';

/** How long a publish, of whichever process, may be unseen. */
const LOOK_MS = 3_000;

/** The name in whose turn the work is done. It is no account's. */
export const AHEAD = 'pages ahead';

interface AheadOptions {
  readonly environment: ToolEnvironment;
  readonly control: ControlDatabase;
  readonly visited: VisitedStores;
  /** Whether nobody but `AHEAD` asks anything now. */
  readonly isIdle: () => boolean;
  readonly log: Pick<Logger, 'warn'>;
}

type ReadPage = (environment: ToolEnvironment, business: Business, signal: AbortSignal) => Promise<unknown>;

/**
 * Asks what the pages of the stores that were opened last will ask, after each publish and after a start, so
 * that their answers are kept (`KeptAnswers`) before a person comes. A page is then made as always: of what
 * tools answer, for whoever may read it, in the reader's language. It asks only where nobody else does, one
 * store at a time, and never makes a model: whoever needs one makes it.
 *
 * @example const ahead = new PagesAhead(options); await ahead.look(); // once, for tests
 */
export class PagesAhead {
  readonly #options: AheadOptions;
  readonly #pages: readonly ReadPage[];
  readonly #stop = new AbortController();
  /** What was asked for last of each store, by page. */
  readonly #done: readonly Map<string, string>[];
  #running: Promise<void> = Promise.resolve();

  constructor(options: AheadOptions) {
    this.#options = options;
    const caller = { ...operatorCaller(options.control), name: AHEAD };
    const usual = readAsked({});
    this.#pages = [
      (environment, business, signal) => readOverview(environment, caller, business, usual, ENGLISH, signal),
      (environment, business, signal) => salesFigure(environment, caller, business, ENGLISH, signal),
      (environment, business, signal) => readFindings(environment, caller, business, usual, ENGLISH, signal),
    ];
    this.#done = this.#pages.map(() => new Map());
  }

  start(): void {
    this.#running = this.#goOn();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stop;
    const { log } = this.#options;
    while (!signal.aborted) {
      await this.look().catch((error: unknown) => log.warn({ err: error }, 'pages are not made ahead'));
      await sleep(LOOK_MS, null, { signal, ref: false }).catch(() => {});
    }
  }

  /** Makes what is not made yet: first of all stores the overview, then the other pages. */
  async look(): Promise<void> {
    const { visited, log } = this.#options;
    await visited.write().catch((error: unknown) => log.warn({ err: error }, 'visits are not remembered'));
    const ids = visited.newestFirst();
    const states = new Map<string, string | null>();
    for (const id of ids) states.set(id, await stateOf(this.#options.control, id));
    for (const [page, read] of this.#pages.entries())
      for (const [id, state] of states) {
        if (this.#stop.signal.aborted) return;
        const done = this.#done[page] ?? new Map();
        if (state === null || done.get(id) === state) continue;
        done.set(id, state);
        await this.#make(id, state, read);
      }
    for (const done of this.#done) for (const id of [...done.keys()]) if (!ids.includes(id)) done.delete(id);
  }

  /** What cannot be made is not tried again until the store has changed: who opens the page is told why. */
  async #make(businessId: string, state: string, read: ReadPage): Promise<void> {
    const { environment, control, isIdle, log } = this.#options;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, over.signal]);
    const business = await readBusiness(control, businessId);
    if (business === null) return;
    const isOfUse = async () => (await stateOf(control, businessId)) === state;
    const warehouse = new PatientWarehouse(environment.warehouse, { isIdle, isOfUse });
    try {
      await read({ ...environment, warehouse }, business, signal);
    } catch (error) {
      // A store that is deleted meanwhile has no file to read.
      if (signal.aborted || !(await isOfUse())) return;
      log.warn({ err: error, business_id: businessId }, 'a page is not made ahead');
    } finally {
      // Where one question failed, the others of the page still wait.
      over.abort();
    }
  }
}

/**
 * What the answers about a store depend on, besides the question; null where nothing is asked ahead: there is
 * no such store, it has no data, or its model is still to be built.
 */
async function stateOf(control: ControlDatabase, businessId: string): Promise<string | null> {
  const found = await findServedAndNewest(control, businessId, MODEL_VERSION);
  if (found === null || !isCurrent(found)) return null;
  return JSON.stringify([found.served?.snapshot_id, await listAssumptions(control, businessId)]);
}
