import { Temporal } from 'temporal-polyfill';
import { InputError } from '../errors.ts';
import { type Sql, sql } from '../sql/sql.ts';
import type { Range } from './range.ts';

export const BREAKDOWNS = ['day', 'week', 'month'] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

/** The most rows a trend answers with. */
export const MAX_TREND_ROWS = 5000;

/** One calendar period of the business: `2026-10-05`, `2026-W41` or `2026-10`, and its first local day. */
export interface Period {
  readonly period: string;
  readonly period_start: string;
}

export interface Periods {
  readonly breakdown: Breakdown;
  readonly list: readonly Period[];
  /** First and last local day of the widened range, `YYYY-MM-DD`. */
  readonly firstDate: string;
  readonly lastDate: string;
}

/**
 * The whole periods that touch the range, in order.
 *
 * @param rowsPerPeriod how many rows the tool answers with for each period
 * @throws InputError when that gives more than 5000 rows
 */
export function coverWithPeriods(range: Range, breakdown: Breakdown, rowsPerPeriod = 1): Periods {
  const first = startOfPeriod(range.firstDate, breakdown);
  const count = countPeriods(first, startOfPeriod(range.lastDate, breakdown), breakdown);
  if (count * rowsPerPeriod > MAX_TREND_ROWS) {
    throw new InputError(
      `the range gives more than ${MAX_TREND_ROWS} rows; use a coarser breakdown`,
      'Or ask for a shorter range or fewer entities in one call.',
    );
  }
  const starts = Array.from({ length: count }, (_, index) => addPeriods(first, breakdown, index));
  return {
    breakdown,
    list: starts.map((start) => ({ period: periodLabel(start, breakdown), period_start: start.toString() })),
    firstDate: first.toString(),
    lastDate: earlier(addPeriods(first, breakdown, count).subtract({ days: 1 }), LAST_DATE).toString(),
  };
}

/** The first day of the last period that is over at the end of this day. */
export function lastWholePeriod(date: Temporal.PlainDate, breakdown: Breakdown): Temporal.PlainDate {
  const start = startOfPeriod(date, breakdown);
  const isOver = endOfPeriod(start.toString(), breakdown).equals(date);
  return isOver ? start : addPeriods(start, breakdown, -1);
}

/** A number of periods, at least one, the last of which starts on this day. */
export function periodsUpTo(last: Temporal.PlainDate, breakdown: Breakdown, count: number): Periods {
  return periodsFrom(addPeriods(last, breakdown, 1 - count), breakdown, count);
}

/** A number of periods, at least one, that follow the one that starts on this day. */
export function periodsAfter(start: Temporal.PlainDate, breakdown: Breakdown, count: number): Periods {
  return periodsFrom(addPeriods(start, breakdown, 1), breakdown, count);
}

function periodsFrom(first: Temporal.PlainDate, breakdown: Breakdown, count: number): Periods {
  const starts = Array.from({ length: count }, (_, index) => addPeriods(first, breakdown, index));
  return {
    breakdown,
    list: starts.map((start) => ({ period: periodLabel(start, breakdown), period_start: start.toString() })),
    firstDate: first.toString(),
    lastDate: endOfPeriod((starts.at(-1) ?? first).toString(), breakdown).toString(),
  };
}

/** The last one that is written with four digits of year. */
const LAST_DATE = Temporal.PlainDate.from('9999-12-31');

function earlier(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? one : other;
}

/** The first day of the period that a date column lies in. */
export function periodStart(breakdown: Breakdown, date: Sql): Sql {
  const starts = {
    day: date,
    week: sql`cast(date_trunc('week', ${date}) as date)`,
    month: sql`cast(date_trunc('month', ${date}) as date)`,
  } satisfies Record<Breakdown, Sql>;
  return starts[breakdown];
}

/** The last day of the period that starts on this day. */
export function endOfPeriod(start: string, breakdown: Breakdown): Temporal.PlainDate {
  return addPeriods(Temporal.PlainDate.from(start), breakdown, 1).subtract({ days: 1 });
}

export function periodLabel(start: Temporal.PlainDate, breakdown: Breakdown): string {
  if (breakdown === 'day') return start.toString();
  if (breakdown === 'month') return start.toPlainYearMonth().toString();
  return `${String(start.yearOfWeek).padStart(4, '0')}-W${String(start.weekOfYear).padStart(2, '0')}`;
}

function startOfPeriod(date: Temporal.PlainDate, breakdown: Breakdown): Temporal.PlainDate {
  if (breakdown === 'day') return date;
  if (breakdown === 'month') return date.with({ day: 1 });
  return date.subtract({ days: date.dayOfWeek - 1 });
}

function addPeriods(start: Temporal.PlainDate, breakdown: Breakdown, count: number): Temporal.PlainDate {
  return start.add({ [`${breakdown}s`]: count });
}

function countPeriods(first: Temporal.PlainDate, last: Temporal.PlainDate, breakdown: Breakdown): number {
  return first.until(last, { largestUnit: breakdown })[`${breakdown}s`] + 1;
}
