import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** So many per minute for each key. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(perMinute: number) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  }

  /** Counts, and tells how long to wait; 0 when there is no need. */
  async secondsToWait(key: string, count = 1): Promise<number> {
    try {
      await this.#limiter.consume(key, count);
      return 0;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw refused;
    }
  }
}
