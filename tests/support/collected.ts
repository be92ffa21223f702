import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Enough for objects that are let go by callbacks of other collected ones, each a turn later. */
const MOST_COLLECTIONS = 50;

/**
 * Counts those of the objects it was told of that are still in memory: what holds one longer than its work is
 * a leak.
 */
export class Collected {
  readonly #references: WeakRef<object>[] = [];

  /** The same object, from now on counted. */
  watch<Watched extends object>(watched: Watched): Watched {
    this.#references.push(new WeakRef(watched));
    return watched;
  }

  get made(): number {
    return this.#references.length;
  }

  /** How many are left when all that can be collected was; ends early when no more than `expected` are. */
  async left(expected: number): Promise<number> {
    for (let collection = 0; collection < MOST_COLLECTIONS; collection += 1) {
      // A reference that was read holds its object until the end of the turn.
      await wait(10);
      collect();
      const left = this.#references.filter((reference) => reference.deref() !== undefined).length;
      if (left <= expected) return left;
    }
    return this.#references.filter((reference) => reference.deref() !== undefined).length;
  }
}
