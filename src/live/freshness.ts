import type { ControlDatabase } from '../control/database.ts';
import type { ConnectionState } from './schedule.ts';
import { STATES } from './states.ts';

/** A connection is stale when so many of its intervals have passed, and at least so many seconds. */
const STALE = { intervals: 3, seconds: 3600 } as const;

/**
 * What readers of answers should know of connections that do not keep a store current, by business: until when each is loaded,
 * when it was last reached and how it is. Made of words of ours alone: what a vendor said may be anything.
 */
export async function staleNotes(
  control: ControlDatabase,
  businessIds: readonly string[],
  now = new Date(),
): Promise<ReadonlyMap<string, readonly string[]>> {
  const notes = new Map<string, string[]>();
  if (businessIds.length === 0) return notes;
  const connections = await control
    .selectFrom('connections')
    .select([
      ...(['business_id', 'name', 'state', 'is_paused', 'interval_s'] as const),
      ...(['loaded_until', 'reached_at', 'created_at'] as const),
    ])
    .where('business_id', 'in', businessIds)
    .orderBy('name')
    .execute();
  for (const { business_id, name, state, is_paused, interval_s, ...at } of connections) {
    const since = Date.parse(at.loaded_until ?? at.created_at);
    const staleAfter = 1000 * Math.max(STALE.seconds, STALE.intervals * interval_s);
    if (now.getTime() - since <= staleAfter) continue;
    const loaded =
      at.loaded_until === null ? 'is not loaded in full yet' : `is loaded until ${toSecond(at.loaded_until)}`;
    const reached =
      at.reached_at === null ? 'it was never reached' : `it was last reached at ${toSecond(at.reached_at)}`;
    const how = is_paused === 1 ? 'it is paused' : STATES[state as ConnectionState].title;
    const note = `The connection "${name}" ${loaded}; ${reached} (${how}). What happened since may be missing.`;
    notes.set(business_id, [...(notes.get(business_id) ?? []), note]);
  }
  return notes;
}

function toSecond(moment: string): string {
  return `${moment.slice(0, 19)}Z`;
}
