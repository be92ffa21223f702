import { Temporal } from 'temporal-polyfill';
import { InputError } from '../errors.ts';
import { all, parameter, type Sql, sql } from '../sql/sql.ts';
import { type Moment, readMoment } from './moment.ts';

/**
 * The bounds of a call as a half-open span of moments, UTC without an offset, as the snapshot stores them.
 */
export interface Range {
  /** The first moment inside the range. */
  readonly start: string;
  /** The first moment after the range. */
  readonly end: string;
  readonly firstDate: Temporal.PlainDate;
  readonly lastDate: Temporal.PlainDate;
}

export interface RangeArguments {
  readonly from_date: string;
  readonly to_date: string;
}

/**
 * Reads the inclusive bounds of a call in the business timezone. Times of facts are compared by the whole
 * second, so a `to_date` of 23:59:59 covers the last second to its end.
 *
 * @throws InputError when a bound is no date-time, or `to_date` is before `from_date`
 */
export function readRange(args: RangeArguments, timezone: string): Range {
  const from = readMoment('from_date', args.from_date, timezone, 'from');
  const to = readMoment('to_date', args.to_date, timezone, 'to');
  if (isBefore(to, from)) {
    throw new InputError('to_date is before from_date', SWAP);
  }
  return {
    start: startOf(from),
    end: endOf(to),
    firstDate: from.instant.toZonedDateTimeISO(timezone).toPlainDate(),
    lastDate: to.instant.toZonedDateTimeISO(timezone).toPlainDate(),
  };
}

/**
 * The condition that a moment lies between two bounds, read as those of a range; without a bound all times
 * pass.
 *
 * @param names of the two arguments
 * @throws InputError when a bound is no date-time, or the second is before the first
 */
export function isBetween(
  column: Sql,
  bounds: readonly [from: string | null, to: string | null],
  names: readonly [from: string, to: string],
  timezone: string,
): Sql {
  const from = bounds[0] === null ? null : readMoment(names[0], bounds[0], timezone, 'from');
  const to = bounds[1] === null ? null : readMoment(names[1], bounds[1], timezone, 'to');
  if (from !== null && to !== null && isBefore(to, from)) {
    throw new InputError(`${names[1]} is before ${names[0]}`, SWAP);
  }
  return all([
    ...(from === null ? [] : [sql`${column} >= ${parameter.timestamp(startOf(from))}`]),
    ...(to === null ? [] : [sql`${column} < ${parameter.timestamp(endOf(to))}`]),
  ]);
}

/** The condition over `orders` and `order_products` that the order was placed in the range. */
export function orderedIn({ start, end }: Range): Sql {
  return sql`ordered_at >= ${parameter.timestamp(start)} and ordered_at < ${parameter.timestamp(end)}`;
}

/**
 * Whether a moment is before another, as the caller wrote them where both are local: a range inside the hour
 * that clocks skip is empty, not reversed.
 */
function isBefore(to: Moment, from: Moment): boolean {
  if (to.local !== null && from.local !== null)
    return Temporal.PlainDateTime.compare(to.local, from.local) < 0;
  return Temporal.Instant.compare(to.instant, from.instant) < 0;
}

const SWAP = 'Swap the two, or correct one of them.';

function startOf({ instant }: Moment): string {
  return utc(instant.round({ smallestUnit: 'second', roundingMode: 'ceil' }));
}

function endOf({ instant }: Moment): string {
  return utc(instant.round({ smallestUnit: 'second', roundingMode: 'floor' }).add({ seconds: 1 }));
}

/** What engines read: year 1 begins before it east of Greenwich, and 9999 ends after it west of there. */
const FIRST_SECOND = Temporal.Instant.from('0001-01-01T00:00:00Z');
const LAST_SECOND = Temporal.Instant.from('9999-12-31T23:59:59Z');

/** The moment as a snapshot stores it. */
export function utc(instant: Temporal.Instant): string {
  const isEarly = Temporal.Instant.compare(instant, FIRST_SECOND) < 0;
  const isLate = Temporal.Instant.compare(instant, LAST_SECOND) > 0;
  const written = isEarly ? FIRST_SECOND : isLate ? LAST_SECOND : instant;
  return written.toString().replace('Z', '');
}
