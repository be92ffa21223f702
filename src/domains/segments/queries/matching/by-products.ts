import { Temporal } from 'temporal-polyfill';
import {
  abandonedCarts,
  orderProducts,
  productCategories,
  productEvents,
  products,
} from '../../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { ABANDONED_AFTER_MINUTES } from '../../../products/tables/abandoned-carts.ts';
import type { Period, Products } from '../../definitions/conditions.ts';
import { type EvaluatedAt, inPeriod } from '../condition-periods.ts';
import { type Matching, type MatchingOf, those } from './matching.ts';

/** What profiles did with products: rows of `customer_key` and `product_key`. */
interface Deed {
  readonly operator: 'any' | 'all';
  readonly of: Products;
  /** How often it takes. */
  readonly least: number;
  readonly rows: Sql;
}

/**
 * Any: at least `least` rows about any of the named things, and a row counts once even if it fits several.
 * All: at least `least` rows about each of them.
 */
function byProducts({ operator, of, least, rows }: Deed): Matching {
  const times = sql`having count(*) >= ${parameter.integer(least)}`;
  if (operator === 'any') {
    return those(sql`
      select customer_key from (${rows}) as deeds
      where product_key in (select product_key from (${namedProducts(of)}) as named)
      group by customer_key ${times}`);
  }
  const things = Object.values(of).reduce((count, ids) => count + new Set(ids).size, 0);
  return those(sql`
    select customer_key
    from (
      select customer_key, kind, name
      from (${rows}) as deeds join (${namedProducts(of)}) as named using (product_key)
      group by customer_key, kind, name ${times}
    ) as done
    group by customer_key
    having count(*) = ${parameter.integer(things)}`);
}

/** Rows of (kind, name, product_key): the products that each of the named things is. */
function namedProducts({ product, master_product, category, brand }: Products): Sql {
  const named = (kind: Sql, name: Sql, table: typeof products, names: readonly string[] | undefined) =>
    names === undefined || names.length === 0
      ? []
      : [
          sql`select ${kind} as kind, ${name} as name, product_key from ${table} where ${name} in (${parameter.texts(names)})`,
        ];
  return join(
    [
      ...named(sql`'product'`, sql`external_product_id`, products, product),
      ...named(sql`'master_product'`, sql`master_product_id`, products, master_product),
      ...named(sql`'category'`, sql`category`, productCategories, category),
      ...named(sql`'brand'`, sql`brand`, products, brand),
    ],
    sql` union all `,
  );
}

/** Product lines of valid orders. */
export const bought: MatchingOf<'bought'> = ({ operator, of, period }, at) =>
  byProducts({
    operator,
    of,
    least: 1,
    rows: sql`
      select customer_key, product_key from ${orderProducts}
      where ${inPeriod(sql`ordered_at`, period, at)}`,
  });

export const viewed: MatchingOf<'viewed'> = ({ operator, of, min_count, period }, at) =>
  byProducts({ operator, of, least: min_count, rows: events(sql`kind = 'view'`, period, at) });

export const addedToCart: MatchingOf<'added_to_cart'> = ({ operator, of, period }, at) =>
  byProducts({ operator, of, least: 1, rows: events(sql`kind = 'add_to_cart'`, period, at) });

export const watched: MatchingOf<'watched'> = ({ operator, of, period }, at) =>
  byProducts({ operator, of, least: 1, rows: events(sql`kind in ('wishlist', 'watchdog')`, period, at) });

function events(condition: Sql, period: Period | undefined, at: EvaluatedAt): Sql {
  return sql`
    select visitor_key as customer_key, product_key from ${productEvents}
    where ${condition} and ${inPeriod(sql`happened_at`, period, at)}`;
}

/**
 * Matches profiles by when their cart was last changed. A cart that was not left alone for long enough yet
 * may still be ordered.
 */
export const cartAbandoned: MatchingOf<'cart_abandoned'> = ({ period }, at) => {
  const latest = Temporal.Instant.from(at.moment).subtract({ minutes: ABANDONED_AFTER_MINUTES });
  return those(sql`
    select distinct customer_key from ${abandonedCarts}
    where ${inPeriod(sql`changed_at`, period, at)}
      and changed_at <= ${parameter.timestamp(latest.toString())}`);
};
