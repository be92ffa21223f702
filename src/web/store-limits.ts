import { WindowCounts } from '../control/window-counts.ts';

/** What one account may do in a quarter of an hour. Counted in each server process. */
const MOST = {
  stores: 10,
  roles: 60,
  uploads: 100,
  /** Checks, and what is published. */
  imports: 100,
  /** Keys that are tried: each asks a vendor. */
  tries: 20,
  /** Reading now, pausing and the like. */
  sources: 100,
} as const;

/** Keys that are tried at the same time, in all. Of one account: one. */
const MOST_TRIES_AT_ONCE = 10;

/** How often accounts do what costs this server work, or what only a person does. */
export class StoreLimits {
  readonly #counts = Object.fromEntries(
    Object.entries(MOST).map(([what, most]) => [what, new WindowCounts(most, { minutes: 15 })]),
  ) as Readonly<Record<keyof typeof MOST, WindowCounts>>;

  readonly #trying = new Set<string>();

  /** A place to try a key, until it is disposed of; null while the account tries another, or too many do. */
  tryKey(accountId: string): Disposable | null {
    if (this.#trying.has(accountId) || this.#trying.size >= MOST_TRIES_AT_ONCE) return null;
    this.#trying.add(accountId);
    return { [Symbol.dispose]: () => this.#trying.delete(accountId) };
  }

  /** Counts one. Gives the seconds to wait when it was one too many; else 0. */
  add(what: keyof typeof MOST, accountId: string): number {
    return this.#counts[what].add(accountId);
  }
}
