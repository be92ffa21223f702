import { availableParallelism } from 'node:os';
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { Pieces } from '../main-thread/pieces.ts';
import { render } from '../sql/render.ts';
import type { Row } from '../sql/row.ts';
import type { Sql } from '../sql/sql.ts';
import { literal } from '../store/duckdb-session.ts';
import { interruptible } from '../store/interruptible.ts';
import { duckDbDialect } from './duckdb-dialect.ts';
import { boundType, boundValue, toSqlValue } from './duckdb-values.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import {
  type Engine,
  MOST_RESULT_ROWS,
  QueryTooLargeError,
  readInPieces,
  type SnapshotReference,
} from './warehouse.ts';

export interface DuckDbOptions {
  /** The only folder that DuckDB may read. */
  readonly folder: string;
  readonly fileOf: (snapshot: SnapshotReference) => string;
  /** The most concurrent calls. */
  readonly connections: number;
  /** How many snapshot files stay open. */
  readonly mostOpen: number;
  /** The memory limit of all queries together, for example `4GB`. Undefined: 80 % of the machine's memory. */
  readonly memoryLimit?: string | undefined;
  /** Where queries that need more memory write their data; null: they are refused. */
  readonly spill: Spill | null;
}

/** A folder that is this engine's alone and goes with it: two that share one overwrite each other's data. */
export interface Spill extends Disposable {
  readonly path: string;
  /** The limit, for example `10GB`. */
  readonly limit: string;
}

/** Queries run inside this process, on the snapshot files of the data folder. */
export class DuckDbEngine implements Engine {
  readonly #instance: DuckDBInstance;
  readonly #spill: Spill | null;
  readonly #files: SnapshotFiles;
  readonly #connections: DuckDBConnection[];
  readonly #free: DuckDBConnection[];

  private constructor(
    instance: DuckDBInstance,
    spill: Spill | null,
    files: SnapshotFiles,
    connections: DuckDBConnection[],
  ) {
    this.#instance = instance;
    this.#spill = spill;
    this.#files = files;
    this.#connections = connections;
    this.#free = [...connections];
  }

  /** A long query spreads over all cores but one, which is left to short ones and to everything else. */
  static async open(options: DuckDbOptions): Promise<DuckDbEngine> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(Math.max(1, availableParallelism() - 1)),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      temp_directory: options.spill?.path ?? '',
      ...(options.memoryLimit === undefined ? {} : { memory_limit: options.memoryLimit }),
    });
    const attaching = await instance.connect();
    // TRICKY: given when the instance is made, this limit would be shown but not kept.
    if (options.spill !== null) await attaching.run(`set max_temp_directory_size = '${options.spill.limit}'`);
    // Even an SQL text that should never exist could read nothing but snapshots, and change no setting.
    await attaching.run(`set allowed_directories = [${literal(`${options.folder}/`)}]`);
    await attaching.run('set enable_external_access = false');
    await attaching.run('set lock_configuration = true');
    const connections = await Promise.all(
      Array.from({ length: options.connections }, () => instance.connect()),
    );
    const files = new SnapshotFiles(attaching, options.fileOf, options.mostOpen);
    return new DuckDbEngine(instance, options.spill, files, connections);
  }

  async query(
    snapshot: SnapshotReference,
    queries: readonly Sql[],
    signal: AbortSignal,
  ): Promise<Pieces<Row[]>[]> {
    return this.#files.use(snapshot, async (schema) => {
      const connection = this.#free.pop();
      if (connection === undefined) throw new Error('more calls are under way than there are connections');
      try {
        const results: Pieces<Row[]>[] = [];
        for (const query of queries) results.push(await run(connection, schema, query, signal));
        return results;
      } finally {
        this.#free.push(connection);
      }
    });
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.closeSync();
    this.#instance.closeSync();
    this.#spill?.[Symbol.dispose]();
  }
}

async function run(
  connection: DuckDBConnection,
  schema: string,
  query: Sql,
  signal: AbortSignal,
): Promise<Pieces<Row[]>> {
  const { text, parameters } = render(query, duckDbDialect(schema));
  const values = mapValues(parameters, boundValue);
  const types = mapValues(parameters, boundType);
  try {
    const result = await interruptible(connection, signal, () => connection.run(text, values, types));
    if (result.rowCount > MOST_RESULT_ROWS) throw new QueryTooLargeError('rows');
    const names = result.columnNames();
    // These are the engine's own memory, which stays readable when others use the connection.
    const chunks = await result.fetchAllChunks();
    return readInPieces(rowsOf(chunks), (row) =>
      Object.fromEntries(row.map((value, index) => [names[index], toSqlValue(value)])),
    );
  } catch (error) {
    throw tooLarge(error) ?? error;
  }
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function* rowsOf(chunks: readonly DuckDBDataChunk[]): Generator<DuckDBValue[], void> {
  for (const chunk of chunks) for (let row = 0; row < chunk.rowCount; row += 1) yield chunk.getRowValues(row);
}

/** DuckDB's ways to say that a query needs too much; null of any other error. */
function tooLarge(error: unknown): QueryTooLargeError | null {
  const message = String((error as Error).message);
  if (/max_temp_directory_size|No space left on device|Disk quota exceeded/.test(message))
    return new QueryTooLargeError('temporary disk space', error);
  return /^Out of Memory Error/.test(message) ? new QueryTooLargeError('memory', error) : null;
}
