const WINDOW_MS = 15 * 60_000;
/** About 10 MB. Beyond it the oldest are forgotten, which only somebody with as many networks can bring about. */
const MOST_REMEMBERED = 50_000;

interface Counted {
  count: number;
  readonly until: number;
}

/** How often something happened in the quarter of an hour that began with its first time. */
export class QuarterHourCounts {
  readonly #most: number;
  /** All of them last a quarter of an hour, so the oldest ones, which come first, end first. */
  readonly #counted = new Map<string, Counted>();

  /** @param most that a quarter of an hour may have */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one. Gives the seconds to wait when it was one too many; else 0. */
  add(key: string): number {
    const now = Date.now();
    this.#forgetOldest(now);
    const counted = this.#counted.get(key) ?? { count: 0, until: now + WINDOW_MS };
    this.#counted.set(key, counted);
    counted.count = Math.min(counted.count + 1, this.#most + 1);
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
