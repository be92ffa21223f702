import { Temporal } from 'temporal-polyfill';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { localDate } from '../../../time/moment.ts';
import { type Range, utc } from '../../../time/range.ts';

/** A range by its moments alone. */
type Span = Pick<Range, 'start' | 'end'>;

/**
 * A stretch of the range in which the clock runs evenly, in seconds of local time since 1970-01-01T00:00;
 * half open.
 */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const HOURS_OF_WEEK = 168;

/**
 * How often each hour of the week begins or is under way in the range, Monday from midnight first. A clock
 * that goes back runs an hour twice, which counts twice; one that goes forward leaves an hour out.
 */
export function hoursOfWeek(range: Span, timezone: string): number[] {
  const counts = new Array<number>(HOURS_OF_WEEK).fill(0);
  for (const { from, to } of stretches(range, timezone)) {
    const first = Math.floor(from / HOUR);
    const hours = Math.ceil(to / HOUR) - first;
    const wholeWeeks = Math.floor(hours / HOURS_OF_WEEK);
    for (let index = 0; index < HOURS_OF_WEEK; index += 1) {
      // 1970 began on a Thursday, three days after a Monday.
      const hourOfWeek = modulo(first + index + 3 * 24, HOURS_OF_WEEK);
      counts[hourOfWeek] = (counts[hourOfWeek] ?? 0) + wholeWeeks + (index < hours % HOURS_OF_WEEK ? 1 : 0);
    }
  }
  return counts;
}

/** How many local days of the range, also those partly in it, are each weekday (Monday first). */
export function weekdays(range: Span, timezone: string): number[] {
  return countDays(range, timezone, 7, (day) => modulo(day + 3, 7));
}

/** How many local days of the range, also those partly in it, are each day of a month (the first first). */
export function daysOfMonth(range: Span, timezone: string): number[] {
  return countDays(range, timezone, 31, (day) => new Date(day * DAY * 1000).getUTCDate() - 1);
}

function countDays(range: Span, timezone: string, kinds: number, kindOf: (day: number) => number): number[] {
  const counts = new Array<number>(kinds).fill(0);
  let next = Number.NEGATIVE_INFINITY;
  for (const { from, to } of stretches(range, timezone)) {
    // A clock that goes back at midnight runs part of a day twice; it stays one day.
    const first = Math.max(next, Math.floor(from / DAY));
    next = Math.ceil(to / DAY);
    for (let day = first; day < next; day += 1) counts[kindOf(day)] = (counts[kindOf(day)] ?? 0) + 1;
  }
  return counts;
}

/**
 * The part of the range of which orders are loaded: whole local days from that of the first one to that of
 * the last. Days before and after say nothing of how many orders such a day has, so dividing by them gives
 * too little.
 */
export function loadedPart(
  range: Range,
  timezone: string,
  { history_starts_at, orders_until }: SnapshotFacts,
): Range {
  const { start, end } = range;
  if (history_starts_at === null || orders_until === null) return { ...range, end: start };
  const midnight = (day: Temporal.PlainDate) => utc(day.toZonedDateTime(timezone).toInstant());
  const first = midnight(localDate(history_starts_at, timezone));
  const after = midnight(localDate(orders_until, timezone).add({ days: 1 }));
  // ISO 8601 in UTC: the order of texts is that of time.
  return {
    ...range,
    start: [start, first].sort().at(-1) ?? start,
    end: [end, after].sort().at(0) ?? end,
  };
}

/** What clocks do later is not known, and thousands of changes would take seconds. */
const LAST_YEAR_OF_CHANGES = 2200;

function stretches(range: Span, timezone: string): Stretch[] {
  const end = epochSeconds(Temporal.Instant.from(`${range.end}Z`));
  const found: Stretch[] = [];
  let start = Temporal.Instant.from(`${range.start}Z`).toZonedDateTimeISO(timezone);
  while (epochSeconds(start) < end) {
    const change = start.getTimeZoneTransition('next');
    const isLast = change === null || change.year > LAST_YEAR_OF_CHANGES;
    const to = isLast ? end : Math.min(end, epochSeconds(change));
    const offset = start.offsetNanoseconds / 1e9;
    found.push({ from: epochSeconds(start) + offset, to: to + offset });
    if (isLast) break;
    start = change;
  }
  return found;
}

function epochSeconds({ epochMilliseconds }: { readonly epochMilliseconds: number }): number {
  return Math.floor(epochMilliseconds / 1000);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
