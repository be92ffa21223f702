import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { type Dialect, SqliteDialect, type SqliteStatement } from 'kysely';
import { InputError } from '../../errors.ts';
import { nameSome } from '../../text/name-some.ts';
import { makeFolder } from '../data-folder/make-folder.ts';
import { LATEST_VERSION, missingMigrations } from './all-migrations.ts';
import type { Words } from './migrations/migration.ts';

export const WORDS: Words = { text: 'text', integer: 'integer', strict: ' strict' };

/** How long one process waits while another writes. */
const BUSY_TIMEOUT_MS = 10_000;
const SQLITE_BUSY = 5;

/** What says in the file's header that it is ours: `Stor`. Versions before it said nothing. */
const APPLICATION_ID = 0x53746f72;
const OLDEST_TABLES = ['accounts', 'businesses', 'grants', 'snapshots'];

/**
 * Opens the file, makes it when it is missing, and brings its schema up to date.
 *
 * @throws InputError, with the path, when the file is empty, damaged, not to be written or of another program
 */
export async function openSqlite(file: string): Promise<Dialect> {
  try {
    makeFolder(dirname(file));
    if (!existsSync(file)) makeFile(file);
    if (statSync(file).size === 0) throw new InputError(`${file} is empty (0 bytes). ${RESTORE}`);
    const sqlite = await openFile(file);
    return new SqliteDialect({ database: kyselyDatabase(sqlite, file) });
  } catch (error) {
    throw error instanceof InputError ? error : unusable(file, error as SqliteError);
  }
}

/**
 * A new file appears with its schema or not at all: a start that is killed leaves no empty one, which would
 * be taken for a damaged one. If several first starts meet, the first one wins: a link, unlike a rename,
 * never replaces.
 */
function makeFile(file: string): void {
  if (existsSync(`${file}-wal`)) {
    throw new InputError(`${file} is missing, and what was last written to it is in ${file}-wal. ${RESTORE}`);
  }
  const fresh = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.new`;
  try {
    const sqlite = new DatabaseSync(fresh);
    try {
      migrate(sqlite);
    } finally {
      sqlite.close();
    }
    linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

async function openFile(file: string): Promise<DatabaseSync> {
  const sqlite = new DatabaseSync(file);
  try {
    sqlite.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma foreign_keys = on`);
    refuseForeign(sqlite, file);
    refuseDamaged(sqlite, file);
    await switchToWal(sqlite);
    migrate(sqlite);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function refuseForeign(sqlite: DatabaseSync, file: string): void {
  const [id, version] = [readPragma(sqlite, 'application_id'), readPragma(sqlite, 'user_version')];
  const tables = sqlite
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map(({ name }) => String(name));
  const isOfEarlierVersion =
    id === 0 && version > 0 && OLDEST_TABLES.every((table) => tables.includes(table));
  if (id === APPLICATION_ID || isOfEarlierVersion) return;
  const content =
    tables.length === 0 ? 'has no tables' : `has tables of another program (${nameSome(tables)})`;
  throw new InputError(`${file} is no control database of Storesight: it ${content}. ${RESTORE}`);
}

/** Damage would otherwise be found by the call that needs the file. It is a small file. */
function refuseDamaged(sqlite: DatabaseSync, file: string): void {
  const { quick_check } = sqlite.prepare('pragma quick_check(1)').get() ?? {};
  if (quick_check !== 'ok') throw new InputError(`${file} is damaged (${quick_check}). ${RESTORE}`);
}

const RESTORE =
  'Restore it from a backup, with the data folder of that backup; nothing was written to it. See docs/settings.md';

interface SqliteError extends Error {
  readonly errcode?: number;
  readonly code?: string;
}

/** The reasons by SQLite's primary result codes, and by those of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  8: 'it, and the folder it is in, must be writable for this user',
  10: 'the disk does not read or write it',
  11: RESTORE,
  13: 'the disk is full',
  14: 'it, and the folder it is in, must be writable for this user',
  26: RESTORE,
  EACCES: 'it, and the folder it is in, must be writable for this user',
  EEXIST: 'choose another data folder with STORESIGHT_DATA',
  ENOTDIR: 'choose another data folder with STORESIGHT_DATA',
  ENOSPC: 'the disk is full',
  EROFS: 'it, and the folder it is in, must be writable; choose another data folder with STORESIGHT_DATA',
};

function unusable(file: string, { message, errcode, code = '' }: SqliteError): InputError {
  const reason = REASONS[errcode === undefined ? code : errcode & 0xff];
  return new InputError(
    `the control database ${file} cannot be used: ${message}${reason === undefined ? '' : `; ${reason}`}`,
  );
}

/** TRICKY: when several processes switch a new file at once, some are refused, whatever the busy timeout. */
async function switchToWal(sqlite: DatabaseSync): Promise<void> {
  const end = Date.now() + BUSY_TIMEOUT_MS;
  while (true) {
    try {
      sqlite.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || Date.now() > end) throw error;
    }
    await setTimeout(10);
  }
}

/** Several processes may start at once: the first takes the write lock, the others wait and find it done. */
function migrate(sqlite: DatabaseSync): void {
  if (readPragma(sqlite, 'user_version') === LATEST_VERSION) return;
  sqlite.exec('begin immediate');
  try {
    for (const migration of missingMigrations(readPragma(sqlite, 'user_version'), WORDS))
      sqlite.exec(migration);
    sqlite.exec(`
      pragma application_id = ${APPLICATION_ID};
      pragma user_version = ${LATEST_VERSION};
      commit;
    `);
  } catch (error) {
    // SQLite has rolled back by itself when the disk is full.
    if (sqlite.isTransaction) sqlite.exec('rollback');
    throw error;
  }
}

function readPragma(sqlite: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return Number(sqlite.prepare(`pragma ${name}`).get()?.[name] ?? 0);
}

/** Lists of other lengths are other texts, so that there is no end of them. A statement takes some 10 KB. */
const MOST_PREPARED = 500;

/**
 * `node:sqlite` in the form that Kysely's SQLite dialect takes. Statements that are used again stay prepared.
 */
function kyselyDatabase(sqlite: DatabaseSync, file: string) {
  /** The prepared statements by their text, the least recently used first. */
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => sqlite.close(),
    prepare: (text: string) => {
      const statement = prepared.get(text) ?? kyselyStatement(sqlite.prepare(writing(text)), file);
      prepared.delete(text);
      prepared.set(text, statement);
      if (prepared.size > MOST_PREPARED) {
        for (const [oldest] of prepared) {
          prepared.delete(oldest);
          break;
        }
      }
      return statement;
    },
  };
}

/**
 * TRICKY: a transaction that reads first and then writes fails at once when another process wrote in between,
 * whatever the busy timeout. One that takes the write lock when it begins waits instead.
 */
function writing(text: string): string {
  return text === 'begin' ? 'begin immediate' : text;
}

function kyselyStatement(statement: StatementSync, file: string): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => withFile(file, () => statement.all(...(values as SQLInputValue[]))),
    run: (values) => withFile(file, () => statement.run(...(values as SQLInputValue[]))),
    iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
  };
}

/** SQLite does not say which file is full, damaged or not to be written. */
function withFile<Result>(file: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const { errcode = 0 } = error as SqliteError;
    if (REASONS[errcode & 0xff] !== undefined) (error as Error).message += ` (${file})`;
    throw error;
  }
}
