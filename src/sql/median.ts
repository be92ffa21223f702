import { type Sql, sql } from './sql.ts';

/**
 * The median of a column of a relation, the mean of the two in the middle where their number is even; null of nothing.
 * Spelled out, since engines differ in their own functions. The column has no nulls.
 */
export function median(column: Sql, relation: Sql): Sql {
  return sql`
    select avg(ranked) as median
    from (
      select ${column} as ranked, row_number() over (order by ${column}) as place, count(*) over () as size
      from ${relation}
    ) as places
    where place >= size / 2 and place <= size / 2 + 1`;
}
