import type { Migration } from './migration.ts';

export const managers: Migration = ({ text, strict }) => `
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
  `;
