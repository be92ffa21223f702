import type { Migration } from './migration.ts';

export const countBudgets: Migration = ({ text, integer, strict }) => `
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
  `;
