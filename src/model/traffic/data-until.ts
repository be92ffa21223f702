import type { SnapshotFacts } from '../snapshot.ts';

/** Until when traffic is known: to the earlier end of sessions and orders. Null where no session is known. */
export function trafficUntil({ sessions_until, orders_until }: SnapshotFacts): string | null {
  if (sessions_until === null) return null;
  // ISO 8601 in UTC: the order of texts is that of time.
  return orders_until !== null && orders_until < sessions_until ? orders_until : sessions_until;
}

/** Zeros of a store whose sessions are not loaded do not mean that nobody came. */
export function trafficNotes({ sessions_until }: SnapshotFacts): string[] {
  return sessions_until === null ? ['No sessions are loaded, so nothing is known of visits.'] : [];
}
