import { z } from 'zod';
import { isWithin } from '../../../control/database/clock-tolerance.ts';
import type { Access, Json, Page, Stream } from '../../vendor.ts';
import { idlePages } from '../idle-pages.ts';
import { SeenRows } from '../seen-rows.ts';
import { clockBehind } from '../vendor-clock.ts';
import { askIfThere, askSite, type Parameters, PER_PAGE } from './site.ts';

/**
 * Moments have whole seconds, and what is saved is seen a little later: that much is read again, in
 * milliseconds.
 */
const READ_AGAIN = 60_000;

/** The most ids that fit into one URL. */
const MOST_EXCLUDED = 500;

const MOMENT = z.string().refine((text) => !Number.isNaN(momentOf(text)));

export const ITEM = z.looseObject({
  id: z.number(),
  /** Drafts have none: WordPress gives them a moment in UTC when they are published. */
  date_created_gmt: MOMENT.nullish(),
  date_modified_gmt: MOMENT.nullish(),
});

export type Item = z.infer<typeof ITEM>;

/** A list of WooCommerce's that is read in the order of a moment. */
interface Listing {
  readonly name: string;
  readonly path: string;
  readonly parameters?: Parameters;
  readonly by: 'modified' | 'date';
  /**
   * All of it again, or what is not older than `back`, at most that often; in milliseconds. Another stream
   * reads it the first time. Without: what is new since the last time.
   */
  readonly again?: { readonly every: number; readonly back?: number };
  /** Whether shops of older versions do not have it. */
  readonly isNewer?: boolean;
  /** What means something only together, of each item. */
  rowsOf(access: Access, items: readonly Item[]): Promise<(readonly Json[])[]>;
}

/**
 * A place in the list: a second, and what was read of it already. No page number: what changes while pages
 * are read moves from one to another, and something else would be skipped.
 */
const PLACE = z.object({ at: z.string().nullable(), ids: z.array(z.number()) });

type Place = z.infer<typeof PLACE>;

const CURSOR = z.object({
  place: PLACE,
  seen: z.record(z.string(), z.string()),
  /** A list that is read again and again has here when this walk began, and when the last one ended. */
  begun: z.string().nullable(),
  ended: z.string().nullable(),
});

type Cursor = z.infer<typeof CURSOR>;

export function streamOf(listing: Listing): Stream {
  return {
    name: listing.name,
    landsAs: 'woocommerce-json',
    dropped: ['customer_note'],
    read: (access, cursor) => read(access, listing, cursorOf(cursor)),
  };
}

/** One that another version wrote and this one does not understand means: everything once more. */
function cursorOf(cursor: Json): Cursor {
  const nothing: Cursor = { place: { at: null, ids: [] }, seen: {}, begun: null, ended: null };
  return CURSOR.safeParse(cursor).data ?? nothing;
}

async function* read(access: Access, listing: Listing, cursor: Cursor): AsyncIterable<Page> {
  const { again } = listing;
  const now = access.now();
  const startedAt = new Date(Math.floor(now.getTime() / 1000) * 1000 - READ_AGAIN);
  if (again !== undefined && cursor.begun === null) {
    if (cursor.ended === null) {
      yield { rows: [], cursor: { ...cursor, ended: now.toISOString() } };
      return;
    }
    if (isWithin(cursor.ended, now.toISOString(), again.every)) return;
    const from = again.back === undefined ? null : secondOf(now.getTime() - again.back);
    cursor = { ...cursor, begun: now.toISOString(), place: { at: from, ids: [] }, seen: {} };
  }
  const seen = new SeenRows(cursor.seen);
  let place = cursor.place;
  const met = idlePages(`WooCommerce's list of ${listing.name}`);
  if (again === undefined)
    place = { at: place.at === null ? null : secondOf(momentOf(place.at) - READ_AGAIN), ids: [] };
  for (;;) {
    const items = await pageFrom(access, listing, place);
    // A shop that is too old for the list.
    if (items === null) return;
    const groups = await listing.rowsOf(access, items);
    const rows = items.flatMap((item, index) => {
      const group = (groups[index] ?? []).map(withoutLocalMoments);
      return seen.add(String(item.id), `${keyOf(listing, item)}Z`, group) ? group : [];
    });
    const reached = placeBehind(listing, place, items);
    const isElsewhere = reached.at !== place.at;
    place = reached;
    const began = now.getTime() - clockBehind(access);
    const goOn = again === undefined ? goOnFrom(began, place) : place;
    if (goOn.at !== null) seen.forgetBefore(momentOf(goOn.at) - READ_AGAIN);
    const isEnd = items.length < PER_PAGE;
    if (isEnd && again !== undefined) {
      const ended: Cursor = { place: { at: null, ids: [] }, seen: {}, begun: null, ended: cursor.begun };
      yield { rows, cursor: ended };
      return;
    }
    yield {
      rows,
      cursor: { ...cursor, place: goOn, seen: again === undefined ? seen.toCursor() : {} },
      ...(isEnd && { until: startedAt }),
    };
    if (isEnd) return;
    // All that is read again was read before: it brings nothing, and goes on to another place.
    met(rows.length > 0 || isElsewhere ? 1 : 0);
  }
}

/**
 * The moment from which the next run reads on. A run that began at 12:00 and came to 12:05 may have passed
 * something of 12:02 before the shop told it, so what is from 12:00 on is read once more.
 *
 * @param began by the clock of the shop, in milliseconds
 */
function goOnFrom(began: number, place: Place): Place {
  const isPassed = place.at !== null && momentOf(place.at) > began;
  return isPassed ? { at: secondOf(began), ids: [] } : place;
}

async function pageFrom(access: Access, { path, parameters, by, isNewer }: Listing, { at, ids }: Place) {
  const asked: Parameters = {
    ...parameters,
    per_page: String(PER_PAGE),
    orderby: by,
    order: 'asc',
    // It is exclusive: the second before, so that this one is read.
    ...(at !== null && {
      [by === 'modified' ? 'modified_after' : 'after']: secondOf(momentOf(at) - 1000),
      dates_are_gmt: 'true',
    }),
    ...(ids.length > 0 && ids.length <= MOST_EXCLUDED && { exclude: ids.join(',') }),
    // So many were changed in one second: then by number, and what moves meanwhile is found when the last
    // month is read again.
    ...(ids.length > MOST_EXCLUDED && { offset: String(ids.length) }),
  };
  const items = z.array(ITEM);
  return isNewer ? askIfThere(access, path, asked, items) : askSite(access, path, asked, items);
}

/** The key that tells whether an item changed. It is empty where the item has no moment at all. */
function keyOf(listing: Listing, item: Item): string {
  return placeOf(listing, item) ?? item.date_modified_gmt ?? '';
}

/** The place of an item in the list. It is null where the item has no moment of that kind. */
function placeOf({ by }: Listing, { date_created_gmt, date_modified_gmt }: Item): string | null {
  return (by === 'date' ? date_created_gmt : (date_modified_gmt ?? date_created_gmt)) ?? null;
}

function placeBehind(listing: Listing, { at, ids }: Place, items: readonly Item[]): Place {
  const places = items.map((item) => placeOf(listing, item));
  const reached = places.findLast((place) => place !== null) ?? at;
  const isFurther = reached !== at;
  // Items without a moment are no place to go on from. Asked for from a moment on, WordPress leaves them out;
  // before, they are named.
  const there = items.filter(
    (_, index) => places[index] === reached || (!isFurther && places[index] === null),
  );
  const read = there.map(({ id }) => id);
  return { at: reached, ids: isFurther ? read : [...ids, ...read] };
}

/** WordPress writes moments in UTC without saying so. */
function momentOf(text: string): number {
  return Date.parse(`${text}Z`);
}

function secondOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19);
}

/**
 * Moments that stand there in the shop's time alone, as of drafts, are none: nobody says which time that is.
 */
function withoutLocalMoments(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutLocalMoments);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => fields[`${name}_gmt`] !== null)
      .map(([name, inner]) => [name, withoutLocalMoments(inner)]),
  );
}
