import type { Migration } from './migration.ts';

export const versionsOfModels: Migration = ({ text, strict }) => `
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
  `;
