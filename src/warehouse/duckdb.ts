import { type DuckDBConnection, DuckDBInstance, type DuckDBValue, listValue } from '@duckdb/node-api';
import { render } from '../sql/render.ts';
import type { Row } from '../sql/row.ts';
import type { Sql } from '../sql/sql.ts';
import { duckDbDialect } from './duckdb-dialect.ts';
import { toSqlValue } from './duckdb-values.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import {
  BusyError,
  QueryTimeoutError,
  QueryTooLargeError,
  type SnapshotReference,
  type Warehouse,
} from './warehouse.ts';

export interface DuckDbOptions {
  /** The only folder that DuckDB may read. */
  readonly folder: string;
  readonly fileOf: (snapshot: SnapshotReference) => string;
  /** How many queries run at once; further ones wait. */
  readonly connections: number;
  readonly timeoutSeconds: number;
  /** How many snapshot files stay open. */
  readonly mostOpen: number;
  /** For example `4GB`; undefined: 80 % of the machine's. */
  readonly memoryLimit?: string | undefined;
  /** Null: what needs more memory is refused. */
  readonly spill: Spill | null;
}

/** A folder that is this engine's alone and goes with it: two that share one overwrite each other's data. */
export interface Spill extends Disposable {
  readonly path: string;
  /** For example `10GB`. */
  readonly limit: string;
}

/** Queries run inside this process, on the snapshot files of the data folder. */
export class DuckDbWarehouse implements Warehouse {
  readonly #instance: DuckDBInstance;
  readonly #spill: Spill | null;
  readonly #files: SnapshotFiles;
  readonly #connections: DuckDBConnection[];
  readonly #timeoutSeconds: number;
  readonly #free: DuckDBConnection[];
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];

  private constructor(
    instance: DuckDBInstance,
    spill: Spill | null,
    files: SnapshotFiles,
    connections: DuckDBConnection[],
    timeoutSeconds: number,
  ) {
    this.#instance = instance;
    this.#spill = spill;
    this.#files = files;
    this.#connections = connections;
    this.#free = [...connections];
    this.#timeoutSeconds = timeoutSeconds;
  }

  static async open(options: DuckDbOptions): Promise<DuckDbWarehouse> {
    const instance = await DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      temp_directory: options.spill?.path ?? '',
      ...(options.memoryLimit === undefined ? {} : { memory_limit: options.memoryLimit }),
    });
    const attaching = await instance.connect();
    // TRICKY: given when the instance is made, this limit would be shown but not kept.
    if (options.spill !== null) await attaching.run(`set max_temp_directory_size = '${options.spill.limit}'`);
    // Even an SQL text that should never exist could read nothing but snapshots, and change no setting.
    await attaching.run(`set allowed_directories = ['${options.folder.replaceAll("'", "''")}/']`);
    await attaching.run('set enable_external_access = false');
    await attaching.run('set lock_configuration = true');
    const connections = await Promise.all(
      Array.from({ length: options.connections }, () => instance.connect()),
    );
    const files = new SnapshotFiles(attaching, options.fileOf, options.mostOpen);
    return new DuckDbWarehouse(instance, options.spill, files, connections, options.timeoutSeconds);
  }

  async query(snapshot: SnapshotReference, queries: readonly Sql[], signal?: AbortSignal): Promise<Row[][]> {
    return this.#files.use(snapshot, async (schema) => {
      const connection = await this.#takeConnection(signal);
      try {
        const results: Row[][] = [];
        for (const query of queries) results.push(await this.#run(connection, schema, query, signal));
        return results;
      } finally {
        this.#giveBack(connection);
      }
    });
  }

  async #run(connection: DuckDBConnection, schema: string, query: Sql, signal?: AbortSignal): Promise<Row[]> {
    const { text, parameters } = render(query, duckDbDialect(schema));
    const values = Object.fromEntries(
      Object.entries(parameters).map(([name, { value }]) => [
        name,
        Array.isArray(value) ? listValue(value) : value,
      ]),
    ) as Record<string, DuckDBValue>;
    signal?.throwIfAborted();
    let isTooLate = false;
    let interrupting: NodeJS.Timeout | undefined;
    // TRICKY: an interrupt before the statement executes (while it is prepared) is lost, so it is repeated.
    const stop = () => {
      interrupting ??= setInterval(() => connection.interrupt(), 20);
    };
    const timer = setTimeout(() => {
      isTooLate = true;
      stop();
    }, this.#timeoutSeconds * 1000);
    signal?.addEventListener('abort', stop);
    try {
      const result = await connection.run(text, values);
      const names = result.columnNames();
      return (await result.getRows()).map((row) =>
        Object.fromEntries(row.map((value, index) => [names[index], toSqlValue(value)])),
      );
    } catch (error) {
      if (isTooLate) throw new QueryTimeoutError(this.#timeoutSeconds);
      signal?.throwIfAborted();
      throw tooLarge(error) ?? error;
    } finally {
      clearTimeout(timer);
      clearInterval(interrupting);
      signal?.removeEventListener('abort', stop);
    }
  }

  async #takeConnection(signal?: AbortSignal): Promise<DuckDBConnection> {
    signal?.throwIfAborted();
    const connection = this.#free.pop();
    if (connection !== undefined) return connection;
    const { promise, resolve, reject } = Promise.withResolvers<DuckDBConnection>();
    const leave = (reason: unknown) => {
      const index = this.#waiting.indexOf(resolve);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(reason);
    };
    const onAbort = () => leave(signal?.reason);
    const timer = setTimeout(() => leave(new BusyError()), this.#timeoutSeconds * 1000);
    this.#waiting.push(resolve);
    signal?.addEventListener('abort', onAbort);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  #giveBack(connection: DuckDBConnection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(connection);
    else next(connection);
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.closeSync();
    this.#instance.closeSync();
    this.#spill?.[Symbol.dispose]();
  }
}

/** DuckDB's ways to say that a query needs too much; null of any other error. */
function tooLarge(error: unknown): QueryTooLargeError | null {
  const message = String((error as Error).message);
  if (/max_temp_directory_size|No space left on device|Disk quota exceeded/.test(message))
    return new QueryTooLargeError('temporary disk space', error);
  return /^Out of Memory Error/.test(message) ? new QueryTooLargeError('memory', error) : null;
}
