import { csvOf } from './translated.ts';

const SYNCED = { _fivetran_synced: '2026-04-01 05:00:00.123', _fivetran_deleted: 'FALSE' };
export type Row = Readonly<Record<string, string>>;
export const fileOf = (...rows: readonly Row[]) => {
  const marked = rows.map((row) => ({ ...SYNCED, ...row }));
  return csvOf([...new Set(marked.flatMap((row) => Object.keys(row)))], marked);
};

export const DELETED = { _fivetran_deleted: 'true' };
