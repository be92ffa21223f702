import { readMoment } from '../../../time/moment.ts';

/** A day of the business, or a moment: `2026-10-31`, `2026-10-31T18:00`, `2026-10-31T18:00:00+01:00`. */
export function isDateOrMoment(text: string): boolean {
  try {
    readMoment('', firstMomentOf(text), 'UTC', 'from');
    return true;
  } catch {
    return false;
  }
}

/** The moment, or that at which the day begins. */
export function firstMomentOf(date: string): string {
  return isDay(date) ? `${date}T00:00:00` : date;
}

/** The moment, or the last second of the day. */
export function lastMomentOf(date: string): string {
  return isDay(date) ? `${date}T23:59:59` : date;
}

function isDay(date: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(date);
}
