import { Temporal } from 'temporal-polyfill';
import { earliest, type SnapshotFacts } from '../snapshot.ts';

/** Until when the revenue of messages is known: to the earlier end of messages and orders. */
export function messageRevenueUntil({ messages_until, orders_until }: SnapshotFacts): string | null {
  return earliest(messages_until, orders_until);
}

/** Whether the last message lies further back than any attribution window; if not, its revenue can still grow. */
export function isMature(lastSentAt: string, facts: SnapshotFacts): boolean {
  const until = messageRevenueUntil(facts);
  if (until === null) return false;
  const over = Temporal.Instant.from(lastSentAt).add({
    hours: Math.max(...Object.values(facts.attribution_windows)),
  });
  return Temporal.Instant.compare(over, Temporal.Instant.from(until)) < 0;
}
