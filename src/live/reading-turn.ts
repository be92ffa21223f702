import { EndedForOthersError } from '../processes/limits.ts';

/**
 * A turn of a connection that is under way in a worker. It counts for how long it reads, since a vendor that
 * answers slowly on purpose may take an hour. The time in which it imports, or waits to, is not counted.
 */
export class ReadingTurn {
  readonly account: string;
  /** Whether it has one of the places of long turns. */
  isLong: boolean;
  chargedUntil: number;
  readonly #onLong: () => boolean;
  readonly #ending = new AbortController();
  #leftMs: number;
  #countsSince = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param longMs after which it is long
   * @param onLong is called then once, and tells whether it may read on
   */
  constructor(
    account: string,
    now: number,
    { isLong, longMs, onLong }: { isLong: boolean; longMs: number; onLong: () => boolean },
  ) {
    this.account = account;
    this.chargedUntil = now;
    this.isLong = isLong;
    this.#leftMs = longMs;
    this.#onLong = onLong;
    this.#count();
  }

  /** Aborts when it reads for long and all places for long turns are taken. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Does what is no reading, such as waiting for its turn to import. */
  async notReading<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#stopCounting();
    try {
      return await work();
    } finally {
      this.#count();
    }
  }

  close(): void {
    this.#stopCounting();
  }

  #count(): void {
    if (this.isLong || this.signal.aborted) return;
    this.#countsSince = performance.now();
    this.#timer = setTimeout(() => {
      if (this.#onLong()) this.isLong = true;
      else this.#ending.abort(new EndedForOthersError());
    }, this.#leftMs);
  }

  #stopCounting(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#countsSince));
  }
}
