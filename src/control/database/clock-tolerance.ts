/**
 * How far the clocks of several servers may be apart: a moment further ahead was written before a clock was
 * set back.
 */
export const CLOCK_SECONDS = 120;

/**
 * Says whether a moment is less than this many milliseconds away. A moment far ahead was written before a
 * clock was set back, and counts as away too.
 */
export function isWithin(moment: string, now: string, milliseconds: number): boolean {
  return Math.abs(Date.parse(now) - Date.parse(moment)) < milliseconds;
}

/** Says whether something came after a moment that another server may have written. */
export function isSurelyLater(landed_at: string, moment: Date): boolean {
  return Date.parse(landed_at) > moment.getTime() + 1000 * CLOCK_SECONDS;
}
