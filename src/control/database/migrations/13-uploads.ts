import type { Migration } from './migration.ts';

export const uploads: Migration = ({ text, integer, strict }) => `
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
  `;
