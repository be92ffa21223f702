/** The most pages of one account that are being made or wait. */
const MOST_OF_ACCOUNT = 8;

/** Thrown when too many pages of the account wait already. */
export class TooManyPagesError extends Error {
  override readonly name = 'TooManyPagesError';
}

interface Line {
  pages: number;
  /** Settles when the page that came last has ended; it never rejects. */
  last: Promise<void>;
}

/**
 * Pages with numbers ask some thirty tools at once, so those of one account are made one after the other.
 * Their work is the account's own, as that of its calls: somebody who reloads a page in a loop waits only for
 * themselves.
 */
export class PageTurns {
  readonly #lines = new Map<string, Line>();

  /**
   * @param signal of a client that may go away; no work is begun for one that did
   * @throws TooManyPagesError, the signal's reason, and what the work throws
   */
  async run<Result>(accountId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(accountId) ?? { pages: 0, last: Promise.resolve() };
    if (line.pages >= MOST_OF_ACCOUNT) throw new TooManyPagesError();
    this.#lines.set(accountId, line);
    line.pages += 1;
    const before = line.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    line.last = promise;
    try {
      await Promise.race([before, rejectedBy(signal)]);
      signal.throwIfAborted();
      return await work();
    } finally {
      // A page that left the line before its turn lets the next one go on when that turn comes.
      before.then(resolve, resolve);
      line.pages -= 1;
      if (line.pages === 0) this.#lines.delete(accountId);
    }
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
