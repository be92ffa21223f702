import {
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { Cell } from '../../answers/caller-statement.ts';

/** The digits that a JSON number always keeps exactly. */
const EXACT_DIGITS = 15;

/**
 * Any value of DuckDB as JSON. Dates and moments are ISO 8601; a number that JSON cannot hold exactly, and
 * what JSON has no value of, is text as DuckDB writes it.
 */
export function toCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof DuckDBDecimalValue) return decimal(value.toString());
  if (value instanceof DuckDBTimestampValue) return moment(value.toString());
  // The session's clock is UTC, which is written as an offset.
  if (value instanceof DuckDBTimestampTZValue) return moment(value.toString().replace(/[+]00(?::00)?$/, ''));
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(toCell);
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, each]) => [name, toCell(each)]));
  if (value instanceof DuckDBMapValue)
    return value.entries.map(({ key, value: each }) => ({ key: toCell(key), value: toCell(each) }));
  return value instanceof DuckDBUnionValue ? toCell(value.value) : String(value);
}

function decimal(text: string): number | string {
  const digits = text.replace(/[-.]/g, '').replace(/^0{1,50}|0{1,50}$/g, '');
  return digits.length <= EXACT_DIGITS ? Number(text) + 0 : text;
}

/** `infinity` stays as it is. */
function moment(text: string): string {
  return text.includes(' ') ? `${text.replace(' ', 'T')}Z` : text;
}
