import { earliest, type SnapshotFacts } from '../../../business/snapshot-facts.ts';

/** Until when traffic is known: to the earlier end of sessions and orders. Null where no session is known. */
export function trafficUntil({ sessions_until, orders_until }: SnapshotFacts): string | null {
  return sessions_until === null ? null : earliest(sessions_until, orders_until);
}
