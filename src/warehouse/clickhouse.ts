import type { ClickHouseClient } from '@clickhouse/client';
import { render } from '../sql/render.ts';
import type { Row } from '../sql/row.ts';
import type { Sql } from '../sql/sql.ts';
import { clickHouseDialect } from './clickhouse-dialect.ts';
import { toSqlValue } from './clickhouse-values.ts';
import { QueryTimeoutError, type SnapshotReference, type Warehouse } from './warehouse.ts';

/** Queries run on a ClickHouse server or cluster. */
export class ClickHouseWarehouse implements Warehouse {
  readonly #client: ClickHouseClient;
  readonly #database: string;
  readonly #timeoutSeconds: number;

  constructor(client: ClickHouseClient, database: string, timeoutSeconds: number) {
    this.#client = client;
    this.#database = database;
    this.#timeoutSeconds = timeoutSeconds;
  }

  async query(snapshot: SnapshotReference, queries: readonly Sql[], signal?: AbortSignal): Promise<Row[][]> {
    const results: Row[][] = [];
    for (const query of queries) results.push(await this.#run(snapshot, query, signal));
    return results;
  }

  async #run(snapshot: SnapshotReference, query: Sql, signal?: AbortSignal): Promise<Row[]> {
    const { text, parameters } = render(query, clickHouseDialect(this.#database));
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(this.#timeoutSeconds * 1000);
    try {
      const answer = await this.#client.query({
        query: text,
        format: 'JSONCompactEachRowWithNamesAndTypes',
        query_params: {
          ...Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value])),
          business_id: snapshot.business_id,
          snapshot_id: snapshot.snapshot_id,
        },
        abort_signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const [names = [], types = [], ...rows] = (await answer.json<unknown[]>()) as unknown[][];
      return rows.map((row) =>
        Object.fromEntries(
          row.map((value, index) => [names[index], toSqlValue(value, String(types[index]))]),
        ),
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted) throw new QueryTimeoutError(this.#timeoutSeconds);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
