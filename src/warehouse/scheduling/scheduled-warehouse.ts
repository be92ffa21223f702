import type { Row } from '../../sql/row.ts';
import type { Sql } from '../../sql/sql.ts';
import type { Asker, Engine, SnapshotReference, Warehouse } from '../warehouse.ts';
import type { Scheduler, SchedulerState } from './scheduler.ts';

/** An engine that many ask at once. */
export class ScheduledWarehouse implements Warehouse {
  readonly #engine: Engine;
  readonly #scheduler: Scheduler;

  constructor(engine: Engine, scheduler: Scheduler) {
    this.#engine = engine;
    this.#scheduler = scheduler;
  }

  query(
    snapshot: SnapshotReference,
    queries: readonly Sql[],
    asker: Asker,
    signal?: AbortSignal,
  ): Promise<Row[][]> {
    return this.#scheduler.run(
      { ...asker, business: snapshot.business_id },
      (stop) => this.#engine.query(snapshot, queries, stop),
      signal,
    );
  }

  get state(): SchedulerState {
    return this.#scheduler.state;
  }

  /** An engine in which something still runs is left to the end of the process: closing it would wait. */
  async close(): Promise<void> {
    if (await this.#scheduler.stop()) await this.#engine.close();
  }
}
