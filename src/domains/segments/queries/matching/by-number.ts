import { InputError } from '../../../../errors.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { allBut, type Matching, those } from './matching.ts';

type Operator = 'eq' | 'gte' | 'lte' | 'between';
export type Amount = number | { readonly from: number; readonly to: number };

/** What a number is compared with; both ends count. */
interface Bounds {
  readonly least: number | null;
  readonly most: number | null;
}

export function boundsOf(operator: Operator, value: Amount): Bounds {
  if (typeof value === 'object') return { least: value.from, most: value.to };
  return { least: operator === 'lte' ? null : value, most: operator === 'gte' ? null : value };
}

/** True where a number lies within bounds. @param written how a bound stands in SQL */
export function isWithin(number: Sql, { least, most }: Bounds, written: (bound: number) => Sql): Sql {
  const conditions = [
    ...(least === null ? [] : [sql`${number} >= ${written(least)}`]),
    ...(most === null ? [] : [sql`${number} <= ${written(most)}`]),
  ];
  return conditions.reduce((all, next) => sql`${all} and ${next}`);
}

/**
 * Profiles by a number that rows sum up to, and that is 0 without rows: where 0 will do, the others are
 * looked for.
 *
 * @param rows from `from` to `group by`, grouped by profile
 */
export function byNumber(
  selected: Sql,
  number: Sql,
  bounds: Bounds,
  written: (bound: number) => Sql,
): Matching {
  const { least, most } = bounds;
  const isZeroWithin = (least === null || least <= 0) && (most === null || most >= 0);
  const condition = isWithin(number, bounds, written);
  return isZeroWithin
    ? allBut(sql`${selected} having not (${condition})`)
    : those(sql`${selected} having ${condition}`);
}

export function whole(bound: number): Sql {
  return sql`${parameter.integer(bound)}`;
}

/** @throws InputError for what money cannot be */
export function money(bound: number): Sql {
  if (Math.abs(bound) >= 1e13 || Number(bound.toFixed(4)) !== bound) {
    throw new InputError('value: must be an amount below 10^13 with at most 4 decimals');
  }
  return sql`cast(${parameter.text(bound.toFixed(4))} as decimal(38,4))`;
}
