import type { Temporal } from 'temporal-polyfill';
import { type Range, type RangeArguments, readRange, utc } from './range.ts';

/**
 * The range of an answer that follows people over time: whole days of the business. Else a range of a second
 * with one order in it would tell what became of its customer.
 *
 * @returns with a note where the range is larger than what was asked for
 * @throws InputError as `readRange`
 */
export function readWholeDays(
  args: RangeArguments,
  timezone: string,
): { readonly range: Range; readonly notes: readonly string[] } {
  const asked = readRange(args, timezone);
  const { firstDate, lastDate } = asked;
  const range = {
    firstDate,
    lastDate,
    start: utc(firstDate.toZonedDateTime(timezone).toInstant()),
    end: utc(endOfDay(lastDate, timezone).add({ seconds: 1 })),
  };
  const isAsked = range.start === asked.start && range.end === asked.end;
  return { range, notes: isAsked ? [] : [`${FOLLOWED} from ${firstDate} to ${lastDate}.`] };
}

/** The last second of a day. */
export function endOfDay(date: Temporal.PlainDate, timezone: string): Temporal.Instant {
  return date.add({ days: 1 }).toZonedDateTime(timezone).toInstant().subtract({ seconds: 1 });
}

/** The note of a moment that was read as the end of its day. */
export function wholeDayNote(name: string, date: Temporal.PlainDate): string {
  return `${FOLLOWED} ${name} is the end of ${date}.`;
}

const FOLLOWED = 'What follows people is told by whole days of the business:';
