import { Temporal } from 'temporal-polyfill';
import { beginningOf, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { InputError } from '../../../../errors.ts';
import { localDate, readMoment } from '../../../../time/moment.ts';
import { type Range, readRange } from '../../../../time/range.ts';
import { EMAIL_LAG_DAYS, type WatchedSource } from './watched-metrics.ts';

/** The days that are judged, and those before them that say what is usual. */
export interface WatchedDays {
  readonly from: Temporal.PlainDate;
  /** The last of them that is loaded to its end. */
  readonly to: Temporal.PlainDate;
  /** The last that was asked for. */
  readonly askedTo: Temporal.PlainDate;
}

/** The days of one kind of data. */
export interface SourceDays {
  /** The first whole day that is looked at, of those that are loaded. */
  readonly first: Temporal.PlainDate;
  /** The first day that is judged; all before it are learned from. */
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

const USUAL_DAYS = 7;
/** A judged day becomes a part of what is usual soon after. */
const MOST_DAYS = 28;
/** The past of an earlier day would lie before all dates. */
const FIRST_YEAR = 1900;
/** Two years in weeks, and the time that is learned from before. */
const HISTORY_DAYS = 2 * 364 + 70;

export function readWatchedDays(
  { as_of, since }: { readonly as_of: string | null; readonly since: string | null },
  timezone: string,
  facts: SnapshotFacts,
): WatchedDays {
  const day = (name: string, text: string) =>
    readMoment(name, text, timezone, 'from').instant.toZonedDateTimeISO(timezone).toPlainDate();
  const end =
    as_of === null ? localDate(facts.orders_until ?? facts.latest_at, timezone) : day('as_of', as_of);
  const from = since === null ? end.subtract({ days: USUAL_DAYS }) : day('since', since);
  const to = end.subtract({ days: 1 });
  if (Temporal.PlainDate.compare(from, to) > 0)
    throw new InputError(`since is ${from}, and the days before ${end} are judged`, 'Give an earlier since.');
  if (from.year < FIRST_YEAR)
    throw new InputError(`nothing is known before the year ${FIRST_YEAR}`, 'Give a later as_of.');
  if (from.until(to, { largestUnit: 'day' }).days >= MOST_DAYS)
    throw new InputError(
      `at most ${MOST_DAYS} days can be judged at once; ${from} to ${to} are more`,
      'Ask several times, each with its as_of and since.',
    );
  const whole = lastWhole(timezone, facts);
  // If no day is loaded, another note says so for all kinds of data.
  const judged = whole === null || Temporal.PlainDate.compare(whole, from) < 0 ? to : earliest(whole, to);
  return { from, to: judged, askedTo: to };
}

/** The last day of which a kind of data is loaded to its end. */
function lastWhole(timezone: string, facts: SnapshotFacts): Temporal.PlainDate | null {
  return (['orders', 'sessions', 'messages'] as const)
    .map((source) => wholeUntil(source, timezone, facts))
    .filter((date) => date !== null)
    .reduce<Temporal.PlainDate | null>((last, date) => (last === null ? date : latest(last, date)), null);
}

/** The last day of a kind of data that is loaded to its end: that of its last moment is not. */
export function wholeUntil(
  source: WatchedSource,
  timezone: string,
  facts: SnapshotFacts,
): Temporal.PlainDate | null {
  const until = facts[`${source}_until`];
  return until === null ? null : localDate(until, timezone).subtract({ days: 1 });
}

/** The judged days of which a kind of data is loaded; null if no day is. */
export function daysOfSource(
  source: WatchedSource,
  { from, to }: WatchedDays,
  timezone: string,
  facts: SnapshotFacts,
): SourceDays | null {
  const [start, whole] = [beginningOf(source, facts), wholeUntil(source, timezone, facts)];
  if (start === null || whole === null) return null;
  // The day of the first moment is not whole.
  const begun = localDate(start, timezone).add({ days: 1 });
  const late = source === 'messages' ? EMAIL_LAG_DAYS - to.until(whole, { largestUnit: 'day' }).days : 0;
  const earlier = { days: Math.min(EMAIL_LAG_DAYS, Math.max(0, late)) };
  const asked = { from: from.subtract(earlier), to: to.subtract(earlier) };
  const first = latest(begun, asked.from.subtract({ days: HISTORY_DAYS }));
  const last = earliest(asked.to, source === 'messages' ? whole.subtract({ days: EMAIL_LAG_DAYS }) : whole);
  return Temporal.PlainDate.compare(asked.from, last) > 0 ||
    Temporal.PlainDate.compare(first, asked.from) >= 0
    ? null
    : { first, from: asked.from, to: last };
}

export function rangeOf(first: Temporal.PlainDate, last: Temporal.PlainDate, timezone: string): Range {
  return readRange({ from_date: first.toString(), to_date: last.toString() }, timezone);
}

/** The number of days from one to another, both included. */
export function lengthOf(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  return first.until(last, { largestUnit: 'day' }).days + 1;
}

function latest(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) > 0 ? one : other;
}

export function earliest(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? one : other;
}
