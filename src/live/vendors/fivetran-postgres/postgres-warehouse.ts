import { Client } from 'pg';
import { ImportError } from '../../../snapshot/import-errors.ts';
import { SOURCES } from '../../../sources/all-sources.ts';
import { columnName } from '../../../sources/column-name.ts';
import {
  chooseSchemas,
  columnsRead,
  type FoundTable,
  tablesOfFivetran,
  type WarehouseTable,
} from '../../../sources/fivetran/choose-schemas.ts';
import { namesOfTables } from '../../../sources/fivetran/table-names.ts';
import { hasTables, type SourceOfTables } from '../../../sources/source.ts';
import { quoted } from '../../../store/untrusted-database.ts';
import { type Access, VendorError } from '../../vendor.ts';
import { FILE_LIMITS, unreachable } from '../../vendor-fetch.ts';
import { readConnectionString, type Server } from './connection-string.ts';
import { GuardedStream } from './guarded-stream.ts';

/** What the server is told to keep to; `answer` and `close` are waited here, where it does not. */
const SECONDS = { connect: 20, statement: 300, lock: 10, answer: 330, close: 2 } as const;

const MEBIBYTE = 2 ** 20;

/** The most rows that are held in memory at once. */
const ROWS_AT_ONCE = 1000;

/**
 * What the server may send, in bytes: until it is signed in to, for one question, as one message, and of all
 * tables together.
 */
const MOST_BYTES = {
  signingIn: MEBIBYTE,
  answer: 64 * MEBIBYTE,
  message: 16 * MEBIBYTE,
  tables: FILE_LIMITS.mostBytes,
} as const;

/** Tables of such names, in all schemas. */
const MOST_TABLES = 2000;

/** The columns that say when Fivetran or Airbyte last wrote a row. */
const SYNCED = ['_fivetran_synced', '_airbyte_extracted_at', '_airbyte_emitted_at'];

const SYSTEMS: readonly SourceOfTables[] = SOURCES.filter(hasTables);

/** A warehouse in PostgreSQL, in one transaction that only reads and sees all tables at one moment. */
export class Warehouse {
  readonly #client: Client;
  readonly #stream: GuardedStream;
  readonly server: Server;
  /** The bytes of the tables that were read. */
  #bytes = 0;

  private constructor(client: Client, stream: GuardedStream, server: Server) {
    this.#client = client;
    this.#stream = stream;
    this.server = server;
  }

  /** Connects for as long as the work takes. @throws VendorError */
  static async use<Result>(access: Access, work: (warehouse: Warehouse) => Promise<Result>): Promise<Result> {
    const warehouse = await Warehouse.open(access);
    try {
      return await work(warehouse);
    } finally {
      await warehouse.close();
    }
  }

  /** @throws VendorError */
  static async open(access: Access): Promise<Warehouse> {
    const server = readConnectionString(access.secret('connectionString'));
    const { host, port, user, password, database, tls } = server;
    const authority = certificateAuthority(access);
    const stream = new GuardedStream(access.socketTo(host), {
      host,
      // The connection does not use the driver's own TLS: what comes is counted and looked at once it is in
      // clear.
      tls: tls === 'none' ? null : { rejectUnauthorized: tls === 'verified', ...authority },
      messageBytes: MOST_BYTES.message,
    });
    const client = new Client({
      host,
      port,
      user,
      password,
      database,
      application_name: 'storesight',
      ssl: false,
      stream: () => stream,
      query_timeout: 1000 * SECONDS.answer,
      keepAlive: true,
    });
    // A connection that breaks ends the query on it; an event that nobody hears ends the process.
    client.on('error', () => {});
    const warehouse = new Warehouse(client, stream, server);
    const tooSlow = setTimeout(() => stream.destroy(new Error('timeout expired')), 1000 * SECONDS.connect);
    try {
      stream.allow(MOST_BYTES.signingIn);
      await client.connect();
      clearTimeout(tooSlow);
      stream.allow(MOST_BYTES.signingIn);
      await client.query(
        `begin transaction isolation level repeatable read read only;
        set local statement_timeout = '${SECONDS.statement}s'; set local lock_timeout = '${SECONDS.lock}s';
        set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local extra_float_digits = 1;
        set local search_path = pg_catalog`,
      );
      return warehouse;
    } catch (error) {
      await warehouse.close();
      throw told(host, error, access);
    } finally {
      clearTimeout(tooSlow);
    }
  }

  async close(): Promise<void> {
    // A server may keep its end open for ever.
    const leaving = setTimeout(() => this.#stream.destroy(), 1000 * SECONDS.close);
    await this.#client.end().catch(() => {});
    clearTimeout(leaving);
    this.#stream.destroy();
  }

  /**
   * The tables that are read.
   *
   * @throws VendorError when there are none, or several shops and nobody said which is meant
   */
  async tables(access: Access): Promise<readonly FoundTable[]> {
    const found = tablesOfFivetran(await this.#listTables(access), SYSTEMS);
    if (found.length === 0)
      throw new VendorError(
        'missing_scope',
        `the user ${this.server.user} may read no table of Fivetran in the database ${this.server.database}: grant usage on its schema, ` +
          'and select on all tables in it',
      );
    try {
      const { chosen, undecided } = chooseSchemas(found, () => access.settings.schema);
      const [first] = undecided;
      if (first === undefined) return chosen;
      throw new VendorError(
        'bad_answer',
        `the database has ${first.source.title} in ${first.schemas.length === 1 ? 'the schema' : 'several schemas:'} ${first.schemas.join(', ')}. ` +
          'Say which is this store’s: it is the connection’s schema (of several, with commas between them)',
      );
    } catch (error) {
      throw error instanceof ImportError ? new VendorError('bad_answer', error.message) : error;
    }
  }

  async #listTables(access: Access): Promise<WarehouseTable[]> {
    const names = SYSTEMS.flatMap(namesOfTables);
    const rows = await this.#query(
      access,
      `select n.nspname::text, c.relname::text, json_agg(a.attname::text order by a.attnum)::text
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace join pg_attribute as a on a.attrelid = c.oid
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and lower(c.relname) = any($1) and a.attnum > 0 and not a.attisdropped
        and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
      group by n.nspname, c.relname order by 1, 2 limit ${MOST_TABLES + 1}`,
      [names],
    );
    if (rows.length > MOST_TABLES)
      throw new VendorError(
        'bad_answer',
        `the user ${this.server.user} may read more than ${MOST_TABLES} tables of such names: give the connection a user for one shop`,
      );
    return rows.map(([schema = '', name = '', columns]) => ({
      schema: schema ?? '',
      name: name ?? '',
      columns: JSON.parse(columns ?? '[]') as string[],
    }));
  }

  /**
   * What changes when Fivetran writes into a table: what was landed last, how many rows there are, since what
   * it commits later may have been landed earlier, and which columns it has.
   */
  async stateOf(access: Access, table: FoundTable): Promise<string> {
    const marks = table.columns.filter((name) => SYNCED.includes(columnName(name)));
    const asked = [...marks.map((name) => `max(${quoted(name)})::text`), 'count(*)::text'];
    const [state = []] = await this.#query(access, `select ${asked.join(', ')} from ${nameOf(table)}`);
    return JSON.stringify([...state, ...readOf(table)]);
  }

  /** The rows of a table as CSV, those of its columns that somebody reads. @throws VendorError */
  async *csvOf(access: Access, table: FoundTable): AsyncGenerator<Uint8Array> {
    const columns = readOf(table);
    const cells = columns.map((name) => `${quoted(name)}::text`);
    yield Buffer.from(line(columns));
    await this.#query(
      access,
      `declare landed no scroll cursor for select ${cells.join(', ')} from ${nameOf(table)}`,
    );
    for (;;) {
      const rows = await this.#query(access, `fetch ${ROWS_AT_ONCE} from landed`);
      if (rows.length === 0) break;
      const lines = Buffer.from(rows.map(line).join(''));
      this.#bytes += lines.length;
      if (this.#bytes > MOST_BYTES.tables)
        throw new VendorError(
          'bad_answer',
          `${this.server.host} has tables of more than ${MOST_BYTES.tables} bytes, which is the most that is read`,
        );
      yield lines;
    }
    await this.#query(access, 'close landed');
  }

  /** @throws VendorError */
  async #query(access: Access, text: string, values: readonly unknown[] = []): Promise<(string | null)[][]> {
    access.signal.throwIfAborted();
    this.#stream.allow(MOST_BYTES.answer);
    try {
      const { rows } = await this.#client.query({ text, values: [...values], rowMode: 'array' });
      return rows as (string | null)[][];
    } catch (error) {
      throw told(this.server.host, error, access);
    }
  }
}

/** A certificate has several lines, and a secret one. */
function certificateAuthority(access: Access): { readonly ca?: string } {
  const written = access.secretIfAny('certificateAuthority');
  if (written === null) return {};
  const ca = Buffer.from(written, 'base64').toString('latin1');
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new VendorError(
      'unauthorized',
      'the certificate authority must be a file of certificates (PEM) as one line of Base64: `base64 -w0 ca.pem`',
    );
  return { ca };
}

function readOf(table: FoundTable): string[] {
  const read = columnsRead(table);
  return table.columns.filter((name) => read.has(columnName(name)));
}

function nameOf({ schema, name }: FoundTable): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

function line(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')}\n`;
}

/** The refusals by the code of an error of PostgreSQL, or by its class. */
const REFUSALS: readonly {
  readonly code: RegExp;
  readonly state: VendorError['state'];
  readonly why: string;
}[] = [
  { code: /^28/, state: 'unauthorized', why: 'refuses the user or the password' },
  { code: /^3D000$/, state: 'unauthorized', why: 'has no such database' },
  {
    code: /^42501$/,
    state: 'missing_scope',
    why: 'does not let the user read a table: grant usage on its schema, and select on all tables in it',
  },
  { code: /^57014$/, state: 'vendor_down', why: `took longer than ${SECONDS.statement} seconds for a table` },
  { code: /^55P03$/, state: 'vendor_down', why: 'has a table locked; it is asked again later' },
  { code: /^(53|57P|08|25P|40|58)/, state: 'vendor_down', why: 'cannot answer now; it is asked again later' },
];

/** The error in words that do not repeat what the server says, since that may quote rows. */
function told(host: string, error: unknown, { signal }: Access): unknown {
  if (error instanceof VendorError) return error;
  if (signal.aborted) return signal.reason;
  const { code = '', message = '' } = error as NodeJS.ErrnoException;
  const refusal = REFUSALS.find((each) => each.code.test(code));
  if (refusal !== undefined)
    return new VendorError(refusal.state, `${host} ${refusal.why}`, { cause: error });
  if (/CERT(?!_HAS_EXPIRED)|UNABLE_TO_/.test(code))
    return new VendorError(
      'vendor_down',
      `the certificate of ${host} cannot be checked (${code}): give the certificate of its authority as certificateAuthority, or, where nobody can ` +
        'check it, say sslmode=no-verify in the connection string',
    );
  if (/^(E[A-Z]+)$/.test(code) || /terminated|timeout|not a public address/.test(message))
    return unreachable(host, error, [signal]);
  return new VendorError('bad_answer', `${host} answers with an error (${code || 'no code'})`, {
    cause: error,
  });
}
