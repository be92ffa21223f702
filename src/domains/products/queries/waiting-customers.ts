import { metric } from '../../../answers/metric.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { orderProducts, productEvents } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn, type Range } from '../../../time/range.ts';

/**
 * The metrics over rows joined to `waiting`. A product picks these people, so few of them are not told: the
 * number is null, and last however rows are sorted.
 */
export const waitingMetrics = [
  metric({
    key: 'waiting_count',
    type: 'integer',
    unit: 'visitors',
    null: '1 to 4 people',
    definition: 'Visitors with a watchdog on it in the range and no order of it since.',
    value: sql`case when waiting > 0 and waiting < ${parameter.integer(LEAST_SHARING)} then null else coalesce(waiting, 0) end`,
  }),
];

/**
 * CTE `waiting`: how many wait for each product at the end of the range; needs the CTE `members` of products
 * before it.
 */
export function waiting(range: Range): Sql {
  return sql`
    asked as (
      select entity_key, visitor_key, max(happened_at) as asked_at
      from ${productEvents} join members using (product_key)
      where kind = 'watchdog' and happened_at >= ${parameter.timestamp(range.start)}
        and happened_at < ${parameter.timestamp(range.end)}
      group by entity_key, visitor_key
    ),
    waiting as (
      select entity_key, count(*) as waiting
      from asked
      left join (
        select entity_key, visitor_key, max(ordered_at) as bought_at
        from (
          select product_key, visitor_key, ordered_at from ${orderProducts} where ${orderedIn(range)}
          union all
          select product_key, customer_key, ordered_at from ${orderProducts} where ${orderedIn(range)}
        ) as placed join members using (product_key)
        where visitor_key in (select visitor_key from asked)
        group by entity_key, visitor_key
      ) as bought using (entity_key, visitor_key)
      where bought_at is null or bought_at < asked_at
      group by entity_key
    )`;
}

/** A query joins this one instead of `waiting` if the store has no events of products. */
export const NOBODY_WAITS = sql`cross join (select cast(null as bigint) as waiting) as nobody`;
