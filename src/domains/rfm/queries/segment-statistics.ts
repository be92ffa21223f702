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
import { plural } from '../../../text/plural.ts';
import type { AsOf } from './as-of.ts';
import { chosenProfile, knownThresholds, type RfmProfile } from './profiles.ts';
import { membersAt } from './scoring.ts';
import { knownSegments, shownSegments } from './shown-segments.ts';

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
 * One row per segment and combination of scores that occurs at the moment, with 0 for the lost. Everything
 * that an answer shows is a sum of these rows.
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

/**
 * Gives for a profile with fifths the value of each measure that most customers have, where these are more
 * than a fifth.
 */
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

/**
 * Fifths are unequal if many customers are equal; the note says by how many, if they are enough people.
 *
 * @param scoredCount null if the number of scored customers is hidden
 */
export function tieNotes(
  ties: readonly ObjectOf<typeof TIE>[],
  scoredCount: number | null,
  currency: string | null,
  people: FollowedPeople,
): string[] {
  const words: Readonly<Record<string, (value: number) => string>> = {
    recency_days: (value) => `the recency of ${plural(value, 'day', 'days')}`,
    orders_count: (value) => `the frequency of ${plural(value, 'order', 'orders')}`,
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
  if (told.length === 0 || scoredCount === null) return [];
  return [
    `Fifths are not equal where customers are: of ${scoredCount} scored, ${told.join(' and ')}; equal customers have the score of their middle rank.`,
  ];
}

/** The state at a moment: what of it is of enough people, also beside the other numbers. */
export function stateAnswer(cells: readonly Cell[], profile: RfmProfile, people: FollowedPeople) {
  const sizeOf = (group: Group) => count(cells.filter(group), 'customers_count');
  const told = shownSegments((key) => sizeOf(({ segment }) => segment === key), people);
  const scores = KINDS.map((kind) => SCORES.map((score) => (cell: Cell) => cell[kind] === score));
  const single = scored(cells).map((cell) => ({ cell, group: (other: Cell) => other === cell }));
  // Whether cells are asked for or not: an answer with them must not tell what one without them hides.
  const toldGroups = people.toldGroups(cells, ({ customers_count }) => customers_count, {
    ...knownSegments<Cell>(told, ({ segment }) => segment),
    asked: [...scores, single.map(({ group }) => group)],
  });
  const [recency, frequency, monetary] = scores.map((groups) => groups.map((group) => toldGroups.has(group)));
  const thresholds = knownThresholds(profile);
  // A threshold is the last day of its score, and more days are a lower score.
  const firstDays = profile.recency_thresholds_days.map((days) => days + 1);
  return {
    scored_customers_count: told.isScoredTold ? sizeOf(isScored) : null,
    segments: segmentRows(cells, told.segments, people),
    recency_scores: scoreRows(cells, profile, 'recency', boundsOf(firstDays, 1).reverse(), recency),
    frequency_scores: scoreRows(
      cells,
      profile,
      'frequency',
      boundsOf(profile.frequency_thresholds, 1),
      frequency,
    ),
    monetary_scores: scoreRows(
      cells,
      profile,
      'monetary',
      thresholds === null ? SCORES.map(() => OPEN) : boundsOf(thresholds, 0),
      monetary,
    ),
    cells: single.map(({ cell, group }) => ({
      recency: cell.recency,
      frequency: cell.frequency,
      monetary: cell.monetary,
      customers_count: toldGroups.has(group) ? cell.customers_count : null,
    })),
  };
}

type Group = (cell: Cell) => boolean;
const KINDS = ['recency', 'frequency', 'monetary'] as const;
/** The measure of which a cell tells the least and the most value. */
const VALUES = { recency: 'days', frequency: 'orders', monetary: 'revenue' } as const;

function segmentRows(cells: readonly Cell[], toldKeys: ReadonlySet<string>, people: FollowedPeople) {
  const customers = count(cells, 'customers_count');
  const revenue = money(cells);
  return RFM_SEGMENTS.map(({ key, name }) => {
    const own = cells.filter(({ segment }) => segment === key);
    const size = count(own, 'customers_count');
    const told = <Value>(value: Value) => (toldKeys.has(key) ? value : null);
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

interface Bounds {
  readonly from_value: number | null;
  readonly to_value: number | null;
}

const OPEN: Bounds = { from_value: null, to_value: null };

/**
 * The bounds of the five scores that the thresholds part, in their order. @param step to the last value below
 * a threshold
 */
function boundsOf(thresholds: readonly number[], step: number): Bounds[] {
  return SCORES.map((_, place) => {
    const next = thresholds[place];
    return { from_value: thresholds[place - 1] ?? null, to_value: next === undefined ? null : next - step };
  });
}

/**
 * The rows of scores. Quintiles have no thresholds: their bounds are the values that occur.
 *
 * @param told whether each score is shown
 */
function scoreRows(
  cells: readonly Cell[],
  { scoring }: RfmProfile,
  kind: (typeof KINDS)[number],
  bounds: readonly Bounds[],
  told: readonly boolean[] = [],
) {
  return SCORES.map((score, place) => {
    const own = cells.filter((cell) => cell[kind] === score);
    const isTold = told[place] === true;
    const value = VALUES[kind];
    const occurring = {
      from_value: own.length === 0 ? null : Math.min(...own.map((cell) => Number(cell[`least_${value}`]))),
      to_value: own.length === 0 ? null : Math.max(...own.map((cell) => Number(cell[`most_${value}`]))),
    };
    return {
      score,
      ...(scoring !== 'quintiles' ? (bounds[place] ?? OPEN) : isTold ? occurring : OPEN),
      customers_count: isTold ? count(own, 'customers_count') : null,
      revenue: isTold ? money(own) : null,
    };
  });
}

function isScored({ recency }: Cell): boolean {
  return recency !== 0;
}

function scored(cells: readonly Cell[]): Cell[] {
  return cells.filter(isScored);
}

function count(cells: readonly Cell[], key: Sum): number {
  return cells.reduce((sum, cell) => sum + Number(cell[key]), 0);
}

function money(cells: readonly Cell[]): number | null {
  return cells.map(({ revenue }) => revenue).reduce<number | null>(addKnownMoney, 0);
}
