import { earliest, type SnapshotFacts } from '../../../business/snapshot-facts.ts';

/**
 * The moment until which traffic is known: the earlier end of sessions and orders. It is null where no
 * session is known.
 */
export function trafficUntil({ sessions_until, orders_until }: SnapshotFacts): string | null {
  return sessions_until === null ? null : earliest(sessions_until, orders_until);
}
