import { WindowCounts } from '../control/limits/window-counts.ts';
import { TryPlaces } from './try-places.ts';

/** The most that one account may do in a quarter of an hour, counted in each server process. */
const MOST = {
  stores: 10,
  roles: 60,
  uploads: 100,
  /** Checks and publications. */
  imports: 100,
  /** Tries of keys: each asks a vendor. */
  tries: 20,
  /** Reading now, pausing and the like. */
  connections: 100,
} as const;

/** Limits how often accounts do what costs this server work, or what only a person does. */
export class StoreLimits {
  readonly #counts = Object.fromEntries(
    Object.entries(MOST).map(([what, most]) => [what, new WindowCounts(most, { minutes: 15 })]),
  ) as Readonly<Record<keyof typeof MOST, WindowCounts>>;

  /** Decides who may try a key. */
  readonly tries = new TryPlaces();

  /** Counts one more. Gives the seconds to wait if it is too many; else 0. */
  add(what: keyof typeof MOST, accountId: string): number {
    return this.#counts[what].add(accountId);
  }
}
