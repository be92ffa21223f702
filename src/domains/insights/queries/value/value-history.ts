import { column, nullableColumn, type ObjectOf } from '../../../../answers/fields/field.ts';
import { query } from '../../../../answers/fields/query.ts';
import type { FollowedPeople } from '../../../../answers/small-groups.ts';
import { orderProducts } from '../../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { meanInterval, sampleOf } from '../../../../statistics/compare-means.ts';
import { LEAST_ORDERS } from '../../../../statistics/comparison.ts';
import { percentOfKnown, ratioOfKnown, roundedRatio } from '../../../../statistics/rounded.ts';
import { type CohortSelection, cohortOrders, LIFETIME_VALUE_DAYS } from '../../../orders/queries/cohorts.ts';

type Days = (typeof LIFETIME_VALUE_DAYS)[number];

const KEYS = [
  'mature',
  'unpriced',
  'spent',
  'first',
  'squares',
  'refunded',
  'sold',
  'profit',
  'known',
] as const;

const HISTORY = [
  column('cohort_start', 'date'),
  nullableColumn('segment', 'text'),
  column('customers_count', 'integer'),
  ...LIFETIME_VALUE_DAYS.flatMap((days) => [
    column(`mature_${days}`, 'integer'),
    column(`unpriced_${days}`, 'integer'),
    nullableColumn(`spent_${days}`, 'text'),
    nullableColumn(`first_${days}`, 'number'),
    nullableColumn(`squares_${days}`, 'text'),
    nullableColumn(`refunded_${days}`, 'number'),
    nullableColumn(`sold_${days}`, 'number'),
    nullableColumn(`profit_${days}`, 'number'),
    nullableColumn(`known_${days}`, 'number'),
  ]),
];
export type ValueHistory = ObjectOf<typeof HISTORY>;

/**
 * One row per group: what its customers spent within each number of days, of those who have been observed for
 * that long, the first order included. `first_` is the revenue of first orders, `sold_` that of products,
 * `profit_` the gross profit of those of them whose cost is known, `known_` their revenue.
 */
export function valueHistory(selection: CohortSelection) {
  const within = (days: Days) =>
    sql`days <= ${parameter.integer(days)} and observed_days >= ${parameter.integer(days)}`;
  const own = (name: (typeof KEYS)[number], days: Days, value: Sql) =>
    sql`${value} as ${identifier(`${name}_${days}`)}`;
  const perCustomer = LIFETIME_VALUE_DAYS.flatMap((days) => [
    own('unpriced', days, sql`count(*) filter (where revenue is null and ${within(days)})`),
    own('spent', days, sql`coalesce(sum(revenue) filter (where ${within(days)}), 0)`),
    own('first', days, sql`sum(revenue) filter (where order_number = 1 and ${within(days)})`),
    own('refunded', days, sql`sum(refunded) filter (where ${within(days)})`),
    own('sold', days, sql`sum(sold) filter (where ${within(days)})`),
    own('profit', days, sql`sum(profit) filter (where ${within(days)})`),
    own('known', days, sql`sum(known_revenue) filter (where ${within(days)})`),
  ]);
  const perGroup = LIFETIME_VALUE_DAYS.flatMap((days) => {
    const isMature = sql`observed_days >= ${parameter.integer(days)}`;
    const spent = sql`cast(${identifier(`spent_${days}`)} as decimal(38,4))`;
    const sum = (name: 'unpriced' | 'first' | 'refunded' | 'sold' | 'profit' | 'known') =>
      sql`sum(${identifier(`${name}_${days}`)})`;
    return [
      own('mature', days, sql`count(*) filter (where ${isMature})`),
      own('unpriced', days, sum('unpriced')),
      own('spent', days, sql`cast(sum(${spent}) filter (where ${isMature}) as varchar)`),
      own('squares', days, sql`cast(sum(${spent} * ${spent}) filter (where ${isMature}) as varchar)`),
      ...(['first', 'refunded', 'sold', 'profit', 'known'] as const).map((name) =>
        own(name, days, sum(name)),
      ),
    ];
  });
  return query(
    HISTORY,
    sql`
    with ${cohortOrders(selection)},
    product_sums as (
      select order_key, sum(revenue) as sold, sum(profit) as profit, sum(known_revenue) as known_revenue
      from ${orderProducts}
      where order_key in (select order_key from cohort_orders)
      group by order_key
    ),
    spending as (
      select cohort_start, segment, customer_key, any_value(observed_days) as observed_days, ${join(perCustomer)}
      from cohort_orders left join product_sums using (order_key)
      group by cohort_start, segment, customer_key
    )
    select cohort_start, segment, count(*) as customers_count, ${join(perGroup)}
    from spending
    group by cohort_start, segment`,
  );
}

const UNKNOWN = { low: null, high: null };

/**
 * What customers of a group were worth after each number of days; null where the group is of few people, or
 * money is not known.
 */
export function valuesAfter(row: ValueHistory, people: FollowedPeople) {
  return LIFETIME_VALUE_DAYS.map((days) => {
    const mature = row[`mature_${days}`];
    const [sum, squares] = [row[`spent_${days}`], row[`squares_${days}`]];
    const isPriced = row[`unpriced_${days}`] === 0 && sum !== null && squares !== null && mature > 0;
    const bounds =
      isPriced && mature >= LEAST_ORDERS ? meanInterval(sampleOf({ size: mature, sum, squares })) : UNKNOWN;
    const spent = isPriced ? Number(sum) : null;
    const told = <Value>(value: Value) => people.told([mature], value);
    const rounded = (bound: number | null) => (bound === null ? null : roundedRatio(bound, 1));
    return {
      days,
      mature_customers_count: told(mature),
      revenue_per_customer: told(ratioOfKnown(spent, mature)),
      revenue_per_customer_low: told(rounded(bounds.low)),
      revenue_per_customer_high: told(rounded(bounds.high)),
      after_refunds_per_customer: told(
        ratioOfKnown(spent === null ? null : spent - (row[`refunded_${days}`] ?? 0), mature),
      ),
      gross_profit_per_customer: told(mature === 0 ? null : ratioOfKnown(row[`profit_${days}`], mature)),
      known_share: told(percentOfKnown(row[`known_${days}`] ?? 0, row[`sold_${days}`])),
    };
  });
}

type ValuesAfter = ReturnType<typeof valuesAfter>[number];

/** A value of which only the number of days is shown. */
export function hiddenValues({ days }: ValuesAfter): ValuesAfter {
  return {
    days,
    mature_customers_count: null,
    revenue_per_customer: null,
    revenue_per_customer_low: null,
    revenue_per_customer_high: null,
    after_refunds_per_customer: null,
    gross_profit_per_customer: null,
    known_share: null,
  };
}
