import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import { migrate } from './migrations.ts';

/** The control database: accounts, businesses, who may read what, grants, keys and published snapshots. */
interface ControlSchema {
  accounts: { account_id: string; email: string; password_hash: string | null; created_at: string };
  businesses: {
    business_id: string;
    name: string;
    link: string | null;
    timezone: string | null;
    primary_currency: string | null;
    snapshot_id: string | null;
    created_at: string;
  };
  assignments: { account_id: string; business_id: string };
  permissions: { account_id: string; business_id: string; permission: string };
  grants: {
    grant_id: string;
    account_id: string;
    all_businesses: number;
    expires_at: string;
    revoked_at: string | null;
    created_at: string;
    /** Null, as the two after it, when the grant was made on the command line. */
    client_id: string | null;
    client_name: string | null;
    redirect_host: string | null;
    last_used_at: string | null;
  };
  grant_businesses: { grant_id: string; business_id: string };
  signing_keys: {
    key_id: string;
    public_jwk: string;
    /** Empty once the key is superseded: it only verifies from then on. */
    private_jwk_sealed: string;
    created_at: string;
    superseded_at: string | null;
  };
  snapshots: {
    business_id: string;
    snapshot_id: string;
    model_version: number;
    facts: string;
    created_at: string;
  };
  sessions: { session_hash: string; account_id: string; created_at: string; expires_at: string };
  /** One-time links with which a person sets a password. */
  password_links: { link_hash: string; account_id: string; expires_at: string };
  /** Accounts as another identity provider knows them. */
  identities: { issuer: string; subject: string; account_id: string };
  oauth_clients: { client_id: string; metadata_sealed: string; created_at: string };
  /** Codes, refresh tokens, interactions: what the authorization server keeps for a while. */
  oauth_records: {
    kind: string;
    id_hash: string;
    grant_id: string | null;
    rotation: number | null;
    payload_sealed: string;
    consumed_at: string | null;
    expires_at: string;
  };
}

export type ControlDatabase = Kysely<ControlSchema>;

/** Opens the SQLite file, makes it when it is missing, and brings its schema up to date. */
export async function openControlDatabase(file: string): Promise<ControlDatabase> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const sqlite = new DatabaseSync(file);
  sqlite.exec('pragma busy_timeout = 10000; pragma journal_mode = wal; pragma foreign_keys = on');
  migrate(sqlite);
  return new Kysely<ControlSchema>({ dialect: new SqliteDialect({ database: kyselyDatabase(sqlite) }) });
}

/** `node:sqlite` in the form that Kysely's SQLite dialect takes. Statements are prepared once for each text. */
function kyselyDatabase(sqlite: DatabaseSync) {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => sqlite.close(),
    prepare: (text: string) => {
      const statement = prepared.get(text) ?? kyselyStatement(sqlite.prepare(text));
      prepared.set(text, statement);
      return statement;
    },
  };
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...(values as SQLInputValue[])),
    run: (values) => statement.run(...(values as SQLInputValue[])),
    iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
  };
}
