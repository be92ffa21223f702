import { Temporal } from 'temporal-polyfill';
import { worded } from '../answers/sentences.ts';
import { SOURCES_IN_WORDS } from '../answers/source-words.ts';
import {
  beginningOf,
  type LoadedSource,
  type SnapshotFacts,
  SOURCE_NAMES,
} from '../business/snapshot-facts.ts';
import { enumerated } from '../text/enumerated.ts';
import { localDate } from '../time/moment.ts';
import { type Breakdown, endOfPeriod, startOfPeriod } from '../time/periods.ts';

/** What happens on most days, so that a period without its first or last days looks like a rise or a fall. */
const STEADY: readonly SteadySource[] = ['orders', 'sessions', 'views', 'messages', 'popups'];
export type SteadySource = LoadedSource | 'views';

/**
 * Weeks and months of a trend that the data begin or end in: they hold a part of what whole ones hold.
 *
 * @param range its first and last local day, before the breakdown widens it
 * @example 'The week from 2026-09-28 holds 3 of 7 days of orders, which are loaded until 2026-09-30: do not
 *   compare it with whole ones.'
 */
export function partialPeriodNotes(
  sources: readonly SteadySource[],
  range: readonly [first: Temporal.PlainDate, last: Temporal.PlainDate],
  breakdown: Breakdown,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  if (breakdown === 'day') return lastDayNotes(sources, range, timezone, facts);
  const parts = STEADY.filter((source) => sources.includes(source)).flatMap((source) => {
    const until = untilOf(source, facts);
    if (until === null) return [];
    const last = localDate(until, timezone);
    const start = beginningOf(source, facts);
    const first = start === null ? null : localDate(start, timezone);
    const starts = new Set([first ?? last, last].map((day) => startOfPeriod(day, breakdown).toString()));
    return [...starts].flatMap((period) => {
      const begin = Temporal.PlainDate.from(period);
      const end = endOfPeriod(period, breakdown);
      if (!touches(range, begin, end)) return [];
      const [from, to] = [latest(first ?? begin, begin), earliest(last, end)];
      const [known, days] = [daysOf(from, to), daysOf(begin, end)];
      if (known === days) return [];
      const loaded = [
        ...(from.equals(begin) ? [] : [`from ${from} on`]),
        ...(to.equals(end) ? [] : [`until ${to}`]),
      ].join(' and ');
      const whole = [period, end.toString()] as const;
      return [{ held: `${begin} holds ${known} of ${days} days`, source, loaded, whole, known, days }];
    });
  });
  return [...Map.groupBy(parts, ({ held, loaded }) => `${held} ${loaded}`).values()].flatMap((alike) => {
    const [one] = alike;
    if (one === undefined) return [];
    const { held, loaded, whole, known, days } = one;
    const what = enumerated(alike.map(({ source }) => nameOf(source)));
    return worded(
      `The ${breakdown} from ${held} of ${what}, which are loaded ${loaded}: do not compare it with whole ones.`,
      'note.period-of-part',
      {
        period: { days: whole },
        known: { number: known },
        all: { number: days },
        sources: { each: alike.map(({ source }) => ({ say: SOURCES_IN_WORDS[source] })) },
      },
    );
  });
}

/** What ends this late in a day has all of it, but for what few do at night. */
const LATE_HOUR = 22;

/** What happens at all hours, so that a day without its evening is a part. */
const AT_ALL_HOURS: readonly SteadySource[] = ['orders', 'sessions', 'views', 'popups'];

/**
 * The last day of the data, where they end within it. A shop may have its last order at noon: orders are told
 * of where nothing at all is known of the evening.
 */
function lastDayNotes(
  sources: readonly SteadySource[],
  range: readonly [Temporal.PlainDate, Temporal.PlainDate],
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const latest = Temporal.Instant.from(facts.latest_at).toZonedDateTimeISO(timezone);
  const ends = AT_ALL_HOURS.filter((source) => sources.includes(source)).flatMap((source) => {
    const until = untilOf(source, facts);
    if (until === null) return [];
    const end = Temporal.Instant.from(until).toZonedDateTimeISO(timezone);
    const day = end.toPlainDate();
    const goesOn = Temporal.PlainDate.compare(latest.toPlainDate(), day) > 0 || latest.hour >= LATE_HOUR;
    if (source === 'orders' && goesOn) return [];
    if (end.hour >= LATE_HOUR || !touches(range, day, day)) return [];
    const time = end.toPlainTime().toString({ smallestUnit: 'minute' });
    return [{ day: day.toString(), source, time, text: `${nameOf(source)} until ${time}` }];
  });
  const days = [...new Set(ends.map(({ day }) => day))].sort();
  return days.map((day) => {
    const own = ends.filter((end) => end.day === day);
    return worded(
      `${day} may not be whole: on it, ${own.map(({ text }) => text).join(', ')} are loaded. Do not compare it with whole days.`,
      'note.day-of-part',
      {
        day: { day },
        sources: {
          each: own.map(({ source, time }) => ({
            sentence: { key: 'note.until-time', values: { source: { say: SOURCES_IN_WORDS[source] }, time } },
          })),
        },
      },
    );
  });
}

function untilOf(source: SteadySource, facts: SnapshotFacts): string | null {
  return source === 'views' ? (facts.spans?.views?.until ?? null) : facts[`${source}_until`];
}

function nameOf(source: SteadySource): string {
  return source === 'views' ? 'views of products' : SOURCE_NAMES[source].toLowerCase();
}

function touches(
  [first, last]: readonly [Temporal.PlainDate, Temporal.PlainDate],
  begin: Temporal.PlainDate,
  end: Temporal.PlainDate,
): boolean {
  return Temporal.PlainDate.compare(first, end) <= 0 && Temporal.PlainDate.compare(begin, last) <= 0;
}

/** The number of days between two days, both included. */
function daysOf(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to, { largestUnit: 'day' }).days + 1;
}

function latest(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) > 0 ? one : other;
}

function earliest(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? one : other;
}
