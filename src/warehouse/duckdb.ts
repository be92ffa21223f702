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
}

/** Queries run inside this process, on the snapshot files of the data folder. */
export class DuckDbWarehouse implements Warehouse {
  readonly #instance: DuckDBInstance;
  readonly #files: SnapshotFiles;
  readonly #connections: DuckDBConnection[];
  readonly #timeoutSeconds: number;
  readonly #free: DuckDBConnection[];
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];

  private constructor(
    instance: DuckDBInstance,
    files: SnapshotFiles,
    connections: DuckDBConnection[],
    timeoutSeconds: number,
  ) {
    this.#instance = instance;
    this.#files = files;
    this.#connections = connections;
    this.#free = [...connections];
    this.#timeoutSeconds = timeoutSeconds;
  }

  static async open(options: DuckDbOptions): Promise<DuckDbWarehouse> {
    const instance = await DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...(options.memoryLimit === undefined ? {} : { memory_limit: options.memoryLimit }),
    });
    const attaching = await instance.connect();
    // Even an SQL text that should never exist could read nothing but snapshots, and change no setting.
    await attaching.run(`set allowed_directories = ['${options.folder.replaceAll("'", "''")}/']`);
    await attaching.run('set enable_external_access = false');
    await attaching.run('set lock_configuration = true');
    const connections = await Promise.all(
      Array.from({ length: options.connections }, () => instance.connect()),
    );
    const files = new SnapshotFiles(attaching, options.fileOf, options.mostOpen);
    return new DuckDbWarehouse(instance, files, connections, options.timeoutSeconds);
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
      if (/^Out of Memory Error/.test(String((error as Error).message))) throw new QueryTooLargeError();
      throw error;
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
  }
}
