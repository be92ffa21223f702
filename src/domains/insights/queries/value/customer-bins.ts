import { column, nullableColumn, type ObjectOf } from '../../../../answers/fields/field.ts';
import { query } from '../../../../answers/fields/query.ts';
import { customers, orders } from '../../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { type CohortSelection, cohortOrders } from '../../../orders/queries/cohorts.ts';

/**
 * Customers who are alike for the model of returning: a similar number of days with orders after the first,
 * last seen and first known at a similar time. Bins keep a store with millions of customers to some thousands
 * of rows. Each bin has the means of its customers, so little is lost.
 */
export const BIN = [
  column('repeats_bin', 'integer'),
  column('recency_bin', 'integer'),
  column('age_bin', 'integer'),
  column('customers_count', 'integer'),
  column('repeats', 'number'),
  column('recency', 'number'),
  column('age', 'number'),
];
export type CustomerBin = ObjectOf<typeof BIN>;

const LATER_BIN = [...BIN, column('later_days', 'integer')];
export type LaterBin = ObjectOf<typeof LATER_BIN>;

const GROUP_BIN = [
  column('cohort_start', 'date'),
  nullableColumn('segment', 'text'),
  ...BIN,
  nullableColumn('repeat_revenue', 'number'),
];
export type GroupBin = ObjectOf<typeof GROUP_BIN>;

/** The bounds that split repeats: each of the small numbers by itself. */
const REPEATS = [0, 1, 2, 3, 4, 5, 7, 10, 15, 25] as const;

/** The number of bins of recency, and of age. */
const BINS_OF_TIME = 40;

export interface Observed {
  /** Local date of the first loaded order. */
  readonly from: string;
  /** Local date until which orders are known. */
  readonly until: string;
  readonly days: number;
}

export function binsOf({ days }: Observed): Sql {
  const step = parameter.integer(Math.max(1, Math.ceil(days / BINS_OF_TIME)));
  const repeats = REPEATS.slice(1).map(
    (least) => sql`case when repeats >= ${parameter.integer(least)} then 1 else 0 end`,
  );
  return sql`cast(${repeats.reduce((sum, each) => sql`${sum} + ${each}`)} as bigint) as repeats_bin,
    cast(floor(recency / ${step}) as bigint) as recency_bin, cast(floor(age / ${step}) as bigint) as age_bin`;
}

export const MEANS = sql`count(*) as customers_count, avg(repeats) as repeats, avg(recency) as recency, avg(age) as age`;

/**
 * CTE `known`: what is known of each customer until that day. Orders of one day are one visit of the model.
 */
export function knownUntil(until: string): Sql {
  const day = parameter.date(until);
  return sql`
    days_with_orders as (
      select distinct customer_key, ordered_date, first_ordered_date
      from ${orders} join (select customer_key, first_ordered_date from ${customers}) as came using (customer_key)
      where is_valid and ordered_date <= ${day} and first_ordered_date <= ${day}
    ),
    known as (
      select customer_key, count(*) - 1 as repeats,
        date_diff('day', min(first_ordered_date), max(ordered_date)) as recency,
        date_diff('day', min(first_ordered_date), ${day}) as age
      from days_with_orders
      group by customer_key
    )`;
}

/** All customers of the store. */
export function customerBins(observed: Observed) {
  return query(
    BIN,
    sql`
    with ${knownUntil(observed.until)},
    binned as (select *, ${binsOf(observed)} from known)
    select repeats_bin, recency_bin, age_bin, ${MEANS}
    from binned
    group by repeats_bin, recency_bin, age_bin
    order by repeats_bin, recency_bin, age_bin`,
  );
}

/** The customers known by the middle of the history, and on how many days of its second half they ordered. */
export function laterBins(observed: Observed, middle: string) {
  return query(
    LATER_BIN,
    sql`
    with ${knownUntil(middle)},
    later as (
      select customer_key, count(distinct ordered_date) as later_days
      from ${orders}
      where is_valid and customer_key is not null
        and ordered_date > ${parameter.date(middle)} and ordered_date <= ${parameter.date(observed.until)}
      group by customer_key
    ),
    binned as (
      select *, ${binsOf(observed)}
      from (select known.customer_key, repeats, recency, age, coalesce(later_days, 0) as later_days
        from known left join later using (customer_key)) as followed
    )
    select repeats_bin, recency_bin, age_bin, ${MEANS}, sum(later_days) as later_days
    from binned
    group by repeats_bin, recency_bin, age_bin
    order by repeats_bin, recency_bin, age_bin`,
  );
}

/** The customers asked about, by their group. `repeat_revenue` is that of the days after the first. */
export function groupBins(observed: Observed, selection: CohortSelection) {
  return query(
    GROUP_BIN,
    sql`
    with ${cohortOrders(selection)},
    spending as (
      select cohort_start, segment, customer_key, sum(revenue) filter (where days > 0) as repeat_revenue,
        count(distinct ordered_date) - 1 as repeats, max(days) as recency, any_value(observed_days) as age
      from cohort_orders
      group by cohort_start, segment, customer_key
    ),
    binned as (select *, ${binsOf(observed)} from spending)
    select cohort_start, segment, repeats_bin, recency_bin, age_bin, ${MEANS}, sum(repeat_revenue) as repeat_revenue
    from binned
    group by cohort_start, segment, repeats_bin, recency_bin, age_bin
    order by cohort_start, segment, repeats_bin, recency_bin, age_bin`,
  );
}

const SPENDING_BIN = [
  column('customers_count', 'integer'),
  column('repeats', 'number'),
  column('mean', 'number'),
];
export type SpendingBin = ObjectOf<typeof SPENDING_BIN>;

/** The bins of an amount. Each is about a fifth larger than the one before it. */
const BINS_OF_E = 5;

/** Customers who came again, by how often, and by what such a day was worth on average. */
export function spendingBins({ until }: Observed) {
  return query(
    SPENDING_BIN,
    sql`
    with by_day as (
      select customer_key, ordered_date, sum(revenue) as spent
      from ${orders} join (select customer_key, first_ordered_date from ${customers}) as came using (customer_key)
      where is_valid and revenue is not null and ordered_date > first_ordered_date and ordered_date <= ${parameter.date(until)}
      group by customer_key, ordered_date
    ),
    spending as (
      select customer_key, count(*) as repeats, cast(sum(spent) as double) / count(*) as mean
      from by_day group by customer_key
    ),
    binned as (
      select *, least(repeats, 30) as repeats_bin, floor(${parameter.integer(BINS_OF_E)} * ln(mean)) as mean_bin
      from spending where mean > 0
    )
    select count(*) as customers_count, avg(repeats) as repeats, avg(mean) as mean
    from binned
    group by repeats_bin, mean_bin
    order by repeats_bin, mean_bin`,
  );
}
