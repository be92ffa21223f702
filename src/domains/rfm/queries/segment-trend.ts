import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import type { FollowedPeople } from '../../../answers/small-groups.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { InputError } from '../../../errors.ts';
import { customers, rfmStates } from '../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { addKnownMoney, percentOfKnown, roundedPercent } from '../../../statistics/rounded.ts';
import { RFM_SEGMENTS, SCORES } from '../../../store/rfm-segments.ts';
import { localDate } from '../../../time/moment.ts';
import { endOfPeriod, type Periods, periodStart } from '../../../time/periods.ts';
import { type AsOf, asOf } from './as-of.ts';
import { chosenProfile, type RfmProfile } from './profiles.ts';
import { cellsOf, frequencyScore, membersAt, monetaryScore, withThresholds } from './scoring.ts';
import { shownSegments } from './shown-segments.ts';

/**
 * Quintiles are ranks among all customers, so each period is scored from nothing: work and memory for periods
 * x customers. Five millions take about a gigabyte.
 */
const MAX_QUINTILE_PERIODS = 60;
const MAX_QUINTILE_ROWS = 5_000_000;

/** A period with the moment at its end, or of `data_until` while it runs. */
interface PeriodEnd {
  readonly period: string;
  readonly period_start: string;
  readonly asOf: AsOf;
}

/**
 * The periods that have begun when the data end: of later ones there is no state. All where nothing is
 * loaded.
 */
export function periodEnds(periods: Periods, timezone: string, facts: SnapshotFacts): PeriodEnd[] {
  const lastDate = facts.orders_until === null ? null : localDate(facts.orders_until, timezone).toString();
  return periods.list
    .filter(({ period_start }) => lastDate === null || period_start <= lastDate)
    .map((period) => {
      const nextDay = endOfPeriod(period.period_start, periods.breakdown).add({ days: 1 });
      const end = nextDay.toZonedDateTime(timezone).toInstant().subtract({ seconds: 1 });
      return { ...period, asOf: asOf(end, timezone, facts) };
    });
}

const SIZES = [
  column('segment', 'text'),
  column('customers_count', 'integer'),
  nullableColumn('revenue', 'number'),
];
const CHANGE = [...SIZES, column('period_start', 'date')];
type Change = ObjectOf<typeof CHANGE>;
const SIZE = [...SIZES, column('place', 'integer')];
type Size = ObjectOf<typeof SIZE>;

/**
 * Sizes of segments at the ends of periods, for a profile with thresholds: rows of (segment, period_start)
 * where anything changes, with what holds from there on. Null when there is no period.
 *
 * Customers are not scored at every end. A state of theirs holds for some periods, which the thresholds of
 * recency part further; so it adds itself to a segment at the first period of a part and takes itself away
 * after the last.
 */
export function sizeChanges(periods: Periods, ends: readonly PeriodEnd[], profileId: string | null) {
  const last = ends.at(-1);
  if (last === undefined) return null;
  const start = (date: Sql) => periodStart(periods.breakdown, date);
  const firstPeriod = sql`${parameter.date(periods.firstDate)}`;
  const afterLast = sql`${parameter.date(endOfPeriod(last.period_start, periods.breakdown).add({ days: 1 }).toString())}`;
  const until = sql`${parameter.timestamp(last.asOf.moment)}`;
  /** The first period at whose end the last order is more days ago. */
  const olderThan = (days: Sql) => sql`
    case when last_ordered_date + ${days} < ${parameter.date(last.asOf.date)}
      then ${start(sql`(last_ordered_date + ${days} + 1)`)} else ${afterLast} end`;
  return query(
    CHANGE,
    sql`
    with profile as (${withThresholds(chosenProfile(profileId))}),
    spans as (
      select last_ordered_date,
        case when states.frequency = 0 then 0 else ${frequencyScore(sql`states.frequency`)} end as frequency,
        case when states.frequency = 0 then 0 else ${monetaryScore(sql`states.monetary`)} end as monetary,
        greatest(${firstPeriod}, ${start(sql`starts_date`)}) as from_period,
        case when ends_at <= ${until} then ${start(sql`ends_date`)} else ${afterLast} end as to_period,
        cast(count(*) as bigint) as customers_count,
        sum(states.monetary) as revenue
      from ${rfmStates} as states join profile using (window_days)
      where scoring = 'thresholds' and starts_at <= ${until} and (ends_at is null or ends_date >= ${firstPeriod})
      group by all
    ),
    recencies as (
      select recency,
        case when recency between 1 and 4 then recency_thresholds_days[5 - recency] end as after_days,
        case when recency >= 2 and recency_thresholds_days[6 - recency] < window_days
          then recency_thresholds_days[6 - recency] end as until_days
      from profile cross join (${scores}) as scores
    ),
    parts as (
      select recency, frequency, monetary, customers_count, revenue,
        case when after_days is null then from_period
          else greatest(from_period, ${olderThan(sql`after_days`)}) end as from_period,
        case when until_days is null then to_period
          else least(to_period, ${olderThan(sql`until_days`)}) end as to_period
      from spans cross join recencies cross join profile
      where (recency = 0) = (frequency = 0) and (after_days is null or after_days < window_days)
    ),
    changes as (
      select segment, case when direction = 1 then from_period else to_period end as period_start,
        direction * customers_count as customers_count, direction * revenue as revenue
      from parts
      join (${cellsOf(sql`profile`)}) as cells using (recency, frequency, monetary)
      cross join (select 1 as direction union all select -1 as direction) as directions
      where from_period < to_period
    ),
    summed as (
      select segment, period_start, sum(customers_count) as customers_count, sum(revenue) as revenue
      from changes
      where period_start < ${afterLast}
      group by segment, period_start
    )
    select segment, period_start,
      sum(customers_count) over (partition by segment order by period_start) as customers_count,
      sum(revenue) over (partition by segment order by period_start) as revenue
    from summed
    order by segment, period_start`,
  );
}

/**
 * The scores of recency, each with the days after which it starts (null: at once) and until which it holds
 * (null: without an end). Score 0 is that of the lost. What is in the window is never older than it, also
 * when clocks changed: see `least` in `membersAt`.
 */
const scores: Sql = join(
  [0, ...SCORES].map((score) => sql`select cast(${parameter.integer(score)} as integer) as recency`),
  sql` union all `,
);

/** How many there are, for `checkQuintilePeriods`. */
export const countCustomers = query(
  [column('customers_count', 'integer')],
  sql`select count(*) as customers_count from ${customers}`,
);

/**
 * The same sizes for a profile with quintiles, at each end of a period. Nothing when there are none, or too
 * many.
 */
export function quintileSizes(ends: readonly PeriodEnd[], profileId: string | null) {
  if (ends.length === 0 || ends.length > MAX_QUINTILE_PERIODS) return null;
  const count = sql`${parameter.integer(ends.length)}`;
  return query(
    SIZE,
    sql`
    with ${membersAt(
      ends.map(({ asOf }) => asOf),
      sql`
        select * from (${chosenProfile(profileId)}) as chosen cross join (${countCustomers.sql}) as counted
        where scoring = 'quintiles'
          and (${count} = 1 or ${count} * customers_count <= ${parameter.integer(MAX_QUINTILE_ROWS)})`,
    )}
    select segment, place, count(*) as customers_count, sum(revenue) as revenue
    from members
    group by segment, place`,
  );
}

/**
 * @param counted the rows of `countCustomers`
 * @throws InputError when the profile's scores are quintiles and the periods too many
 */
export function checkQuintilePeriods(
  { scoring }: RfmProfile,
  ends: readonly PeriodEnd[],
  counted: readonly { readonly customers_count: number }[],
): void {
  const most = mostQuintilePeriods(onlyRow(counted).customers_count);
  if (scoring !== 'quintiles' || ends.length <= most) return;
  throw new InputError(
    `a profile with quintiles takes at most ${most} periods for so many customers; use a coarser breakdown`,
    'Or ask for a shorter range, or choose a profile with thresholds.',
  );
}

export function mostQuintilePeriods(customersCount: number): number {
  return Math.max(1, Math.min(MAX_QUINTILE_PERIODS, Math.floor(MAX_QUINTILE_ROWS / customersCount)));
}

/**
 * A row for each period and segment, in their order. Shares are of all segments, also of those that are not
 * shown.
 */
export function trendRows(
  ends: readonly PeriodEnd[],
  changes: readonly Change[],
  sizes: readonly Size[],
  people: FollowedPeople,
) {
  const changeByKey = new Map(changes.map((row) => [`${row.segment} ${row.period_start}`, row]));
  const sizeByKey = new Map(sizes.map((row) => [`${row.segment} ${row.place}`, row]));
  const latest = new Map<string, Change>();
  return ends.flatMap(({ period, period_start, asOf: { moment } }, place) => {
    for (const { key } of RFM_SEGMENTS) {
      const change = changeByKey.get(`${key} ${period_start}`);
      if (change !== undefined) latest.set(key, change);
    }
    const rows = RFM_SEGMENTS.map(({ key }) => {
      const row = sizeByKey.get(`${key} ${place}`) ?? latest.get(key);
      return {
        segment: key,
        customers: row?.customers_count ?? 0,
        revenue: row === undefined || row.customers_count === 0 ? 0 : row.revenue,
      };
    });
    const allCustomers = rows.reduce((sum, { customers }) => sum + customers, 0);
    const allRevenue = rows.map(({ revenue }) => revenue).reduce<number | null>(addKnownMoney, 0);
    const sizes = new Map(rows.map(({ segment, customers }) => [segment, customers]));
    const { segments } = shownSegments((segment) => sizes.get(segment) ?? 0, people);
    return rows.map(({ segment, customers, revenue }) => {
      const told = <Value>(value: Value) => (segments.has(segment) ? value : null);
      return {
        period,
        period_start,
        period_end_at: moment,
        segment,
        customers_count: told(customers),
        customers_share: told(roundedPercent(customers, allCustomers)),
        revenue: told(revenue),
        revenue_share: told(percentOfKnown(revenue, allRevenue)),
      };
    });
  });
}
