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
 * @param rowsPerPeriod the rows of the answer for each period
 * @param room the most such rows of an answer; without it, the limit of any trend
 * @throws InputError when that gives more rows, more than 5000 say
 */
export function coverWithPeriods(
  range: Range,
  breakdown: Breakdown,
  rowsPerPeriod = 1,
  room = MAX_TREND_ROWS,
): Periods {
  const first = startOfPeriod(range.firstDate, breakdown);
  const count = countPeriods(first, startOfPeriod(range.lastDate, breakdown), breakdown);
  const rows = count * rowsPerPeriod;
  if (rows > MAX_TREND_ROWS) {
    throw new InputError(
      `the range gives more than ${MAX_TREND_ROWS} rows; use a coarser breakdown`,
      'Or ask for a shorter range or fewer entities in one call.',
    );
  }
  if (rows > room) {
    throw new InputError(
      `the range gives ${rows} rows, and an answer has room for ${room} with these fields; use a coarser breakdown`,
      'Or ask for format "table", for only the fields that you need, for a shorter range or for fewer entities.',
    );
  }
  return {
    breakdown,
    list: periodList(first, breakdown, count),
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
  const list = periodList(first, breakdown, count);
  return {
    breakdown,
    list,
    firstDate: first.toString(),
    lastDate: endOfPeriod(list.at(-1)?.period_start ?? first.toString(), breakdown).toString(),
  };
}

/**
 * The list of periods, computed with plain numbers: for 12 years by day a calendar's own arithmetic takes 70
 * ms.
 */
function periodList(first: Temporal.PlainDate, breakdown: Breakdown, count: number): Period[] {
  return Array.from({ length: count }, (_, index) => {
    const start = dateAfter(first, breakdown, index);
    return { period: labelOf(start, breakdown), period_start: isoDate(start) };
  });
}

const DAY_MS = 86_400_000;

function dateAfter(first: Temporal.PlainDate, breakdown: Breakdown, count: number): Date {
  const date = new Date(`${first}T00:00:00Z`);
  if (breakdown === 'month') date.setUTCMonth(date.getUTCMonth() + count);
  else date.setTime(date.getTime() + count * (breakdown === 'week' ? 7 : 1) * DAY_MS);
  return date;
}

function isoDate(date: Date): string {
  return date.toISOString().replace(/T.*/, '');
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
  return labelOf(dateAfter(start, breakdown, 0), breakdown);
}

function labelOf(start: Date, breakdown: Breakdown): string {
  if (breakdown === 'day') return isoDate(start);
  if (breakdown === 'month') return isoDate(start).slice(0, -'-01'.length);
  // A week belongs to the year of its Thursday.
  const thursday = new Date(start.getTime() + (3 - ((start.getUTCDay() + 6) % 7)) * DAY_MS);
  const newYear = new Date(thursday.getTime());
  newYear.setUTCMonth(0, 1);
  const week = Math.floor((thursday.getTime() - newYear.getTime()) / DAY_MS / 7) + 1;
  return `${String(thursday.getUTCFullYear()).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}

export function startOfPeriod(date: Temporal.PlainDate, breakdown: Breakdown): Temporal.PlainDate {
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
