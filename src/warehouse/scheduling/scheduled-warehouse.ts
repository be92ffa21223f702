import type { Statement, StatementOutcome } from '../../answers/caller-statement.ts';
import type { Pieces } from '../../main-thread/pieces.ts';
import { mainThread } from '../../main-thread/turns.ts';
import type { Row } from '../../sql/row.ts';
import type { Sql } from '../../sql/sql.ts';
import type { StatementsApart } from '../statements/statements-apart.ts';
import type { Asker, Engine, SnapshotReference, Warehouse } from '../warehouse.ts';
import type { Scheduler, SchedulerState } from './scheduler.ts';

/**
 * An engine that many ask at once, and beside it the processes for callers' own statements; null: there are
 * none.
 */
export class ScheduledWarehouse implements Warehouse {
  readonly #engine: Engine;
  readonly #scheduler: Scheduler;
  readonly #statements: StatementsApart | null;

  constructor(engine: Engine, scheduler: Scheduler, statements: StatementsApart | null) {
    this.#statements = statements;
    this.#engine = engine;
    this.#scheduler = scheduler;
  }

  async query(
    snapshot: SnapshotReference,
    queries: readonly Sql[],
    asker: Asker,
    signal?: AbortSignal,
  ): Promise<Row[][]> {
    const results = await this.#scheduler.run(
      { ...asker, business: snapshot.business_id },
      (stop) => this.#engine.query(snapshot, queries, stop),
      signal,
    );
    // This is outside of the scheduler: waiting for the main thread must not make a query a long one.
    return mainThread.run(asker.account, readAll(results), signal);
  }

  async ask(
    snapshot: SnapshotReference,
    statement: Statement,
    asker: Asker,
    signal?: AbortSignal,
  ): Promise<StatementOutcome> {
    if (this.#statements === null) throw new Error('this warehouse takes no statements');
    return this.#statements.ask(snapshot, statement, asker, signal);
  }

  get state(): SchedulerState {
    return this.#scheduler.state;
  }

  /** An engine in which something still runs is left to the end of the process: closing it would wait. */
  async close(): Promise<void> {
    await this.#statements?.close();
    if (await this.#scheduler.stop()) await this.#engine.close();
  }
}

function* readAll(results: readonly Pieces<Row[]>[]): Pieces<Row[][]> {
  const read: Row[][] = [];
  for (const rows of results) read.push(yield* rows);
  return read;
}
