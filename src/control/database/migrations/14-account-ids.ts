import type { Migration } from './migration.ts';

export const accountIds: Migration = ({ text }) => `
  alter table connections add column account_id ${text};
  `;
