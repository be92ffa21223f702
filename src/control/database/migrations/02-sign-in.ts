import type { Migration } from './migration.ts';

export const signIn: Migration = ({ text, integer, strict }) => `
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
  `;
