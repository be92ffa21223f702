import { Temporal } from 'temporal-polyfill';

/**
 * Whether it is `UTC` or a name of the IANA database, such as Europe/Prague. Offsets such as +01:00 know no
 * daylight saving time. Letters such as PST are none: JavaScript takes them for formatting, and as it likes
 * (BST is Bangladesh's), but no date can be read in them.
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
