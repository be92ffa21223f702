import { ratio } from '../../../answers/metric.ts';
import { productSalesUntil, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orderProducts, products } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { plural } from '../../../text/plural.ts';
import { localDate } from '../../../time/moment.ts';

/** The number of whole days over which the usual sales of a day are counted. */
const COVER_DAYS = 28;

/**
 * `products`, each with what sales say of its stock: `sold_since_stock_as_of`, `known_in_stock` and
 * `days_of_cover`. Where more was sold since the stock was read than was there, nobody knows whether there is
 * some. Of a stock that was read after the last loaded order, what was sold since is not known: then the
 * cover is of the stock as it was read.
 *
 * @param condition over `products`: sales of others are not looked at
 */
export function withStock(condition: Sql, timezone: string, facts: SnapshotFacts): Sql {
  const { first, end, days } = lastWholeDays(timezone, facts);
  const isRecent = sql`ordered_date >= ${parameter.date(first)} and ordered_date < ${parameter.date(end)}`;
  const left = sql`(stock_quantity - coalesce(sold_since_stock_as_of, 0))`;
  const until = productSalesUntil(facts);
  const hasLaterOrders = until === null ? sql`false` : sql`stock_as_of <= ${parameter.timestamp(until)}`;
  return sql`(
    select *,
      case
        when in_stock and stock_quantity > 0 and sold_since_stock_as_of >= stock_quantity then null
        when not in_stock and sold_since_stock_as_of > 0 then null
        else in_stock
      end as known_in_stock,
      case when stock_as_of is not null and ${left} >= 0 and sold_recently > 0
        then ${ratio(sql`(${left} * ${parameter.integer(days)})`, sql`sold_recently`)} end as days_of_cover
    from (
      select *, case when ${hasLaterOrders} then coalesce(sold_after, 0) end as sold_since_stock_as_of
      from (select * from ${products} where ${condition}) as chosen
      left join (
        select product_key,
          sum(case when ordered_at > read_at then quantity else 0 end) as sold_after,
          sum(case when ${isRecent} then quantity else 0 end) as sold_recently
        from ${orderProducts}
        join (
          select product_key, stock_as_of as read_at from ${products} where stock_as_of is not null and ${condition}
        ) as looked_at using (product_key)
        where ordered_at > read_at or ${isRecent}
        group by product_key
      ) as sold using (product_key)
    ) as counted
  )`;
}

/** The day of the last loaded order is not whole. Where fewer days are loaded, these are all of them. */
function lastWholeDays(timezone: string, { history_starts_at, orders_until }: SnapshotFacts) {
  const end = localDate(orders_until ?? '1970-01-01T00:00:00Z', timezone);
  const beginning = localDate(history_starts_at ?? '1970-01-01T00:00:00Z', timezone);
  const days = Math.max(1, Math.min(COVER_DAYS, beginning.until(end).days));
  return { first: end.subtract({ days }).toString(), end: end.toString(), days };
}

interface Stocked {
  readonly in_stock: boolean | null;
  readonly stock_as_of: string | null;
  readonly sold_since_stock_as_of: number | null;
  readonly days_of_cover: number | null;
}

/**
 * These notes come first: a stock that sales contradict is unknown, and one that no sales follow is as it was
 * read.
 */
export function stockNotes(rows: readonly Stocked[], timezone: string, facts: SnapshotFacts): string[] {
  return [...doubtNotes(rows), ...unfollowedNotes(rows, timezone, facts)];
}

function unfollowedNotes(rows: readonly Stocked[], timezone: string, facts: SnapshotFacts): string[] {
  const unfollowed = rows.filter(
    ({ stock_as_of, sold_since_stock_as_of }) => stock_as_of !== null && sold_since_stock_as_of === null,
  );
  if (unfollowed.length === 0) return [];
  const until = productSalesUntil(facts);
  if (until === null)
    return [
      `No ${facts.orders_until === null ? 'orders' : 'order lines'} are loaded: sold_since_stock_as_of is null.`,
    ];
  const cover = unfollowed.some(({ days_of_cover }) => days_of_cover !== null)
    ? `; days_of_cover is of the stock as it was read, by sales of the last ${lastWholeDays(timezone, facts).days} whole days before that date`
    : '';
  return [
    `Sales after ${localDate(until, timezone)} are not loaded, and stock was read after the last of them: sold_since_stock_as_of is null${cover}.`,
  ];
}

function doubtNotes(rows: readonly Stocked[]): string[] {
  const doubted = rows.filter(
    ({ in_stock, sold_since_stock_as_of }) => in_stock === null && (sold_since_stock_as_of ?? 0) > 0,
  );
  if (doubted.length === 0) return [];
  const sold = doubted.reduce((sum, row) => sum + (row.sold_since_stock_as_of ?? 0), 0);
  return [
    `${plural(doubted.length, 'product', 'products')} sold ${plural(sold, 'piece', 'pieces')} after their stock last changed or was told, all that was there or more: in_stock is null. Read the stock again.`,
  ];
}

/** @param count of the products that a filter by stock leaves out, whichever way it is set */
export function unsureStockNotes(count: number): string[] {
  if (count === 0) return [];
  return [
    `Without ${plural(count, 'product', 'products')} whose in_stock is null: their stock is not known, or sales since it last changed or was told contradict it. Neither true nor false of filter_in_stock has them.`,
  ];
}
