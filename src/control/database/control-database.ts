import { type Dialect, type Generated, Kysely, type LogEvent } from 'kysely';
import { InputError } from '../../errors.ts';
import { openSqlite } from './open-sqlite.ts';

/** The control database: accounts, businesses, who may read what, grants, keys and published snapshots. */
export interface ControlSchema {
  accounts: { account_id: string; email: string; password_hash: string | null; created_at: string };
  businesses: {
    business_id: string;
    name: string;
    link: string | null;
    timezone: string | null;
    primary_currency: string | null;
    /** The newest, on which imports build. */
    snapshot_id: string | null;
    created_at: string;
    /** Null means the usual one. */
    attribution_click_window_h: number | null;
    attribution_open_window_h: number | null;
    sms_delivery_window_h: number | null;
    /** 2100 is 21 %; null: not set. */
    vat_rate_hundredths: number | null;
  };
  assignments: { account_id: string; business_id: string };
  permissions: { account_id: string; business_id: string; permission: string };
  /**
   * Who may import into a business. Beside the permissions, which are about reading; it ends with the
   * assignment.
   */
  business_managers: { account_id: string; business_id: string; created_at: string };
  /** Who may make new businesses. */
  business_creators: { account_id: string; created_at: string };
  /** Files that came in the browser: see `uploads.ts`. */
  uploads: {
    upload_id: string;
    business_id: string;
    account_id: string;
    state: string;
    work: string | null;
    run_id: string | null;
    step: string | null;
    done_percent: number | null;
    answers: string;
    builds_on: string | null;
    outcome: string | null;
    trouble: string | null;
    created_at: string;
    changed_at: string;
  };
  upload_files: { upload_id: string; file_number: number; name: string; bytes: number };
  /** What a person chose of the columns of a table and has not tried yet: see `mapping-drafts.ts`. */
  mapping_drafts: {
    account_id: string;
    business_id: string;
    fingerprint: string;
    choices: string;
    changed_at: string;
  };
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
    model_version: string;
    facts: string;
    created_at: string;
    /** The snapshot whose rows it has; null when it brought them. */
    rebuilt_from: string | null;
  };
  /** What servers of each version of the model serve; its hash is enough. */
  served_models: { business_id: string; model: string; snapshot_id: string };
  models: { model: string; last_seen_at: string };
  /** The secret that this database goes with. There is only the instance 1. */
  instances: { instance_number: 1; secret_fingerprint: string; created_at: string };
  count_budgets: { account_id: string; business_id: string; day: string; spent: number };
  /** What a budget was spent on, so that it is paid once. */
  paid_counts: { account_id: string; business_id: string; day: string; count_hash: string };
  /** What was said about the files of a source, such as the timezone of times without an offset. */
  source_settings: { business_id: string; source: string; name: string; setting: string };
  /** What a merchant says of costs that no file tells: see `assumptions.ts`. An empty text: any. */
  assumptions: {
    business_id: string;
    assumption_id: string;
    kind: string;
    per: string;
    /** The percentage in ten-thousandths: 14000 is 1.4 %. */
    percent_ten_thousandths: number | null;
    amount_ten_thousandths: number | null;
    currency: string | null;
    from_day: string;
    payment_method: string;
    shipping_method: string;
    country: string;
    created_at: string;
  };
  /** Vendors that a business is connected to. Moments are ISO 8601 in UTC, as everywhere here. */
  connections: {
    connection_id: string;
    business_id: string;
    /** The name that people call it by. It is unique within a business. */
    name: string;
    vendor: string;
    /** The text is JSON, without secrets. */
    settings: string;
    secrets_sealed: string;
    /** The owner of the data, as the vendor calls them. */
    account: string | null;
    /** The id by which the vendor always knows the account, where that is known. */
    account_id: string | null;
    state: string;
    /** What people should know about the state. */
    message: string | null;
    is_paused: number;
    interval_s: number;
    /** Runs that failed since the last one that did not. */
    failures: number;
    due_at: string;
    /** When `due_at` was decided. A clock that shows an earlier time has been set back. */
    scheduled_at: string;
    /** Who runs it; null with the two after it when nobody does. */
    lease: string | null;
    leased_at: string | null;
    leased_until: string | null;
    /** When the vendor last gave a good answer. */
    reached_at: string | null;
    /** The moment until which everything of it is in what is served. */
    loaded_until: string | null;
    created_at: string;
  };
  connection_streams: {
    connection_id: string;
    stream: string;
    /** The place from which to go on: the vendor's cursor, as JSON. */
    place: string;
    /** The moment until which what was landed is complete. */
    complete_until: string | null;
  };
  /** What was landed and is kept; a file that is not listed here is ignored. */
  landed_files: {
    connection_id: string;
    file_number: number;
    stream: string;
    name: string;
    kind: 'rows' | 'gone' | 'ids' | 'listed';
    row_count: number;
    byte_count: number;
    landed_at: string;
    imported_at: string | null;
  };
  connection_runs: {
    connection_id: string;
    run_number: number;
    started_at: string;
    ended_at: string;
    state: string;
    message: string | null;
    report: string;
  };
  /**
   * Persons whom a vendor asked us to forget, until that is done and nothing that was read before can land
   * any more.
   */
  connection_erasures: {
    connection_id: string;
    request_id: string;
    identifiers_sealed: string;
    asked_at: string;
    is_done: Generated<number>;
    /** Whether rows were landed since it was begun. */
    is_landed_since: Generated<number>;
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
    /** The moment when it was used first. */
    consumed_at: string | null;
    expires_at: string;
  };
}

export type ControlDatabase = Kysely<ControlSchema>;

/**
 * Opens the control database and brings its schema up to date. Queries give the same answers on both engines.
 *
 * @param place a SQLite file, made when it is missing, or the URL of a PostgreSQL database
 * @throws InputError when the PostgreSQL database cannot be used, or a newer version of the program wrote the
 *   schema
 */
export async function openControlDatabase(place: string): Promise<ControlDatabase> {
  const dialect = /^postgres(ql)?:/.test(place) ? await openPostgres(place) : await openSqlite(place);
  const control = new Kysely<ControlSchema>({ dialect: refusingNul(dialect), log: forgetRow });
  // TRICKY: Kysely closes only what it has used, and an open connection would keep the process alive.
  await control.connection().execute(async () => {});
  return control;
}

/** Most commands work on SQLite and need not wait until the PostgreSQL client is loaded. */
async function openPostgres(url: string): Promise<Dialect> {
  const postgres = await import('./open-postgres.ts');
  return postgres.openPostgres(url);
}

/** PostgreSQL keeps no text with the character NUL; SQLite would, so neither gets it. */
function refusingNul(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => {
      const compiler = dialect.createQueryCompiler();
      return {
        compileQuery: (node, queryId) => {
          const query = compiler.compileQuery(node, queryId);
          if (query.parameters.some((value) => typeof value === 'string' && value.includes('\0'))) {
            throw new InputError('a text contains the character NUL (U+0000); leave it out');
          }
          return query;
        },
      };
    },
  };
}

/**
 * TRICKY: Kysely gives an error here before its caller. PostgreSQL's quote the row that was refused, e-mail
 * and all, and an unexpected error goes to the log with everything it carries.
 */
function forgetRow(event: LogEvent): void {
  if (event.level !== 'error') return;
  const error = event.error as { detail?: string; where?: string };
  delete error.detail;
  delete error.where;
}
