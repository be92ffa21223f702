import { setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { Pool, type PoolClient, TypeOverrides, types } from 'pg';
import { InputError, OperatorError } from '../../errors.ts';
import { nameSome } from '../../text/name-some.ts';
import { LATEST_VERSION, missingMigrations } from './all-migrations.ts';
import type { Words } from './migrations/migration.ts';

/** The connections of one process: to the server, or of its pool. */
const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** How often a process that starts tries to reach a server that is slow, starting or full: up to a minute. */
const CONNECT_TRIES = 6;
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

export const WORDS: Words = { text: 'text collate "C"', integer: 'bigint', strict: '' };

/** The one advisory lock of a database, whatever the version of the program; any number would do. */
const WRITE_LOCK = 7_401_933_285;

/**
 * Connects to the database and brings its schema up to date. What the URL says, such as `sslmode`, goes
 * before what is set here.
 *
 * @throws InputError, without the password, when the database cannot be used
 */
export async function openPostgres(url: string): Promise<Dialect> {
  // All integers are `bigint` there, and numbers in SQLite.
  const parsers = new TypeOverrides();
  parsers.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: url,
    application_name: 'storesight',
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: parsers,
  });
  // A connection that breaks ends the query on it, whose caller is told; an event that nobody hears ends the
  // process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw error instanceof InputError ? error : unusable(url, error as NodeJS.ErrnoException);
  }
  const dialect = new PostgresDialect({ pool });
  dialect.createDriver = () => new OneWriterDriver({ pool });
  return dialect;
}

/** Several processes may start at once: the first takes the write lock, the others wait and find it done. */
async function migrate(pool: Pool): Promise<void> {
  const client = await connectWhenReady(pool);
  try {
    if ((await readVersion(client)) === LATEST_VERSION) return;
    // Read committed: after the wait, what the one before has committed must be seen.
    await client.query(`
      begin isolation level read committed;
      set local statement_timeout = '10min';
      select pg_advisory_xact_lock(${WRITE_LOCK});
    `);
    const version = await readVersion(client);
    const missing = missingMigrations(version ?? 0, WORDS);
    if (version === null) await refuseForeign(client);
    await checkEncoding(client);
    for (const migration of missing) await client.query(migration);
    await client.query(`
      create table if not exists storesight_schema (version bigint not null);
      delete from storesight_schema;
      insert into storesight_schema values (${LATEST_VERSION});
      commit;
    `);
  } finally {
    // A transaction that failed is rolled back when the pool ends.
    client.release();
  }
}

/**
 * The first connection of a process. A server that does not answer in time, still starts, or has no
 * connection free is asked again, after longer and longer waits where it refused at once. What is wrong for
 * good, such as a password or a port where nothing listens, is told at once.
 */
async function connectWhenReady(pool: Pool): Promise<PoolClient> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await pool.connect();
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      const isSlow = TOO_SLOW.test(message);
      if (tried === CONNECT_TRIES || !(isSlow || NOT_READY.has(code))) throw error;
      if (!isSlow) await setTimeout(1000 * 2 ** (tried - 1));
    }
  }
}

/** What `pg` says when a connection was not there in `CONNECT_TIMEOUT_MS`. */
const TOO_SLOW = /connection timeout|timeout exceeded/;

/** A server that starts or stops, and one that takes no more connections. */
const NOT_READY: ReadonlySet<string> = new Set(['57P03', '53300']);

/**
 * Null where there is none yet.
 *
 * TRICKY: the table is looked for in the catalogue itself. `to_regclass` would answer from the connection's
 * cache, which an advisory lock does not renew: a server that waited for the lock would not see the table
 * made meanwhile.
 */
async function readVersion(client: PoolClient): Promise<number | null> {
  const tables = await client.query(
    `select from pg_class where relname = 'storesight_schema' and pg_table_is_visible(oid)`,
  );
  if (tables.rowCount === 0) return null;
  const { rows } = await client.query('select version from storesight_schema');
  return rows[0].version;
}

/** Tables of extensions, which some hosts install, are nobody's data. */
async function refuseForeign(client: PoolClient): Promise<void> {
  const { rows } = await client.query(`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname`);
  if (rows.length === 0) return;
  const names = nameSome(rows.map(({ name }) => name));
  throw new InputError(
    `the control database has tables of another program (${names}), so nothing was written to it; Storesight needs one ` +
      'of its own: `create database`, and its name in STORESIGHT_CONTROL_URL',
  );
}

/**
 * Checks the encoding of the database. Another one could not keep some names, and its byte order would not be
 * SQLite's.
 */
async function checkEncoding(client: PoolClient): Promise<void> {
  const { rows } = await client.query('show server_encoding');
  const [{ server_encoding }] = rows;
  if (server_encoding !== 'UTF8') {
    throw new InputError(
      `the control database has the encoding ${server_encoding}; create one \`with encoding 'UTF8' template template0\``,
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the user or the password',
  '3D000': 'there is no such database; create it first',
  '42501': 'its user may not create tables there; make them the owner of the database',
  ECONNREFUSED: 'no server answers there',
  ECONNRESET: 'no server answers there',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host cannot be reached',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved',
};

/** The messages of `pg` and of the server name users, databases and files, and never a password. */
function unusable(url: string, { code = '', message }: NodeJS.ErrnoException): InputError {
  const { host = '', pathname = '' } = URL.parse(url) ?? {};
  const reason = REASONS[code] ?? message;
  return new InputError(
    `the control database at ${host}${pathname} cannot be used: ${reason}; see STORESIGHT_CONTROL_URL in docs/settings.md`,
  );
}

/**
 * What `pg`, the server and the operating system say when the server is away, goes away, or takes no more
 * connections.
 */
const AWAY =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08|57P0|53300)|Connection terminated|timeout exceeded|connection error/;

function named(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!AWAY.test(code) && !AWAY.test(message)) return error;
  return new OperatorError('the control database does not answer; try again in a moment', { cause: error });
}

/** A connection whose callers are told in words that the server is away. */
class TellingConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;

  constructor(inner: DatabaseConnection) {
    this.inner = inner;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.inner.executeQuery<Row>(query);
    } catch (error) {
      throw named(error);
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}

/** One transaction at a time, as in SQLite: what one reads, no other changes before it ends. */
class OneWriterDriver extends PostgresDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    try {
      return new TellingConnection(await super.acquireConnection());
    } catch (error) {
      throw named(error);
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const { inner } = connection as TellingConnection;
    await super.releaseConnection(inner as Parameters<PostgresDriver['releaseConnection']>[0]);
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings);
    try {
      await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${WRITE_LOCK})`));
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    }
  }
}
