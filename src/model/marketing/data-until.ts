import { Temporal } from 'temporal-polyfill';
import { earliest, type SnapshotFacts } from '../snapshot.ts';
import { LONGEST_WINDOW_H } from './attribution-windows.ts';

/** Until when the revenue of messages is known: to the earlier end of messages and orders. */
export function messageRevenueUntil({ messages_until, orders_until }: SnapshotFacts): string | null {
  return earliest(messages_until, orders_until);
}

/** Whether the last message lies further back than any attribution window; if not, its revenue can still grow. */
export function isMature(lastSentAt: string, until: string | null): boolean {
  if (until === null) return false;
  const over = Temporal.Instant.from(lastSentAt).add({ hours: LONGEST_WINDOW_H });
  return Temporal.Instant.compare(over, Temporal.Instant.from(until)) < 0;
}
