import { column, nullableColumn, type ObjectOf } from '../../../../answers/fields/field.ts';
import { query } from '../../../../answers/fields/query.ts';
import { consentChanges, orderProducts, orders } from '../../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { tenThousandths } from '../../../../sql/ten-thousandths.ts';
import type { SegmentQuery } from '../../../segments/definitions/parse.ts';
import { audienceMembers } from '../../../segments/queries/audience-members.ts';
import {
  largeValue,
  measuresOfSum,
  type SumScale,
  USUAL_VALUE,
} from '../../../segments/queries/blurred-sums.ts';
import { momentBefore, secondAfter } from '../../../segments/queries/condition-periods.ts';
import { formOf, formsOf, isOfNobody, type ProfileCount } from '../../../segments/queries/profile-counts.ts';
import type { SavedSegments } from '../../../segments/queries/saved-segments.ts';
import { shareOf } from '../profit/order-parts.ts';
import { isMeasured, type MeasuredDays, measuredPeople } from './measured-days.ts';

/** Everything is measured for the people of the segment and for the whole store. */
const PARTS = ['segment', 'whole'] as const;
export type Part = (typeof PARTS)[number];

/** What people are counted by. */
const COUNTED = {
  people_count: 'is_profile',
  buyers_count: 'is_buyer',
  subscribers_count: 'is_subscriber',
  unsubscribed_count: 'is_leaver',
} as const satisfies Readonly<Record<string, ProfileCount['fact']>>;
export type CountName = keyof typeof COUNTED;
export const COUNT_NAMES = Object.keys(COUNTED) as readonly CountName[];

/** What is summed up of the orders of buyers. */
export const SUM_NAMES = ['orders_count', 'revenue', 'net_revenue'] as const;
export type SumName = (typeof SUM_NAMES)[number];

/** A person counts with at most five orders per this many days. */
const DAYS_OF_FIVE = 92;

/**
 * The longer the days, the more one person may count with, and the more noise there is: a sum always costs
 * four counts.
 */
export function scaleOf({ days }: Pick<MeasuredDays, 'days'>): SumScale {
  const mostOfOne = 5 * Math.ceil(days / DAYS_OF_FIVE);
  return { mostOfOne, timesNoise: mostOfOne / 2 };
}

/**
 * All counts of the answer, a whole before its parts. Over all profiles, whatever the days, the people of a
 * segment now are those whom estimates count, with the same noise.
 */
export function countsOfParts({ segments }: SegmentQuery, days: MeasuredDays): ProfileCount[] {
  const over = `${days.direction} ${days.days}`;
  const ofPart = { segment: segments, whole: [[]] };
  return (['whole', 'segment'] as const).flatMap((part) =>
    COUNT_NAMES.map((name): ProfileCount => {
      const isOfAllTime = name === 'people_count' && days.direction === 'last';
      return {
        column: countColumn(part, name),
        label: `${part} ${name}`,
        segments: ofPart[part],
        excluded: [],
        fact: COUNTED[name],
        forms: formsOf(ofPart[part]),
        ...(isOfAllTime ? {} : { over }),
      };
    }),
  );
}

export const countColumn = (part: Part, name: CountName) => `${part}_${name}`;
export const sumColumn = (part: Part, name: SumName) => `${part}_${name}`;

/** What a sum over the buyers of a part sums up, in one way for all that say the same. */
export function sumForm(buyers: ProfileCount, name: SumName): string {
  return JSON.stringify([name, formOf(buyers)]);
}

/** The number of the day's counts that the answer costs. */
export function measuresOf(
  counts: readonly ProfileCount[],
  sums: readonly SumName[],
  scale: SumScale,
): string[] {
  const asked = counts.filter((one) => !isOfNobody(one));
  const buyers = asked.filter(({ fact }) => fact === 'is_buyer');
  return [
    ...asked.map(formOf),
    ...buyers.flatMap((count) => sums.flatMap((name) => measuresOfSum(sumForm(count, name), scale))),
  ];
}

/**
 * One row: the true counts and sums of both parts, money in ten-thousandths, and the cap on one person's
 * money.
 */
export function measuredParts(
  asked: { readonly query: SegmentQuery; readonly saved: SavedSegments },
  counts: readonly ProfileCount[],
  days: MeasuredDays,
) {
  const { rows, isCounted } = audienceMembers({ ...asked, exclusion: null }, factsOf(days), days.chosen);
  const sums = PARTS.flatMap((part) => {
    const buyers = counts.find((one) => one.column === countColumn(part, 'buyers_count')) as ProfileCount;
    return SUM_NAMES.map(
      (name) =>
        sql`coalesce(sum(${identifier(`${name}_counted`)}) filter (where ${isCounted(buyers)}), 0) as ${identifier(sumColumn(part, name))}`,
    );
  });
  return query(
    [
      ...counts.map((count) => column(count.column, 'integer')),
      column('most_of_one', 'number'),
      ...PARTS.flatMap((part) => SUM_NAMES.map((name) => column(sumColumn(part, name), 'integer'))),
    ],
    sql`
    select ${join([
      ...counts.map(
        (count) => sql`count(*) filter (where ${isCounted(count)}) as ${identifier(count.column)}`,
      ),
      sql`coalesce(max(most_of_one), 0) as most_of_one`,
      ...sums,
    ])}
    from (${rows}) as people
    left join (${boughtIn(days)}) as bought using (customer_key)
    where is_profile`,
  );
}

function factsOf(days: MeasuredDays): Readonly<Record<string, Sql>> {
  const { begin } = days;
  const then = secondAfter(begin);
  const subscribed = sql`
    select distinct customer_key from ${consentChanges}
    where state = 'subscribed' and changed_at < ${then} and (ends_at is null or ends_at >= ${then})`;
  return {
    is_profile: measuredPeople(days),
    is_buyer: sql`
      select distinct customer_key from ${orders}
      where is_valid and customer_key is not null and ${isMeasured(sql`ordered_at`, days)}`,
    is_subscriber: subscribed,
    is_leaver: sql`${subscribed} and next_state = 'unsubscribed' and ${isMeasured(sql`ends_at`, days)}`,
  };
}

/**
 * SQL of one row with `most_of_one`, the cap on one person's money: the price of that many usual orders, or
 * what 19 of 20 buyers of the last days paid, if that is more. In a shop whose orders differ much, a quarter
 * of the money would be beyond usual orders. The last days are 92, or a multiple of 92, whatever days are
 * asked.
 */
function mostOfOne(days: MeasuredDays): Sql {
  const { mostOfOne: orders_of_one } = scaleOf(days);
  const whole = (DAYS_OF_FIVE * orders_of_one) / 5;
  const until = days.end;
  const isLate = isMeasured(sql`ordered_at`, {
    ...days,
    begin: { ...until, moment: momentBefore(whole, until), isPast: true },
  });
  return sql`
    select greatest(${parameter.integer(orders_of_one)} * usual_value, large_value) as most_of_one
    from (${USUAL_VALUE}
    ) as usual
    cross join (${largeValue(isLate)}
    ) as large`;
}

/**
 * SQL of what each customer ordered in the days, as far as it counts in sums, by `customer_key`. Money is in
 * whole ten-thousandths, whose sums are exact. Goods without VAT are cut by the same part as what was paid,
 * so that they are never more than it.
 */
function boughtIn(days: MeasuredDays): Sql {
  const scale = scaleOf(days);
  const counted = (money: Sql) => sql`least(greatest(${money}, 0), most)`;
  return sql`
  select customer_key, most_of_one, least(placed, ${parameter.integer(scale.mostOfOne)}) as orders_count_counted,
    ${counted(sql`paid`)} as revenue_counted,
    ${counted(sql`case when paid > most then ${shareOf(sql`net`, sql`most`, sql`paid`)} else net end`)} as net_revenue_counted
  from (
    select customer_key, count(*) as placed, ${tenThousandths(sql`coalesce(sum(revenue), 0)`)} as paid,
      ${tenThousandths(sql`coalesce(sum(net_of_goods), 0)`)} as net
    from ${orders}
    left join (
      select order_key, sum(net_revenue) as net_of_goods from ${orderProducts}
      where ${isMeasured(sql`ordered_at`, days)} group by order_key
    ) as goods using (order_key)
    where is_valid and customer_key is not null and ${isMeasured(sql`ordered_at`, days)}
    group by customer_key
  ) as bought
  cross join (
    select most_of_one, cast(10000 * most_of_one as bigint) as most from (${mostOfOne(days)}
    ) as bounds
  ) as bound`;
}

const STORE = [
  column('orders', 'integer'),
  column('orders_of_customers', 'integer'),
  column('revenue_of_people', 'number'),
  nullableColumn('most_of_one', 'number'),
  column('unpriced', 'integer'),
  column('without_goods', 'integer'),
  column('without_vat', 'integer'),
];
export type StoreRow = ObjectOf<typeof STORE>;

/**
 * What is known of the orders of the days, of all of the store; `revenue_of_people` is that of everybody who
 * is measured, without a cut.
 */
export function ordersOfStore(days: MeasuredDays) {
  return query(
    STORE,
    sql`
    select count(*) as orders, count(customer_key) as orders_of_customers,
      coalesce(sum(revenue) filter (where is_person = 1), 0) as revenue_of_people, max(most_of_one) as most_of_one,
      count(*) filter (where revenue is null) as unpriced,
      count(*) filter (where goods_lines is null) as without_goods,
      count(*) filter (where unknown_lines > 0) as without_vat
    from ${orders}
    left join (
      select order_key, count(*) as goods_lines, count(revenue) - count(net_revenue) as unknown_lines
      from ${orderProducts} where ${isMeasured(sql`ordered_at`, days)} group by order_key
    ) as goods using (order_key)
    left join (
      select customer_key, 1 as is_person from (${measuredPeople(days)}) as measured group by customer_key
    ) as people using (customer_key)
    cross join (${mostOfOne(days)}
    ) as bound
    where is_valid and ${isMeasured(sql`ordered_at`, days)}`,
  );
}
