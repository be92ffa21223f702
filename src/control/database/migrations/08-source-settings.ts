import type { Migration } from './migration.ts';

export const sourceSettings: Migration = ({ text, strict }) => `
  create table source_settings (
    business_id ${text} not null references businesses on delete cascade,
    source ${text} not null,
    name ${text} not null,
    setting ${text} not null,
    primary key (business_id, source, name)
  )${strict};
  `;
