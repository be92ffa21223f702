import { type Sql, sql } from './sql.ts';

/**
 * Columns of counts, never null: of `all` things some are of the first kind, some of the second, some of
 * both.
 */
interface Counts {
  readonly all: Sql;
  readonly first: Sql;
  readonly second: Sql;
  readonly both: Sql;
}

/**
 * How likely chance alone makes at least `both` things of both kinds, were the two independent: the upper
 * tail of the hypergeometric distribution, rounded up a little.
 *
 * The probabilities of more and more things of both fall ever faster from each to the next, so together they
 * are at most a geometric series that begins with the first of them and falls as from the first to the
 * second. Far from what is expected, where it matters, this is the tail to a few percent; never is it less.
 */
export function chanceOfBoth({ all, first, second, both }: Counts): Sql {
  const likelihood = sql`exp(
    ${logChoose(first, both)} + ${logChoose(sql`(${all} - ${first})`, sql`(${second} - ${both})`)} - ${logChoose(all, second)}
  )`;
  const more = sql`cast(${first} - ${both} as double) * cast(${second} - ${both} as double)`;
  const less = sql`(cast(${both} + 1 as double) * cast(${all} - ${first} - ${second} + ${both} + 1 as double))`;
  return sql`(case when ${more} >= ${less} then 1.0e0
    else least(1.0e0, ${likelihood} / nullif(1.0e0 - ${more} / nullif(${less}, 0), 0)) end)`;
}

/** The logarithm of the number of ways to choose some of many. */
function logChoose(many: Sql, some: Sql): Sql {
  return sql`(${logFactorial(many)} - ${logFactorial(some)} - ${logFactorial(sql`(${many} - ${some})`)})`;
}

function logFactorial(count: Sql): Sql {
  return sql`lgamma(cast(${count} as double) + 1)`;
}
