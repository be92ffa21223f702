import type { Row } from '../sql/row.ts';
import type { Sql } from '../sql/sql.ts';

/** Which data a call reads: one snapshot of one business. */
export interface SnapshotReference {
  readonly business_id: string;
  readonly snapshot_id: string;
}

/** Where the queries of tools run. A tool does not know which engine this is. */
export interface Warehouse {
  /**
   * Runs queries one after another on one snapshot, which stays readable until the last one ends.
   *
   * @throws QueryTimeoutError when one takes too long
   * @throws BusyError when none could start in that time
   * @throws the signal's reason when the caller went away
   */
  query(snapshot: SnapshotReference, queries: readonly Sql[], signal?: AbortSignal): Promise<Row[][]>;
  close(): Promise<void>;
}

export class QueryTimeoutError extends Error {
  override readonly name = 'QueryTimeoutError';

  constructor(seconds: number) {
    super(`the query took longer than ${seconds} s; ask for a shorter range or fewer rows`);
  }
}

export class BusyError extends Error {
  override readonly name = 'BusyError';

  constructor() {
    super('the server is busy with other questions; try again in a moment');
  }
}
