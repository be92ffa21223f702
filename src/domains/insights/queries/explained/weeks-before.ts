import { Temporal } from 'temporal-polyfill';
import { type Range, readRange } from '../../../../time/range.ts';
import type { Both, RowsByKey } from './all-bridges.ts';

/** This many weeks of the store's past say what is usual. */
const WEEKS = 16;

/** If fewer whole weeks than this lie before the ranges, the weeks of the ranges are used, too. */
const ENOUGH_WEEKS = 8;

/**
 * Whole weeks from Monday before the ranges: before the later one where the other is long before it, else
 * before both.
 */
export function historyBefore(ranges: Both<Range>, timezone: string): Range {
  const [earlier, later] = ranges.toSorted((one, other) =>
    Temporal.PlainDate.compare(one.firstDate, other.firstDate),
  ) as [Range, Range];
  const ofLater = weeksBefore(later.firstDate);
  const isClear = Temporal.PlainDate.compare(ofLater.first, earlier.lastDate) > 0;
  const { first, last } = isClear ? ofLater : weeksBefore(earlier.firstDate);
  return readRange({ from_date: first.toString(), to_date: last.toString() }, timezone);
}

function weeksBefore(date: Temporal.PlainDate) {
  const monday = mondayOf(date);
  return { first: monday.subtract({ weeks: WEEKS }), last: monday.subtract({ days: 1 }) };
}

function mondayOf(date: Temporal.PlainDate): Temporal.PlainDate {
  return date.subtract({ days: date.dayOfWeek - 1 });
}

/** The range from the first day of the history to the last day of the ranges. */
export function spanOf(ranges: readonly Range[], timezone: string): Range {
  const dates = (side: 'firstDate' | 'lastDate') =>
    ranges.map((range) => range[side]).toSorted(Temporal.PlainDate.compare);
  const [first, last] = [dates('firstDate')[0], dates('lastDate').at(-1)];
  return readRange({ from_date: String(first), to_date: String(last) }, timezone);
}

/** All days of a range. */
export function daysIn({ firstDate, lastDate }: Range): string[] {
  const count = firstDate.until(lastDate, { largestUnit: 'days' }).days + 1;
  const first = Date.parse(`${firstDate}T00:00:00Z`);
  return Array.from({ length: Math.min(Math.max(0, count), MOST_DAYS) }, (_, day) =>
    new Date(first + day * MS_OF_DAY).toISOString().slice(0, 10),
  );
}

const MS_OF_DAY = 86_400_000;

/** Three years; what is longer has no days to compare. */
const MOST_DAYS = 1100;

/** A group of weeks, given by their Mondays: the share of a value is compared only within it. */
export interface WeekGroup {
  readonly range: Range;
  readonly mondays: readonly string[];
}

/**
 * The weeks in which the store is known: those before the ranges, and where these are few, each range's own.
 *
 * @param from the first day of which the store is known whole; null: of none
 */
export function weekGroups(history: Range, ranges: Both<Range>, from: string | null): readonly WeekGroup[] {
  if (from === null) return [];
  const [before, ...own] = [history, ...ranges].map((range) => ({ range, mondays: wholeWeeks(range, from) }));
  const groups = before === undefined || before.mondays.length >= ENOUGH_WEEKS ? [before] : [before, ...own];
  return groups.filter((group) => group !== undefined && group.mondays.length > 0) as WeekGroup[];
}

/** The Mondays of weeks that lie in the range and after that day. */
function wholeWeeks({ firstDate, lastDate }: Range, from: string): string[] {
  const mondays: string[] = [];
  let monday = mondayOf(firstDate);
  if (monday.toString() < firstDate.toString()) monday = monday.add({ weeks: 1 });
  for (; mondays.length < MOST_WEEKS; monday = monday.add({ weeks: 1 })) {
    if (Temporal.PlainDate.compare(monday.add({ days: 6 }), lastDate) > 0) break;
    if (monday.toString() >= from) mondays.push(monday.toString());
  }
  return mondays;
}

/** A year: what is longer says no more of what is usual. */
const MOST_WEEKS = 53;

/** The sums of a metric by week, out of those by day. */
export function weeklySums(days: RowsByKey, metric: string, { range, mondays }: WeekGroup): number[] {
  const sums = new Map(mondays.map((monday) => [monday, 0]));
  for (const day of daysIn(range)) {
    const monday = mondayOf(Temporal.PlainDate.from(day)).toString();
    const sum = sums.get(monday);
    if (sum !== undefined) sums.set(monday, sum + (days.get(day)?.[metric] ?? 0));
  }
  return [...sums.values()];
}
