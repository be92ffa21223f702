import { Temporal } from 'temporal-polyfill';
import { InputError } from './errors.ts';
import { readMoment } from './moment.ts';

/** The bounds of a call as a half-open span of moments, UTC without an offset, as the snapshot stores them. */
export interface Range {
  /** First moment inside. */
  readonly start: string;
  /** First moment after. */
  readonly end: string;
  readonly firstDate: Temporal.PlainDate;
  readonly lastDate: Temporal.PlainDate;
}

export interface RangeArguments {
  readonly from_date: string;
  readonly to_date: string;
}

/**
 * Reads the inclusive bounds of a call in the business timezone. Times of facts are compared by the whole second,
 * so a `to_date` of 23:59:59 covers the last second to its end.
 *
 * @throws InputError when a bound is no date-time, or `to_date` is before `from_date`
 */
export function readRange(args: RangeArguments, timezone: string): Range {
  const from = readMoment('from_date', args.from_date, timezone, 'from');
  const to = readMoment('to_date', args.to_date, timezone, 'to');
  if (Temporal.Instant.compare(to, from) < 0) {
    throw new InputError('to_date is before from_date', 'Swap the two, or correct one of them.');
  }
  return {
    start: utc(from.round({ smallestUnit: 'second', roundingMode: 'ceil' })),
    end: utc(to.round({ smallestUnit: 'second', roundingMode: 'floor' }).add({ seconds: 1 })),
    firstDate: from.toZonedDateTimeISO(timezone).toPlainDate(),
    lastDate: to.toZonedDateTimeISO(timezone).toPlainDate(),
  };
}

function utc(instant: Temporal.Instant): string {
  return instant.toString().replace('Z', '');
}
