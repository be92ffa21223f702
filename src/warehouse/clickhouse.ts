import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import type { Pieces } from '../main-thread/pieces.ts';
import { render } from '../sql/render.ts';
import type { Row } from '../sql/row.ts';
import type { Sql } from '../sql/sql.ts';
import { clickHouseDialect } from './clickhouse-dialect.ts';
import type { ClickHouseShards } from './clickhouse-shards.ts';
import { ARRIVED_SNAPSHOTS } from './clickhouse-tables.ts';
import { toSqlValue } from './clickhouse-values.ts';
import {
  BusyError,
  type Engine,
  NotArrivedError,
  QueryTimeoutError,
  QueryTooLargeError,
  readInPieces,
  type SnapshotReference,
} from './warehouse.ts';

/** Queries run on ClickHouse: each on the one server that has its business. */
export class ClickHouseEngine implements Engine {
  readonly #shards: ClickHouseShards;
  readonly #database: string;
  readonly #timeoutSeconds: number;
  /** The last snapshot of each business that was found to be there. */
  readonly #arrived = new Map<string, string>();

  constructor(shards: ClickHouseShards, database: string, timeoutSeconds: number) {
    this.#shards = shards;
    this.#database = database;
    this.#timeoutSeconds = timeoutSeconds;
  }

  async query(
    snapshot: SnapshotReference,
    queries: readonly Sql[],
    signal: AbortSignal,
  ): Promise<Pieces<Row[]>[]> {
    await this.#mustHaveArrived(snapshot, signal);
    const dialect = clickHouseDialect(this.#database);
    const results: Pieces<Row[]>[] = [];
    for (const query of queries) {
      const { text, parameters } = render(query, dialect);
      const values = Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]));
      results.push(await this.#run(snapshot, text, values, signal));
    }
    return results;
  }

  /** An empty result looks like an answer, so a snapshot that has not fully arrived is refused. */
  async #mustHaveArrived(snapshot: SnapshotReference, signal: AbortSignal): Promise<void> {
    const { business_id, snapshot_id } = snapshot;
    if (this.#arrived.get(business_id) === snapshot_id) return;
    const text = `select 1 as one from ${this.#database}.${ARRIVED_SNAPSHOTS}
      where business_id = {business_id: UUID} and snapshot_id = {snapshot_id: String} limit 1`;
    if ((await this.#run(snapshot, text, {}, signal)).next().value?.length === 0) throw new NotArrivedError();
    this.#arrived.set(business_id, snapshot_id);
  }

  async #run(
    snapshot: SnapshotReference,
    text: string,
    values: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Pieces<Row[]>> {
    signal.throwIfAborted();
    const ask = () =>
      askOnce(this.#shards.of(snapshot.business_id), text, { ...values, ...snapshot }, signal);
    try {
      // Asks once more after a lost connection; reads are idempotent.
      return await ask().catch((error) => (isLostConnection(error) ? ask() : Promise.reject(error)));
    } catch (error) {
      signal.throwIfAborted();
      throw this.#named(error);
    }
  }

  /** ClickHouse's own limits in our words. */
  #named(error: unknown): unknown {
    if (!(error instanceof ClickHouseError)) return error;
    switch (error.type) {
      case 'TIMEOUT_EXCEEDED':
        return new QueryTimeoutError(this.#timeoutSeconds);
      case 'MEMORY_LIMIT_EXCEEDED':
        return new QueryTooLargeError('memory', error);
      case 'TOO_MANY_ROWS_OR_BYTES':
        return new QueryTooLargeError('rows', error);
      case 'TOO_MANY_SIMULTANEOUS_QUERIES':
        return new BusyError('the warehouse is busy with other questions');
      default:
        return error;
    }
  }

  async close(): Promise<void> {
    await this.#shards.close();
  }
}

async function askOnce(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown>,
  abort_signal: AbortSignal,
): Promise<Pieces<Row[]>> {
  const format = 'JSONCompactEachRowWithNamesAndTypes';
  const answer = await client.query({ query, format, query_params, abort_signal });
  const lines = linesOf(await answer.text());
  const [names = [], types = []] = [lines.next().value, lines.next().value].map(
    (line) => JSON.parse(line ?? '[]') as string[],
  );
  return readInPieces(lines, (line) =>
    Object.fromEntries(
      (JSON.parse(line) as unknown[]).map((value, index) => [
        names[index],
        toSqlValue(value, String(types[index])),
      ]),
    ),
  );
}

function* linesOf(text: string): Generator<string, undefined> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? text.length : end);
    if (line !== '') yield line;
    start = end === -1 ? text.length : end + 1;
  }
}

function isLostConnection(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE';
}
