import type { Migration } from './migration.ts';

export const mappingDrafts: Migration = ({ text, strict }) => `
  create table mapping_drafts (
    account_id ${text} not null references accounts on delete cascade,
    business_id ${text} not null references businesses on delete cascade,
    fingerprint ${text} not null,
    choices ${text} not null,
    changed_at ${text} not null,
    primary key (account_id, business_id, fingerprint)
  )${strict};
  create index mapping_drafts_of_business on mapping_drafts (business_id);
  `;
