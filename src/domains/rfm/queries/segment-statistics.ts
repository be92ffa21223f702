import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { knownSum } from '../../../answers/metric.ts';
import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { consentStates } from '../../../model-table/table-names.ts';
import { identifier, join, parameter, sql } from '../../../sql/sql.ts';
import {
  addKnownMoney,
  percentOfKnown,
  ratioOfKnown,
  roundedPercent,
  roundedRatio,
} from '../../../statistics/rounded.ts';
import { RFM_SEGMENTS, SCORES } from '../../../store/rfm-segments.ts';
import { SUPPRESSED_STATES } from '../../../store/suppressed-states.ts';
import { counted } from '../../../text/counted.ts';
import type { AsOf } from './moments.ts';
import { chosenProfile, knownThresholds, type RfmProfile } from './profiles.ts';
import { membersAt } from './scoring.ts';

const CELL = [
  column('segment', 'text'),
  column('recency', 'integer'),
  column('frequency', 'integer'),
  column('monetary', 'integer'),
  column('customers_count', 'integer'),
  column('orders_count', 'integer'),
  nullableColumn('revenue', 'number'),
  nullableColumn('recency_days', 'integer'),
  column('reactivated_customers_count', 'integer'),
  column('email_subscribed_count', 'integer'),
  column('sms_subscribed_count', 'integer'),
  column('email_reachable_count', 'integer'),
  column('sms_reachable_count', 'integer'),
  column('suppressed_count', 'integer'),
  nullableColumn('least_days', 'integer'),
  nullableColumn('most_days', 'integer'),
  nullableColumn('least_orders', 'integer'),
  nullableColumn('most_orders', 'integer'),
  nullableColumn('least_revenue', 'number'),
  nullableColumn('most_revenue', 'number'),
];
type Cell = ObjectOf<typeof CELL>;
type Sum = Exclude<keyof Cell, 'segment'>;

/**
 * One row per segment and combination of scores that anyone has at the moment, 0 for the lost. Everything that an
 * answer shows is a sum of these rows.
 */
export function segmentCells(moment: AsOf, profileId: string | null) {
  return query(
    CELL,
    sql`
    with ${membersAt([moment], chosenProfile(profileId))},
    subscribers as (
      select customer_key,
        max(case when state = 'subscribed' and channel = 'email' then 1 else 0 end) as by_email,
        max(case when state = 'subscribed' and channel = 'sms' then 1 else 0 end) as by_sms,
        max(case when state in (${parameter.texts(SUPPRESSED_STATES)}) then 1 else 0 end) as is_suppressed
      from ${consentStates}
      group by customer_key
    )
    select segment, recency, frequency, monetary,
      count(*) as customers_count,
      sum(orders_count) as orders_count,
      ${knownSum(sql`revenue`)} as revenue,
      sum(recency_days) as recency_days,
      count(*) filter (where recency > 0 and orders_before > 0) as reactivated_customers_count,
      coalesce(sum(by_email), 0) as email_subscribed_count,
      coalesce(sum(by_sms), 0) as sms_subscribed_count,
      coalesce(sum(by_email * (1 - is_suppressed)), 0) as email_reachable_count,
      coalesce(sum(by_sms * (1 - is_suppressed)), 0) as sms_reachable_count,
      coalesce(sum(is_suppressed), 0) as suppressed_count,
      min(recency_days) as least_days, max(recency_days) as most_days,
      min(orders_count) as least_orders, max(orders_count) as most_orders,
      min(revenue) as least_revenue, max(revenue) as most_revenue
    from members left join subscribers using (customer_key)
    group by segment, recency, frequency, monetary
    order by recency, frequency, monetary`,
  );
}

const TIE = [
  column('kind', 'text'),
  column('value', 'number'),
  column('customers_count', 'integer'),
  column('scored_customers_count', 'integer'),
];

/** Of a profile with fifths, for each of what is scored: the value that most customers have, where these are more than a fifth. */
export function largestTies(moment: AsOf, profileId: string | null) {
  const sizes = ['recency_days', 'orders_count', 'revenue'].map((value) => {
    const name = identifier(value);
    return sql`
      select ${parameter.text(value)} as kind, cast(${name} as double) as value, count(*) as customers_count
      from members where recency > 0 group by ${name}`;
  });
  return query(
    TIE,
    sql`
    with ${membersAt([moment], sql`select * from (${chosenProfile(profileId)}) as chosen where scoring = 'quintiles'`)},
    ranked as (
      select kind, value, customers_count,
        sum(customers_count) over (partition by kind) as scored_customers_count,
        row_number() over (partition by kind order by customers_count desc, value) as rank_in_kind
      from (${join(sizes, sql` union all `)}) as sizes
    )
    select kind, value, customers_count, cast(scored_customers_count as bigint) as scored_customers_count
    from ranked
    where rank_in_kind = 1 and 5 * customers_count > scored_customers_count`,
  );
}

/** Fifths are unequal where many customers are equal, and by how many is told: of enough people. */
export function tieNotes(
  ties: readonly ObjectOf<typeof TIE>[],
  currency: string | null,
  people: FollowedPeople,
): string[] {
  const words: Readonly<Record<string, (value: number) => string>> = {
    recency_days: (value) => `the recency of ${counted(value, 'day', 'days')}`,
    orders_count: (value) => `the frequency of ${counted(value, 'order', 'orders')}`,
    revenue: (value) => `the revenue of ${value}${currency === null ? '' : ` ${currency}`}`,
  };
  const told = Object.entries(words).flatMap(([kind, inWords]) =>
    ties
      .filter((tie) => tie.kind === kind)
      .filter(
        ({ customers_count: tied, scored_customers_count: all }) =>
          !people.isFew(tied) && !people.isFew(all - tied),
      )
      .map(({ customers_count, value }) => `${customers_count} share ${inWords(value)}`),
  );
  if (told.length === 0) return [];
  const [tie] = ties;
  return [
    `Fifths are not equal where customers are: of ${tie?.scored_customers_count} scored, ${told.join(' and ')}; equal customers have the score of their middle rank.`,
  ];
}

export function segmentRows(cells: readonly Cell[], people: FollowedPeople) {
  const customers = count(cells, 'customers_count');
  const revenue = money(cells);
  const segments = RFM_SEGMENTS.map(({ key, name }) => {
    const own = cells.filter(({ segment }) => segment === key);
    return { key, name, own, size: count(own, 'customers_count') };
  });
  const hidden = people.hiddenParts(segments, ({ size }) => size, [() => 'customers']);
  return segments.map((segment) => {
    const { key, name, own, size } = segment;
    const told = <Value>(value: Value) => (hidden.has(segment) ? people.hidden() : value);
    const counted = (sum: Sum) => told(people.told([count(own, sum)], count(own, sum)));
    const orders = count(own, 'orders_count');
    return {
      segment: key,
      name,
      customers_count: told(size),
      customers_share: told(roundedPercent(size, customers)),
      orders_count: told(orders),
      revenue: told(money(own)),
      revenue_share: told(percentOfKnown(money(own), revenue)),
      avg_recency_days: told(roundedRatio(count(own, 'recency_days'), size)),
      avg_frequency: told(roundedRatio(orders, size)),
      avg_monetary: told(ratioOfKnown(money(own), size)),
      average_order_value: told(ratioOfKnown(money(own), orders)),
      email_subscribed_count: counted('email_subscribed_count'),
      sms_subscribed_count: counted('sms_subscribed_count'),
      email_reachable_count: counted('email_reachable_count'),
      sms_reachable_count: counted('sms_reachable_count'),
      suppressed_count: counted('suppressed_count'),
      reactivated_customers_count: counted('reactivated_customers_count'),
    };
  });
}

export function scoredCustomersCount(cells: readonly Cell[], people: FollowedPeople): number | null {
  const customers = count(scored(cells), 'customers_count');
  return people.told([customers], customers);
}

export function recencyRows(cells: readonly Cell[], profile: RfmProfile, people: FollowedPeople) {
  // A threshold is the last day of its score, and more days are a lower score.
  const firstDays = profile.recency_thresholds_days.map((days) => days + 1);
  return scoreRows({ cells, people, profile }, 'recency', 'days', boundsOf(firstDays, 1).reverse());
}

export function frequencyRows(cells: readonly Cell[], profile: RfmProfile, people: FollowedPeople) {
  const bounds = boundsOf(profile.frequency_thresholds, 1);
  return scoreRows({ cells, people, profile }, 'frequency', 'orders', bounds);
}

export function monetaryRows(cells: readonly Cell[], profile: RfmProfile, people: FollowedPeople) {
  const thresholds = knownThresholds(profile);
  const bounds = thresholds === null ? SCORES.map(() => OPEN) : boundsOf(thresholds, 0);
  return scoreRows({ cells, people, profile }, 'monetary', 'revenue', bounds);
}

export function cellRows(cells: readonly Cell[], people: FollowedPeople) {
  const all = scored(cells);
  const hidden = people.hiddenParts(all, ({ customers_count }) => customers_count, [
    ({ segment }) => segment,
    ({ recency }) => recency,
    ({ frequency }) => frequency,
    ({ monetary }) => monetary,
  ]);
  return all.map((cell) => ({
    recency: cell.recency,
    frequency: cell.frequency,
    monetary: cell.monetary,
    customers_count: hidden.has(cell) ? null : cell.customers_count,
  }));
}

interface Bounds {
  readonly from_value: number | null;
  readonly to_value: number | null;
}

const OPEN: Bounds = { from_value: null, to_value: null };

/** Of the five scores that the thresholds part, in their order. @param step to the last value below a threshold */
function boundsOf(thresholds: readonly number[], step: number): Bounds[] {
  return SCORES.map((_, place) => {
    const next = thresholds[place];
    return { from_value: thresholds[place - 1] ?? null, to_value: next === undefined ? null : next - step };
  });
}

/** Quintiles have no thresholds: their bounds are the values that occur. */
function scoreRows(
  { cells, people, profile }: { cells: readonly Cell[]; people: FollowedPeople; profile: RfmProfile },
  kind: 'recency' | 'frequency' | 'monetary',
  value: 'days' | 'orders' | 'revenue',
  bounds: readonly Bounds[],
) {
  const scores = SCORES.map((score) => {
    const own = scored(cells).filter((cell) => cell[kind] === score);
    return { score, own, size: count(own, 'customers_count') };
  });
  const hidden = people.hiddenParts(scores, ({ size }) => size, [() => 'scored']);
  return scores.map((row) => {
    const { score, own } = row;
    const isHidden = hidden.has(row);
    const occurring = {
      from_value: own.length === 0 ? null : Math.min(...own.map((cell) => Number(cell[`least_${value}`]))),
      to_value: own.length === 0 ? null : Math.max(...own.map((cell) => Number(cell[`most_${value}`]))),
    };
    const fixed = bounds[score - 1] ?? OPEN;
    return {
      score,
      ...(profile.scoring !== 'quintiles' ? fixed : isHidden ? OPEN : occurring),
      customers_count: isHidden ? null : row.size,
      revenue: isHidden ? null : money(own),
    };
  });
}

function scored(cells: readonly Cell[]): Cell[] {
  return cells.filter(({ recency }) => recency !== 0);
}

function count(cells: readonly Cell[], key: Sum): number {
  return cells.reduce((sum, cell) => sum + Number(cell[key]), 0);
}

function money(cells: readonly Cell[]): number | null {
  return cells.map(({ revenue }) => revenue).reduce<number | null>(addKnownMoney, 0);
}
