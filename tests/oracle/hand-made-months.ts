import { join } from 'node:path';
import { readCsv } from './store.ts';

/**
 * The hand-made shop (see its README), by which the oracle itself is checked. Prices are without VAT, so that
 * profits can be followed with the rows.
 */
export const prague = { timezone: 'Europe/Prague', primary_currency: 'CZK', vat: 0 };
export const store = readCsv(join(import.meta.dirname, '../fixtures/hand-made-shop'), prague);
export const business_id = '3f0c7f5e-0b6f-4b5a-9b0e-1f2d3c4b5a69';

export function range(from: string, to: string) {
  return { business_id, from_date: `${from}T00:00:00`, to_date: `${to}T23:59:59` };
}
export const january = range('2024-01-01', '2024-01-31');
export const february = range('2024-02-01', '2024-02-29');
export const march = range('2024-03-01', '2024-03-31');
export const april = range('2024-04-01', '2024-04-30');
export const everything = range('2024-01-01', '2025-12-31');

export function only<T>(rows: T[]): T {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}
