import { z } from 'zod';
import { type Access, VendorError } from '../../vendor.ts';
import { SeenRows } from '../seen.ts';
import { askList, type List, type Parameters, type Resource } from './account.ts';

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

/** Until when all was read, and what of the last while; and the page that comes next, where pages are being read. */
export const PLACE = z.object({
  since: z.string().nullable(),
  seen: z.record(z.string(), z.string()),
  after: z.string().nullable(),
  latest: z.string().nullable(),
});

export type Place = z.infer<typeof PLACE>;

export const BEGINNING: Place = { since: null, seen: {}, after: null, latest: null };

/** Pages of what is new since a place. The last one has no `after` in its place. @throws VendorError */
export async function* readSince(
  access: Access,
  { path, parameters, filter, by, isAfter }: Listing,
  begun: Place,
): AsyncIterable<{
  readonly news: readonly Resource[];
  readonly included: List['included'];
  readonly place: Place;
}> {
  const { since } = begun;
  const from = since === null ? null : new Date(Date.parse(since) - READ_AGAIN).toISOString();
  const conditions = [
    filter,
    from === null ? undefined : `${isAfter ? 'greater-than' : 'greater-or-equal'}(${by},${from})`,
  ];
  const filters = conditions.filter((condition) => condition !== undefined).join(',');
  const seen = new SeenRows(begun.seen);
  let { after, latest } = begun;
  // What is told late is so by as much as is read again. When a list began that an earlier run began is not known.
  const toldUntil = after === null ? access.now().getTime() - READ_AGAIN : null;
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
      continue;
    }
    const news = list.data.filter((resource) => seen.add(resource.id, momentOf(resource, by), resource));
    for (const resource of list.data) {
      const moment = momentOf(resource, by);
      if (moment !== '' && (latest === null || Date.parse(moment) > Date.parse(latest))) latest = moment;
    }
    if (latest !== null) seen.forgetBefore(Date.parse(latest) - READ_AGAIN);
    after = list.after;
    const isEnd = after === null;
    const place: Place = {
      since: isEnd ? laterOf(latest ?? since, toldUntil) : since,
      seen: seen.toCursor(),
      after,
      latest: isEnd ? null : latest,
    };
    yield { news, included: list.included, place };
    if (isEnd) return;
  }
}

/** Where nothing came yet, all is asked for again. */
function laterOf(moment: string | null, other: number | null): string | null {
  if (moment === null || other === null || Date.parse(moment) >= other) return moment;
  return new Date(other).toISOString();
}

function momentOf({ attributes }: Resource, by: string): string {
  const moment = (attributes as Readonly<Record<string, unknown>> | undefined)?.[by];
  return typeof moment === 'string' ? moment : '';
}
