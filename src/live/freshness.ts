import type { ControlDatabase } from '../control/database/control-database.ts';
import { STATES } from './connection-states.ts';
import type { ConnectionState } from './schedule.ts';
import { VENDORS } from './vendors/all-vendors.ts';

/** A connection is stale when this many of its intervals have passed, and at least this many seconds. */
const STALE = { intervals: 3, seconds: 3600 } as const;

/**
 * What readers of answers should know of connections that do not keep a store current, by business: until
 * when each is loaded, when it was last reached and how it is. Made of words of ours alone: what a vendor
 * said may be anything.
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
      ...(['connection_id', 'business_id', 'name', 'vendor', 'state'] as const),
      ...(['is_paused', 'interval_s'] as const),
      ...(['loaded_until', 'reached_at', 'created_at'] as const),
    ])
    .where('business_id', 'in', businessIds)
    .orderBy('name')
    .execute();
  for (const { business_id, interval_s, ...connection } of connections) {
    const since = Date.parse(connection.loaded_until ?? connection.created_at);
    const staleAfter = 1000 * Math.max(STALE.seconds, STALE.intervals * interval_s);
    if (now.getTime() - since <= staleAfter) continue;
    const { name, reached_at } = connection;
    const behind = await streamsBehind(control, connection, new Date(now.getTime() - staleAfter));
    const loaded =
      connection.loaded_until === null
        ? 'is not loaded in full yet'
        : `is loaded until ${toSecond(connection.loaded_until)}${behind}`;
    const reached =
      reached_at === null ? 'it was never reached' : `it was last reached at ${toSecond(reached_at)}`;
    const how =
      connection.is_paused === 1 ? 'it is paused' : STATES[connection.state as ConnectionState].title;
    const note = `The connection "${name}" ${loaded}; ${reached} (${how}). What happened since may be missing.`;
    notes.set(business_id, [...(notes.get(business_id) ?? []), note]);
  }
  return notes;
}

/**
 * One stream that cannot be read keeps back until when all is loaded: numbers are made of several. What is
 * newer is said beside it, where it is imported: ` (products; the rest is newer)`.
 */
async function streamsBehind(
  control: ControlDatabase,
  { connection_id, vendor, state }: { connection_id: string; vendor: string; state: string },
  freshSince: Date,
): Promise<string> {
  if (!['bad_answer', 'api_changed', 'missing_scope'].includes(state)) return '';
  const names = VENDORS.find((each) => each.name === vendor)?.streams.map(({ name }) => name) ?? [];
  const places = await control
    .selectFrom('connection_streams')
    .select(['stream', 'complete_until'])
    .where('connection_id', '=', connection_id)
    .execute();
  const isFresh = new Map(
    places.map(({ stream, complete_until }) => [
      stream,
      complete_until !== null && Date.parse(complete_until) >= freshSince.getTime(),
    ]),
  );
  const behind = names.filter((name) => !isFresh.get(name));
  return behind.length === 0 || behind.length === names.length
    ? ''
    : ` (${behind.join(', ')}; the rest is newer)`;
}

function toSecond(moment: string): string {
  return `${moment.slice(0, 19)}Z`;
}
