import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBScalarFunction,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';
import { interruptible } from './interruptible.ts';
import { type HashKey, keyedHashSql } from './keyed-hash.ts';
import { type Meter, UNMETERED } from './meter.ts';

export type Value = string | number | boolean | null;

/** What a session may take. Sizes are as DuckDB writes them, for example `10GB`. */
export interface SessionBounds {
  readonly memory: string;
  /** The number of threads; undefined: one for each processor. */
  readonly threads?: number | undefined;
  /** The folder for what does not fit into the memory, and how much may be written there. */
  readonly spillFolder: string;
  readonly spillLimit: string;
}

/** The optimizers whose search takes longer than they save where rows are few. */
export const SLOW_TO_PLAN = ['common_subexpressions', 'join_elimination'];

/**
 * What is written to a file is there when it is checkpointed, and not before: a log of changes, synced with
 * every table, would only help to go on after a crash. The newest layout takes less room and time, above all
 * for tables without rows.
 */
const FILE_OPTIONS = ['recovery_mode no_wal_writes', "storage_version 'v1.5.0'"];

/**
 * The options of a small file. With DuckDB's own 262144 each table takes a block, and the model of ten orders
 * has 3 MB instead of 0.2.
 */
const LITTLE_FILE_OPTIONS = ['block_size 16384'];

/** One DuckDB connection that reads files, or builds a snapshot; single use. */
export class Session implements Disposable {
  /** Null when another session has taken it over. */
  #instance: DuckDBInstance | null;
  readonly #connection: DuckDBConnection;
  readonly #later: string[] = [];
  /** Optimizers of DuckDB that no statement of this session uses. */
  #leftOut: readonly string[] = [];
  readonly signal: AbortSignal | undefined;
  /** Whoever reads, unpacks or writes for the session tells it. */
  readonly meter: Meter;
  /** The folder for files that live as long as the session. */
  readonly temporaryFolder: string;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    temporaryFolder: string,
    meter: Meter,
    signal?: AbortSignal,
  ) {
    this.temporaryFolder = temporaryFolder;
    this.meter = meter;
    this.#instance = instance;
    this.#connection = connection;
    this.signal = signal;
  }

  /**
   * @param file the database to write, or `:memory:`
   * @param signal ends the statement that runs, and all that come
   * @param meter of the import that it works for
   */
  static async open(
    file: string,
    bounds: SessionBounds,
    signal?: AbortSignal,
    meter: Meter = UNMETERED,
  ): Promise<Session> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: bounds.memory,
      temp_directory: bounds.spillFolder,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    return Session.#connect(instance, file, bounds, signal, FILE_OPTIONS, meter);
  }

  /**
   * Ends this session, and opens one that knows nothing of it in the same DuckDB, within the same memory: to
   * start another takes a tenth of the processor time of a small import.
   *
   * @param file the database to write, which has few rows
   */
  next(file: string, bounds: SessionBounds): Promise<Session> {
    const instance = this.#instance;
    if (instance === null) throw new Error('this session has ended');
    this.#instance = null;
    this.#connection.closeSync();
    const options = [...FILE_OPTIONS, ...LITTLE_FILE_OPTIONS];
    return Session.#connect(instance, file, bounds, this.signal, options, this.meter);
  }

  static async #connect(
    instance: DuckDBInstance,
    file: string,
    bounds: SessionBounds,
    signal: AbortSignal | undefined,
    options: readonly string[],
    meter: Meter,
  ): Promise<Session> {
    const session = new Session(instance, await instance.connect(), bounds.spillFolder, meter, signal);
    using opened = new DisposableStack();
    opened.use(session);
    // TRICKY: given when the instance is made, this limit would be shown but not kept. Memory that is free
    // goes back to the system on a thread of its own: else an import of five million orders keeps 0.4 GB more
    // than it uses.
    const threads = bounds.threads === undefined ? '' : `set threads = ${bounds.threads}; `;
    const attached =
      file === ':memory:' ? '' : `; attach ${literal(file)} as model (${options.join(', ')}); use model`;
    await session.run(
      `${threads}set max_temp_directory_size = '${bounds.spillLimit}'; set allocator_background_threads = true; set timezone = 'UTC'${attached}`,
    );
    opened.move();
    return session;
  }

  /** Several statements may stand in a text without values. */
  async run(statement: string, values?: Record<string, DuckDBValue>): Promise<void> {
    await this.#execute(statement, values);
  }

  /** Along with the next statement: what is done in no time costs as much as that alone. */
  runLater(statement: string): void {
    this.#later.push(statement);
  }

  /**
   * Spares work for what holds little: one thread, and no optimizer whose search takes longer than what it
   * finds would save.
   */
  spareWork(): void {
    this.#leftOut = SLOW_TO_PLAN;
    this.leaveOut([]);
    this.runLater('set threads = 1');
  }

  /** Whether it was told to. */
  get sparesWork(): boolean {
    return this.#leftOut.length > 0;
  }

  /** Leaves out optimizers from the next statement on, until it is called again. */
  leaveOut(optimizers: readonly string[]): void {
    this.runLater(`set disabled_optimizers = '${[...new Set([...this.#leftOut, ...optimizers])].join(',')}'`);
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

  /** The types of the columns that a statement returns, by their names. */
  async columnTypes(statement: string): Promise<ReadonlyMap<string, DuckDBType>> {
    const result = await this.#execute(statement, undefined);
    return new Map(result.columnNames().map((name, index) => [name, result.columnType(index)]));
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
  defineKeyedHash(key: HashKey, hashSql = keyedHashSql): void {
    this.runLater(`create or replace temp macro keyed_hash(value) as ${hashSql(key, 'value')}`);
  }

  /**
   * An SQL function of texts that runs here, on one thread; null where one of them is. It takes about a
   * microsecond a row beside its own time, so a statement calls it for the few rows that need it.
   *
   * @param constants how many of the first parameters are literals wherever it is called: of many rows, they
   *   are read once
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
        // DuckDB calls it for each row, neither for constants while planning nor once for all rows: it may
        // count.
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
    if (this.#instance === null) return;
    this.#connection.closeSync();
    this.#instance.closeSync();
    this.#instance = null;
  }
}

/** A text as an SQL literal, where a statement takes no parameters. */
export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
