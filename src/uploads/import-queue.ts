import type { Logger } from 'pino';
import {
  beginRun,
  readUpload,
  tellRun,
  type Upload,
  type UploadRun,
  type UploadWork,
} from '../control/uploads.ts';
import { INTERRUPTED, STOPPED } from './outcome.ts';
import { lockUpload, type UploadPlace } from './upload-folder.ts';

/** Each takes as much memory as an import may. */
const MOST_RUNNING = 1;
const MOST_WAITING = 20;

interface Run {
  readonly upload_id: string;
  readonly run_id: string;
}

/** Does the work of a run, until it has ended or was stopped. */
export type RunImport = (run: Run, stop: AbortSignal) => Promise<void>;

interface QueuedRun extends Run {
  readonly facts: {
    readonly account: string;
    readonly business: string;
    readonly upload: string;
    readonly work: UploadWork;
  };
  readonly lock: Disposable;
  readonly stop: AbortController;
}

/** Imports of this server, one after the other, in the order in which they were asked for. */
export class ImportQueue {
  readonly #place: UploadPlace;
  readonly #runImport: RunImport;
  readonly #log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly #waiting: QueuedRun[] = [];
  readonly #running = new Map<QueuedRun, Promise<void>>();
  #isClosed = false;

  constructor(place: UploadPlace, runImport: RunImport, log: Pick<Logger, 'info' | 'warn' | 'error'>) {
    this.#place = place;
    this.#runImport = runImport;
    this.#log = log;
  }

  /** @returns `busy` when somebody works on the upload already, `full` when too many wait */
  async begin(
    { upload_id, account_id, business_id }: Upload,
    run: UploadRun,
  ): Promise<'begun' | 'busy' | 'full'> {
    if (this.#isClosed || this.#waiting.length >= MOST_WAITING) return 'full';
    const lock = lockUpload(this.#place.data, upload_id);
    if (lock === null) return 'busy';
    const run_id = await beginRun(this.#place.control, upload_id, run).catch((error: unknown) => {
      lock[Symbol.dispose]();
      throw error;
    });
    if (run_id === null) {
      lock[Symbol.dispose]();
      return 'busy';
    }
    const facts = { account: account_id, business: business_id, upload: upload_id, work: run.work };
    this.#waiting.push({ upload_id, run_id, facts, lock, stop: new AbortController() });
    this.#next();
    return 'begun';
  }

  /** How many are before it; null when it does not wait here. */
  before(uploadId: string): number | null {
    const place = this.#waiting.findIndex(({ upload_id }) => upload_id === uploadId);
    return place < 0 ? null : place + this.#running.size;
  }

  /** What an import came to is written down before its process has ended; until then its lock is held. */
  async ending({ upload_id, state }: Pick<Upload, 'upload_id' | 'state'>): Promise<void> {
    if (state === 'waiting' || state === 'running') return;
    await [...this.#running].find(([run]) => run.upload_id === upload_id)?.[1];
  }

  /** @returns whether it waits or runs here */
  async stop(uploadId: string): Promise<boolean> {
    const place = this.#waiting.findIndex(({ upload_id }) => upload_id === uploadId);
    const [waiting] = place < 0 ? [] : this.#waiting.splice(place, 1);
    if (waiting !== undefined) {
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
    for (const waiting of this.#waiting.splice(0)) await this.#end(waiting, INTERRUPTED);
    for (const { stop } of this.#running.keys()) stop.abort();
    await Promise.all(this.#running.values());
  }

  #next(): void {
    if (this.#running.size >= MOST_RUNNING) return;
    const run = this.#waiting.shift();
    if (run === undefined) return;
    const running = this.#work(run).finally(() => {
      this.#running.delete(run);
      this.#next();
    });
    this.#running.set(run, running);
  }

  async #work(run: QueuedRun): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#runImport(run, run.stop.signal);
    } catch (error) {
      this.#log.error({ err: error, ...run.facts }, 'an import out of the browser failed');
    }
    // What it came to is written down by then, unless it was killed.
    await this.#end(run, run.stop.signal.aborted && !this.#isClosed ? STOPPED : INTERRUPTED);
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    const upload = await readUpload(this.#place.control, run.upload_id).catch(() => null);
    const is_published = upload?.state === 'published';
    this.#log.info({ ...run.facts, seconds, is_published }, 'an import out of the browser ended');
  }

  async #end({ run_id, lock, facts }: QueuedRun, outcome: string): Promise<void> {
    try {
      await tellRun(this.#place.control, run_id, { state: 'open', outcome });
    } catch (error) {
      // Whoever looks at it next finds its lock free.
      this.#log.error({ err: error, ...facts }, 'an import out of the browser could not be written down');
    } finally {
      lock[Symbol.dispose]();
    }
  }
}
