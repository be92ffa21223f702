import type { Pieces } from './pieces.ts';
import { Shares } from './shares.ts';

interface Job {
  readonly account: string;
  readonly pieces: Pieces<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * How long pieces run before the event loop is given back. A small call needs the loop about ten times from
 * its first byte to its last, and waits for so long each time while others keep the thread busy.
 */
const SLICE_MS = 2;
/**
 * How long the loop is left to the requests of others, who got less, before long work goes on: most need it
 * several times in a row.
 */
const PAUSE_MS = 1;
/** Pieces of calls, beside those that run in the engine. */
const MOST_WAITING_OF_ACCOUNT = 50;
const MOST_WAITING = 500;

/**
 * Decides whose work is done next on the main thread: it is the account that got the least of it, in measured
 * milliseconds. Between the turns, and within long work, the event loop is given back, so that nothing that
 * others ask waits for more than a piece.
 *
 * An account is remembered while it has a request open: a newcomer begins with as much as the least served of
 * those present (`Shares`). While somebody who got less has a request open, the loop is left alone for a
 * moment after each part of long work.
 */
export class Turns {
  readonly #accounts = new Shares();
  /** The waiting jobs in the order in which they came. */
  readonly #waiting = new Set<Job>();
  readonly #sliceMs: number;
  #isDue = false;

  /** The time in milliseconds since any moment. */
  readonly #now: () => number;

  /**
   * @param sliceMs for tests: 0 gives the loop back after every piece; without: as above
   * @param now for tests: a clock that only goes on with the work; without: the clock of the process
   */
  constructor(sliceMs = SLICE_MS, now = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#now = now;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * A request of the account begins: its account is remembered until the returned function is called, once.
   */
  enter(account: string): () => void {
    this.#accounts.enter(account);
    return () => this.#accounts.leave(account);
  }

  /** Whether nobody else has a request open. */
  isAlone(account: string): boolean {
    return this.#accounts.isAlone(account);
  }

  /** Why no further call of the account should begin now, in words for it; null: it may. */
  full(account: string): string | null {
    if (this.#waiting.size >= MOST_WAITING) return 'the server is busy with other questions';
    const own = [...this.#waiting].filter((job) => job.account === account).length;
    if (own < MOST_WAITING_OF_ACCOUNT) return null;
    return `${own} questions of this account wait for an answer already`;
  }

  /**
   * Does the work when it is the account's turn, a few pieces at a time.
   *
   * @throws what the work throws, or the signal's reason
   */
  async run<Result>(account: string, pieces: Pieces<Result>, signal?: AbortSignal): Promise<Result> {
    const leave = this.enter(account);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.add({ account, pieces, resolve, reject, signal });
    this.#giveBack();
    try {
      return (await promise) as Result;
    } finally {
      leave();
    }
  }

  #giveBack(isLong = false): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    const begin = () => {
      this.#isDue = false;
      this.#giveBack(this.#takeTurns());
    };
    if (isLong && this.#isSomebodyExpected()) setTimeout(begin, PAUSE_MS);
    else setImmediate(begin);
  }

  /**
   * Whether a request of somebody who got less than all that wait is under way, and may need the loop to come
   * here.
   */
  #isSomebodyExpected(): boolean {
    const next = this.#next();
    return next !== null && this.#accounts.hasLessServed(next.account);
  }

  /**
   * Several short ones, or a part of a long one.
   *
   * @returns whether all of the time was taken
   */
  #takeTurns(): boolean {
    const end = this.#now() + this.#sliceMs;
    for (let job = this.#next(); job !== null; job = this.#now() < end ? this.#next() : null) {
      const startedAt = this.#now();
      if (this.#isDone(job, end)) this.#waiting.delete(job);
      this.#accounts.charge(job.account, this.#now() - startedAt);
    }
    return this.#now() >= end;
  }

  #isDone({ pieces, resolve, reject, signal }: Job, end: number): boolean {
    try {
      do {
        signal?.throwIfAborted();
        const { done, value } = pieces.next();
        if (done === true) {
          resolve(value);
          return true;
        }
      } while (this.#now() < end);
      return false;
    } catch (error) {
      reject(error);
      return true;
    }
  }

  /** The oldest job of the account that was served least: what was begun ends before more is begun. */
  #next(): Job | null {
    let next: Job | null = null;
    for (const job of this.#waiting) {
      if (next === null || this.#accounts.served(job.account) < this.#accounts.served(next.account))
        next = job;
    }
    return next;
  }
}

/** There is one in a process, so all that is asked of a server shares it. */
export const mainThread = new Turns();

/** Work that is one piece. */
// biome-ignore lint/correctness/useYield: it is not divided.
export function* onePiece<Result>(work: () => Result): Pieces<Result> {
  return work();
}

/** All of the work now, where nobody else waits: in a command, or a test. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}
