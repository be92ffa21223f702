import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { orderProducts, orders, products } from '../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import { type ProductFilters, productCondition } from './product-filters.ts';

export const WITHIN_DAYS = [7, 14, 30, 60, 90, 180, 365, 730] as const;

/** The first days of the histogram's bins; the last one is open. */
export const BIN_STARTS = [0, 7, 14, 21, 30, 45, 60, 90, 120, 180, 270, 365] as const;

/** The steps that are always shown: from the first to the second order, and so on. */
export const FIRST_STEPS = [1, 2, 3, 4, 5] as const;

const RETURN = [
  column('order_number', 'integer'),
  nullableColumn('days', 'integer'),
  column('observed_for', 'integer'),
  column('customers_count', 'integer'),
  column('observed_days_min', 'integer'),
];
/**
 * Customers of one n (`order_number`) with the same number of days to the next order (null: no next order
 * until now), who were observed for at least `observed_for` days (one of `WITHIN_DAYS`, or 0) and less than
 * the next of them.
 */
export type Return = ObjectOf<typeof RETURN>;

/**
 * How long customers took from their n-th to their next order, for each n that is a first step or
 * `orderNumber`, over the customers whose n-th order is in the range. Days are differences of local dates.
 *
 * @param observedUntil local date until which orders are known
 */
export function repeatPurchases(
  range: Range,
  orderNumber: number,
  observedUntil: string,
  selection: RepeatSelection,
) {
  const observed = WITHIN_DAYS.toReversed().map(
    (least) => sql`when observed_days >= ${parameter.integer(least)} then ${parameter.integer(least)}`,
  );
  // A customer who took more than two years was observed for longer, so there are a few thousand rows for any
  // number of customers.
  return query(
    RETURN,
    sql`
    with selected as (${selectedOrders(selection)}),
    placed as (
      select order_number, days,
        greatest(0, date_diff('day', ordered_date, ${parameter.date(observedUntil)})) as observed_days
      from selected
      where ${orderedIn(range)}
        and (order_number <= ${parameter.integer(FIRST_STEPS.length)} or order_number = ${parameter.integer(orderNumber)})
    )
    select order_number, days, observed_for, count(*) as customers_count, min(observed_days) as observed_days_min
    from (select *, case ${join(observed, sql` `)} else 0 end as observed_for from placed) as observed
    group by order_number, days, observed_for`,
  );
}

export const NUMBERINGS = ['all_orders', 'selection'] as const;
export const RETURNS = ['selection', 'anything'] as const;

export interface RepeatSelection {
  /** Orders count that have a product of these; of none asked for, all. */
  readonly products: ProductFilters;
  /** Whether an order's number is its place among all of its customer's orders, or among those that count. */
  readonly numbering: (typeof NUMBERINGS)[number];
  readonly return_with: (typeof RETURNS)[number];
}

function isFiltered({ products: filters }: RepeatSelection): boolean {
  return Object.values(filters).some((names) => names?.length);
}

/** The condition that an order is one of those that count. */
export function isSelectedOrder(selection: RepeatSelection): Sql {
  if (!isFiltered(selection)) return sql`true`;
  return sql`order_key in (
    select order_key from ${orderProducts}
    where product_key in (select product_key from ${products} where ${productCondition(selection.products)}))`;
}

/** The orders that count, each with its number, and the days to the one with which its customer returns. */
function selectedOrders(selection: RepeatSelection): Sql {
  if (!isFiltered(selection)) {
    return sql`select order_number, ordered_at, ordered_date, days_to_next_order as days from ${orders}
      where is_valid and order_number is not null`;
  }
  const number = { all_orders: sql`order_number`, selection: sql`place` }[selection.numbering];
  const days = {
    selection: sql`date_diff('day', ordered_date, next_date)`,
    anything: sql`days_to_next_order`,
  }[selection.return_with];
  const selected = sql`
    select customer_key, order_number, ordered_at, ordered_date, days_to_next_order,
      cast(row_number() over (partition by customer_key order by order_number) as bigint) as place
    from ${orders}
    where is_valid and order_number is not null and ${isSelectedOrder(selection)}`;
  return sql`
    select ${number} as order_number, ordered_at, ordered_date, ${days} as days
    from (${selected}) as placed
    left join (
      select customer_key, place - 1 as place, ordered_date as next_date from (${selected}) as others
    ) as following using (customer_key, place)`;
}

/** What is counted where products are selected, since "n-th order" and "next" can be meant in two ways. */
export function selectionNotes(selection: RepeatSelection): string[] {
  if (!isFiltered(selection)) return [];
  const counted = {
    all_orders: 'customers whose n-th order ever has a selected product',
    selection: 'customers with n orders that have a selected product, from the n-th of these on',
  }[selection.numbering];
  const returned = { selection: 'that has one', anything: 'of anything' }[selection.return_with];
  return [`Counted are ${counted}; returned are those with a later order ${returned}.`];
}
