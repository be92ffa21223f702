import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { type Dialect, SqliteDialect, type SqliteStatement } from 'kysely';
import { LATEST_VERSION, missingMigrations } from './migrations.ts';

/** How long one process waits while another writes. */
const BUSY_TIMEOUT_MS = 10_000;
const SQLITE_BUSY = 5;

/** Opens the file, makes it when it is missing, and brings its schema up to date. */
export async function openSqlite(file: string): Promise<Dialect> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const sqlite = new DatabaseSync(file);
  try {
    sqlite.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma foreign_keys = on`);
    await switchToWal(sqlite);
    migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return new SqliteDialect({ database: kyselyDatabase(sqlite) });
}

/** TRICKY: of several processes that switch a new file, some are refused at once, whatever the busy timeout. */
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
  if (readVersion(sqlite) === LATEST_VERSION) return;
  sqlite.exec('begin immediate');
  try {
    for (const migration of missingMigrations(readVersion(sqlite))) sqlite.exec(migration);
    sqlite.exec(`pragma user_version = ${LATEST_VERSION}; commit`);
  } catch (error) {
    // SQLite has rolled back by itself when the disk is full.
    if (sqlite.isTransaction) sqlite.exec('rollback');
    throw error;
  }
}

function readVersion(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare('pragma user_version').get()?.user_version ?? 0);
}

/** `node:sqlite` in the form that Kysely's SQLite dialect takes. Statements are prepared once for each text. */
function kyselyDatabase(sqlite: DatabaseSync) {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => sqlite.close(),
    prepare: (text: string) => {
      const statement = prepared.get(text) ?? kyselyStatement(sqlite.prepare(writing(text)));
      prepared.set(text, statement);
      return statement;
    },
  };
}

/**
 * TRICKY: a transaction that reads first and then writes fails at once when another process wrote in between, whatever
 * the busy timeout. One that takes the write lock when it begins waits instead.
 */
function writing(text: string): string {
  return text === 'begin' ? 'begin immediate' : text;
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...(values as SQLInputValue[])),
    run: (values) => statement.run(...(values as SQLInputValue[])),
    iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
  };
}
