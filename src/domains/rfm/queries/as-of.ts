import { Temporal } from 'temporal-polyfill';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { localDate } from '../../../time/moment.ts';

/** A moment at which customers are scored: to the whole second, never after the end of the data. */
export interface AsOf {
  /** ISO 8601 in UTC with `Z`. */
  readonly moment: string;
  /** The date in the business timezone, as `YYYY-MM-DD`. */
  readonly date: string;
}

/**
 * The latest moment that is known until `instant`. After the data nobody buys, so all would seem to leave.
 */
export function asOf(instant: Temporal.Instant, timezone: string, { orders_until }: SnapshotFacts): AsOf {
  const second = instant.round({ smallestUnit: 'second', roundingMode: 'floor' });
  const until = orders_until === null ? second : Temporal.Instant.from(orders_until);
  const moment = (Temporal.Instant.compare(second, until) < 0 ? second : until).toString();
  return { moment, date: localDate(moment, timezone).toString() };
}

/**
 * What is said of a state whose window begins before the first loaded order: it fills day by day, which looks
 * like growth.
 *
 * @param date of the earliest state in the answer, local
 */
export function fillingWindowNotes(
  date: string | undefined,
  window_days: number,
  timezone: string,
  { history_starts_at }: SnapshotFacts,
): string[] {
  if (date === undefined || history_starts_at === null) return [];
  const start = localDate(history_starts_at, timezone);
  const full = start.add({ days: window_days });
  if (Temporal.PlainDate.compare(date, full) >= 0) return [];
  return [
    `Orders are loaded from ${start} on, and the window is ${window_days} days: until ${full} it is not full. Frequency, champions, hibernating and lost of earlier moments (lost is 0 then) are not comparable with each other or with later ones: segments grow because the window fills.`,
  ];
}
