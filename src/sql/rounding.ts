import { type Sql, sql } from './sql.ts';

/**
 * A number in double precision to four decimals, halves away from zero. Spelled out, since `round` of other
 * engines takes halves to the even neighbour.
 */
export function toFourDecimals(value: Sql): Sql {
  return sql`sign(${value}) * floor(abs(${value}) * 10000 + 0.5) / 10000`;
}
