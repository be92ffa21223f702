import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ARRIVED_SNAPSHOTS, CLICKHOUSE_TABLES } from '../../src/warehouse/clickhouse-tables.ts';
import type { SnapshotReference } from '../../src/warehouse/warehouse.ts';

/**
 * A snapshot on the ClickHouse of the tests, table by table: most tests ask few of the sixty.
 * `ClickHouseCopier` brings all of them; the tests in `tests/warehouse` are about that.
 *
 * Each has a business of its own there, which spreads them over the partitions, as merchants would.
 */
export class PublishedSnapshot {
  readonly reference: SnapshotReference = { business_id: randomUUID(), snapshot_id: 'tests' };
  readonly #server: ClickHouseClient;
  readonly #connection: DuckDBConnection;
  /** The schema under which the snapshot's tables stand there. */
  readonly #schema: string;
  readonly #folder: string;
  readonly #tables = new Map<string, Promise<void>>();

  private constructor(
    server: ClickHouseClient,
    connection: DuckDBConnection,
    schema: string,
    folder: string,
  ) {
    this.#server = server;
    this.#connection = connection;
    this.#schema = schema;
    this.#folder = folder;
  }

  static async open(file: string, server: ClickHouseClient): Promise<PublishedSnapshot> {
    const folder = await mkdtemp(join(tmpdir(), 'storesight-publishing-'));
    const connection = await connect();
    const schema = `snapshot_${randomUUID().replaceAll('-', '')}`;
    await connection.run(`attach '${file}' as ${schema} (read_only)`);
    const published = new PublishedSnapshot(server, connection, schema, folder);
    await server.insert({
      table: `storesight.${ARRIVED_SNAPSHOTS}`,
      values: [{ ...published.reference, arrived_at: '2000-01-01 00:00:00' }],
      format: 'JSONEachRow',
    });
    return published;
  }

  /** Those of the tables that are not there yet. */
  async bring(tables: ReadonlySet<string>): Promise<void> {
    for (const table of tables) {
      const arriving = this.#tables.get(table) ?? this.#copy(table);
      this.#tables.set(table, arriving);
      await arriving;
    }
  }

  async #copy(table: string): Promise<void> {
    const columns = Object.keys(CLICKHOUSE_TABLES.find(({ name }) => name === table)?.columns ?? {}).join(
      ', ',
    );
    const { business_id, snapshot_id } = this.reference;
    const file = join(this.#folder, `${table}.parquet`);
    const copied = await this.#connection.runAndReadAll(
      `copy (select cast('${business_id}' as uuid) as business_id, '${snapshot_id}' as snapshot_id, ${columns}
        from ${this.#schema}.${table}) to '${file}' (format parquet)`,
    );
    const [[rows] = []] = copied.getRows();
    if (rows === 0n) return;
    const { stream } = await this.#server.exec({
      query: `insert into storesight.${table} (business_id, snapshot_id, ${columns}) format Parquet`,
      values: createReadStream(file),
      clickhouse_settings: { input_format_null_as_default: 0 },
    });
    stream.resume();
    await rm(file);
  }

  async close(): Promise<void> {
    await this.#connection.run(`detach ${this.#schema}`);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

let connected: Promise<DuckDBConnection> | undefined;

/** One for all snapshots of a process: making an instance takes longer than copying a small table. */
function connect(): Promise<DuckDBConnection> {
  connected ??= DuckDBInstance.create(':memory:').then((instance) => instance.connect());
  return connected;
}
