import type { SqlValue } from '../sql/row.ts';

/**
 * A value of ClickHouse's JSON in the form that tools get from every engine: moments
 * `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`, integers that a number holds exactly.
 *
 * @param type as ClickHouse names it
 * @throws Error for an integer that a number cannot hold exactly
 */
export function toSqlValue(value: unknown, type: string): SqlValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return readNumber(value, type);
  if (typeof value === 'string') return type.includes('DateTime') ? readMoment(value) : value;
  if (Array.isArray(value)) return value.map((item) => toSqlValue(item, type));
  throw new Error(`no value for ${typeof value} of ${type}`);
}

function readNumber(value: number, type: string): number {
  if (type.includes('Int') && !Number.isSafeInteger(value)) {
    throw new Error(`the integer ${value} is too large for JSON`);
  }
  return Object.is(value, -0) ? 0 : value;
}

function readMoment(text: string): string {
  return `${text.replace(' ', 'T').replace(/\.?0*$/, (zeros) => (text.includes('.') ? '' : zeros))}Z`;
}
