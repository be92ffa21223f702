import { Temporal } from 'temporal-polyfill';
import { InputError } from '../errors.ts';

/** RFC 3339 with an optional offset, from year 1 on; the calendar is checked when the value is read. */
const DATE_TIME =
  /^(?!0000)\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})?$/;

/** `2026-10-31`: a day of the business. */
const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

const HINT =
  'Give a date and a time, for example 2026-10-31T23:59:59 (business time) or 2026-10-31T23:59:59+01:00 (that moment). ' +
  'A date alone, 2026-10-31, is that whole day.';

/** A moment, and the local time that was given for it; null when it came with an offset. */
export interface Moment {
  readonly instant: Temporal.Instant;
  readonly local: Temporal.PlainDateTime | null;
}

/** Says which of two moments a local time means when the clock shows it twice or never. */
export type Edge = 'from' | 'to';

/**
 * Reads a `date-time` argument. With an offset it is that moment; without one it is local time of `timezone`.
 * A date alone is the whole day: from its first second, or to its last one
 * (docs/decisions/0122-a-date-is-a-whole-day.md).
 *
 * When clocks go back, a local time happens twice: a range starts at the first and ends at the second, so
 * that the bounds include all of it. When clocks go forward, a local time that never happens means the change
 * itself.
 *
 * @throws InputError `<name> is not a valid date-time`
 */
export function readMoment(name: string, value: string, timezone: string, edge: Edge): Moment {
  const match = DATE_TIME.exec(
    DAY.test(value) ? `${value}T${edge === 'from' ? '00:00:00' : '23:59:59'}` : value,
  );
  if (match === null) throw invalid(name);
  try {
    const normal = match[0].replace(' ', 'T').toUpperCase();
    if (match[1] !== undefined)
      return { instant: withinYears(Temporal.Instant.from(normal), timezone), local: null };
    const local = Temporal.PlainDateTime.from(normal, { overflow: 'reject' });
    return { instant: localInstant(local, timezone, edge), local };
  } catch (error) {
    if (error instanceof RangeError) throw invalid(name);
    throw error;
  }
}

/**
 * Years that are written with four digits, by the clock of the business: an offset can lead out of them, and
 * nothing is there.
 */
const FIRST = Temporal.PlainDateTime.from('0001-01-01T00:00:00');
const LAST = Temporal.PlainDateTime.from('9999-12-31T23:59:59');

function withinYears(instant: Temporal.Instant, timezone: string): Temporal.Instant {
  const { year } = instant.toZonedDateTimeISO(timezone);
  if (year < 1) return FIRST.toZonedDateTime(timezone).toInstant();
  return year > 9999 ? LAST.toZonedDateTime(timezone).toInstant() : instant;
}

function invalid(name: string): InputError {
  return new InputError(`${name} is not a valid date-time`, HINT);
}

function localInstant(local: Temporal.PlainDateTime, timezone: string, edge: Edge): Temporal.Instant {
  const earlier = local.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  const later = local.toZonedDateTime(timezone, { disambiguation: 'later' });
  if (earlier.equals(later)) return earlier.toInstant();
  if (later.toPlainDateTime().equals(local)) return (edge === 'from' ? earlier : later).toInstant();
  const change = earlier.getTimeZoneTransition('next');
  if (change === null) return later.toInstant();
  // The last second before the change: bounds are inclusive.
  return edge === 'from' ? change.toInstant() : change.toInstant().subtract({ seconds: 1 });
}

/** The business's calendar date at a moment, ISO 8601 with `Z`. */
export function localDate(moment: string, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.from(moment).toZonedDateTimeISO(timezone).toPlainDate();
}
