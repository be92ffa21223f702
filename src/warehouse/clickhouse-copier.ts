import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ReasonError } from '../errors.ts';
import type { ModelTable, PersonKey } from '../model-table/model-table.ts';
import { MODEL_TABLES } from '../snapshot/build/model-tables.ts';
import type { ModelChanges } from '../snapshot/incremental/model-changes.ts';
import { OWNERS, PERSON_TABLES } from '../snapshot/incremental/person-tables.ts';
import { literal } from '../store/duckdb-session.ts';
import { partitionOf } from './clickhouse-schema.ts';
import type { ClickHouseShards } from './clickhouse-shards.ts';
import { AFFECTED_PERSONS, ARRIVED_SNAPSHOTS, CLICKHOUSE_TABLES } from './clickhouse-tables.ts';
import type { SnapshotReference } from './warehouse.ts';

/** What is under way while a snapshot is copied. */
interface Copying {
  readonly server: ClickHouseClient;
  /** The connection to the snapshot's model. */
  readonly connection: DuckDBConnection;
  readonly snapshot: SnapshotReference;
  /** The folder for files on the way. */
  readonly folder: string;
  readonly replicas: number;
}

const OWN_ROWS = 'business_id = {business_id: UUID} and snapshot_id = {snapshot_id: String}';

const PERSON_KEYS = new Map(PERSON_TABLES.map(({ table, key }) => [table.name, key]));

/** Brings finished snapshots to ClickHouse, and takes old ones away. */
export class ClickHouseCopier {
  readonly #shards: ClickHouseShards;
  readonly #database: string;
  readonly #cluster: string | undefined;

  constructor(shards: ClickHouseShards, database: string, cluster?: string) {
    this.#shards = shards;
    this.#database = database;
    this.#cluster = cluster;
  }

  /**
   * Copies a snapshot's tables, checks that they arrived whole, and only then says so where readers look. One
   * that was interrupted begins anew.
   *
   * @param file of DuckDB
   * @param changes what is new since an earlier snapshot; where that is there, the rest is taken from it
   *   without leaving the server
   * @returns false when it was there already
   */
  async copy(
    snapshot: SnapshotReference,
    file: string,
    changes: ModelChanges | null = null,
  ): Promise<boolean> {
    const server = this.#shards.of(snapshot.business_id);
    if (await this.#has(server, ARRIVED_SNAPSHOTS, OWN_ROWS, snapshot)) return false;
    for (const table of await this.#tablesWith(server, OWN_ROWS, snapshot)) {
      await this.#remove(server, table, OWN_ROWS, snapshot, 'and wait');
    }
    const replicas = await this.#replicas(server);
    const folder = await mkdtemp(join(dirname(file), 'copying-'));
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', temp_directory: '' });
    const connection = await instance.connect();
    const copying = { server, connection, snapshot, folder, replicas };
    try {
      const usable = changes !== null && (await this.#arrived(copying, changes)) ? changes : null;
      if (usable !== null) await this.#sendAffectedPersons(copying, usable);
      for (const table of await tablesWithRows(connection)) {
        await this.#copyTable(copying, table, usable);
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

  #arrived({ server, snapshot: { business_id } }: Copying, { since }: ModelChanges): Promise<boolean> {
    return this.#has(server, ARRIVED_SNAPSHOTS, OWN_ROWS, { business_id, snapshot_id: since });
  }

  async #sendAffectedPersons(copying: Copying, { partialModel }: ModelChanges): Promise<void> {
    await copying.connection.run(`attach ${literal(partialModel)} as part (read_only)`);
    await this.#send(copying, AFFECTED_PERSONS, ['person_key'], 'part.affected_persons');
  }

  async #copyTable(copying: Copying, table: ModelTable, changes: ModelChanges | null): Promise<void> {
    const { server, snapshot } = copying;
    const columns = Object.keys(table.columns);
    if (changes !== null && !changes.madeAnew.has(table.name)) {
      await this.#takeOver(copying, table, changes.since);
      if (PERSON_KEYS.has(table.name)) {
        await this.#send(copying, table.name, columns, `part.${table.name}`);
      }
      if ((await this.#firstDifference(copying, table)) === null) return;
      // The earlier snapshot there does not matter: this one has to be right.
      await this.#remove(server, table.name, OWN_ROWS, snapshot, 'and wait');
    }
    await this.#send(copying, table.name, columns, table.name);
    const differing = await this.#firstDifference(copying, table);
    if (differing !== null) {
      throw new ReasonError(`${table.name} did not arrive whole at the warehouse: ${differing} differs`);
    }
  }

  /** The rows of the earlier snapshot, but those of affected persons. */
  async #takeOver({ server, snapshot, replicas }: Copying, table: ModelTable, since: string): Promise<void> {
    const columns = Object.keys(table.columns).join(', ');
    const key = PERSON_KEYS.get(table.name);
    const isTaken =
      key === undefined ? 'true' : `not ifNull(${key} in (${this.#keysOfAffected(key)}), false)`;
    await server.command({
      query: `insert into ${this.#database}.${table.name} (business_id, snapshot_id, ${columns})
        select business_id, {snapshot_id: String}, ${columns} from ${this.#database}.${table.name}
        where business_id = {business_id: UUID} and snapshot_id = {since: String} and ${isTaken}`,
      query_params: { ...snapshot, since },
      clickhouse_settings: insertSettings(replicas),
    });
  }

  /** The keys of the rows that go, as the earlier snapshot has them. */
  #keysOfAffected(key: PersonKey): string {
    const persons = `select person_key from ${this.#database}.${AFFECTED_PERSONS} where ${OWN_ROWS}`;
    if (key === 'customer_key' || key === 'visitor_key') return persons;
    const { table, person } = OWNERS[key];
    return `select ${key} from ${this.#database}.${table}
      where business_id = {business_id: UUID} and snapshot_id = {since: String} and ${person} in (${persons})`;
  }

  /** How many servers hold each row. */
  async #replicas(server: ClickHouseClient): Promise<number> {
    if (this.#cluster === undefined) return 1;
    const [row = [0]] = await this.#rows<[number]>(
      server,
      'select max(replica_num) from system.clusters where cluster = {cluster: String}',
      { cluster: this.#cluster },
    );
    if (row[0] === 0) throw new ReasonError(`the ClickHouse server knows no cluster ${this.#cluster}`);
    return row[0];
  }

  /** @param rows what DuckDB reads them from */
  async #send(
    { server, connection, snapshot, folder, replicas }: Copying,
    table: string,
    columns: readonly string[],
    rows: string,
  ): Promise<void> {
    const parquet = join(folder, `${table}.parquet`);
    const copied = await connection.runAndReadAll(
      `copy (
        select cast('${snapshot.business_id}' as uuid) as business_id, '${snapshot.snapshot_id}' as snapshot_id,
          ${columns.join(', ')}
        from ${rows}
      ) to ${literal(parquet)} (format parquet)`,
    );
    const [[count] = []] = copied.getRows();
    if (Number(count) > 0) {
      const { stream } = await server.exec({
        query: `insert into ${this.#database}.${table} (business_id, snapshot_id, ${columns.join(', ')}) format Parquet`,
        values: createReadStream(parquet),
        clickhouse_settings: { ...insertSettings(replicas), input_format_null_as_default: 0 },
      });
      stream.resume();
    }
    await rm(parquet);
  }

  /**
   * Rows, how many values each column has, and what its numbers add up to, are the same on both sides: else
   * the first that is not.
   */
  async #firstDifference(
    { server, connection, snapshot }: Copying,
    table: ModelTable,
  ): Promise<string | null> {
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
    const differs = (_: string, index: number) =>
      plainNumber(String(here[index])) !== plainNumber(String(there[index]));
    return measures.find(differs) ?? null;
  }

  /**
   * Takes away the named snapshots of a business; nothing reads them, so nothing waits for it. What lies on a
   * shard where the business lived before there were more of them goes too.
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

  /**
   * TRICKY: a removal marks rows, and they lie in their parts until these are merged, which nobody can
   * foretell. This writes the parts anew that have such marks. Mutations of a table follow each other, but
   * ClickHouse may carry out a removal that nobody waited for together with this, and then the marks stay: so
   * what still has some is written once more.
   */
  async forget(businessId: string): Promise<void> {
    const values = { business_id: businessId };
    for (const server of this.#shards.all) {
      const question = `select toString(${partitionOf('{business_id: UUID}')})`;
      const [[partition = ''] = []] = await this.#rows<[string]>(server, question, values);
      await this.#dropMarkedRows(
        server,
        CLICKHOUSE_TABLES.map(({ name }) => name),
        partition,
      );
      await this.#dropMarkedRows(server, await this.#tablesWithMarks(server, partition), partition);
    }
  }

  async #dropMarkedRows(
    server: ClickHouseClient,
    tables: readonly string[],
    partition: string,
  ): Promise<void> {
    for (const table of tables) {
      await server.command({
        query: `alter table ${this.#database}.${table} apply deleted mask in partition id '${partition}'`,
        clickhouse_settings: { mutations_sync: '2' },
      });
    }
  }

  async #tablesWithMarks(server: ClickHouseClient, partition: string): Promise<string[]> {
    const marked = '_partition_id = {partition: String} and _row_exists = 0';
    const tables = CLICKHOUSE_TABLES.map(
      ({ name }) => `(select '${name}' from ${this.#database}.${name} where ${marked} limit 1)`,
    );
    const query = `${tables.join(' union all ')} settings apply_deleted_mask = 0`;
    return (await this.#rows<[string]>(server, query, { partition })).map(([table]) => table);
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

/**
 * Written means written on every replica, so that a reader may ask any. The same rows again are rows, not a
 * repetition.
 */
function insertSettings(replicas: number): { insert_quorum?: string; insert_deduplicate: 0 } {
  return { insert_deduplicate: 0, ...(replicas > 1 ? { insert_quorum: String(replicas) } : {}) };
}

/** `12.3400` and `12.34` are one number, however many digits it has. */
function plainNumber(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
