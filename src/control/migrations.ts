import { InputError } from '../errors.ts';

/** What the engines say differently. */
export interface Words {
  /** The type of text that compares and sorts by its bytes. */
  readonly text: string;
  /** That of integers of 64 bits. */
  readonly integer: string;
  /** What ends a table whose values must be of their column's type. */
  readonly strict: string;
}

/**
 * Applied in order, each once, all that are missing in one transaction; never change one that was released.
 *
 * Both engines understand what they say, but for the words that are given. Why not a library's migrations:
 * docs/decisions/0050-migrations.md.
 */
const MIGRATIONS: readonly ((words: Words) => string)[] = [
  ({ text, integer, strict }) => `
  create table accounts (
    account_id ${text} primary key,
    email ${text} not null unique,
    password_hash ${text},
    created_at ${text} not null
  )${strict};

  create table businesses (
    business_id ${text} primary key,
    name ${text} not null,
    link ${text},
    timezone ${text},
    primary_currency ${text},
    snapshot_id ${text},
    created_at ${text} not null
  )${strict};

  create table assignments (
    account_id ${text} not null references accounts on delete cascade,
    business_id ${text} not null references businesses on delete cascade,
    primary key (account_id, business_id)
  )${strict};

  create table permissions (
    account_id ${text} not null,
    business_id ${text} not null,
    permission ${text} not null,
    primary key (account_id, business_id, permission),
    foreign key (account_id, business_id) references assignments on delete cascade
  )${strict};

  create table grants (
    grant_id ${text} primary key,
    account_id ${text} not null references accounts on delete cascade,
    all_businesses ${integer} not null,
    expires_at ${text} not null,
    revoked_at ${text},
    created_at ${text} not null
  )${strict};

  create table grant_businesses (
    grant_id ${text} not null references grants on delete cascade,
    business_id ${text} not null references businesses on delete cascade,
    primary key (grant_id, business_id)
  )${strict};

  create table signing_keys (
    key_id ${text} primary key,
    public_jwk ${text} not null,
    private_jwk_sealed ${text} not null,
    created_at ${text} not null
  )${strict};

  create table snapshots (
    business_id ${text} not null references businesses on delete cascade,
    snapshot_id ${text} not null,
    model_version ${integer} not null,
    facts ${text} not null,
    created_at ${text} not null,
    primary key (business_id, snapshot_id)
  )${strict};
  `,
  ({ text, integer, strict }) => `
  alter table grants add column client_id ${text};
  alter table grants add column client_name ${text};
  alter table grants add column redirect_host ${text};
  alter table grants add column last_used_at ${text};
  alter table signing_keys add column superseded_at ${text};

  create table sessions (
    session_hash ${text} primary key,
    account_id ${text} not null references accounts on delete cascade,
    created_at ${text} not null,
    expires_at ${text} not null
  )${strict};

  create table password_links (
    link_hash ${text} primary key,
    account_id ${text} not null references accounts on delete cascade,
    expires_at ${text} not null
  )${strict};

  create table identities (
    issuer ${text} not null,
    subject ${text} not null,
    account_id ${text} not null references accounts on delete cascade,
    primary key (issuer, subject)
  )${strict};

  create table oauth_clients (
    client_id ${text} primary key,
    metadata_sealed ${text} not null,
    created_at ${text} not null
  )${strict};

  create table oauth_records (
    kind ${text} not null,
    id_hash ${text} not null,
    grant_id ${text},
    rotation ${integer},
    payload_sealed ${text} not null,
    consumed_at ${text},
    expires_at ${text} not null,
    primary key (kind, id_hash)
  )${strict};
  create index oauth_records_of_grant on oauth_records (grant_id);
  create index oauth_records_by_end on oauth_records (expires_at);
  `,
  ({ text }) => `
  alter table oauth_records add column retried_at ${text};
  create index grants_of_client on grants (client_id);
  create index grants_of_account on grants (account_id);
  create index sessions_of_account on sessions (account_id);
  create index assignments_of_business on assignments (business_id);
  create index allowlists_of_business on grant_businesses (business_id);
  `,
  ({ integer }) => `
  alter table businesses add column attribution_click_window_h ${integer};
  alter table businesses add column attribution_open_window_h ${integer};
  alter table businesses add column sms_delivery_window_h ${integer};
  `,
  ({ text, integer, strict }) => `
  create table instances (
    instance_number ${integer} primary key,
    secret_fingerprint ${text} not null,
    created_at ${text} not null
  )${strict};
  `,
  ({ text, integer, strict }) => `
  create table count_budgets (
    account_id ${text} not null references accounts on delete cascade,
    business_id ${text} not null references businesses on delete cascade,
    day ${text} not null,
    spent ${integer} not null,
    primary key (account_id, business_id, day)
  )${strict};

  create table paid_counts (
    account_id ${text} not null,
    business_id ${text} not null,
    day ${text} not null,
    count_hash ${text} not null,
    primary key (account_id, business_id, day, count_hash),
    foreign key (account_id, business_id, day) references count_budgets on delete cascade
  )${strict};
  `,
  ({ text, strict }) => `
  create table snapshots_with_versions (
    business_id ${text} not null references businesses on delete cascade,
    snapshot_id ${text} not null,
    model_version ${text} not null,
    facts ${text} not null,
    created_at ${text} not null,
    primary key (business_id, snapshot_id)
  )${strict};
  insert into snapshots_with_versions
    select business_id, snapshot_id, '0.0.' || model_version, facts, created_at from snapshots;
  drop table snapshots;
  alter table snapshots_with_versions rename to snapshots;
  `,
  ({ text, strict }) => `
  create table source_settings (
    business_id ${text} not null references businesses on delete cascade,
    source ${text} not null,
    name ${text} not null,
    setting ${text} not null,
    primary key (business_id, source, name)
  )${strict};
  `,
  ({ text, strict }) => `
  alter table snapshots add column rebuilt_from ${text};

  create table served_models (
    business_id ${text} not null references businesses on delete cascade,
    model ${text} not null,
    snapshot_id ${text} not null,
    primary key (business_id, model)
  )${strict};

  create table models (
    model ${text} primary key,
    last_seen_at ${text} not null
  )${strict};
  `,
  ({ text, strict }) => `
  create table business_managers (
    account_id ${text} not null,
    business_id ${text} not null,
    created_at ${text} not null,
    primary key (account_id, business_id),
    foreign key (account_id, business_id) references assignments on delete cascade
  )${strict};
  create index managers_of_business on business_managers (business_id);

  create table business_creators (
    account_id ${text} primary key references accounts on delete cascade,
    created_at ${text} not null
  )${strict};
  `,
  ({ text, integer, strict }) => `
  create table connections (
    connection_id ${text} primary key,
    business_id ${text} not null references businesses on delete cascade,
    name ${text} not null,
    vendor ${text} not null,
    settings ${text} not null,
    secrets_sealed ${text} not null,
    account ${text},
    state ${text} not null,
    message ${text},
    is_paused ${integer} not null,
    interval_s ${integer} not null,
    failures ${integer} not null,
    due_at ${text} not null,
    scheduled_at ${text} not null,
    lease ${text},
    leased_at ${text},
    leased_until ${text},
    reached_at ${text},
    loaded_until ${text},
    created_at ${text} not null,
    unique (business_id, name)
  )${strict};
  create index connections_by_due on connections (due_at);

  create table connection_streams (
    connection_id ${text} not null references connections on delete cascade,
    stream ${text} not null,
    place ${text} not null,
    complete_until ${text},
    primary key (connection_id, stream)
  )${strict};

  create table landed_files (
    connection_id ${text} not null references connections on delete cascade,
    file_number ${integer} not null,
    stream ${text} not null,
    name ${text} not null,
    kind ${text} not null,
    row_count ${integer} not null,
    byte_count ${integer} not null,
    landed_at ${text} not null,
    imported_at ${text},
    primary key (connection_id, file_number)
  )${strict};

  create table connection_runs (
    connection_id ${text} not null references connections on delete cascade,
    run_number ${integer} not null,
    started_at ${text} not null,
    ended_at ${text} not null,
    state ${text} not null,
    message ${text},
    report ${text} not null,
    primary key (connection_id, run_number)
  )${strict};

  create table connection_erasures (
    connection_id ${text} not null references connections on delete cascade,
    request_id ${text} not null,
    identifiers_sealed ${text} not null,
    asked_at ${text} not null,
    primary key (connection_id, request_id)
  )${strict};
  `,
  ({ integer }) => `
  alter table businesses add column vat_rate_hundredths ${integer};
  `,
  ({ text, integer, strict }) => `
  create table uploads (
    upload_id ${text} primary key,
    business_id ${text} not null references businesses on delete cascade,
    account_id ${text} not null references accounts on delete cascade,
    state ${text} not null,
    work ${text},
    run_id ${text},
    step ${text},
    done_percent ${integer},
    answers ${text} not null,
    builds_on ${text},
    outcome ${text},
    trouble ${text},
    created_at ${text} not null,
    changed_at ${text} not null
  )${strict};
  create index uploads_of_business on uploads (business_id);
  create index uploads_of_account on uploads (account_id);

  create table upload_files (
    upload_id ${text} not null references uploads on delete cascade,
    file_number ${integer} not null,
    name ${text} not null,
    bytes ${integer} not null,
    primary key (upload_id, file_number)
  )${strict};
  `,
];

/** Those that a database at this version lacks. @throws InputError when a newer version of the program wrote it */
export function missingMigrations(version: number, words: Words): readonly string[] {
  if (version > LATEST_VERSION) {
    throw new InputError(
      'the control database was written by a newer version of Storesight; install that version',
    );
  }
  return MIGRATIONS.slice(version).map((migration) => migration(words));
}

export const LATEST_VERSION = MIGRATIONS.length;
