/** When an automation has fallen silent, wherever that is told: `is_silent`, the notes beside messages, and `watch`. */

/** Fewer days without a message are a weekend, or the time that a trigger waits. */
export const QUIET_DAYS = 7;
/** An automation has a usual pause once it has sent on at least this many days. */
export const HABIT_DAYS = 5;

interface Habit {
  /** On how many days it sent something. */
  readonly sending_days: number;
  /** Nine of ten of its pauses are no longer, in days; null without any. */
  readonly usual_pause: number | null;
}

/**
 * Whether an automation that has sent nothing for so many days pauses for longer than it does. What happened that it should have
 * written of is another question.
 *
 * @returns null where it has sent too seldom to have a usual pause
 * @example isBeyondHabit(14, { sending_days: 30, usual_pause: 2 }) // true
 */
export function isBeyondHabit(quietDays: number, { sending_days, usual_pause }: Habit): boolean | null {
  if (quietDays < QUIET_DAYS) return false;
  if (sending_days < HABIT_DAYS || usual_pause === null) return null;
  return quietDays >= 2 * usual_pause;
}
