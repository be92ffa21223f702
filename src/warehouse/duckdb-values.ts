import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { SqlValue } from '../sql/row.ts';
import type { Parameter, ParameterType } from '../sql/sql.ts';

/**
 * A parameter is bound with its declared type, never by the look of its value: the number 1e19 looks like an
 * integer, but no integer of 64 bits can hold it.
 */
const BOUND = {
  text: VARCHAR,
  texts: LIST(VARCHAR),
  integer: BIGINT,
  number: DOUBLE,
  boolean: BOOLEAN,
  // Written as texts, which the placeholder casts.
  date: VARCHAR,
  timestamp: VARCHAR,
} satisfies Record<ParameterType, DuckDBType>;

export function boundType({ type }: Parameter): DuckDBType {
  return BOUND[type];
}

export function boundValue({ value }: Parameter): DuckDBValue {
  return typeof value === 'object' ? listValue([...value]) : value;
}

/**
 * A DuckDB value as JSON: integers and decimals as numbers, dates `YYYY-MM-DD`, moments
 * `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`.
 *
 * @throws Error for a type that no tool returns, or an integer that a number cannot hold exactly
 */
export function toSqlValue(value: DuckDBValue): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? 0 : value;
  if (typeof value === 'bigint') return exactNumber(value);
  if (value instanceof DuckDBDecimalValue) return Number(value.toString());
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value instanceof DuckDBTimestampValue) return `${value.toString().replace(' ', 'T')}Z`;
  if (value instanceof DuckDBListValue) return value.items.map(toSqlValue);
  throw new Error(`no JSON for a value of ${value.constructor.name}`);
}

function exactNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`the integer ${value} is too large for JSON`);
  return number;
}
