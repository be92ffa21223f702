import type { SnapshotFacts } from '../snapshot.ts';

/** Until when traffic is known: to the earlier end of sessions and orders, of which there may be only one. */
export function trafficUntil({ sessions_until, orders_until }: SnapshotFacts): string | null {
  // ISO 8601 in UTC: the order of texts is that of time.
  return [sessions_until, orders_until].filter((until) => until !== null).sort()[0] ?? null;
}
