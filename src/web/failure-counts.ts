const WINDOW_MS = 15 * 60_000;
/** About 10 MB. Beyond it the oldest are forgotten, which only somebody with as many networks can bring about. */
const MOST_REMEMBERED = 50_000;

interface Failures {
  count: number;
  readonly until: number;
}

/** How often something failed in the quarter of an hour that began with the first failure. */
export class FailureCounts {
  readonly #most: number;
  /** All last as long, so the oldest, which come first, end first. */
  readonly #failures = new Map<string, Failures>();

  /** @param most that a quarter of an hour may have */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one. Gives the seconds to wait when it was one too many; else 0. */
  add(key: string): number {
    const now = Date.now();
    this.#forgetOldest(now);
    const failures = this.#failures.get(key) ?? { count: 0, until: now + WINDOW_MS };
    this.#failures.set(key, failures);
    failures.count = Math.min(failures.count + 1, this.#most + 1);
    return failures.count > this.#most ? Math.ceil((failures.until - now) / 1000) : 0;
  }

  takeBack(key: string): void {
    const failures = this.#failures.get(key);
    if (failures !== undefined && failures.count > 0) failures.count -= 1;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  #forgetOldest(now: number): void {
    for (const [key, { until }] of this.#failures) {
      if (until > now && this.#failures.size < MOST_REMEMBERED) return;
      this.#failures.delete(key);
    }
  }
}
