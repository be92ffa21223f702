import type { Migration } from './migration.ts';

export const instance: Migration = ({ text, integer, strict }) => `
  create table instances (
    instance_number ${integer} primary key,
    secret_fingerprint ${text} not null,
    created_at ${text} not null
  )${strict};
  `;
