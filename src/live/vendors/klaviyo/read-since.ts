import { z } from 'zod';
import { type Access, VendorError } from '../../vendor.ts';
import { idlePages } from '../idle-pages.ts';
import { goOnFrom, WALK, type Walk, walkedOver } from '../listing-walk.ts';
import { SeenRows } from '../seen-rows.ts';
import { clockBehind, vendorNow } from '../vendor-clock.ts';
import { askList, type List, type Parameters, type Resource } from './ask-list.ts';

/** What is told late, and moments that several have: that much is read again, in milliseconds. */
const READ_AGAIN = 3600_000;

/** A list that is read in the order of a moment of its resources. */
export interface Listing {
  readonly path: string;
  readonly parameters: Parameters;
  /** Conditions beside the one for the moment. */
  readonly filter?: string;
  /** The attribute by which it is sorted and filtered; in no other order may changes be read. */
  readonly by: string;
  /** Whether Klaviyo only knows "after" of it, and not "from". */
  readonly isAfter?: boolean;
}

/**
 * The moment until which all was read, and what of the last while; and the page that comes next, where a walk
 * over pages goes on.
 */
export const PLACE = WALK.extend({
  since: z.string().nullable(),
  seen: z.record(z.string(), z.string()),
  after: z.string().nullable(),
});

export type Place = z.infer<typeof PLACE>;

export const BEGINNING: Place = { since: null, seen: {}, after: null, begun: null, latest: null };

export interface NewPage {
  readonly news: readonly Resource[];
  readonly included: List['included'];
  readonly place: Place;
  /**
   * When the walk over the pages began, which may have been in an earlier run. It is null where nobody knows.
   */
  readonly begun: string | null;
}

/** Pages of what is new since a place. The last one has no `after` in its place. @throws VendorError */
export async function* readSince(
  access: Access,
  { path, parameters, filter, by, isAfter }: Listing,
  begun: Place,
): AsyncIterable<NewPage> {
  const { since } = begun;
  const from = since === null ? null : new Date(Date.parse(since) - READ_AGAIN).toISOString();
  const conditions = [
    filter,
    from === null ? undefined : `${isAfter ? 'greater-than' : 'greater-or-equal'}(${by},${from})`,
  ];
  const filters = conditions.filter((condition) => condition !== undefined).join(',');
  const seen = new SeenRows(begun.seen);
  const met = idlePages(`Klaviyo's list of ${path}`);
  const begin = (): Walk => ({ begun: access.now().toISOString(), latest: null });
  let { after } = begun;
  let walk: Walk = after === null ? begin() : { begun: begun.begun, latest: begun.latest };
  for (;;) {
    const asked = { ...parameters, sort: by, ...(filters !== '' && { filter: filters }) };
    let list: List;
    try {
      list = await askList(access, path, { ...asked, ...(after !== null && { 'page[cursor]': after }) });
    } catch (error) {
      // The place of a run before may be too old: from the last moment on, then.
      const isPlaceRefused = error instanceof VendorError && error.state === 'api_changed';
      if (!isPlaceRefused || after === null || after !== begun.after) throw error;
      after = null;
      walk = begin();
      continue;
    }
    const news = list.data.filter((resource) => seen.add(resource.id, momentOf(resource, by), resource));
    const moments = list.data.map((resource) => momentOf(resource, by)).filter((moment) => moment !== '');
    walk = walkedOver(walk, moments);
    const reached = goOnFrom(walk, clockBehind(access)) ?? since;
    if (reached !== null) seen.forgetBefore(Date.parse(reached) - READ_AGAIN);
    after = list.after;
    const place: Place =
      after === null
        ? { ...BEGINNING, since: notLongBefore(access, reached, walk.begun), seen: seen.toCursor() }
        : { ...walk, since, seen: seen.toCursor(), after };
    yield { news, included: list.included, place, begun: walk.begun };
    if (after === null) return;
    met(news.length);
  }
}

/**
 * A list to which nothing was added for long is read on from shortly before the walk began: all that is told
 * late was told by then. One that never had anything is asked for as a whole again.
 */
function notLongBefore(access: Access, reached: string | null, begun: string | null): string | null {
  if (reached === null || begun === null) return reached;
  const there = vendorNow(access);
  const behind = access.now().getTime() - there;
  // A beginning that is still to come was told by a clock that was set back since.
  const told = Math.min(Date.parse(begun) - behind, there) - READ_AGAIN;
  return Date.parse(reached) >= told ? reached : new Date(told).toISOString();
}

function momentOf({ attributes }: Resource, by: string): string {
  const moment = (attributes as Readonly<Record<string, unknown>> | undefined)?.[by];
  return typeof moment === 'string' ? moment : '';
}

/** Several walks are read until when the first of them began. */
export function earlierOf(until: Date, begun: string | null): Date {
  return begun !== null && Date.parse(begun) < until.getTime() ? new Date(begun) : until;
}
