import type { Migration } from './migration.ts';

export const keptErasures: Migration = ({ integer }) => `
  alter table connection_erasures add column is_done ${integer} not null default 0;
  alter table connection_erasures add column is_landed_since ${integer} not null default 0;
  `;
