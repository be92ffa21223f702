import { Temporal } from 'temporal-polyfill';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { addMoney, defined, roundedPercent, roundedRatio } from '../../../statistics/rounded.ts';
import { localDate } from '../../../time/moment.ts';
import { endOfPeriod, periodLabel } from '../../../time/periods.ts';
import {
  type CohortTotal,
  type CohortWindow,
  type CohortWindowing,
  LIFETIME_VALUE_DAYS,
  RETENTION_DAYS,
  WINDOW_DAYS,
} from './cohorts.ts';

interface CohortOptions {
  readonly window: CohortWindowing;
  readonly cohort_period: 'week' | 'month';
  readonly max_periods: number;
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

/** A history that begins this many days before a cohort may lack its customers' earlier orders. */
const OLD_CUSTOMER_DAYS = 90;

/** The rows of `cohortTotals` and `cohortWindows` as cohorts with their rates, each marked mature or not. */
export function cohortRows(
  totals: readonly CohortTotal[],
  windows: readonly CohortWindow[],
  options: CohortOptions,
) {
  const windowsOf = Map.groupBy(windows, cohortKey);
  return totals.map((row) => {
    const start = Temporal.PlainDate.from(row.cohort_start);
    const size = row.customers_count;
    return {
      cohort: periodLabel(start, options.cohort_period),
      cohort_start: row.cohort_start,
      segment: row.segment,
      customers_count: size,
      first_orders_revenue: row.first_orders_revenue,
      first_average_order_value: roundedRatio(row.first_orders_revenue, size),
      observed_days: daysObserved(row.cohort_start, options),
      retention: RETENTION_DAYS.map((days) => ({
        days,
        returned_customers_count: row[`returned_${days}`],
        retention_rate: roundedPercent(row[`returned_${days}`], size),
        mature_customers_count: row[`mature_${days}`],
        mature_retention_rate: roundedPercent(row[`mature_returned_${days}`], row[`mature_${days}`]),
        is_mature: row.least_observed_days >= days,
      })),
      periods: windowRows(row, windowsOf.get(cohortKey(row)) ?? [], options),
      ltv: LIFETIME_VALUE_DAYS.map((days) => ({
        days,
        revenue_per_customer: roundedRatio(row[`revenue_${days}`], size),
        mature_customers_count: row[`mature_${days}`],
        mature_revenue_per_customer: roundedRatio(row[`mature_revenue_${days}`], row[`mature_${days}`]),
        is_mature: row.least_observed_days >= days,
      })),
      revenue_per_customer_total: defined(roundedRatio(row.revenue, size)),
      refunded_revenue: hasRefunds(options.facts) ? row.refunded : null,
      repeat_customers_count: row.repeat_customers_count,
      may_contain_old_customers: startsWithHistory(start, options),
    };
  });
}

function windowRows(total: CohortTotal, windows: readonly CohortWindow[], options: CohortOptions) {
  const byIndex = new Map(windows.map((window) => [window.period_index, window]));
  const size = total.customers_count;
  let cumulative = total.first_orders_revenue;
  return Array.from({ length: options.max_periods }, (_, index) => {
    const window = byIndex.get(index);
    cumulative = addMoney(cumulative, window?.revenue ?? 0);
    const calendar = options.window === 'days' ? null : calendarPeriod(total.cohort_start, index, options);
    return {
      period_index: index,
      period: calendar?.period ?? null,
      active_customers_count: window?.active_customers_count ?? 0,
      retention_rate: roundedPercent(window?.active_customers_count ?? 0, size),
      orders_count: window?.orders_count ?? 0,
      revenue: window?.revenue ?? 0,
      cumulative_revenue_per_customer: roundedRatio(cumulative, size),
      is_complete:
        calendar?.isOver ?? total.least_observed_days >= (index + 1) * WINDOW_DAYS[options.cohort_period],
    };
  });
}

/** The month or week so many after the cohort's own. */
function calendarPeriod(
  cohortStart: string,
  index: number,
  { cohort_period, timezone, facts }: CohortOptions,
) {
  const start = Temporal.PlainDate.from(cohortStart).add({ [`${cohort_period}s`]: index });
  const until = facts.orders_until === null ? null : localDate(facts.orders_until, timezone);
  const end = endOfPeriod(start.toString(), cohort_period);
  return {
    period: periodLabel(start, cohort_period),
    isOver: until !== null && Temporal.PlainDate.compare(end, until) <= 0,
  };
}

/** From the last day of the cohort's period to the last loaded order; the customer who came last may have come before. */
function daysObserved(cohortStart: string, { cohort_period, timezone, facts }: CohortOptions): number {
  if (facts.orders_until === null) return 0;
  const until = localDate(facts.orders_until, timezone);
  return Math.max(0, endOfPeriod(cohortStart, cohort_period).until(until, { largestUnit: 'days' }).days);
}

function startsWithHistory(start: Temporal.PlainDate, { timezone, facts }: CohortOptions): boolean {
  if (facts.history_starts_at === null) return false;
  const known = localDate(facts.history_starts_at, timezone).add({ days: OLD_CUSTOMER_DAYS });
  return Temporal.PlainDate.compare(start, known) < 0;
}

function cohortKey(row: Pick<CohortTotal, 'cohort_start' | 'segment'>): string {
  return JSON.stringify([row.cohort_start, row.segment]);
}
