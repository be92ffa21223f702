import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { OTHERS } from '../../../answers/small-groups.ts';
import { NOT_SET } from '../../../model-table/shown-name.ts';
import {
  customers,
  orderCoupons,
  orderProducts,
  orders,
  productCategories,
  products,
} from '../../../model-table/table-names.ts';
import { quantile, ranked } from '../../../sql/quantile.ts';
import { identifier, join, parameter, type Sql, sql, type Table } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';

/** How a cohort can be split: by what the customer's first order was. */
export const SEGMENTATIONS = [
  'none',
  'first_category',
  'first_brand',
  'first_product',
  'first_channel',
  'first_order_last_click_channel',
  'first_order_first_click_channel',
  'country',
  'first_coupon',
] as const;
type Segmentation = (typeof SEGMENTATIONS)[number];

export const RETENTION_DAYS = [30, 60, 90, 180, 365] as const;
export const LIFETIME_VALUE_DAYS = [30, 90, 180, 365] as const;

/** What `periods` counts: days since the customer's own first order, or periods of the calendar. */
export const WINDOWS = ['days', 'calendar'] as const;
export type CohortWindowing = (typeof WINDOWS)[number];

/** What a cohort is of: the week or month of the first order, or all of the range. */
export const COHORT_PERIODS = ['week', 'month', 'all'] as const;
export type CohortPeriod = (typeof COHORT_PERIODS)[number];

/** Days of one window of `periods`. */
export const WINDOW_DAYS = { week: 7, month: 30, all: 30 } as const;

const OTHER = parameter.text(OTHERS);

/** These segmentations put a customer in a row for each thing in the first order, so rows overlap. */
const OVERLAPPING: readonly Segmentation[] = [
  'first_category',
  'first_brand',
  'first_product',
  'first_coupon',
];

export function overlapNotes(segmentation: Segmentation): string[] {
  if (!OVERLAPPING.includes(segmentation)) return [];
  const what = segmentation.replace('first_', '');
  return [
    `A customer is in the row of every ${what} of the first order: the rows of a cohort overlap, so do not add them up.`,
  ];
}

export interface CohortSelection {
  /** The first and the last day of `all`. */
  readonly periods: Pick<Periods, 'firstDate' | 'lastDate'>;
  readonly cohortPeriod: CohortPeriod;
  readonly segmentation: Segmentation;
  readonly segmentLimit: number;
  /** Local date until which orders are known; null where none are. */
  readonly observedUntil: string | null;
}

/**
 * CTEs: `cohort_orders` has every valid order of the customers whose first one lies in the periods, with
 * their cohort, their segment, the days since their first order, and for how many days they have been
 * observed since (local dates).
 */
export function cohortOrders({
  periods,
  cohortPeriod,
  segmentation,
  segmentLimit,
  observedUntil,
}: CohortSelection): Sql {
  const start =
    cohortPeriod === 'all'
      ? parameter.date(periods.firstDate)
      : periodStart(cohortPeriod, sql`first_ordered_date`);
  return sql`
    newcomers as (
      select customer_key, first_ordered_date, country, first_order_last_click_channel, first_order_first_click_channel,
        ${start} as cohort_start
      from ${customers}
      where first_ordered_date between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}
    ),
    ${segments(segmentation, segmentLimit, periods)},
    cohort_orders as (
      select cohort_start, segment, customer_key, order_key, ordered_date, order_number, revenue, refunded,
        date_diff('day', first_ordered_date, ordered_date) as days,
        date_diff('day', first_ordered_date, ${parameter.date(observedUntil ?? periods.lastDate)}) as observed_days
      from ${orders} join members using (customer_key)
      where is_valid
    )`;
}

/** CTE `members`: each newcomer with each of the own segments, the largest ones over all cohorts together. */
function segments(segmentation: Segmentation, limit: number, periods: CohortSelection['periods']): Sql {
  if (segmentation === 'none')
    return sql`members as (select *, cast(null as varchar) as segment from newcomers)`;
  return sql`
    valued as (
      select distinct customer_key, first_ordered_date, cohort_start,
        coalesce(value, ${parameter.text(NOT_SET)}) as value
      from newcomers left join (${segmentValues(segmentation, periods)}) as own_values using (customer_key)
    ),
    largest_values as (
      select value from valued group by value order by count(*) desc, value limit ${parameter.integer(limit)}
    ),
    members as (
      select distinct customer_key, first_ordered_date, cohort_start,
        case when value in (select value from largest_values) then value else ${OTHER} end as segment
      from valued
    )`;
}

/** `value` by `customer_key`: what the first order was, one row for each thing that it has. */
function segmentValues(
  segmentation: Exclude<Segmentation, 'none'>,
  periods: CohortSelection['periods'],
): Sql {
  const isFirst = sql`order_number = 1
    and ordered_date between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}`;
  const ofProducts = (value: Sql, table: Table) => sql`
    select customer_key, ${value} as value from ${orderProducts} join ${table} using (product_key) where ${isFirst}`;
  switch (segmentation) {
    case 'first_category':
      return ofProducts(sql`category`, productCategories);
    case 'first_brand':
      return ofProducts(sql`brand`, products);
    case 'first_product':
      return ofProducts(sql`external_product_id`, products);
    case 'first_coupon':
      return sql`select customer_key, coupon as value from ${orderCoupons} join ${orders} using (order_key) where ${isFirst}`;
    case 'country':
      return sql`select customer_key, country as value from newcomers`;
    case 'first_channel':
    case 'first_order_last_click_channel':
      return sql`select customer_key, first_order_last_click_channel as value from newcomers`;
    case 'first_order_first_click_channel':
      return sql`select customer_key, first_order_first_click_channel as value from newcomers`;
  }
}

const COHORT = [column('cohort_start', 'date'), nullableColumn('segment', 'text')];

const TOTAL = [
  ...COHORT,
  column('customers_count', 'integer'),
  column('repeat_customers_count', 'integer'),
  column('third_orders_count', 'integer'),
  column('least_observed_days', 'integer'),
  nullableColumn('first_orders_revenue', 'number'),
  column('priced_first_orders', 'integer'),
  nullableColumn('revenue', 'number'),
  nullableColumn('refunded', 'number'),
  ...RETENTION_DAYS.map((days) => column(`returned_${days}`, 'integer')),
  ...LIFETIME_VALUE_DAYS.map((days) => nullableColumn(`revenue_${days}`, 'number')),
  ...RETENTION_DAYS.map((days) => column(`mature_${days}`, 'integer')),
  ...RETENTION_DAYS.map((days) => column(`mature_returned_${days}`, 'integer')),
  ...LIFETIME_VALUE_DAYS.map((days) => nullableColumn(`mature_revenue_${days}`, 'number')),
];
export type CohortTotal = ObjectOf<typeof TOTAL>;

const WINDOW = [
  ...COHORT,
  column('period_index', 'integer'),
  column('active_customers_count', 'integer'),
  column('orders_count', 'integer'),
  nullableColumn('revenue', 'number'),
];
export type CohortWindow = ObjectOf<typeof WINDOW>;

/**
 * One row per (cohort, segment): its size, money, `least_observed_days` of the customer who came last, and
 * the cumulative counts `returned_<days>`, `revenue_<days>`; `mature_<days>` counts the customers who have
 * been observed for that many days, and columns with `mature_` are about them.
 */
export function cohortTotals(selection: CohortSelection) {
  const orders = (condition: Sql) => sql`coalesce(sum(orders) filter (where ${condition}), 0)`;
  const returned = RETENTION_DAYS.flatMap((most) => {
    const days = parameter.integer(most);
    return [
      sql`${orders(sql`place = 2 and within_days <= ${days}`)} as ${identifier(`returned_${most}`)}`,
      sql`${orders(sql`place = 1 and observed_for >= ${days}`)} as ${identifier(`mature_${most}`)}`,
      sql`${orders(sql`place = 2 and within_days <= ${days} and observed_for >= ${days}`)}
        as ${identifier(`mature_returned_${most}`)}`,
    ];
  });
  const revenues = LIFETIME_VALUE_DAYS.flatMap((most) => {
    const days = parameter.integer(most);
    const mature = sql`filter (where within_days <= ${days} and observed_for >= ${days})`;
    return [
      sql`sum(revenue) filter (where within_days <= ${days}) as ${identifier(`revenue_${most}`)}`,
      sql`case when coalesce(sum(revenue) ${mature}, 0) = 0 and sum(orders) ${mature} > sum(priced_orders) ${mature} then null
        else coalesce(sum(revenue) ${mature}, 0) end as ${identifier(`mature_revenue_${most}`)}`,
    ];
  });
  return query(
    TOTAL,
    sql`
    with ${cohortOrders(selection)},
    ${COHORT_PARTS}
    select cohort_start, segment,
      ${orders(sql`place = 1`)} as customers_count,
      ${orders(sql`place = 2`)} as repeat_customers_count,
      ${orders(sql`place = 3`)} as third_orders_count,
      min(least_observed) as least_observed_days,
      sum(revenue) filter (where place = 1) as first_orders_revenue,
      coalesce(sum(priced_orders) filter (where place = 1), 0) as priced_first_orders,
      sum(revenue) as revenue,
      case when coalesce(sum(refunded), 0) = 0 and sum(orders) > sum(told_orders) then null
        else coalesce(sum(refunded), 0) end as refunded,
      ${join([...returned, ...revenues])}
    from cohort_parts
    group by cohort_start, segment
    order by cohort_start, case when segment = ${OTHER} then 1 else 0 end, ${orders(sql`place = 1`)} desc, segment`,
  );
}

/** This is longer than all days that are asked about. */
const LONGER = 100_000;

/**
 * CTE `cohort_parts`: the orders of `cohort_orders` of equal place (4: the fourth or a later one) and equal
 * spans of days. So each order is added to few sums, and the many sums of a cohort are made of some hundred
 * rows.
 */
const COHORT_PARTS: Sql = (() => {
  const within = RETENTION_DAYS.map(
    (most) => sql`when days <= ${parameter.integer(most)} then ${parameter.integer(most)}`,
  );
  const observed = RETENTION_DAYS.toReversed().map(
    (least) => sql`when observed_days >= ${parameter.integer(least)} then ${parameter.integer(least)}`,
  );
  return sql`
    placed as (
      select cohort_start, segment, case when order_number < 4 then order_number else 4 end as place,
        case ${join(within, sql` `)} else ${parameter.integer(LONGER)} end as within_days,
        case ${join(observed, sql` `)} else 0 end as observed_for, observed_days, revenue, refunded
      from cohort_orders
    ),
    cohort_parts as (
      select cohort_start, segment, place, within_days, observed_for, count(*) as orders, count(revenue) as priced_orders,
        sum(revenue) as revenue, count(refunded) as told_orders, sum(refunded) as refunded, min(observed_days) as least_observed
      from placed
      group by cohort_start, segment, place, within_days, observed_for
    )`;
})();

/** The days after which flat columns tell a value: `ltv_90` and `retention_90`. */
export type FlatDays = (typeof LIFETIME_VALUE_DAYS)[number];

const VALUES = [
  ...COHORT,
  ...LIFETIME_VALUE_DAYS.flatMap((days) => [
    nullableColumn(`spent_${days}`, 'text'),
    nullableColumn(`squares_${days}`, 'text'),
  ]),
];
export type CohortValues = ObjectOf<typeof VALUES>;

/**
 * One row per (cohort, segment): exact sums, and sums of squares, of what its customers spent within the days
 * asked for, of those observed for that long. Null for other days, and if nobody was observed.
 */
export function cohortValues(selection: CohortSelection, asked: readonly FlatDays[]) {
  const of = (most: FlatDays, value: (spent: Sql, isMature: Sql) => Sql) =>
    asked.includes(most)
      ? value(
          sql`cast(${identifier(`own_${most}`)} as decimal(38,4))`,
          sql`observed_days >= ${parameter.integer(most)}`,
        )
      : sql`cast(null as varchar)`;
  return query(
    VALUES,
    sql`
    with ${cohortOrders(selection)},
    spending as (
      select cohort_start, segment, customer_key, any_value(observed_days) as observed_days,
        ${join(
          LIFETIME_VALUE_DAYS.map(
            (most) =>
              sql`coalesce(sum(revenue) filter (where days <= ${parameter.integer(most)}), 0) as ${identifier(`own_${most}`)}`,
          ),
        )}
      from cohort_orders
      group by cohort_start, segment, customer_key
    )
    select cohort_start, segment, ${join(
      LIFETIME_VALUE_DAYS.flatMap((most) => [
        sql`${of(most, (spent, isMature) => sql`cast(sum(${spent}) filter (where ${isMature}) as varchar)`)} as ${identifier(`spent_${most}`)}`,
        sql`${of(most, (spent, isMature) => sql`cast(sum(${spent} * ${spent}) filter (where ${isMature}) as varchar)`)} as ${identifier(`squares_${most}`)}`,
      ]),
    )}
    from spending
    group by cohort_start, segment`,
  );
}

const MEDIAN = [...COHORT, nullableColumn('median_days', 'number')];
export type CohortMedian = ObjectOf<typeof MEDIAN>;

/** One row per (cohort, segment) with a returning customer. */
export function medianDaysToSecondOrder(selection: CohortSelection) {
  return query(
    MEDIAN,
    sql`
    with ${cohortOrders(selection)},
    second_orders as (
      select cohort_start, segment, days,
        ${ranked(sql`days`, { group: sql`cohort_start, segment`, count: sql`orders` })}
      from (
        select cohort_start, segment, days, count(*) as orders
        from cohort_orders
        where order_number = 2
        group by cohort_start, segment, days
      ) as by_days
    )
    select cohort_start, segment, ${quantile(sql`days`, 50)} as median_days
    from second_orders
    group by cohort_start, segment`,
  );
}

/**
 * The place of the window that an order is in, from 0: since the own first order, or since the cohort's
 * period began.
 */
function windowIndex(windowing: CohortWindowing, period: keyof typeof WINDOW_DAYS): Sql {
  const days = windowing === 'days' ? sql`days` : sql`date_diff('day', cohort_start, ordered_date)`;
  if (windowing === 'calendar' && period === 'month')
    return sql`date_diff('month', cohort_start, ordered_date)`;
  return sql`floor(${days} / ${parameter.integer(WINDOW_DAYS[period])})`;
}

/** One row per (cohort, segment, window) with a returning customer. */
export function cohortWindows(
  selection: CohortSelection,
  windowing: CohortWindowing,
  period: keyof typeof WINDOW_DAYS,
  windows: number,
) {
  return query(
    WINDOW,
    sql`
    with ${cohortOrders(selection)},
    repeat_orders as (
      select cohort_start, segment, customer_key, revenue,
        cast(${windowIndex(windowing, period)} as bigint) as period_index
      from cohort_orders
      where order_number > 1
    )
    select cohort_start, segment, period_index,
      count(distinct customer_key) as active_customers_count,
      count(*) as orders_count,
      sum(revenue) as revenue
    from repeat_orders
    where period_index < ${parameter.integer(windows)}
    group by cohort_start, segment, period_index`,
  );
}
