import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type {
  AnsweredRows,
  Cell,
  DescribedTable,
  FoundTable,
  Statement,
  StatementOutcome,
} from '../../answers/caller-statement.ts';
import { LEAST_SHARING } from '../../answers/shared-values.ts';
import { InputError } from '../../errors.ts';
import { readParts, rowsOf } from '../../snapshot/canonical-parts.ts';
import { literal, Session } from '../../store/duckdb-session.ts';
import { interruptible } from '../../store/interruptible.ts';
import { toCell } from './cells.ts';
import { checkText, checkTree } from './check-statement.ts';
import { describeTable, findTables } from './described-tables.ts';
import { SHOWN_TABLES, type ShownColumn, type ShownTable } from './shown-tables.ts';
import { LISTED_TABLES, unknownTable } from './unknown-table.ts';

/** How long an answer may be. */
const MOST_ROWS = 1000;
const MOST_BYTES = 256 * 1024;

/** What DuckDB may hold; nothing is written to a disk. */
export const ENGINE_MB = 512;

/** The files of one snapshot. */
export interface StatementFiles {
  /** The file of the snapshot's model. */
  readonly model: string;
  readonly snapshot: string;
}

/** Null where a table has no row. */
interface Parts {
  readonly files: readonly string[];
  rowsOf(table: ShownTable): string;
}

/**
 * Runs a statement over the tables of one snapshot, in a DuckDB that has nothing else: a statement that is
 * not allowed is refused before any table is there, then those that it names are made views, then all files
 * but theirs are locked out.
 *
 * @throws InputError in the caller's words: what is refused, or what DuckDB says of their SQL
 */
export async function runStatement(
  files: StatementFiles,
  statement: Statement,
  signal: AbortSignal,
): Promise<StatementOutcome> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(Math.max(1, Math.floor(availableParallelism() / 2))),
    memory_limit: `${ENGINE_MB}MB`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    const database = await OneSnapshot.attach(connection, files);
    if ('find' in statement) return { found: await database.find(statement.find) };
    if ('describe' in statement) return { described: await database.describe(statement.describe) };
    return { answered: await database.answer(statement.sql, signal) };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** @throws InputError where it is not allowed */
export async function tablesOfStatement(
  connection: DuckDBConnection,
  sql: string,
): Promise<ReadonlySet<string>> {
  checkText(sql);
  const result = await connection.runAndReadAll(
    'select json_serialize_sql($1::varchar, skip_null := true, skip_empty := true)',
    [sql],
  );
  return checkTree(String(result.getRows()[0]?.[0]));
}

class OneSnapshot {
  readonly #connection: DuckDBConnection;
  readonly #files: StatementFiles;
  /** Statements can name views alone: the schema and the key are not known outside. */
  readonly #schema: string;
  readonly #key: string;

  private constructor(connection: DuckDBConnection, files: StatementFiles) {
    this.#connection = connection;
    this.#files = files;
    this.#schema = `snapshot_${randomBytes(16).toString('hex')}`;
    this.#key = randomBytes(32).toString('hex');
  }

  static async attach(connection: DuckDBConnection, files: StatementFiles): Promise<OneSnapshot> {
    const snapshot = new OneSnapshot(connection, files);
    await connection.run(`set timezone = 'UTC'; create schema store;
      attach ${literal(files.model)} as ${snapshot.#schema} (read_only)`);
    return snapshot;
  }

  async answer(sql: string, signal: AbortSignal): Promise<AnsweredRows> {
    const names = await tablesOfStatement(this.#connection, sql);
    await this.#show([...names].map(shownTable));
    try {
      return await interruptible(this.#connection, signal, () => this.#read(sql));
    } catch (error) {
      signal.throwIfAborted();
      throw this.#inWords(error);
    }
  }

  /** @throws InputError where there is no table of such a name */
  async describe(names: readonly string[]): Promise<readonly DescribedTable[]> {
    const unknown = names.find((name) => !SHOWN_TABLES.has(name));
    if (unknown !== undefined) throw new InputError(unknownTable(unknown), LISTED_TABLES);
    const tables = [...new Set(names)].map(shownTable);
    await this.#show(tables);
    const described: DescribedTable[] = [];
    for (const table of tables) described.push(await describeTable(this.#connection, table));
    return described;
  }

  async find(words: string | null): Promise<readonly FoundTable[]> {
    const found = findTables(words);
    await this.#show(found.map(({ name }) => shownTable(name)));
    const tables: FoundTable[] = [];
    for (const { name, columns } of found) {
      const rows = await this.#connection.runAndReadAll(`select 1 from ${name} limit 1`);
      tables.push({ name, columns, is_empty: rows.currentRowCount === 0 });
    }
    return tables;
  }

  /** Shows the tables. After this nothing else can be read, and no setting changed. */
  async #show(tables: readonly ShownTable[]): Promise<void> {
    const stored = tables.some(({ canonical }) => canonical !== null) ? await this.#parts(tables) : null;
    const paths = stored?.files.map(literal).join(', ') ?? '';
    await this.#connection.run(`set allowed_paths = [${paths}]`);
    for (const table of tables) {
      const from =
        table.canonical === null ? `${this.#schema}.main.${table.name}` : `(${stored?.rowsOf(table)})`;
      const columns = table.columns.map((column) => this.#shown(column, from));
      await this.#connection.run(`create view ${table.name} as select ${columns.join(', ')} from ${from}`);
    }
    await this.#connection.run('set enable_external_access = false; set lock_configuration = true');
  }

  /** Who is the same in an answer has the same key in it, and another one in the next. */
  #shown({ name, type, showing }: ShownColumn, from: string): string {
    const key = `left(sha256('${this.#key}' || "${name}"), 16)`;
    if (showing === 'shared') return `${sharedOnly(name, from, type)} as "${name}"`;
    return showing === 'key' ? `${key} as "${name}"` : `"${name}"`;
  }

  async #parts(tables: readonly ShownTable[]): Promise<Parts> {
    using session = await Session.open(':memory:', {
      memory: '128MB',
      threads: 1,
      spillFolder: '',
      spillLimit: '0B',
    });
    const parts = await readParts(session, this.#files.snapshot);
    const partsOf = (table: ShownTable) =>
      table.canonical === null ? [] : (parts.get(table.canonical.name) ?? []);
    return {
      files: tables.flatMap(partsOf).flatMap(({ file, deleted }) => [file, deleted?.file ?? []].flat()),
      rowsOf: (table) => (table.canonical === null ? '' : rowsOf(table.canonical, partsOf(table))),
    };
  }

  /** Reads the rows that an answer may have. Rows beyond them are not even computed, if they need not be. */
  async #read(sql: string): Promise<AnsweredRows> {
    const result = await this.#connection.stream(sql);
    const columns = result.deduplicatedColumnNames();
    const rows: Cell[][] = [];
    let bytes = 0;
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return { columns, rows, is_truncated: false };
      for (let index = 0; index < chunk.rowCount; index += 1) {
        const row = chunk.getRowValues(index).map(toCell);
        bytes += Buffer.byteLength(JSON.stringify(row));
        if (rows.length === 0 && bytes > MOST_BYTES)
          throw new InputError(
            `the first row has ${bytes} bytes, and an answer at most ${MOST_BYTES}; select fewer columns, or parts of long texts`,
          );
        if (rows.length === MOST_ROWS || bytes > MOST_BYTES) return { columns, rows, is_truncated: true };
        rows.push(row);
      }
    }
  }

  /** What DuckDB says of the caller's own SQL, without what it says of ours. */
  #inWords(error: unknown): unknown {
    if (error instanceof InputError || !(error instanceof Error)) return error;
    const { message } = error;
    if (/^Out of Memory Error|bad_alloc|Allocation failure/.test(message))
      return new InputError(
        `the statement needs more than ${ENGINE_MB} MB of memory; group or filter earlier, or read fewer columns`,
      );
    const isOfTheirs =
      /^(?:Binder|Catalog|Conversion|Invalid Input|Invalid Type|Mismatch Type|Out of Range|Parser|Syntax|Not implemented) Error: /;
    const isOfOurs =
      message.includes(this.#schema) || message.includes(this.#key) || message.includes('.parquet');
    if (!isOfTheirs.test(message) || isOfOurs)
      return Object.assign(new InputError('the statement failed; write it in another way'), { cause: error });
    return new InputError(`the statement failed: ${message.split('\n\nLINE ')[0]?.slice(0, 600)}`);
  }
}

/**
 * Whether a value is shown is one fact of the whole table: no row, filter or difference of two answers tells
 * a value that is not, since it is in no row.
 */
function sharedOnly(column: string, from: string, type: string): string {
  const other = type === 'varchar' ? `when "${column}" is not null then '(other)'` : '';
  return `case when "${column}" in (
      select "${column}" from ${from} group by 1 having count(distinct customer_key) >= ${LEAST_SHARING}
    ) then "${column}" ${other} end`;
}

function shownTable(name: string): ShownTable {
  const table = SHOWN_TABLES.get(name);
  if (table === undefined) throw new Error(`${name} is not shown`);
  return table;
}
