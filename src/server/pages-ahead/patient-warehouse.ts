import { setTimeout as sleep } from 'node:timers/promises';
import type { Warehouse } from '../../warehouse/warehouse.ts';

/** How often it is looked whether somebody else asks anything. */
const LOOK_MS = 25;

interface Patience {
  /** Whether nobody else asks anything now. */
  readonly isIdle: () => boolean;
  /** Whether the work is still of use; else its next question is refused. */
  readonly isOfUse: () => Promise<boolean>;
}

/** Thrown where the work has become useless, as when another snapshot is served. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError';
}

/**
 * A warehouse for work that nobody waits for. Its questions are asked one after the other, each when nobody
 * else asks anything, and after each it rests for as long as that took: on a machine that is busy with other
 * programs it takes the less.
 */
export class PatientWarehouse implements Warehouse {
  readonly #warehouse: Warehouse;
  readonly #patience: Patience;
  #last: Promise<unknown> = Promise.resolve();

  constructor(warehouse: Warehouse, patience: Patience) {
    this.#warehouse = warehouse;
    this.#patience = patience;
  }

  /**
   * @throws OutdatedError
   * @throws what the warehouse throws
   */
  query(...asked: Parameters<Warehouse['query']>): ReturnType<Warehouse['query']> {
    const [, , , signal] = asked;
    return this.#inLine(signal, () => this.#warehouse.query(...asked));
  }

  ask(...asked: Parameters<Warehouse['ask']>): ReturnType<Warehouse['ask']> {
    const [, , , signal] = asked;
    return this.#inLine(signal, () => this.#warehouse.ask(...asked));
  }

  /** The warehouse is others', who close it. */
  async close(): Promise<void> {}

  #inLine<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(async () => {
      const options = { signal, ref: false };
      while (!this.#patience.isIdle()) await sleep(LOOK_MS, null, options);
      signal?.throwIfAborted();
      if (!(await this.#patience.isOfUse())) throw new OutdatedError();
      const startedAt = performance.now();
      const result = await work();
      await sleep(performance.now() - startedAt, null, options);
      return result;
    });
    this.#last = done.catch(() => {});
    return done;
  }
}
