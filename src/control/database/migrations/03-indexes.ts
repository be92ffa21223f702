import type { Migration } from './migration.ts';

export const indexes: Migration = ({ text }) => `
  alter table oauth_records add column retried_at ${text};
  create index grants_of_client on grants (client_id);
  create index grants_of_account on grants (account_id);
  create index sessions_of_account on sessions (account_id);
  create index assignments_of_business on assignments (business_id);
  create index allowlists_of_business on grant_businesses (business_id);
  `;
