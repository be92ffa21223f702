import { z } from 'zod';
import { type Json, type Page, type Stream, VendorError } from '../../vendor.ts';
import { idlePages } from '../idle-pages.ts';
import { goOnFrom, WALK, type Walk, walkedOver } from '../listing-walk.ts';
import { SeenRows } from '../seen-rows.ts';
import { clockBehind, vendorNow } from '../vendor-clock.ts';
import { bulkQuery, outcomeOf, type Result, readPart, startOperation, unpacked } from './bulk-operation.ts';
import { askForFewer, completeChildren, completeRefunds, type Size } from './complete-children.ts';
import { childFieldsOf, fieldsOf, PAGE_INFO, type Resource, rowSchema, type Unread } from './resources.ts';
import { lackedNow, unreadFields } from './scopes.ts';
import { askShop, type Shop, shopOf } from './shop.ts';

/** A moment of a shop has whole seconds, and its index is late: that much is read again, in milliseconds. */
const READ_AGAIN = 60_000;

export interface Limits {
  /** More changes than that are read by a bulk operation. */
  readonly mostByPages: number;
  /** The most changes of one bulk operation: its result is read anew after a failure. */
  readonly mostByOperation: number;
  /** The number of rows of a result that are landed together. */
  readonly pageOfResult: number;
  /**
   * The number of bytes of a result that are held in memory. A larger result is read several times, another
   * part of its rows each time.
   */
  readonly bytesOfPart: number;
}

const LIMITS: Limits = {
  mostByPages: 100,
  mostByOperation: 10_000,
  pageOfResult: 250,
  bytesOfPart: 64 * 2 ** 20,
};

/** An operation over less than this time is not halved, however much was changed in it; in milliseconds. */
const SHORTEST_OPERATION = 3 * READ_AGAIN;

/**
 * Changes of the last minutes are read page by page however many there are: an operation over them would be
 * followed by the next.
 */
const TOO_NEW_FOR_BULK = 10 * 60_000;

/** A bulk operation over what was changed within a time; without an id where it is not started yet. */
const OPERATION = z.object({
  from: z.string(),
  until: z.string(),
  id: z.string().nullable(),
  /** The number of parts into which its result was divided, and the part that is being read. */
  parts: z.number().default(0),
  part: z.number().default(0),
  /** How many rows of that part are landed. */
  landed: z.number(),
});

type Operation = z.infer<typeof OPERATION>;

/**
 * A moment of the shop until when all is landed; null: nothing is. And what was begun: either a bulk
 * operation over the time from there, or pages from there on.
 */
const CURSOR = z.object({
  since: z.string().nullable(),
  seen: z.record(z.string(), z.string()),
  operation: OPERATION.nullable(),
  pages: WALK.extend({ after: z.string() }).nullable(),
  /**
   * Everything that the app could not read at some time since the beginning; null where another version of
   * the program wrote the cursor.
   */
  lacked: z.array(z.string()).nullable().default(null),
});

type Cursor = z.infer<typeof CURSOR>;

/**
 * Reads what was changed: by bulk operations where it is much, as the first time, else page by page, in the
 * order of changes.
 */
export function changesOf(resource: Resource, limits: Limits = LIMITS): Stream {
  return {
    name: resource.root,
    landsAs: 'shopify-json',
    read: (access, cursor) => read(shopOf(access), resource, limits, cursorOf(cursor)),
  };
}

const BEGINNING: Cursor = { since: null, seen: {}, operation: null, pages: null, lacked: null };

/** One that another version wrote and this one does not understand means: everything once more. */
function cursorOf(cursor: Json): Cursor {
  return CURSOR.safeParse(cursor).data ?? BEGINNING;
}

/** A scope that the app was given since brings rows that were not read without it: all is read once more. */
function withLacked(begun: Cursor, lacked: readonly string[]): Cursor {
  const before = begun.lacked ?? [];
  const isGiven = before.some((each) => !lacked.includes(each));
  return isGiven
    ? { ...BEGINNING, lacked: [...lacked] }
    : { ...begun, lacked: [...new Set([...before, ...lacked])] };
}

async function* read(shop: Shop, resource: Resource, limits: Limits, begun: Cursor): AsyncIterable<Page> {
  const unread = await unreadFields(shop, resource);
  let cursor = withLacked(begun, await lackedNow(shop, resource, unread));
  while (cursor.pages === null) {
    const operation = cursor.operation ?? (await nextOperation(shop, resource, limits, cursor.since));
    if (operation === null) break;
    for await (const page of readOperation(shop, resource, limits, unread, { ...cursor, operation })) {
      cursor = page.cursor;
      yield page;
    }
  }
  yield* readPages(shop, resource, unread, cursor);
}

interface CursorPage extends Page {
  readonly cursor: Cursor;
}

/** The next operation, over a time that has enough changes; null where pages will do. */
async function nextOperation(
  shop: Shop,
  resource: Resource,
  { mostByPages, mostByOperation }: Limits,
  since: string | null,
): Promise<Operation | null> {
  const now = vendorNow(shop.access);
  const begin = since === null ? await earliest(shop, resource) : Date.parse(since) - READ_AGAIN;
  if (begin === null || begin > now - TOO_NEW_FOR_BULK) return null;
  const from = moment(begin);
  if ((await count(shop, resource, from, null, mostByPages)) <= mostByPages) return null;
  let until = now - READ_AGAIN;
  // Half of the time must be more than what the next one reads again, or it would be the same operation for
  // ever.
  while (
    until - begin > SHORTEST_OPERATION &&
    (await count(shop, resource, from, moment(until), mostByOperation)) > mostByOperation
  )
    until = begin + Math.floor((until - begin) / 2);
  return { from, until: moment(until), id: null, parts: 0, part: 0, landed: 0 };
}

/** The moment of the oldest change. */
async function earliest(shop: Shop, { root }: Resource): Promise<number | null> {
  const { list } = await askShop(shop, {
    document: `{ list: ${root}(first: 1, sortKey: UPDATED_AT) { nodes { updatedAt } } }`,
    data: z.object({ list: z.object({ nodes: z.array(z.object({ updatedAt: z.string() })) }) }),
  });
  const [first] = list.nodes;
  return first === undefined ? null : Date.parse(first.updatedAt);
}

async function count(shop: Shop, { count }: Resource, from: string, until: string | null, most: number) {
  const data = await askShop(shop, {
    document: `query Count($query: String, $limit: Int) { all: ${count}(query: $query, limit: $limit) { count } }`,
    variables: { query: changedWithin(from, until), limit: most + 1 },
    data: z.object({ all: z.object({ count: z.number() }).nullable() }),
  });
  return data.all?.count ?? 0;
}

function moment(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The condition in the words of Shopify's search. */
function changedWithin(from: string, until: string | null): string {
  return `updated_at:>='${from}'${until === null ? '' : ` AND updated_at:<'${until}'`}`;
}

/** How often in a row an operation may fail within a run. */
const MOST_FAILURES = 3;

/**
 * Starts the operation or goes on with it. While it is waited for, each look is a page without rows: a run
 * may end there.
 */
async function* readOperation(
  shop: Shop,
  resource: Resource,
  { pageOfResult, bytesOfPart }: Limits,
  unread: Unread,
  cursor: Cursor & { readonly operation: Operation },
): AsyncIterable<CursorPage> {
  let operation = cursor.operation;
  const at = (place: Partial<Operation>): CursorPage => {
    operation = { ...operation, ...place };
    return { rows: [], cursor: { ...cursor, operation } };
  };
  /** @returns whether the result was there to its end */
  async function* rowsOf(result: Result): AsyncGenerator<CursorPage, boolean> {
    const parts = Math.max(1, Math.ceil(result.bytes / bytesOfPart));
    // Divided otherwise, by another version of the program, other rows are at these places. Rows that come
    // twice count once.
    if (operation.parts !== parts) yield at({ parts, part: 0, landed: 0 });
    const size: Size = { most: 10 };
    while (operation.part < parts) {
      const rows = await readPart(shop, result, resource, { number: operation.part, of: parts });
      if (rows === null) return false;
      for (let place = operation.landed; place < rows.length; place += pageOfResult) {
        const page = unpacked(rows.slice(place, place + pageOfResult), resource);
        const complete = resource.root === 'orders' ? await completeRefunds(shop, page, size) : page;
        yield { ...at({ landed: place + page.length }), rows: complete };
      }
      yield at({ part: operation.part + 1, landed: 0 });
    }
    return true;
  }
  for (let failures = 0, wait = 1000; ; wait = Math.min(wait * 2, 20_000)) {
    if (operation.id === null) {
      const within = changedWithin(operation.from, operation.until);
      const id = await startOperation(shop, resource, bulkQuery(resource, unread, within));
      yield at({ id, part: 0, landed: 0 });
      await shop.access.sleep(wait);
      continue;
    }
    const outcome = await outcomeOf(shop, operation.id);
    if (outcome === 'running') {
      yield at({});
      await shop.access.sleep(wait);
      continue;
    }
    if (outcome === 'again' || !(yield* rowsOf(outcome))) {
      failures += 1;
      yield at({ id: null, parts: 0, part: 0, landed: 0 });
      if (failures === MOST_FAILURES)
        throw new VendorError(
          'vendor_down',
          `Shopify failed to prepare its ${resource.root}, three times; it is asked again with the next run`,
        );
      continue;
    }
    const { until } = operation;
    yield {
      rows: [],
      cursor: { ...cursor, since: until, seen: {}, operation: null, pages: null },
      until: new Date(until),
    };
    return;
  }
}

/**
 * What was changed since the cursor, in that order: what changes while it is read comes once more, behind.
 */
async function* readPages(
  shop: Shop,
  resource: Resource,
  unread: Unread,
  cursor: Cursor,
): AsyncIterable<CursorPage> {
  const { root, children } = resource;
  const from = cursor.since === null ? null : moment(Date.parse(cursor.since) - READ_AGAIN);
  const size: Size = { most: children === null ? 100 : 10 };
  const sizeOfRefunds: Size = { most: 10 };
  const seen = new SeenRows(cursor.seen);
  let after = cursor.pages?.after ?? null;
  const met = idlePages(`Shopify's list of ${root}`);
  const begin = (): Walk => ({ begun: shop.access.now().toISOString(), latest: cursor.since });
  let walk: Walk = cursor.pages ?? begin();
  for (;;) {
    const inside =
      children === null
        ? ''
        : `${children.name}(first: 10) { nodes { ${childFieldsOf(resource, unread)} } pageInfo { hasNextPage endCursor } }`;
    const asked = (first: number) => ({
      document: `query Changes($first: Int!, $after: String, $query: String) {
        list: ${root}(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
          nodes { ${fieldsOf(resource, unread)} ${inside} } pageInfo { hasNextPage endCursor } } }`,
      variables: { first, after, query: from === null ? null : changedWithin(from, null) },
      data: z.object({ list: z.object({ nodes: z.array(rowSchema(resource, true)), pageInfo: PAGE_INFO }) }),
    });
    let list: Awaited<ReturnType<ReturnType<typeof asked>['data']['parse']>>['list'];
    try {
      ({ list } = await askForFewer(shop, size, asked));
    } catch (error) {
      // Another version of the API may not know the places of the one before.
      const isPlaceRefused = error instanceof VendorError && error.state === 'api_changed';
      if (!isPlaceRefused || after === null || after !== cursor.pages?.after) throw error;
      after = null;
      walk = begin();
      continue;
    }
    const whole = await completeChildren(shop, resource, unread, list.nodes);
    const rows = root === 'orders' ? await completeRefunds(shop, whole, sizeOfRefunds) : whole;
    const changed = rows.filter((row) => seen.add(row.id, row.updatedAt, row));
    walk = walkedOver(
      walk,
      list.nodes.map(({ updatedAt }) => updatedAt),
    );
    const since = goOnFrom(walk, clockBehind(shop.access)) ?? cursor.since;
    if (since !== null) seen.forgetBefore(Date.parse(since) - READ_AGAIN);
    after = list.pageInfo.endCursor;
    if (!list.pageInfo.hasNextPage || after === null) {
      const place: Cursor = { ...cursor, since, seen: seen.toCursor(), operation: null, pages: null };
      const until = walk.begun === null ? {} : { until: new Date(Date.parse(walk.begun) - READ_AGAIN) };
      yield { rows: changed, cursor: place, ...until };
      return;
    }
    const pages = { begun: walk.begun, latest: walk.latest, after };
    yield { rows: changed, cursor: { ...cursor, seen: seen.toCursor(), operation: null, pages } };
    met(list.nodes.length);
  }
}
