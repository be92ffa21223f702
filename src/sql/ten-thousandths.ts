import { type Sql, sql } from './sql.ts';

/** Ten-thousandths of these amounts fit into a decimal of 64 bits, on both engines. */
const NARROW = sql`between -90000000000 and 90000000000`;

/**
 * An amount with up to four decimals as whole ten-thousandths: sums and differences of whole numbers are
 * exact, and the same on both engines. Wide decimals have room for every amount, and DuckDB takes a hundred
 * times as long to make whole numbers of them; so only amounts that need the room go that way.
 */
export function tenThousandths(amount: Sql): Sql {
  return sql`case when ${amount} ${NARROW} then cast(cast(${amount} as decimal(18,4)) * 10000 as bigint)
    else cast(cast(${amount} as decimal(38,4)) * 10000 as bigint) end`;
}
