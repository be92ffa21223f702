import { Temporal } from 'temporal-polyfill';

/**
 * Says whether the text is `UTC` or a name of the IANA database, such as Europe/Prague. Offsets such as
 * +01:00 are refused, since they have no daylight saving time. Letters such as PST are refused too: for
 * JavaScript, BST is Bangladesh's time, and a date with such letters cannot be read.
 */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
