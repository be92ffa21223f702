import { Temporal } from 'temporal-polyfill';
import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { meanInterval, sampleOf } from '../../../statistics/compare-means.ts';
import { LEAST_ORDERS } from '../../../statistics/comparison.ts';
import { addKnownMoney, ratioOfKnown, roundedPercent, roundedRatio } from '../../../statistics/rounded.ts';
import { wilsonInterval } from '../../../statistics/wilson.ts';
import { localDate } from '../../../time/moment.ts';
import { endOfPeriod, periodLabel } from '../../../time/periods.ts';
import {
  type CohortMedian,
  type CohortPeriod,
  type CohortTotal,
  type CohortValues,
  type CohortWindow,
  type CohortWindowing,
  type FlatDays,
  LIFETIME_VALUE_DAYS,
  RETENTION_DAYS,
  WINDOW_DAYS,
} from './cohorts.ts';

interface CohortOptions {
  readonly window: CohortWindowing;
  readonly cohort_period: CohortPeriod;
  /** The last date of the last cohort. */
  readonly lastDate: string;
  readonly max_periods: number;
  readonly timezone: string;
  readonly facts: SnapshotFacts;
  readonly people: FollowedPeople;
  readonly values: readonly CohortValues[];
  /** The day from which customers are known to be new. */
  readonly newFrom: Temporal.PlainDate | null;
}

/** The rows of `cohortTotals` and `cohortWindows` as cohorts with their rates, each marked mature or not. */
export function cohortRows(
  totals: readonly CohortTotal[],
  windows: readonly CohortWindow[],
  medians: readonly CohortMedian[],
  options: CohortOptions,
) {
  const medianOf = new Map(medians.map((row) => [cohortKey(row), row.median_days]));
  const valuesOf = new Map(options.values.map((row) => [cohortKey(row), row]));
  const windowsOf = Map.groupBy(windows, cohortKey);
  const hidden = options.people.hiddenParts(
    totals,
    ({ customers_count }) => customers_count,
    ({ cohort_start }) => cohort_start,
  );
  return totals.map((row) => {
    const start = Temporal.PlainDate.from(row.cohort_start);
    const size = row.customers_count;
    const told = teller(options.people, hidden.has(row));
    return {
      cohort: options.cohort_period === 'all' ? 'all' : periodLabel(start, options.cohort_period),
      cohort_start: row.cohort_start,
      segment: row.segment,
      customers_count: told([size], size),
      first_orders_revenue: told([size], row.first_orders_revenue),
      first_average_order_value: told(
        [size],
        ratioOfKnown(row.first_orders_revenue, row.priced_first_orders),
      ),
      observed_days: daysObserved(row.cohort_start, options),
      retention: RETENTION_DAYS.map((days) => {
        const [returned, mature] = [row[`returned_${days}`], row[`mature_${days}`]];
        const matureReturned = row[`mature_returned_${days}`];
        return {
          days,
          returned_customers_count: told([returned], returned),
          retention_rate: told([returned], roundedPercent(returned, size)),
          mature_customers_count: told([mature], mature),
          mature_retention_rate: told([mature, matureReturned], roundedPercent(matureReturned, mature)),
          is_mature: row.least_observed_days >= days,
        };
      }),
      periods: windowRows(row, windowsOf.get(cohortKey(row)) ?? [], options, told),
      ltv: LIFETIME_VALUE_DAYS.map((days) => {
        const [returned, mature] = [row[`returned_${days}`], row[`mature_${days}`]];
        const matureReturned = row[`mature_returned_${days}`];
        return {
          days,
          revenue_per_customer: told([returned], ratioOfKnown(row[`revenue_${days}`], size)),
          mature_customers_count: told([mature], mature),
          mature_revenue_per_customer: told(
            [mature, matureReturned],
            ratioOfKnown(row[`mature_revenue_${days}`], mature),
          ),
          is_mature: row.least_observed_days >= days,
        };
      }),
      revenue_per_customer_total: told([row.repeat_customers_count], ratioOfKnown(row.revenue, size)),
      refunded_revenue: hasRefunds(options.facts) ? told([size], row.refunded) : null,
      repeat_customers_count: told([row.repeat_customers_count], row.repeat_customers_count),
      median_days_to_second_order: told([row.repeat_customers_count], medianOf.get(cohortKey(row)) ?? null),
      three_orders_rate: told([row.third_orders_count], roundedPercent(row.third_orders_count, size)),
      ...flatColumns(row, valuesOf.get(cohortKey(row)), told),
      may_contain_old_customers:
        options.newFrom !== null && Temporal.PlainDate.compare(start, options.newFrom) < 0,
    };
  });
}

/** The columns of customers who were observed for equally long, with intervals: `retention_90`, `ltv_90`. */
function flatColumns(row: CohortTotal, values: CohortValues | undefined, told: Teller) {
  const columns = LIFETIME_VALUE_DAYS.flatMap((days) => {
    const [mature, returned] = [row[`mature_${days}`], row[`mature_returned_${days}`]];
    const counts = [mature, returned];
    const share = wilsonInterval(returned, mature);
    const mean = ratioOfKnown(row[`mature_revenue_${days}`], mature);
    const bounds = mean === null ? UNKNOWN : boundsOfMean(days, mature, values);
    return [
      [`retention_${days}`, told(counts, roundedPercent(returned, mature))],
      [`retention_${days}_low`, told(counts, share.low)],
      [`retention_${days}_high`, told(counts, share.high)],
      [`ltv_${days}`, told(counts, mean)],
      [`ltv_${days}_low`, told(counts, bounds.low)],
      [`ltv_${days}_high`, told(counts, bounds.high)],
    ] as const;
  });
  return Object.fromEntries(columns) as Record<FlatColumn, number | null>;
}

type FlatColumn = `${'retention' | 'ltv'}_${FlatDays}${'' | '_low' | '_high'}`;

const UNKNOWN = { low: null, high: null };

/** Money of few has none. */
function boundsOfMean(days: FlatDays, mature: number, values: CohortValues | undefined) {
  const [sum, squares] = [values?.[`spent_${days}`] ?? null, values?.[`squares_${days}`] ?? null];
  if (mature < LEAST_ORDERS || sum === null || squares === null) return UNKNOWN;
  const { low, high } = meanInterval(sampleOf({ size: mature, sum, squares }));
  return { low: roundedRatio(low, 1), high: roundedRatio(high, 1) };
}

type Teller = <Value>(counts: readonly number[], value: Value) => Value | null;

/** Decides which numbers are shown: nothing of a hidden row, else those about enough people. */
function teller(people: FollowedPeople, isHidden: boolean): Teller {
  return (counts, value) => (isHidden ? people.hidden() : people.told(counts, value));
}

function windowRows(
  total: CohortTotal,
  windows: readonly CohortWindow[],
  options: CohortOptions,
  told: Teller,
) {
  const byIndex = new Map(windows.map((window) => [window.period_index, window]));
  const size = total.customers_count;
  let cumulative = total.first_orders_revenue;
  // The money of people who came since the sum was last told: one more window would tell theirs.
  let untold = 0;
  return Array.from({ length: options.max_periods }, (_, index) => {
    const window = byIndex.get(index);
    const active = window?.active_customers_count ?? 0;
    const came = window === undefined ? 0 : window.revenue;
    cumulative = addKnownMoney(cumulative, came);
    untold = options.people.isFew(untold + active) ? untold + active : 0;
    const calendar = options.window === 'days' ? null : calendarPeriod(total.cohort_start, index, options);
    return {
      period_index: index,
      period: calendar?.period ?? null,
      active_customers_count: told([active], active),
      retention_rate: told([active], roundedPercent(active, size)),
      orders_count: told([active], window?.orders_count ?? 0),
      revenue: told([active], came),
      cumulative_revenue_per_customer: told([untold], ratioOfKnown(cumulative, size)),
      is_complete:
        calendar?.isOver ?? total.least_observed_days >= (index + 1) * WINDOW_DAYS[options.cohort_period],
    };
  });
}

/** The month or week that is `number` periods after the cohort's own. */
function calendarPeriod(
  cohortStart: string,
  index: number,
  { cohort_period, timezone, facts }: CohortOptions,
) {
  if (cohort_period === 'all') throw new Error('a cohort of all has no calendar');
  const start = Temporal.PlainDate.from(cohortStart).add({ [`${cohort_period}s`]: index });
  const until = facts.orders_until === null ? null : localDate(facts.orders_until, timezone);
  const end = endOfPeriod(start.toString(), cohort_period);
  return {
    period: periodLabel(start, cohort_period),
    isOver: until !== null && Temporal.PlainDate.compare(end, until) <= 0,
  };
}

/**
 * The days from the last day of the cohort's period to the last loaded order. The customer who came last may
 * have come before.
 */
function daysObserved(
  cohortStart: string,
  { cohort_period, lastDate, timezone, facts }: CohortOptions,
): number {
  if (facts.orders_until === null) return 0;
  const until = localDate(facts.orders_until, timezone);
  const end =
    cohort_period === 'all' ? Temporal.PlainDate.from(lastDate) : endOfPeriod(cohortStart, cohort_period);
  return Math.max(0, end.until(until, { largestUnit: 'days' }).days);
}

function cohortKey(row: Pick<CohortMedian, 'cohort_start' | 'segment'>): string {
  return JSON.stringify([row.cohort_start, row.segment]);
}
