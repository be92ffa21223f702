import { Temporal } from 'temporal-polyfill';
import { productSalesUntil, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { InputError } from '../../../../errors.ts';
import { localDate } from '../../../../time/moment.ts';
import { type Range, type RangeArguments, readRange } from '../../../../time/range.ts';

/** The days of a question about stock. */
export interface StockDays {
  /** The first day on which sales are looked at, to know what sells on a day with stock. */
  readonly first: Temporal.PlainDate;
  /** The first day asked about. */
  readonly from: Temporal.PlainDate;
  /** The last whole day that is asked about and of which orders are loaded. */
  readonly to: Temporal.PlainDate;
  readonly askedTo: Temporal.PlainDate;
}

/** The sales on a day with stock are learned from the range and this many days before it. */
const LEARNED_DAYS = 56;
const MOST_DAYS = 366;
/** Nothing lies so far back. */
const FIRST_YEAR = 1900;

/**
 * @returns null where no whole day of the range has loaded orders
 * @throws InputError as `readRange`, and when the range is too long
 */
export function readStockDays(
  args: RangeArguments,
  timezone: string,
  facts: SnapshotFacts,
): StockDays | null {
  const { history_starts_at } = facts;
  const until = productSalesUntil(facts);
  const { firstDate, lastDate } = readRange(args, timezone);
  if (firstDate.until(lastDate, { largestUnit: 'day' }).days >= MOST_DAYS)
    throw new InputError(
      `stock is told of at most ${MOST_DAYS} days; ${firstDate} to ${lastDate} are more`,
      'Ask several times, each about a year at most.',
    );
  if (until === null || history_starts_at === null || firstDate.year < FIRST_YEAR) return null;
  const last = localDate(until, timezone).subtract({ days: 1 });
  const begun = localDate(history_starts_at, timezone);
  const [from, to] = [latest(firstDate, begun), earliest(lastDate, last)];
  if (Temporal.PlainDate.compare(from, to) > 0) return null;
  const first = latest(begun, from.subtract({ days: LEARNED_DAYS }));
  return { first, from, to, askedTo: lastDate };
}

export function rangeOf({ first, to }: StockDays, timezone: string): Range {
  return readRange({ from_date: first.toString(), to_date: to.toString() }, timezone);
}

/** The number of days from one to another, both included. */
export function lengthOf(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  return first.until(last, { largestUnit: 'day' }).days + 1;
}

function latest(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) > 0 ? one : other;
}

function earliest(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? one : other;
}

/** How many days a reading holds after which nothing of the store was read. */
export const HELD_DAYS = 7;

/** The days whose stock is known, as places from the first one on, with what the store sold on them. */
export interface KnownDays {
  readonly days: StockDays;
  readonly dates: readonly string[];
  readonly isKnown: readonly boolean[];
  /** Pieces of all products that were sold on a day. */
  readonly sold: readonly number[];
  /** The number of days in which something was read. */
  readonly readDays: number;
}

/**
 * @param sold pieces of all products, by date
 * @param read dates on which the stock of anything was read, also before the first day
 */
export function knownDays(
  days: StockDays,
  sold: ReadonlyMap<string, number>,
  read: ReadonlySet<string>,
): KnownDays {
  const dates = Array.from({ length: lengthOf(days.first, days.to) }, (_, place) =>
    days.first.add({ days: place }).toString(),
  );
  let last = Number.NEGATIVE_INFINITY;
  for (let before = HELD_DAYS; before > 0; before -= 1)
    if (read.has(days.first.subtract({ days: before }).toString())) last = -before;
  const isKnown = dates.map((date, place) => {
    if (read.has(date)) last = place;
    return place - last <= HELD_DAYS;
  });
  return {
    days,
    dates,
    isKnown,
    sold: dates.map((date) => sold.get(date) ?? 0),
    readDays: dates.filter((date) => date >= days.from.toString() && read.has(date)).length,
  };
}
