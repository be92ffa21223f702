import type { Migration } from './migration.ts';

export const servedModels: Migration = ({ text, strict }) => `
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
  `;
