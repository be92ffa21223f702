import type { Statement, StatementOutcome } from '../answers/caller-statement.ts';
import type { Pieces } from '../main-thread/pieces.ts';
import type { Row } from '../sql/row.ts';
import type { Sql } from '../sql/sql.ts';

/** The data that a call reads: one snapshot of one business. */
export interface SnapshotReference {
  readonly business_id: string;
  readonly snapshot_id: string;
}

/** The account for which queries run, so that all get their share. */
export interface Asker {
  readonly account: string;
  /** What is asked, for example the tool: how long it took before tells how long it may take. */
  readonly question: string;
}

/** Where the queries of tools run. A tool does not know which engine this is. */
export interface Warehouse {
  /**
   * Runs queries one after another on one snapshot, which stays readable until the last one ends.
   *
   * @throws QueryTimeoutError when they take too long
   * @throws QueryTooLargeError when one needs more memory or disk than it may have, or has too many rows
   * @throws BusyError when too many wait, or no query could start in that time
   * @throws NotArrivedError when the snapshot is not there
   * @throws UnreadableSnapshotError when its file is missing or damaged
   * @throws StoppingError when the warehouse closes
   * @throws the signal's reason when the caller went away
   */
  query(
    snapshot: SnapshotReference,
    queries: readonly Sql[],
    asker: Asker,
    signal?: AbortSignal,
  ): Promise<Row[][]>;
  /**
   * Runs what a caller wrote, apart from everything else, on the files of one snapshot.
   *
   * @throws InputError in words for the caller, of a statement that is not allowed, is wrong, or takes too
   *   much
   * @throws what `query` throws
   */
  ask(
    snapshot: SnapshotReference,
    statement: Statement,
    asker: Asker,
    signal?: AbortSignal,
  ): Promise<StatementOutcome>;
  /** Ends what runs, and closes. */
  close(): Promise<void>;
}

/** What runs queries as they come; a scheduler in front decides when. */
export interface Engine {
  /**
   * @param signal ends the queries soon after it aborts
   * @returns of each query its rows, still to be read from what the engine gave
   * @throws what `Warehouse.query` throws, but for what a scheduler does
   */
  query(snapshot: SnapshotReference, queries: readonly Sql[], signal: AbortSignal): Promise<Pieces<Row[]>[]>;
  /** Called when no query runs. */
  close(): Promise<void>;
}

/** Far above what any tool asks for; below what would fill this process. */
export const MOST_RESULT_ROWS = 200_000;

/** How many rows are read in one piece. */
const ROWS_OF_PIECE = 50;

/** Reads rows a few at a time. */
export function* readInPieces<Given>(given: Iterable<Given>, read: (row: Given) => Row): Pieces<Row[]> {
  const rows: Row[] = [];
  for (const row of given) {
    rows.push(read(row));
    if (rows.length % ROWS_OF_PIECE === 0) yield;
  }
  return rows;
}

/** What kept a query from its answer, in words for the caller. */
export abstract class WarehouseError extends Error {}

export class QueryTimeoutError extends WarehouseError {
  override readonly name = 'QueryTimeoutError';

  constructor(seconds: number) {
    super(`the query took longer than ${seconds} s; ask for a shorter range or fewer rows`);
  }
}

export class QueryTooLargeError extends WarehouseError {
  override readonly name = 'QueryTooLargeError';

  constructor(what: 'memory' | 'temporary disk space' | 'rows', cause?: unknown) {
    super(`the query needs more ${what} than the server has for one; ask for a shorter range or fewer rows`, {
      cause,
    });
  }
}

export class BusyError extends WarehouseError {
  override readonly name = 'BusyError';

  /** @param reason whose questions are in the way */
  constructor(reason = 'the server is busy with other questions') {
    super(`${reason}; try again in a moment`);
  }
}

export class StoppingError extends WarehouseError {
  override readonly name = 'StoppingError';

  constructor() {
    super('the server is stopping; try again in a moment');
  }
}

/** The file stands in the cause alone: paths of the server are not for its callers. */
export class UnreadableSnapshotError extends WarehouseError {
  override readonly name = 'UnreadableSnapshotError';

  constructor(file: string, error: Error) {
    super(
      'the data of this business cannot be read on this server; whoever runs it finds the reason in its log',
      { cause: new Error(`${file} cannot be read: ${error.message}`) },
    );
  }
}

export class NotArrivedError extends WarehouseError {
  override readonly name = 'NotArrivedError';

  constructor() {
    super(
      'the data of this business are not in the warehouse; whoever runs this server brings them with `storesight warehouse init`',
    );
  }
}
