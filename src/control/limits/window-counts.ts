/**
 * These take about 10 MB. Beyond this number the oldest are forgotten; only somebody with that many keys,
 * such as networks, can cause it.
 */
const MOST_REMEMBERED = 50_000;

interface Counted {
  count: number;
  readonly until: number;
}

/** How often something happened, of each key in the window of time that began with its first time. */
export class WindowCounts {
  readonly #most: number;
  readonly #windowMs: number;
  /** All of them last equally long, so the oldest ones, which come first, end first. */
  readonly #counted = new Map<string, Counted>();

  /** @param most that a window may have, of each key */
  constructor(most: number, { minutes }: { readonly minutes: number }) {
    this.#most = most;
    this.#windowMs = minutes * 60_000;
  }

  /** The number of keys for which something is counted now. */
  get size(): number {
    return this.#counted.size;
  }

  /** Counts one, or several at once. Gives the seconds to wait when they were too many; else 0. */
  add(key: string, count = 1): number {
    const now = Date.now();
    this.#forgetOldest(now);
    const counted = this.#counted.get(key) ?? { count: 0, until: now + this.#windowMs };
    this.#counted.set(key, counted);
    counted.count = Math.min(counted.count + count, this.#most + 1);
    return counted.count > this.#most ? Math.ceil((counted.until - now) / 1000) : 0;
  }

  takeBack(key: string): void {
    const counted = this.#counted.get(key);
    if (counted !== undefined && counted.count > 0) counted.count -= 1;
  }

  forget(key: string): void {
    this.#counted.delete(key);
  }

  #forgetOldest(now: number): void {
    for (const [key, { until }] of this.#counted) {
      if (until > now && this.#counted.size < MOST_REMEMBERED) return;
      this.#counted.delete(key);
    }
  }
}
