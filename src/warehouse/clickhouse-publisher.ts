import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { CLICKHOUSE_TABLES } from './clickhouse-tables.ts';
import type { SnapshotReference } from './warehouse.ts';

/** Brings finished snapshots to ClickHouse, and takes old ones away. Nothing reads one before the pointer says so. */
export class ClickHousePublisher {
  readonly #client: ClickHouseClient;
  readonly #database: string;

  constructor(client: ClickHouseClient, database: string) {
    this.#client = client;
    this.#database = database;
  }

  /**
   * Copies a snapshot's tables and checks that they arrived whole. What arrived of one that did not goes before the
   * next import.
   *
   * @param file of DuckDB
   */
  async publish(snapshot: SnapshotReference, file: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'storesight-publish-'));
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    try {
      for (const table of Object.keys(CLICKHOUSE_TABLES)) {
        await this.#copy(connection, snapshot, table, join(folder, `${table}.parquet`));
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #copy(
    connection: DuckDBConnection,
    snapshot: SnapshotReference,
    table: string,
    parquet: string,
  ): Promise<void> {
    const columns = Object.keys(CLICKHOUSE_TABLES[table]?.columns ?? {});
    await connection.run(
      `copy (
        select cast('${snapshot.business_id}' as uuid) as business_id, '${snapshot.snapshot_id}' as snapshot_id,
          ${columns.join(', ')}
        from ${table}
      ) to '${parquet}' (format parquet)`,
    );
    const { stream } = await this.#client.exec({
      query: `insert into ${this.#database}.${table} (business_id, snapshot_id, ${columns.join(', ')}) format Parquet`,
      values: createReadStream(parquet),
      clickhouse_settings: { input_format_null_as_default: 0 },
    });
    stream.resume();
    await this.#check(connection, snapshot, table, columns);
  }

  /** Rows, how many values each column has, and what its numbers add up to, are the same on both sides. */
  async #check(
    connection: DuckDBConnection,
    snapshot: SnapshotReference,
    table: string,
    columns: readonly string[],
  ): Promise<void> {
    const types = CLICKHOUSE_TABLES[table]?.columns ?? {};
    const numbers = columns.filter((column) => /Int32|Decimal/.test(types[column] ?? ''));
    const measures = [
      'count(*)',
      ...columns.map((column) => `count(${column})`),
      ...numbers.map((column) => `coalesce(sum(${column}), 0)`),
    ];
    const [here = []] = (
      await connection.runAndReadAll(`select ${measures.join(', ')} from ${table}`)
    ).getRows();
    const answer = await this.#client.query({
      query: `select ${measures.map((measure) => `toString(${measure})`).join(', ')} from ${this.#database}.${table}
        where business_id = {business_id: UUID} and snapshot_id = {snapshot_id: String}`,
      format: 'JSONCompactEachRow',
      query_params: { ...snapshot },
    });
    const [there = []] = (await answer.json<unknown[]>()) as unknown[][];
    const differing = measures.find((_, index) => Number(String(here[index])) !== Number(there[index]));
    if (differing !== undefined) {
      throw new Error(`${table} did not arrive whole at the warehouse: ${differing} differs`);
    }
  }

  async keepOnly(business_id: string, snapshotIds: readonly string[]): Promise<void> {
    for (const table of Object.keys(CLICKHOUSE_TABLES)) {
      const others = `business_id = {business_id: UUID} and not has({snapshot_ids: Array(String)}, snapshot_id)`;
      const query_params = { business_id, snapshot_ids: [...snapshotIds] };
      const answer = await this.#client.query({
        query: `select 1 from ${this.#database}.${table} where ${others} limit 1`,
        format: 'JSONCompactEachRow',
        query_params,
      });
      if ((await answer.json<unknown>()).length === 0) continue;
      await this.#client.command({
        query: `delete from ${this.#database}.${table} where ${others}`,
        query_params,
      });
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
