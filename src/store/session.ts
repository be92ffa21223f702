import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBScalarFunction,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';
import { interruptible } from './interruptible.ts';
import { type HashKey, keyedHashSql } from './keyed-hash.ts';

export type Value = string | number | boolean | null;

/** What a session may take. Sizes are as DuckDB writes them, for example `10GB`. */
export interface SessionBounds {
  readonly memory: string;
  /** Without: as many as there are processors. */
  readonly threads?: number | undefined;
  /** For what does not fit into the memory, and how much may be written there. */
  readonly spillFolder: string;
  readonly spillLimit: string;
}

/** One DuckDB connection that reads files, or builds a snapshot; single use. */
export class Session implements Disposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #later: string[] = [];
  readonly signal: AbortSignal | undefined;
  /** For files that live as long as the session. */
  readonly temporaryFolder: string;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    temporaryFolder: string,
    signal?: AbortSignal,
  ) {
    this.temporaryFolder = temporaryFolder;
    this.#instance = instance;
    this.#connection = connection;
    this.signal = signal;
  }

  /**
   * @param file the database to write, or `:memory:`. What is written there is there when it is checkpointed, and not
   * before: a log of changes, synced with every table, would be of use only to whoever goes on after a crash.
   * @param signal ends the statement that runs, and all that come
   */
  static async open(file: string, bounds: SessionBounds, signal?: AbortSignal): Promise<Session> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: bounds.memory,
      ...(bounds.threads !== undefined && { threads: String(bounds.threads) }),
      temp_directory: bounds.spillFolder,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const session = new Session(instance, await instance.connect(), bounds.spillFolder, signal);
    // TRICKY: given when the instance is made, this limit would be shown but not kept. Memory that is free goes back to the system on
    // a thread of its own: else an import of five million orders keeps 0.4 GB more than it uses.
    await session.run(
      `set max_temp_directory_size = '${bounds.spillLimit}'; set allocator_background_threads = true; set timezone = 'UTC'`,
    );
    if (file !== ':memory:')
      await session.run(`attach ${literal(file)} as model (recovery_mode no_wal_writes); use model`);
    return session;
  }

  /** Several statements may stand in a text without values. */
  async run(statement: string, values?: Record<string, DuckDBValue>): Promise<void> {
    await this.#execute(statement, values);
  }

  /** Along with the next statement: what makes or drops a table without reading one costs as much as that alone. */
  runLater(statement: string): void {
    this.#later.push(statement);
  }

  async rows(statement: string, values?: Record<string, DuckDBValue>): Promise<Record<string, Value>[]> {
    const result = await this.#execute(statement, values);
    return result
      .getRowObjectsJS()
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === 'bigint' ? Number(value) : value,
          ]),
        ),
      ) as Record<string, Value>[];
  }

  async #execute(statement: string, values: Record<string, DuckDBValue> | undefined) {
    const statements = [...this.#later.splice(0), statement].join(';\n');
    return interruptible(this.#connection, this.signal, () =>
      this.#connection.runAndReadAll(statements, values),
    );
  }

  /** The only row. */
  async row(statement: string, values?: Record<string, DuckDBValue>): Promise<Record<string, Value>> {
    const [row] = await this.rows(statement, values);
    if (row === undefined) throw new Error(`no row: ${statement}`);
    return row;
  }

  /** The macro `keyed_hash(text)`: the same as `keyedHash`, on all threads. */
  async defineKeyedHash(key: HashKey, hashSql = keyedHashSql): Promise<void> {
    await this.run(`create or replace temp macro keyed_hash(value) as ${hashSql(key, 'value')}`);
  }

  /**
   * An SQL function of texts that runs here, on one thread; null where one of them is. It takes about a microsecond a
   * row beside its own time, so a statement calls it for the few rows that need it.
   *
   * @param constants how many of the first parameters are literals wherever it is called: of many rows, they are read once
   */
  defineFunction(
    name: string,
    parameters: number,
    value: (...texts: string[]) => string | null,
    { constants = 0 } = {},
  ): void {
    const places = Array.from({ length: parameters }, (_, index) => index);
    this.#connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name,
        parameterTypes: places.map(() => VARCHAR),
        returnType: VARCHAR,
        // Not asked for constants while planning, nor once instead of for each row: it may count.
        volatile: true,
        mainFunction: (_, input, output) => {
          const columns = places.map((place) => input.getColumnVector(place));
          const varying = columns.slice(constants);
          let literals: readonly DuckDBValue[] | undefined;
          for (let row = 0; row < input.rowCount; row += 1) {
            literals ??= columns.slice(0, constants).map((column) => column.getItem(row));
            const texts = [...literals, ...varying.map((column) => column.getItem(row))];
            output.setItem(row, texts.every((text) => typeof text === 'string') ? value(...texts) : null);
          }
          output.flush();
        },
      }),
    );
  }

  [Symbol.dispose](): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** A text as an SQL literal; for file paths of ours, which DuckDB takes no parameter for. */
export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
