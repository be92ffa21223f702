import { column, nullableColumn, type ObjectOf } from '../../../../answers/fields/field.ts';
import { type Query, query } from '../../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import {
  orderProducts,
  productPrices,
  products,
  stockReadings,
} from '../../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { withStock } from '../../../products/queries/stock.ts';
import { HELD_DAYS, type StockDays } from './stock-days.ts';

const SPELL = [
  column('product_key', 'integer'),
  /** The day since which the stock is so; null of sales before the first reading. */
  nullableColumn('from_date', 'date'),
  column('has_stock', 'integer'),
  column('pieces', 'number'),
  /** The sum of the squares of the pieces of each day. */
  column('squares', 'number'),
  column('priced_pieces', 'number'),
  nullableColumn('revenue', 'number'),
  /** The days of the range on which the product was sold, and what all products sold on them. */
  column('sale_days', 'integer'),
  column('sale_pieces', 'number'),
  column('all_pieces', 'number'),
];
export type Spell = ObjectOf<typeof SPELL>;

/**
 * The times in which each product was in stock, or was not, with what was sold in them. A spell begins on the
 * day of a reading that says something else than the one before, and ends before the day of the next one. The
 * first reading may lie long before the days.
 *
 * @param condition over `products`
 * @param unknown dates whose stock nobody knows: sales on them count nowhere
 */
export function stockSpells(days: StockDays, condition: Sql, unknown: readonly string[]): Query<Spell> {
  const [first, from, to] = [days.first, days.from, days.to].map((date) =>
    parameter.date(date.toString()),
  ) as [
    ReturnType<typeof parameter.date>,
    ReturnType<typeof parameter.date>,
    ReturnType<typeof parameter.date>,
  ];
  const isKnown =
    unknown.length === 0
      ? sql`true`
      : sql`cast(ordered_date as varchar) not in (${parameter.texts(unknown)})`;
  const inDays = sql`ordered_date between ${first} and ${to} and ${isKnown}`;
  const isSale = sql`is_sale = 1`;
  const inRange = sql`is_sale = 1 and day >= ${from}`;
  return query(
    SPELL,
    sql`
    with chosen as (select product_key from ${products} where ${condition}),
    followed_readings as (
      select product_key, read_date, in_stock,
        lag(read_date) over (partition by product_key order by read_date desc) as next_date,
        row_number() over (partition by product_key order by read_date desc) as place
      from ${stockReadings} join chosen using (product_key)
      where read_date <= ${to}
    ),
    readings as (
      -- Those that still held on the first day, and all since.
      select product_key, read_date, case when in_stock then 1 else 0 end as has_stock
      from followed_readings
      where place = 1 or next_date > ${first}
    ),
    changes as (
      select product_key, read_date, has_stock
      from (
        select product_key, read_date, has_stock,
          lag(has_stock) over (partition by product_key order by read_date) as had_stock,
          row_number() over (partition by product_key order by read_date) as place
        from readings
      ) as followed
      where place = 1 or has_stock <> had_stock
    ),
    store_days as (
      select ordered_date, sum(quantity) as all_pieces from ${orderProducts} where ${inDays} group by ordered_date
    ),
    sales as (
      select product_key, ordered_date, sum(quantity) as pieces,
        sum(case when revenue is null then 0 else quantity end) as priced_pieces, sum(revenue) as revenue
      from ${orderProducts} join chosen using (product_key)
      where ${inDays}
      group by product_key, ordered_date
    ),
    happened as (
      select product_key, read_date as day, 0 as is_sale, has_stock, 0 as pieces, 0 as priced_pieces, 0 as revenue, 0 as all_pieces
      from changes
      union all
      select product_key, ordered_date, 1, 0, cast(pieces as double), cast(priced_pieces as double), cast(revenue as double),
        cast(all_pieces as double)
      from sales join store_days using (ordered_date)
    ),
    placed as (
      select product_key, day, is_sale, has_stock, pieces, priced_pieces, revenue, all_pieces,
        max(case when is_sale = 0 then day end) over (
          partition by product_key order by day, is_sale rows between unbounded preceding and current row
        ) as from_date
      from happened
    )
    select product_key, from_date, max(has_stock) as has_stock,
      coalesce(sum(pieces) filter (where ${isSale}), 0) as pieces,
      coalesce(sum(pieces * pieces) filter (where ${isSale}), 0) as squares,
      coalesce(sum(priced_pieces) filter (where ${isSale}), 0) as priced_pieces,
      sum(revenue) filter (where ${isSale}) as revenue,
      count(*) filter (where ${inRange}) as sale_days,
      coalesce(sum(pieces) filter (where ${inRange}), 0) as sale_pieces,
      coalesce(sum(all_pieces) filter (where ${inRange}), 0) as all_pieces
    from placed
    group by product_key, from_date
    order by product_key, from_date`,
  );
}

const READ_DAY = [column('read_date', 'date')];
export type ReadDay = ObjectOf<typeof READ_DAY>;

/** The days on which the stock of anything was read. */
export function readDays({ first, to }: StockDays): Query<ReadDay> {
  return {
    ...query(
      READ_DAY,
      sql`
      select distinct read_date from ${stockReadings}
      where read_date between ${parameter.date(first.subtract({ days: HELD_DAYS }).toString())} and ${parameter.date(to.toString())}`,
    ),
    isAside: true,
  };
}

const STOCKED = [
  column('product_key', 'integer'),
  column('external_product_id', 'text'),
  nullableColumn('name', 'text'),
  nullableColumn('in_stock', 'boolean'),
  nullableColumn('stock_quantity', 'number'),
  nullableColumn('stock_as_of', 'moment'),
  nullableColumn('sold_since_stock_as_of', 'number'),
  nullableColumn('days_of_cover', 'number'),
];
export type Stocked = ObjectOf<typeof STOCKED>;

/** The stock of the products as `list_products` has it. */
export function stockNow(condition: Sql, timezone: string, facts: SnapshotFacts): Query<Stocked> {
  return query(
    STOCKED,
    sql`
    select product_key, external_product_id, name, known_in_stock as in_stock, stock_quantity, stock_as_of, sold_since_stock_as_of,
      days_of_cover
    from ${withStock(condition, timezone, facts)} as stocked
    order by external_product_id`,
  );
}

const REDUCED = [
  column('external_product_id', 'text'),
  column('from_date', 'date'),
  nullableColumn('until_date', 'date'),
];
export type Reduced = ObjectOf<typeof REDUCED>;

/**
 * The times at which products were sold below their original price: from the day of a change of price to that
 * of the next one, which is not in it.
 *
 * @param ids of the shop
 */
export function reducedTimes({ first, to }: StockDays, ids: readonly string[]): Query<Reduced> {
  return query(
    REDUCED,
    sql`
    with followed_prices as (
      select external_product_id, valid_from_date, price, original_price,
        row_number() over (partition by product_key order by valid_from desc) as place,
        lag(valid_from_date) over (partition by product_key order by valid_from desc) as next_date
      from ${productPrices}
      join (select product_key, external_product_id from ${products} where external_product_id in (${parameter.texts(ids)})) as shown
        using (product_key)
    )
    select external_product_id, valid_from_date as from_date, case when place > 1 then next_date end as until_date
    from followed_prices
    where price < original_price and valid_from_date <= ${parameter.date(to.toString())}
      and (place = 1 or next_date > ${parameter.date(first.toString())})
    order by external_product_id, from_date`,
  );
}

const LEFT_OUT = [column('discontinued_count', 'integer'), column('unread_count', 'integer')];
export type LeftOut = ObjectOf<typeof LEFT_OUT>;

/** How many products of the catalogue are left out, and why. */
export function leftOut(condition: Sql, { to }: StockDays): Query<LeftOut> {
  return {
    ...query(
      LEFT_OUT,
      sql`
      select count(*) filter (where discontinued) as discontinued_count,
        count(*) filter (where not discontinued and product_key not in (
          select product_key from ${stockReadings} where read_date <= ${parameter.date(to.toString())})) as unread_count
      from ${products}
      where is_in_catalogue and ${condition}`,
    ),
    isAside: true,
  };
}
