import { field, type ObjectOf } from '../../../answers/fields/field.ts';
import { measure, moment, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orderProducts, productPrices, products } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import { type ProductFilters, productCondition } from './product-filters.ts';
import { productName } from './product-level.ts';

export const MOST_CHANGES = 100;

/** Four weeks have each weekday equally often. */
const MOST_DAYS = 28;

const sales = <const Key extends string>(key: Key, unit: 'pieces' | 'money', definition: string) =>
  field({ key, type: 'number', unit, null: 'compared_days is 0', definition });

export const priceChangeFields = [
  text('external_product_id', 'Id of the product in the shop.'),
  productName,
  moment('changed_at', 'In UTC.'),
  measure('money', 'price_before', 'Catalogue price until then.'),
  measure('money', 'price', 'Catalogue price from then on.'),
  field({
    key: 'compared_days',
    type: 'integer',
    unit: 'days',
    definition: `Whole days on each side of the day of the change, at most ${MOST_DAYS}, with one price and loaded orders.`,
  }),
  sales('quantity_before', 'pieces', 'Pieces sold in compared_days before the change.'),
  sales('quantity_after', 'pieces', 'Pieces sold in compared_days after the change.'),
  sales('revenue_before', 'money', 'estimated_revenue of quantity_before.'),
  sales('revenue_after', 'money', 'estimated_revenue of quantity_after.'),
];

/** The days of a store without orders: no day is within them. */
const NEVER = { first: '2200-01-01', last: '1970-01-01' };

export type PriceChange = ObjectOf<typeof priceChangeFields>;

/** Reads one more than are shown, to see whether there are others. */
export function priceChanges(range: Range, filters: ProductFilters, timezone: string, facts: SnapshotFacts) {
  const { history_starts_at: start, orders_until: end } = facts;
  const first = parameter.date(start === null ? NEVER.first : localDate(start, timezone).toString());
  const last = parameter.date(end === null ? NEVER.last : localDate(end, timezone).toString());
  return query(
    priceChangeFields,
    sql`
    with priced as (
      select product_key, valid_from, valid_from_date, price,
        cast(row_number() over (partition by product_key order by valid_from) as bigint) as place
      from ${productPrices}
      where product_key in (select product_key from ${products} where ${productCondition(filters)})
    ),
    prices as (
      select now.product_key as product_key, now.valid_from as valid_from, now.valid_from_date as valid_from_date,
        now.price as price, old.price as price_before,
        cast(row_number() over (partition by now.product_key order by now.valid_from) as bigint) as place
      from priced as now
      left join priced as old on old.product_key = now.product_key and old.place = now.place - 1
      where old.price is null or old.price <> now.price
    ),
    changes as (
      select now.product_key as product_key, now.valid_from as changed_at, now.valid_from_date as changed_date,
        now.price as price, now.price_before as price_before,
        greatest(0, least(${parameter.integer(MOST_DAYS)},
          date_diff('day', greatest(old.valid_from_date, ${first}), now.valid_from_date) - 1,
          date_diff('day', now.valid_from_date, least(coalesce(next.valid_from_date, ${last}), ${last})) - 1
        )) as compared_days
      from prices as now
      join prices as old on old.product_key = now.product_key and old.place = now.place - 1
      left join prices as next on next.product_key = now.product_key and next.place = now.place + 1
      where now.valid_from >= ${parameter.timestamp(range.start)} and now.valid_from < ${parameter.timestamp(range.end)}
    ),
    sold as (
      select product_key, changed_at,
        sum(case when ordered_date < changed_date then quantity else 0 end) as quantity_before,
        sum(case when ordered_date > changed_date then quantity else 0 end) as quantity_after,
        sum(case when ordered_date < changed_date then revenue end) as revenue_before,
        sum(case when ordered_date > changed_date then revenue end) as revenue_after
      from changes join ${orderProducts} using (product_key)
      where date_diff('day', changed_date, ordered_date) between -compared_days and compared_days
      group by product_key, changed_at
    )
    select external_product_id, name, changed_at, price_before, price, compared_days,
      case when compared_days > 0 then coalesce(quantity_before, 0) end as quantity_before,
      case when compared_days > 0 then coalesce(quantity_after, 0) end as quantity_after,
      case when compared_days > 0 then coalesce(revenue_before, case when quantity_before > 0 then null else 0 end) end as revenue_before,
      case when compared_days > 0 then coalesce(revenue_after, case when quantity_after > 0 then null else 0 end) end as revenue_after
    from changes
    join (select product_key, external_product_id, name from ${products}) as named using (product_key)
    left join sold using (product_key, changed_at)
    order by changed_at desc, external_product_id
    limit ${parameter.integer(MOST_CHANGES + 1)}`,
  );
}

export function priceChangeNotes(
  changes: readonly ObjectOf<typeof priceChangeFields>[],
  isAsked: boolean,
  { loaded_tables }: SnapshotFacts,
): string[] {
  if (!isAsked) return [];
  if (!loaded_tables.includes('product_prices')) {
    return ['No price history (product_prices) is loaded, so price_changes is empty.'];
  }
  if (changes.length <= MOST_CHANGES) return [];
  return [`There are more than ${MOST_CHANGES} price changes; ask for a shorter range or fewer products.`];
}
