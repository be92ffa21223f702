import type { Logger } from 'pino';
import {
  beginRun,
  readUpload,
  tellRun,
  type Upload,
  type UploadFile,
  type UploadRun,
  type UploadWork,
} from '../control/businesses/uploads.ts';
import { InputError } from '../errors.ts';
import { Shares } from '../main-thread/shares.ts';
import { beyond, DEFAULT_LIMITS, type ImportLimits } from '../snapshot/import-limits.ts';
import { removeLeftovers } from '../snapshot/leftovers.ts';
import type { WarehouseCopier } from '../snapshot/warehouse-copier.ts';
import { INTERRUPTED, STOPPED, written } from './outcome.ts';
import { lockUpload, type UploadPlace } from './upload-folder.ts';

/** How many may wait: no account and no store takes the whole line. */
const MOST_WAITING = { account: 5, store: 8, all: 100 };

/**
 * How often an import is overtaken by smaller ones whose people had as much of this server; and how often at
 * all.
 */
const MOST_OVERTAKEN = { bySmaller: 3, atAll: 20 };

/** An import ends by itself when its time is over; one that does not is ended from outside so much later. */
const GRACE_MS = 60_000;

/** A timer takes no longer time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Run {
  readonly upload_id: string;
  readonly run_id: string;
}

/**
 * Does the work of a run, until it has ended or was stopped.
 *
 * @throws InputError whose message the person is told, where the run was ended for what the files hold
 */
export type RunImport = (run: Run, stop: AbortSignal) => Promise<void>;

interface Facts {
  readonly account: string;
  readonly business: string;
  readonly upload: string;
  readonly work: UploadWork;
}

interface QueuedRun extends Run {
  readonly facts: Facts;
  readonly bytes: number;
  readonly lock: Disposable;
  readonly stop: AbortController;
  overtaken: number;
}

export interface QueuePlace extends UploadPlace {
  readonly copier: WarehouseCopier | null;
}

interface QueueOptions {
  /** How many run at once, each of another store. */
  readonly atOnce?: number;
  readonly limits?: ImportLimits;
}

/**
 * Why an import does not begin: somebody works on the upload; or too many wait, of the account, of the store,
 * or of all.
 */
export type NotBegun = 'busy' | 'yours' | 'of_store' | 'full';

/**
 * Imports of this server. Whose account and store had least of its time comes first, and of equals the
 * smallest; a store's own come in the order in which they were asked for, since later rows replace earlier
 * ones.
 */
export class ImportQueue {
  readonly #place: QueuePlace;
  readonly #runImport: RunImport;
  readonly #log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly #atOnce: number;
  readonly #limits: ImportLimits;
  /** The waiting runs in the order in which they came. */
  #waiting: readonly QueuedRun[] = [];
  /** What will wait as soon as it is written down. */
  readonly #beginning = new Set<Facts>();
  readonly #running = new Map<QueuedRun, Promise<void>>();
  readonly #shares = { account: new Shares(), business: new Shares() };
  #isClosed = false;

  constructor(
    place: QueuePlace,
    runImport: RunImport,
    log: Pick<Logger, 'info' | 'warn' | 'error'>,
    { atOnce = 1, limits = DEFAULT_LIMITS }: QueueOptions = {},
  ) {
    this.#place = place;
    this.#runImport = runImport;
    this.#log = log;
    this.#atOnce = atOnce;
    this.#limits = limits;
  }

  async begin(
    { upload_id, account_id, business_id, files }: Upload & { readonly files: readonly UploadFile[] },
    run: UploadRun,
  ): Promise<'begun' | NotBegun> {
    const facts = { account: account_id, business: business_id, upload: upload_id, work: run.work };
    const full = this.#whyFull(facts);
    if (full !== null) return full;
    const lock = lockUpload(this.#place.data, upload_id);
    if (lock === null) return 'busy';
    this.#beginning.add(facts);
    const run_id = await beginRun(this.#place.control, upload_id, run)
      .catch((error: unknown) => {
        lock[Symbol.dispose]();
        throw error;
      })
      .finally(() => this.#beginning.delete(facts));
    if (run_id === null) {
      lock[Symbol.dispose]();
      return 'busy';
    }
    const bytes = files.reduce((sum, file) => sum + Number(file.bytes), 0);
    this.#shares.account.enter(account_id);
    this.#shares.business.enter(business_id);
    const queued = { upload_id, run_id, facts, bytes, lock, stop: new AbortController(), overtaken: 0 };
    this.#waiting = [...this.#waiting, queued];
    this.#startNext();
    return 'begun';
  }

  #whyFull({ account, business }: Facts): NotBegun | null {
    const waiting = [...this.#waiting.map(({ facts }) => facts), ...this.#beginning];
    if (this.#isClosed || waiting.length >= MOST_WAITING.all) return 'full';
    if (waiting.filter((other) => other.account === account).length >= MOST_WAITING.account) return 'yours';
    const ofStore = waiting.filter((other) => other.business === business);
    return ofStore.length >= MOST_WAITING.store ? 'of_store' : null;
  }

  /** How many are before it, as the line is now; null when it does not wait here. */
  before(uploadId: string): number | null {
    const place = this.#inOrder().findIndex(({ upload_id }) => upload_id === uploadId);
    return place < 0 ? null : place + this.#running.size;
  }

  /** The result of an import is written down before its process has ended; until then its lock is held. */
  async ending({ upload_id, state }: Pick<Upload, 'upload_id' | 'state'>): Promise<void> {
    if (state === 'waiting' || state === 'running') return;
    await [...this.#running].find(([run]) => run.upload_id === upload_id)?.[1];
  }

  /** @returns whether it waits or runs here */
  async stop(uploadId: string): Promise<boolean> {
    const waiting = this.#waiting.find(({ upload_id }) => upload_id === uploadId);
    if (waiting !== undefined) {
      this.#take(waiting);
      await this.#end(waiting, STOPPED);
      return true;
    }
    const running = [...this.#running.keys()].find(({ upload_id }) => upload_id === uploadId);
    running?.stop.abort();
    return running !== undefined;
  }

  /** Stops all: nothing of them is served, and their files stay. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting) {
      this.#take(waiting);
      await this.#end(waiting, INTERRUPTED);
    }
    for (const { stop } of this.#running.keys()) stop.abort();
    await Promise.all(this.#running.values());
  }

  #take(run: QueuedRun): void {
    this.#waiting = this.#waiting.filter((other) => other !== run);
  }

  #startNext(): void {
    while (this.#running.size < this.#atOnce) {
      const run = firstOf(
        this.#waiting.filter((each) => this.#mayRun(each)),
        this.#compare,
      );
      if (run === undefined) return;
      for (const other of this.#waiting) {
        if (other === run) break;
        if (this.#mayRun(other)) other.overtaken += 1;
      }
      this.#take(run);
      const running = this.#work(run).finally(() => {
        this.#running.delete(run);
        this.#startNext();
      });
      this.#running.set(run, running);
    }
  }

  /** An import holds its store; and where several run, one place stays for other accounts. */
  #mayRun({ facts }: QueuedRun): boolean {
    const running = [...this.#running.keys()];
    if (running.some((other) => other.facts.business === facts.business)) return false;
    return this.#runningOf(facts.account) < Math.max(1, this.#atOnce - 1);
  }

  #runningOf(account: string): number {
    return [...this.#running.keys()].filter(({ facts }) => facts.account === account).length;
  }

  /** The line as it would be worked off if nobody came. */
  #inOrder(): QueuedRun[] {
    const order: QueuedRun[] = [];
    for (let left = this.#waiting; left.length > 0; ) {
      const next = firstOf(left, this.#compare) as QueuedRun;
      order.push(next);
      left = left.filter((run) => run !== next);
    }
    return order;
  }

  readonly #compare = (one: QueuedRun, other: QueuedRun): number => {
    const isDue = ({ overtaken }: QueuedRun, most: number) => Number(overtaken >= most);
    const { atAll, bySmaller } = MOST_OVERTAKEN;
    return (
      isDue(other, atAll) - isDue(one, atAll) ||
      this.#served(one) - this.#served(other) ||
      this.#runningOf(one.facts.account) - this.#runningOf(other.facts.account) ||
      isDue(other, bySmaller) - isDue(one, bySmaller) ||
      one.bytes - other.bytes
    );
  };

  #served({ facts }: QueuedRun): number {
    return Math.max(this.#shares.account.served(facts.account), this.#shares.business.served(facts.business));
  }

  async #work(run: QueuedRun): Promise<void> {
    const startedAt = performance.now();
    let outcome = INTERRUPTED;
    let isOverTime = false;
    const ending = setTimeout(
      () => {
        isOverTime = true;
        run.stop.abort();
      },
      Math.min(LONGEST_TIMER_MS, 60_000 * this.#limits.minutes + GRACE_MS),
    );
    try {
      await this.#runImport(run, run.stop.signal);
    } catch (error) {
      this.#log.error({ err: error, ...run.facts }, 'an import out of the browser failed');
      if (error instanceof InputError) outcome = written({ kind: 'refused', message: error.message });
    } finally {
      clearTimeout(ending);
    }
    await this.#removeLeftovers(run);
    const elapsed = performance.now() - startedAt;
    this.#shares.account.charge(run.facts.account, elapsed);
    this.#shares.business.charge(run.facts.business, elapsed);
    // What it came to is written down by then, unless it was killed.
    const isStopped = run.stop.signal.aborted && !this.#isClosed;
    await this.#end(run, isOverTime ? this.#tooLong() : isStopped ? STOPPED : outcome);
    const seconds = Math.round(elapsed) / 1000;
    const upload = await readUpload(this.#place.control, run.upload_id).catch(() => null);
    const is_published = upload?.state === 'published';
    this.#log.info({ ...run.facts, seconds, is_published }, 'an import out of the browser ended');
  }

  /** One that was killed leaves gigabytes. */
  async #removeLeftovers({ facts }: QueuedRun): Promise<void> {
    await removeLeftovers(this.#place, [facts.business]).catch((error: unknown) =>
      this.#log.error({ err: error, ...facts }, 'what an import left could not be removed'),
    );
  }

  #tooLong(): string {
    return written({ kind: 'refused', message: beyond('minutes', this.#limits).message });
  }

  async #end({ run_id, lock, facts }: QueuedRun, outcome: string): Promise<void> {
    try {
      await tellRun(this.#place.control, run_id, { state: 'open', outcome });
    } catch (error) {
      // The next reader finds its lock free.
      this.#log.error({ err: error, ...facts }, 'an import out of the browser could not be written down');
    } finally {
      this.#shares.account.leave(facts.account);
      this.#shares.business.leave(facts.business);
      lock[Symbol.dispose]();
    }
  }
}

/** The first by a comparison; of each store only the one that came first is looked at. */
function firstOf(
  runs: readonly QueuedRun[],
  compare: (one: QueuedRun, other: QueuedRun) => number,
): QueuedRun | undefined {
  const firstOfStores = runs.filter(
    (run, place) => runs.findIndex(({ facts }) => facts.business === run.facts.business) === place,
  );
  return firstOfStores.reduce<QueuedRun | undefined>(
    (best, run) => (best === undefined || compare(run, best) < 0 ? run : best),
    undefined,
  );
}
