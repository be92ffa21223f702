import { Temporal } from 'temporal-polyfill';
import { beginningOf, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';

type Days = Pick<Range, 'firstDate' | 'lastDate'>;

/** A visit gets credit for an order at most this many days later: see `order_traffic`. */
const LOOK_BACK_DAYS = 30;
/** A range of which a smaller part has too few visits before it says the same as one that has all. */
const LEAST_PART = 0.05;

/**
 * Says that orders at the beginning of the visits had no visits before them that could get the credit.
 * Against such a range a later one looks better tracked than it is.
 */
export function lookBackNotes(
  range: Days,
  compared: Days | null,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const start = beginningOf('sessions', facts);
  if (start === null || compared === null) return [];
  const first = localDate(start, timezone);
  const last = first.add({ days: LOOK_BACK_DAYS - 1 });
  const partOf = (days: Days) =>
    daysOf(laterOf(days.firstDate, first), earlierOf(days.lastDate, last)) /
    daysOf(days.firstDate, days.lastDate);
  if (partOf(compared) - partOf(range) < LEAST_PART) return [];
  return [
    `Visits are loaded from ${first} on, so orders until ${last} look back less than ${LOOK_BACK_DAYS} days: more of the compared range is (untracked) for that alone, and less of it is at channels.`,
  ];
}

function laterOf(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) > 0 ? one : other;
}

function earlierOf(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? one : other;
}

/** Both days are counted; none where the last one is before the first. */
function daysOf(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  return Math.max(0, first.until(last, { largestUnit: 'day' }).days + 1);
}
