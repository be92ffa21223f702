import { column, nullableColumn } from '../../../../answers/fields/field.ts';
import { type Query, query } from '../../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { orders, unpricedMoney } from '../../../../model-table/table-names.ts';
import { parameter, sql } from '../../../../sql/sql.ts';
import { orderedIn, type Range } from '../../../../time/range.ts';
import { withStock } from '../../../products/queries/stock.ts';

export interface Duplicates {
  readonly all_count: number;
  readonly more_count: number;
  readonly more_revenue: number | null;
}

/** Orders of one customer in one second with the same amount: what is more than one of each. */
export function duplicateOrders(range: Range): Query {
  return query(
    [
      column('all_count', 'integer'),
      column('more_count', 'integer'),
      nullableColumn('more_revenue', 'number'),
    ],
    sql`
    select coalesce(sum(same), 0) as all_count, coalesce(sum(more), 0) as more_count, sum(more * revenue) as more_revenue
    from (
      select revenue, count(*) as same,
        case when customer_key is null or coalesce(revenue, 0) = 0 then 0 else count(*) - 1 end as more
      from ${orders} where is_valid and ${orderedIn(range)}
      group by customer_key, ordered_at, revenue
    ) as told`,
  );
}

export interface Unpriced {
  readonly kind: string;
  readonly currency: string;
  readonly pieces_count: number;
  readonly amount: number;
}

/** Money of other currencies without a rate. */
export function unpricedIn({ firstDate, lastDate }: Range): Query {
  return query(
    [
      column('kind', 'text'),
      column('currency', 'text'),
      column('pieces_count', 'integer'),
      column('amount', 'number'),
    ],
    sql`
    select kind, currency, sum(pieces_count) as pieces_count, sum(amount) as amount
    from ${unpricedMoney}
    where happened_date between ${parameter.date(firstDate.toString())} and ${parameter.date(lastDate.toString())}
    group by kind, currency order by kind, currency`,
  );
}

export interface StaleStock {
  readonly all_count: number;
  readonly sold_count: number;
  readonly pieces_count: number;
  readonly last_at: string | null;
}

/**
 * Products whose stock is known, and of how many pieces were sold after it: a stock that no sale followed is
 * as it was told, however long ago. Where stock is told once a day, what was sold on the last day is in none
 * yet, so a stock counts from a day before the last order on.
 */
export function staleStock(timezone: string, facts: SnapshotFacts): Query | null {
  if (facts.orders_until === null) return null;
  const dayBefore = new Date(Date.parse(facts.orders_until) - 86_400_000).toISOString();
  const isStale = sql`sold_since_stock_as_of > 0 and stock_as_of <= ${parameter.timestamp(dayBefore)}`;
  return query(
    [
      column('all_count', 'integer'),
      column('sold_count', 'integer'),
      column('pieces_count', 'number'),
      nullableColumn('last_at', 'moment'),
    ],
    sql`
    select count(*) as all_count, count(*) filter (where ${isStale}) as sold_count,
      coalesce(sum(case when ${isStale} then sold_since_stock_as_of end), 0) as pieces_count,
      max(stock_as_of) as last_at
    from ${withStock(sql`stock_as_of is not null`, timezone, facts)} as stocked`,
  );
}
