import { Temporal } from 'temporal-polyfill';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { localDate } from '../../../time/moment.ts';

/** A moment at which customers are scored: to the whole second, never after the end of the data. */
export interface AsOf {
  /** ISO 8601 in UTC with `Z`. */
  readonly moment: string;
  /** In the business timezone, `YYYY-MM-DD`. */
  readonly date: string;
}

/** The latest moment that is known until `instant`. After the data nobody buys, so all would seem to leave. */
export function asOf(instant: Temporal.Instant, timezone: string, { orders_until }: SnapshotFacts): AsOf {
  const second = instant.round({ smallestUnit: 'second', roundingMode: 'floor' });
  const until = orders_until === null ? second : Temporal.Instant.from(orders_until);
  const moment = (Temporal.Instant.compare(second, until) < 0 ? second : until).toString();
  return { moment, date: localDate(moment, timezone).toString() };
}
