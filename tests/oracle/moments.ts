// Moments are bigint microseconds since 1970 UTC, the precision of the store.
import { Temporal } from 'temporal-polyfill';

export type Moment = bigint;
export type Range = { from: bigint; to: bigint };

const second = 1_000_000n;

function floorTo(value: bigint, unit: bigint): bigint {
  const rest = value % unit;
  return value - (rest < 0n ? rest + unit : rest);
}

function microseconds(time: { epochNanoseconds: bigint }): Moment {
  return floorTo(time.epochNanoseconds, 1000n) / 1000n;
}

function hasOffset(text: string): boolean {
  return /[Tt ].*(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/.test(text.trim());
}

/**
 * The moment of an imported time. Naive times are local; `later` is what the decisions ask for on both DST
 * nights: the second occurrence of a repeated time, and a skipped time shifted forward by the gap.
 */
export function importedMoment(text: string, timezone: string): Moment {
  if (hasOffset(text)) return microseconds(Temporal.Instant.from(text.trim()));
  const local = Temporal.PlainDateTime.from(text.trim());
  return microseconds(local.toZonedDateTime(timezone, { disambiguation: 'later' }));
}

/**
 * The inclusive bounds of a range. A naive bound in the repeated hour takes the occurrence that makes the
 * range longer; in the skipped hour both bounds stand at the transition, to_date just before it.
 */
export function argumentRange(fromDate: string, toDate: string, timezone: string): Range {
  return { from: bound(fromDate, timezone, 'from'), to: bound(toDate, timezone, 'to') };
}

/** The same range as whole local days: from the first second of the first to the last one of the last. */
export function wholeDays(fromDate: string, toDate: string, timezone: string): Range {
  const { from, to } = argumentRange(fromDate, toDate, timezone);
  const day = (moment: Moment) => Temporal.PlainDate.from(localDate(moment, timezone));
  const start = (date: Temporal.PlainDate) => microseconds(date.toZonedDateTime(timezone));
  return { from: start(day(from)), to: start(day(to).add({ days: 1 })) - second };
}

/** A count of people beside numbers of the shop: few are not told. */
export function shownPeople(count: number): number | null {
  return count >= 1 && count <= 4 ? null : count;
}

function bound(text: string, timezone: string, side: 'from' | 'to'): Moment {
  if (hasOffset(text)) return microseconds(Temporal.Instant.from(text.trim()));
  const local = Temporal.PlainDateTime.from(text.trim());
  const earlier = local.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  const later = local.toZonedDateTime(timezone, { disambiguation: 'later' });
  const isSkipped = !later.toPlainDateTime().equals(local);
  if (!isSkipped) return microseconds(side === 'from' ? earlier : later);
  const transition = earlier.getTimeZoneTransition('next');
  if (transition === null) throw new Error(`${text}: no transition in ${timezone}`);
  return side === 'from' ? microseconds(transition) : microseconds(transition) - 1n;
}

/** Event times are compared truncated to whole seconds, so that 23:59:59 covers the whole last second. */
export function isInRange(moment: Moment, range: Range): boolean {
  const truncated = floorTo(moment, second);
  return range.from <= truncated && truncated <= range.to;
}

/** The local calendar date, `2026-10-05`. */
export function localDate(moment: Moment, timezone: string): string {
  return new Temporal.Instant(moment * 1000n).toZonedDateTimeISO(timezone).toPlainDate().toString();
}

/** ISO text in UTC without a fraction, `2026-10-05T12:00:00Z`. */
export function utcText(moment: Moment): string {
  return new Temporal.Instant(floorTo(moment, second) * 1000n).toString({ smallestUnit: 'second' });
}
