import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

const MINUTE = 60_000;

/**
 * Counts what is refused, and logs it: of one caller and reason once a minute, or an angry client fills the
 * disk.
 */
export class Refusals {
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #counts = new Map<string, number>();
  #since = Date.now();

  constructor(log: Logger, metrics: Metrics) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /** @param caller an account_id */
  add(reason: string, caller: string): void {
    this.#metrics.observeRefusal(reason);
    if (Date.now() - this.#since > MINUTE) {
      this.#counts.clear();
      this.#since = Date.now();
    }
    const key = `${reason} ${caller}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count === 1)
      this.#log.warn({ caller, reason }, 'refused; further refusals of this minute are counted only');
  }
}
