import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ModelTable } from '../model-table/model-table.ts';
import { MODEL_TABLES } from '../snapshot/build/model-tables.ts';
import type { ClickHouseShards } from './clickhouse-shards.ts';
import { ARRIVED_SNAPSHOTS, CLICKHOUSE_TABLES } from './clickhouse-tables.ts';
import type { SnapshotReference } from './warehouse.ts';

const OWN_ROWS = 'business_id = {business_id: UUID} and snapshot_id = {snapshot_id: String}';

/** Brings finished snapshots to ClickHouse, and takes old ones away. */
export class ClickHousePublisher {
  readonly #shards: ClickHouseShards;
  readonly #database: string;
  readonly #cluster: string | undefined;

  constructor(shards: ClickHouseShards, database: string, cluster?: string) {
    this.#shards = shards;
    this.#database = database;
    this.#cluster = cluster;
  }

  /**
   * Copies a snapshot's tables, checks that they arrived whole, and only then says so where readers look. One that was
   * interrupted begins anew.
   *
   * @param file of DuckDB
   * @returns false when it was there already
   */
  async publish(snapshot: SnapshotReference, file: string): Promise<boolean> {
    const server = this.#shards.of(snapshot.business_id);
    if (await this.#has(server, ARRIVED_SNAPSHOTS, OWN_ROWS, snapshot)) return false;
    for (const table of await this.#tablesWith(server, OWN_ROWS, snapshot)) {
      await this.#remove(server, table, OWN_ROWS, snapshot, 'and wait');
    }
    const replicas = await this.#replicas(server);
    const folder = await mkdtemp(join(dirname(file), 'publishing-'));
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', temp_directory: '' });
    const connection = await instance.connect();
    try {
      for (const table of await tablesWithRows(connection)) {
        const parquet = join(folder, `${table.name}.parquet`);
        await this.#copy(server, connection, snapshot, table, parquet, replicas);
        await rm(parquet);
        await this.#check(server, connection, snapshot, table);
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true, force: true });
    }
    await server.insert({
      table: `${this.#database}.${ARRIVED_SNAPSHOTS}`,
      values: [{ ...snapshot, arrived_at: new Date().toISOString() }],
      format: 'JSONEachRow',
      clickhouse_settings: { ...insertSettings(replicas), date_time_input_format: 'best_effort' },
    });
    return true;
  }

  /** How many servers hold each row. */
  async #replicas(server: ClickHouseClient): Promise<number> {
    if (this.#cluster === undefined) return 1;
    const [row = [0]] = await this.#rows<[number]>(
      server,
      'select max(replica_num) from system.clusters where cluster = {cluster: String}',
      { cluster: this.#cluster },
    );
    if (row[0] === 0) throw new Error(`the ClickHouse server knows no cluster ${this.#cluster}`);
    return row[0];
  }

  async #copy(
    server: ClickHouseClient,
    connection: DuckDBConnection,
    snapshot: SnapshotReference,
    table: ModelTable,
    parquet: string,
    replicas: number,
  ): Promise<void> {
    const columns = Object.keys(table.columns);
    await connection.run(
      `copy (
        select cast('${snapshot.business_id}' as uuid) as business_id, '${snapshot.snapshot_id}' as snapshot_id,
          ${columns.join(', ')}
        from ${table.name}
      ) to '${parquet.replaceAll("'", "''")}' (format parquet)`,
    );
    const { stream } = await server.exec({
      query: `insert into ${this.#database}.${table.name} (business_id, snapshot_id, ${columns.join(', ')}) format Parquet`,
      values: createReadStream(parquet),
      clickhouse_settings: { ...insertSettings(replicas), input_format_null_as_default: 0 },
    });
    stream.resume();
  }

  /** Rows, how many values each column has, and what its numbers add up to, are the same on both sides. */
  async #check(
    server: ClickHouseClient,
    connection: DuckDBConnection,
    snapshot: SnapshotReference,
    table: ModelTable,
  ): Promise<void> {
    const columns = Object.keys(table.columns);
    const numbers = columns.filter((column) => table.columns[column]?.isNumber);
    const measures = [
      'count(*)',
      ...columns.map((column) => `count(${column})`),
      ...numbers.map((column) => `coalesce(sum(${column}), 0)`),
    ];
    const [here = []] = (
      await connection.runAndReadAll(`select ${measures.join(', ')} from ${table.name}`)
    ).getRows();
    const [there = []] = await this.#rows<string[]>(
      server,
      `select ${measures.map((measure) => `toString(${measure})`).join(', ')} from ${this.#database}.${table.name}
        where ${OWN_ROWS}`,
      snapshot,
    );
    const differing = measures.find(
      (_, index) => plainNumber(String(here[index])) !== plainNumber(String(there[index])),
    );
    if (differing !== undefined) {
      throw new Error(`${table.name} did not arrive whole at the warehouse: ${differing} differs`);
    }
  }

  /**
   * Takes away the named snapshots of a business; nothing reads them, so nothing waits for it. What lies on a shard where
   * the business lived before there were more of them goes too.
   */
  async remove(businessId: string, going: readonly string[], staying: readonly string[]): Promise<void> {
    const own = this.#shards.of(businessId);
    const named = 'business_id = {business_id: UUID} and has({snapshot_ids: Array(String)}, snapshot_id)';
    for (const server of this.#shards.all) {
      const snapshot_ids = server === own ? [...going] : [...going, ...staying];
      const values = { business_id: businessId, snapshot_ids };
      for (const table of await this.#tablesWith(server, named, values)) {
        await this.#remove(server, table, named, values, 'soon');
      }
    }
  }

  /** The tables that have such rows, asked all at once. */
  async #tablesWith(server: ClickHouseClient, condition: string, values: object): Promise<string[]> {
    const tables = CLICKHOUSE_TABLES.map(
      ({ name: table }) => `(select '${table}' from ${this.#database}.${table} where ${condition} limit 1)`,
    );
    return (await this.#rows<[string]>(server, tables.join(' union all '), values)).map(([table]) => table);
  }

  async #remove(
    server: ClickHouseClient,
    table: string,
    condition: string,
    values: object,
    when: 'and wait' | 'soon',
  ): Promise<void> {
    const partitions = await this.#rows<[string]>(
      server,
      `select distinct _partition_id from ${this.#database}.${table} where ${condition}`,
      values,
    );
    for (const [partition] of partitions) {
      await server.command({
        query: `delete from ${this.#database}.${table} in partition id '${partition}' where ${condition}`,
        query_params: { ...values },
        clickhouse_settings: { lightweight_deletes_sync: when === 'soon' ? '0' : '2' },
      });
    }
  }

  async #has(server: ClickHouseClient, table: string, condition: string, values: object): Promise<boolean> {
    const found = await this.#rows(
      server,
      `select 1 from ${this.#database}.${table} where ${condition} limit 1`,
      values,
    );
    return found.length > 0;
  }

  async #rows<Row>(server: ClickHouseClient, query: string, values: object): Promise<Row[]> {
    const answer = await server.query({ query, query_params: { ...values }, format: 'JSONCompactEachRow' });
    return answer.json<Row>() as Promise<Row[]>;
  }

  async close(): Promise<void> {
    await this.#shards.close();
  }
}

async function tablesWithRows(connection: DuckDBConnection): Promise<readonly ModelTable[]> {
  const tables = MODEL_TABLES.map(({ name }) => `(select '${name}' from ${name} limit 1)`);
  const names = new Set(
    (await connection.runAndReadAll(tables.join(' union all '))).getRows().map(([name]) => String(name)),
  );
  return MODEL_TABLES.filter(({ name }) => names.has(name));
}

/** Written means written on every replica, so that a reader may ask any. The same rows again are rows, not a repetition. */
function insertSettings(replicas: number): { insert_quorum?: string; insert_deduplicate: 0 } {
  return { insert_deduplicate: 0, ...(replicas > 1 ? { insert_quorum: String(replicas) } : {}) };
}

/** `12.3400` and `12.34` are one number, however many digits it has. */
function plainNumber(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
