import { type Sql, sql } from './sql.ts';

/** DuckDB multiplies these within 18 digits, four of them after the point, and refuses larger ones. */
const NARROW = sql`between -9999999999 and 9999999999`;

/**
 * An amount with up to four decimals as whole ten-thousandths: sums and differences of whole numbers are
 * exact, and the same on both engines. Wide decimals have room for every amount, and DuckDB takes a hundred
 * times as long to make whole numbers of them; so only amounts that need the room go that way.
 */
export function tenThousandths(amount: Sql): Sql {
  return sql`case when ${amount} ${NARROW} then cast(cast(${amount} as decimal(18,4)) * 10000 as bigint)
    else cast(cast(${amount} as decimal(38,4)) * 10000 as bigint) end`;
}
