import type { Migration } from './migration.ts';

export const vatRate: Migration = ({ integer }) => `
  alter table businesses add column vat_rate_hundredths ${integer};
  `;
