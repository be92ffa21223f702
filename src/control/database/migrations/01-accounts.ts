import type { Migration } from './migration.ts';

export const accounts: Migration = ({ text, integer, strict }) => `
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
  `;
