import { Shares } from '../../main-thread/shares.ts';
import { BusyError, QueryTimeoutError, StoppingError } from '../warehouse.ts';
import { Costs } from './costs.ts';

export interface SchedulerOptions {
  /** How many jobs run at once. */
  readonly slots: number;
  /** How long a job may run, and how long it may wait before. */
  readonly timeoutSeconds: number;
}

/** The account whose job it is, and what the job does. */
export interface Owner {
  readonly account: string;
  readonly business: string;
  readonly question: string;
}

/** The state of the scheduler, for metrics. */
export interface SchedulerState {
  readonly running: { readonly quick: number; readonly long: number };
  readonly waiting: number;
  /**
   * Counts since the start: jobs that were begun anew in the lane of long ones, and jobs that were refused
   * because too many waited, or for too long.
   */
  readonly restarted: number;
  readonly refused: number;
}

type Lane = 'quick' | 'long';

interface Job {
  readonly owner: Owner;
  readonly work: (stop: AbortSignal) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** The one who came earlier has the lower number. */
  readonly turn: number;
  lane: Lane;
  /** Ends its waiting. */
  patience: NodeJS.Timeout | undefined;
  /** The signal of the attempt that runs. */
  stop: AbortController;
  /** Why nobody wants its result any more. */
  givenUp: unknown;
}

/** A query above this is long; most take a tenth of it. */
const QUICK_MS = 250;
const MOST_WAITING = 1000;
const MOST_WAITING_OF_ACCOUNT = 100;
/** How long stopped jobs may take to end; an interrupted query takes some milliseconds. */
const STOP_MS = 3000;

/** Why an attempt was stopped that is made again. */
const TOO_LONG_FOR_ITS_LANE = new Error('too long for its lane');

/**
 * Decides which job runs when, so that slow ones of one account never stop quick ones of another.
 *
 * Half of the slots, at most, is for long jobs. What takes longer than `QUICK_MS` is long, which shows when
 * it has run for so long: it goes on where a slot for long jobs is free, else it is stopped and begins anew
 * later; the next job that asks the same is known to be long from the start (Harchol-Balter, Task Assignment
 * with Unknown Duration, 2002). Of each kind of slot, one is always kept for an account that has none; the
 * one for long jobs also for another business. Who waits is served by account, then by business of the
 * account: who was served least is next.
 */
export class Scheduler {
  readonly #slots: number;
  readonly #longSlots: number;
  readonly #timeoutSeconds: number;
  readonly #costs = new Costs();
  readonly #accounts = new Shares();
  /** The shares of each account's businesses. */
  readonly #businesses = new Map<string, Shares>();
  readonly #waiting = new Set<Job>();
  readonly #running = new Set<Job>();
  #turns = 0;
  #restarted = 0;
  #refused = 0;
  #isStopping = false;
  #onIdle: () => void = () => {};

  constructor({ slots, timeoutSeconds }: SchedulerOptions) {
    this.#slots = slots;
    this.#longSlots = Math.max(1, Math.floor(slots / 2));
    this.#timeoutSeconds = timeoutSeconds;
  }

  /**
   * @param work ends soon after its signal aborts
   * @throws BusyError, QueryTimeoutError, StoppingError, the signal's reason, or what `work` throws
   */
  async run<Result>(
    owner: Owner,
    work: (stop: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#isStopping) throw new StoppingError();
    this.#refuseWhenFull(owner);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job = {
      owner,
      work,
      resolve,
      reject,
      turn: this.#turns,
      lane: 'quick',
      patience: undefined,
      stop: new AbortController(),
      givenUp: undefined,
    };
    this.#turns += 1;
    const onAbort = () => this.#giveUp(job, signal?.reason);
    signal?.addEventListener('abort', onAbort);
    this.#enter(job);
    this.#startWhatCan();
    try {
      return (await promise) as Result;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(job.patience);
      this.#leave(job);
    }
  }

  get state(): SchedulerState {
    const long = this.#runningIn('long').length;
    return {
      running: { quick: this.#running.size - long, long },
      waiting: this.#waiting.size,
      restarted: this.#restarted,
      refused: this.#refused,
    };
  }

  /**
   * Stops all jobs and takes no more.
   *
   * @returns whether all have ended
   */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    for (const job of [...this.#waiting, ...this.#running]) this.#giveUp(job, new StoppingError());
    if (this.#running.size === 0) return true;
    const idle = Promise.withResolvers<void>();
    this.#onIdle = idle.resolve;
    const timer = setTimeout(idle.resolve, STOP_MS);
    await idle.promise;
    clearTimeout(timer);
    return this.#running.size === 0;
  }

  #refuseWhenFull({ account }: Owner): void {
    const own = [...this.#waiting].filter(({ owner }) => owner.account === account).length;
    if (own < MOST_WAITING_OF_ACCOUNT && this.#waiting.size < MOST_WAITING) return;
    this.#refused += 1;
    if (this.#waiting.size >= MOST_WAITING) throw new BusyError();
    throw new BusyError(`${own} questions of this account wait for an answer already`);
  }

  #enter(job: Job): void {
    const { account, business } = job.owner;
    const businesses = this.#businesses.get(account) ?? new Shares();
    this.#businesses.set(account, businesses);
    this.#accounts.enter(account);
    businesses.enter(business);
    this.#wait(job);
  }

  #leave({ owner: { account, business } }: Job): void {
    this.#accounts.leave(account);
    this.#businesses.get(account)?.leave(business);
    if (this.#businesses.get(account)?.isEmpty) this.#businesses.delete(account);
  }

  #wait(job: Job): void {
    clearTimeout(job.patience);
    job.patience = setTimeout(() => this.#endWaiting(job), this.#timeoutSeconds * 1000);
    this.#waiting.add(job);
  }

  #endWaiting(job: Job): void {
    if (!this.#waiting.delete(job)) return;
    this.#refused += 1;
    job.reject(new BusyError(`the server was busy with other questions for ${this.#timeoutSeconds} s`));
  }

  /** One that waits leaves at once; one that runs, when its work has ended. */
  #giveUp(job: Job, reason: unknown): void {
    job.givenUp = reason;
    if (this.#waiting.delete(job)) job.reject(reason);
    else job.stop.abort(reason);
  }

  #startWhatCan(): void {
    for (let job = this.#next(); job !== null; job = this.#next()) {
      this.#waiting.delete(job);
      this.#attempt(job).catch(job.reject);
    }
  }

  /**
   * The next job: of those that may start, the one whose account, then business, was served least; then the
   * oldest.
   */
  #next(): Job | null {
    let next: Job | null = null;
    for (const job of this.#waiting) {
      job.lane = this.#costs.expected(questionOf(job)) >= QUICK_MS ? 'long' : 'quick';
      if (this.#mayStart(job) && (next === null || this.#isBefore(job, next))) next = job;
    }
    return next;
  }

  #isBefore(job: Job, other: Job): boolean {
    const byAccount = this.#accounts.served(job.owner.account) - this.#accounts.served(other.owner.account);
    if (byAccount !== 0) return byAccount < 0;
    const isOneAccount = job.owner.account === other.owner.account;
    const byBusiness = isOneAccount ? this.#servedForBusiness(job) - this.#servedForBusiness(other) : 0;
    return byBusiness === 0 ? job.turn < other.turn : byBusiness < 0;
  }

  #servedForBusiness({ owner: { account, business } }: Job): number {
    return this.#businesses.get(account)?.served(business) ?? 0;
  }

  #mayStart(job: Job): boolean {
    if (this.#running.size >= this.#slots) return false;
    const own = [...this.#running].filter(({ owner }) => owner.account === job.owner.account);
    return own.length < butOne(this.#slots) && (job.lane === 'quick' || this.#hasRoomForLong(job));
  }

  #hasRoomForLong({ owner: { account, business } }: Job): boolean {
    const long = this.#runningIn('long').map(({ owner }) => owner);
    const most = butOne(this.#longSlots);
    return (
      long.length < this.#longSlots &&
      long.filter((other) => other.account === account).length < most &&
      long.filter((other) => other.business === business).length < most
    );
  }

  #runningIn(lane: Lane): Job[] {
    return [...this.#running].filter((job) => job.lane === lane);
  }

  async #attempt(job: Job): Promise<void> {
    const question = questionOf(job);
    const expected = this.#costs.expected(question);
    this.#charge(job, expected);
    this.#running.add(job);
    job.stop = new AbortController();
    const tooLate = new QueryTimeoutError(this.#timeoutSeconds);
    const timer = setTimeout(() => this.#giveUp(job, tooLate), this.#timeoutSeconds * 1000);
    const slice = setTimeout(() => this.#endSlice(job), QUICK_MS);
    const startedAt = performance.now();
    try {
      job.resolve(await job.work(job.stop.signal));
      this.#costs.record(question, performance.now() - startedAt);
    } catch (error) {
      const isMadeAgain = job.stop.signal.reason === TOO_LONG_FOR_ITS_LANE && job.givenUp === undefined;
      if (isMadeAgain) this.#wait(job);
      else job.reject(job.givenUp ?? error);
    } finally {
      clearTimeout(timer);
      clearTimeout(slice);
      this.#running.delete(job);
      this.#charge(job, performance.now() - startedAt - expected);
      if (this.#running.size === 0) this.#onIdle();
      this.#startWhatCan();
    }
  }

  /** A job that is not over in the time of a quick one is long. */
  #endSlice(job: Job): void {
    this.#costs.record(questionOf(job), 2 * QUICK_MS);
    if (job.lane === 'long') return;
    if (this.#hasRoomForLong(job)) {
      job.lane = 'long';
      return;
    }
    this.#restarted += 1;
    job.stop.abort(TOO_LONG_FOR_ITS_LANE);
  }

  #charge({ owner: { account, business } }: Job, milliseconds: number): void {
    this.#accounts.charge(account, milliseconds);
    this.#businesses.get(account)?.charge(business, milliseconds);
  }
}

function butOne(slots: number): number {
  return Math.max(1, slots - 1);
}

/** The same tool takes other times on other businesses. */
function questionOf({ owner: { business, question } }: Job): string {
  return `${business} ${question}`;
}
