import { WindowCounts } from '../control/limits/window-counts.ts';
import { TryPlaces } from './try-places.ts';

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

/** How often accounts do what costs this server work, or what only a person does. */
export class StoreLimits {
  readonly #counts = Object.fromEntries(
    Object.entries(MOST).map(([what, most]) => [what, new WindowCounts(most, { minutes: 15 })]),
  ) as Readonly<Record<keyof typeof MOST, WindowCounts>>;

  /** Who tries a key. */
  readonly tries = new TryPlaces();

  /** Counts one. Gives the seconds to wait when it was one too many; else 0. */
  add(what: keyof typeof MOST, accountId: string): number {
    return this.#counts[what].add(accountId);
  }
}
