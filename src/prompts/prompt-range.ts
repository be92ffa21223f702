import { Temporal } from 'temporal-polyfill';
import { InputError } from '../errors.ts';
import { type Edge, readMoment } from '../time/moment.ts';

/** A range as tools take it. */
export interface PromptRange {
  readonly from_date: string;
  readonly to_date: string;
  /** How many days long; a part of a day counts as one. */
  readonly days: number;
}

export type RangeValues = Pick<PromptRange, 'from_date' | 'to_date'>;

interface ComparedValues extends RangeValues {
  readonly compare_from_date: string | undefined;
  readonly compare_to_date: string | undefined;
}

/** A time on the clock, and the offset that was given with it; null: business time. */
interface Bound {
  readonly local: Temporal.PlainDateTime;
  readonly offset: string | null;
}

interface Bounds {
  readonly from: Bound;
  readonly to: Bound;
}

/**
 * Reads two dates or date-times, both inclusive: a `to_date` without a time is the end of that day.
 *
 * @throws InputError when one is no date, or the range ends before it begins
 */
export function readPromptRange(values: RangeValues): PromptRange {
  return writeRange(readBounds(values, ['from_date', 'to_date']));
}

/**
 * The range, and the one to compare it with: the given one, else the previous one. A range of whole calendar
 * months (a quarter, a year) is compared with the same number of months before it, every other range with the
 * same time before it.
 *
 * @throws InputError
 */
export function readComparedRanges(values: ComparedValues): { range: PromptRange; compared: PromptRange } {
  const { compare_from_date, compare_to_date } = values;
  const bounds = readBounds(values, ['from_date', 'to_date']);
  const range = writeRange(bounds);
  if (compare_from_date === undefined && compare_to_date === undefined) {
    return { range, compared: writeRange(previousBounds(bounds)) };
  }
  if (compare_from_date === undefined || compare_to_date === undefined) {
    throw new InputError(
      'compare_from_date and compare_to_date must both be given, or none',
      'Without both, the period directly before is taken.',
    );
  }
  const compared = { from_date: compare_from_date, to_date: compare_to_date };
  return { range, compared: writeRange(readBounds(compared, ['compare_from_date', 'compare_to_date'])) };
}

/**
 * The same range a year before: whole calendar months in the same months, any other range on the same
 * weekdays, 52 weeks before. Null where that is before year 1.
 */
export function yearBefore(range: RangeValues): PromptRange | null {
  const { from, to } = readBounds(range, ['from_date', 'to_date']);
  const after = firstMomentAfter({ from, to });
  const year = isStartOfMonth(from.local) && isStartOfMonth(after) ? { years: 1 } : { weeks: 52 };
  const start = from.local.subtract(year);
  if (start.year < 1) return null;
  const end = after.subtract(year).subtract({ seconds: 1 });
  return writeRange({
    from: { local: start, offset: from.offset },
    to: { local: end, offset: from.offset },
  });
}

/** Whether one ends before the other begins. */
export function isBefore(one: RangeValues, other: RangeValues): boolean {
  const { from } = readBounds(other, ['from_date', 'to_date']);
  const before = readBounds(one, ['from_date', 'to_date']);
  return Temporal.PlainDateTime.compare(lastMoment(before), from.local) < 0;
}

function readBounds(values: RangeValues, [fromName, toName]: readonly [string, string]): Bounds {
  const from = readBound(fromName, values.from_date, 'from');
  const to = readBound(toName, values.to_date, 'to');
  if ((from.offset === null) !== (to.offset === null)) {
    throw new InputError(`${fromName} and ${toName} must both have an offset, or none`);
  }
  if (Temporal.PlainDateTime.compare(lastMoment({ from, to }), from.local) < 0) {
    throw new InputError(`${toName} is before ${fromName}`, 'Swap the two, or correct one of them.');
  }
  return { from, to };
}

function readBound(name: string, value: string, edge: Edge): Bound {
  const { instant, local } = readDateTime(name, value, edge);
  if (local !== null) return { local, offset: null };
  const offset = value.slice(/[zZ]$/.test(value) ? -1 : -6);
  return { local: instant.toZonedDateTimeISO(zoneOf(offset)).toPlainDateTime(), offset };
}

function readDateTime(name: string, text: string, edge: Edge) {
  try {
    return readMoment(name, text, 'UTC', edge);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      `${name} is not a valid date`,
      'Give a date, for example 2026-10-31, or a date and time, 2026-10-31T23:59:59.',
    );
  }
}

function zoneOf(offset: string): string {
  return offset.toUpperCase() === 'Z' ? 'UTC' : offset;
}

/** The end as the clock of the beginning shows it. */
function lastMoment({ from, to }: Bounds): Temporal.PlainDateTime {
  if (from.offset === null || to.offset === null) return to.local;
  return to.local.toZonedDateTime(zoneOf(to.offset)).withTimeZone(zoneOf(from.offset)).toPlainDateTime();
}

/** Ends are inclusive to the whole second. */
function firstMomentAfter(bounds: Bounds): Temporal.PlainDateTime {
  return lastMoment(bounds).round({ smallestUnit: 'second', roundingMode: 'floor' }).add({ seconds: 1 });
}

function previousBounds(bounds: Bounds): Bounds {
  const { local, offset } = bounds.from;
  const after = firstMomentAfter(bounds);
  const isWholeMonths = isStartOfMonth(local) && isStartOfMonth(after);
  const start = local.subtract(local.until(after, { largestUnit: isWholeMonths ? 'month' : 'day' }));
  if (start.year < 1) {
    throw new InputError(
      'there is no period of this length before from_date',
      'Give compare_from_date and compare_to_date.',
    );
  }
  return { from: { local: start, offset }, to: { local: local.subtract({ seconds: 1 }), offset } };
}

function isStartOfMonth(moment: Temporal.PlainDateTime): boolean {
  return moment.day === 1 && moment.toPlainTime().equals(new Temporal.PlainTime());
}

function writeRange(bounds: Bounds): PromptRange {
  const length = bounds.from.local.until(firstMomentAfter(bounds), { largestUnit: 'day' });
  return {
    from_date: writeBound(bounds.from),
    to_date: writeBound(bounds.to),
    days: Math.ceil(length.total('days')),
  };
}

function writeBound({ local, offset }: Bound): string {
  return `${local}${offset ?? ''}`;
}
