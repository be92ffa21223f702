import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ReasonError } from '../errors.ts';
import { literal } from './duckdb-session.ts';
import { interruptible } from './interruptible.ts';

/** A table of a database, not a view: what a view selects, its author chose. */
export interface DatabaseTable {
  readonly schema: string;
  readonly name: string;
}

export interface ListedTable extends DatabaseTable {
  /** Whether one of its columns is an expression of its author's, which reading it would run. */
  readonly isComputed: boolean;
}

/** What stands in quotes in a statement: names and texts. */
const QUOTED = `"([^"]|"")*"|''([^'']|'''')*''`;

/** A database of ours lists some dozens. */
const MOST_TABLES = 20_000;

/**
 * A DuckDB file that somebody else wrote, read by a DuckDB of its own. That one may read this file and write
 * into one folder, and nothing else: no extension, no other file, no address, and no setting can be changed.
 * Nothing of ours is in it.
 */
export class UntrustedDatabase implements Disposable {
  static readonly memory = '512MB';
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal | undefined;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, signal?: AbortSignal) {
    this.#instance = instance;
    this.#connection = connection;
    this.#signal = signal;
  }

  /**
   * @param path of the file, absolute
   * @param folder for what is copied
   * @param signal ends what runs
   * @throws Error when it is no DuckDB file that this DuckDB can read, or another program writes it
   */
  static async open(path: string, folder: string, signal?: AbortSignal): Promise<UntrustedDatabase> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: UntrustedDatabase.memory,
      threads: '1',
      temp_directory: '',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const database = new UntrustedDatabase(instance, await instance.connect(), signal);
    try {
      // DuckDB looks for a log of changes beside the file.
      const paths = [path, `${path}.wal`].map(literal).join(', ');
      await database.#run(`set timezone = 'UTC'; set allowed_paths = [${paths}];
        set allowed_directories = [${literal(`${folder}/`)}]`);
      await database.#run('set enable_external_access = false; set lock_configuration = true');
      await database.#run(`attach ${literal(path)} as warehouse (type duckdb, read_only)`);
    } catch (error) {
      database[Symbol.dispose]();
      throw error;
    }
    return database;
  }

  /** The tables in the order of their names. @throws Error */
  async tables(): Promise<ListedTable[]> {
    // No column of DuckDB's catalogue says what is generated, only the statement that it writes anew for each
    // table.
    const tables = await this.#run(
      `select schema_name, table_name, contains(regexp_replace(sql, '${QUOTED}', '', 'g'), 'GENERATED ALWAYS')
        from duckdb_tables() where database_name = 'warehouse' and not internal order by all limit ${MOST_TABLES + 1}`,
    );
    if (tables.length > MOST_TABLES) throw new ReasonError(`it has more than ${MOST_TABLES} tables`);
    return tables.map(([schema, name, isComputed]) => ({
      schema: String(schema),
      name: String(name),
      isComputed: isComputed !== false,
    }));
  }

  /** The types of a table's columns, by their names. @throws Error */
  async columnsOf(table: DatabaseTable): Promise<ReadonlyMap<string, string>> {
    const columns = await this.#run(`describe from ${nameOf(table)}`);
    return new Map(columns.map(([name, type]) => [String(name), String(type)]));
  }

  /** @throws Error */
  async countRows(table: DatabaseTable): Promise<number> {
    const [[count] = []] = await this.#run(`select count(*) from ${nameOf(table)}`);
    return Number(count);
  }

  /**
   * Copies rows in their order into a Parquet file of the folder.
   *
   * @param cells SQL over a row
   * @throws Error
   */
  async copy(table: DatabaseTable, cells: readonly string[], path: string): Promise<void> {
    await this.#run(
      `copy (select ${cells.join(', ')} from ${nameOf(table)}) to ${literal(path)} (format parquet, row_group_size 20000)`,
    );
  }

  async #run(statement: string) {
    const result = await interruptible(this.#connection, this.#signal, () =>
      this.#connection.runAndReadAll(statement),
    );
    return result.getRows();
  }

  [Symbol.dispose](): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

function nameOf({ schema, name }: DatabaseTable): string {
  return ['warehouse', schema, name].map(quoted).join('.');
}

/** A name as SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
