import { toFourDecimals } from './rounding.ts';
import { parameter, type Sql, sql } from './sql.ts';

/**
 * The columns that `quantile` needs of its rows: `last_place`, how many values of the group are up to and
 * with those of this row, and `size`, how many the group has.
 *
 * @param count how often the row's value counts; rows without a value come last and do not count
 */
export function ranked(value: Sql, { group, count }: { group?: Sql; count?: Sql }): Sql {
  const partition = group === undefined ? sql`` : sql`partition by ${group}`;
  const places = sql`case when ${value} is null then 0 else ${count ?? sql`1`} end`;
  return sql`cast(sum(${places}) over (
      ${partition} order by ${value} nulls last rows between unbounded preceding and current row
    ) as bigint) as last_place,
    cast(sum(${places}) over (${partition}) as bigint) as size`;
}

/**
 * A quantile of integers or decimals, interpolated between its two neighbours, to four decimals; null without
 * values. Spelled out, since the functions of engines for it differ in the last digits, or are approximate.
 *
 * The q-th percentile of n values stands at place q (n - 1) / 100, counted from 0. In hundredths of a place:
 * the value at the whole place below counts by what is missing to the next one, and that one by the rest.
 *
 * @param value of rows that have the columns of `ranked`
 * @param percentage a whole number
 */
export function quantile(value: Sql, percentage: number): Sql {
  const target = sql`${parameter.integer(percentage)} * (size - 1)`;
  const below = sql`min(${value}) filter (where 100 * last_place > ${target})`;
  const above = sql`min(${value}) filter (where 100 * (last_place - 1) >= ${target})`;
  const rest = sql`(${parameter.integer(percentage)} * (max(size) - 1) % 100)`;
  return toFourDecimals(sql`(cast(${below} * (100 - ${rest}) + ${above} * ${rest} as double) / 100)`);
}
