import type { Migration } from './migration.ts';

export const connections: Migration = ({ text, integer, strict }) => `
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
  `;
