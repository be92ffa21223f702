import { z } from 'zod';
import { LISTING_OF } from '../../../control/connections/other-origins.ts';
import { type IdPage, type Json, type Listing, VendorError } from '../../vendor.ts';
import { download, linesOf, outcomeOf, type Result, startOperation } from './bulk-operation.ts';
import { CUSTOMERS, ORDERS, PAGE_INFO, type Resource } from './resources.ts';
import { mayReadAllOrders } from './scopes.ts';
import { askShop, type Shop, shopOf } from './shop.ts';

export interface IdLimits {
  /** More ids than that are listed by a bulk operation. */
  readonly mostByPages: number;
  /** The number of rows of a result that make a page. */
  readonly pageOfResult: number;
}

const LIMITS: IdLimits = { mostByPages: 5000, pageOfResult: 10_000 };

const PER_PAGE = 250;

/** How often in a row an operation may fail, and a download be cut off. */
const MOST_FAILURES = 3;

/** An operation, and how many ids of its result were listed. */
const PLACE_IN_RESULT = z.object({ operation: z.string(), listed: z.number().default(0) });

type PlaceInResult = z.infer<typeof PLACE_IN_RESULT>;

/** The walk reads either pages, in the order of ids, or an operation; null means that it has not begun. */
const CURSOR = z.union([z.object({ after: z.string() }), PLACE_IN_RESULT]).nullable();

export const orderIds = idsOf(ORDERS, { name: LISTING_OF.orders, table: 'orders', column: 'order_id' });
export const customerIds = idsOf(CUSTOMERS, {
  name: LISTING_OF.profiles,
  table: 'profiles',
  column: 'profile_id',
});

export function idsOf(
  resource: Resource,
  listing: Pick<Listing, 'name' | 'table' | 'column'>,
  limits: IdLimits = LIMITS,
): Listing {
  const prefix = `gid://shopify/${resource.type}/`;
  const numberOf = (id: string) => id.slice(prefix.length).split('?', 1)[0] ?? '';
  return {
    ...listing,
    title: resource.root,
    stream: resource.root,
    idOf: (row) => {
      const { id } = (row ?? {}) as Readonly<Record<string, Json>>;
      return typeof id === 'string' && id.startsWith(prefix) ? numberOf(id) : null;
    },
    ...(resource === ORDERS && { listsAll: (access) => mayReadAllOrders(shopOf(access)) }),
    list: async function* (access, cursor) {
      for await (const { ids, cursor: place } of list(shopOf(access), resource, limits, cursor))
        yield { ids: ids.map(numberOf), cursor: place };
    },
    missing: async (access, ids) => {
      const { nodes } = await askShop(shopOf(access), {
        document: 'query Are($ids: [ID!]!) { nodes(ids: $ids) { id } }',
        variables: { ids: ids.map((id) => `${prefix}${id}`) },
        data: z.object({ nodes: z.array(z.object({ id: z.string() }).nullable()) }),
      });
      if (nodes.length !== ids.length)
        throw new VendorError(
          'bad_answer',
          `Shopify answers for ${nodes.length} of ${ids.length} ids; nothing was deleted, and it is asked again with the next run`,
        );
      return ids.filter((_, index) => nodes[index] === null);
    },
  };
}

async function* list(shop: Shop, resource: Resource, limits: IdLimits, begun: Json): AsyncIterable<IdPage> {
  const cursor = CURSOR.safeParse(begun).data ?? null;
  const isMuch = cursor === null && (await countOf(shop, resource, limits)) > limits.mostByPages;
  if (isMuch || (cursor !== null && 'operation' in cursor))
    yield* ofOperation(shop, resource, limits, cursor !== null && 'operation' in cursor ? cursor : null);
  else yield* ofPages(shop, resource, cursor !== null && 'after' in cursor ? cursor.after : null);
}

async function countOf(shop: Shop, { count }: Resource, { mostByPages }: IdLimits): Promise<number> {
  const data = await askShop(shop, {
    document: `query Count($limit: Int) { all: ${count}(limit: $limit) { count } }`,
    variables: { limit: mostByPages + 1 },
    data: z.object({ all: z.object({ count: z.number() }) }),
  });
  return data.all.count;
}

/** Reads pages by ids, which do not change: what is deleted meanwhile moves nothing else out of its place. */
async function* ofPages(shop: Shop, { root }: Resource, begun: string | null): AsyncIterable<IdPage> {
  for (let after = begun; ; ) {
    const { list } = await askShop(shop, {
      document: `query Ids($first: Int!, $after: String) {
        list: ${root}(first: $first, after: $after, sortKey: ID) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
      variables: { first: PER_PAGE, after },
      data: z.object({
        list: z.object({ nodes: z.array(z.object({ id: z.string() })), pageInfo: PAGE_INFO }),
      }),
    });
    after = list.pageInfo.endCursor;
    yield { ids: list.nodes.map(({ id }) => id), cursor: after === null ? null : { after } };
    if (!list.pageInfo.hasNextPage || after === null) return;
  }
}

/** A result is read as it comes, and from where it was left: it never changes. */
async function* ofOperation(
  shop: Shop,
  resource: Resource,
  { pageOfResult }: IdLimits,
  begun: PlaceInResult | null,
): AsyncIterable<IdPage> {
  let place = begun;
  for (let failures = 0, wait = 1000; failures < MOST_FAILURES; wait = Math.min(wait * 2, 20_000)) {
    if (place === null) {
      const id = await startOperation(shop, resource, `{ ${resource.root} { edges { node { id } } } }`);
      place = id === null ? null : { operation: id, listed: 0 };
    }
    yield { ids: [], cursor: place };
    const outcome = place === null ? 'running' : await outcomeOf(shop, place.operation);
    if (place === null || outcome === 'running') {
      await shop.access.sleep(wait);
      continue;
    }
    let read: Read = 'gone';
    if (outcome !== 'again') {
      const pages = idsIn(shop, resource, outcome, { listed: place.listed, pageOfResult });
      try {
        let page = await pages.next();
        for (; page.done !== true; page = await pages.next()) {
          place = { ...place, listed: place.listed + page.value.length };
          yield { ids: page.value, cursor: place };
        }
        read = page.value;
      } finally {
        await pages.return('part');
      }
    }
    if (read === 'whole') return;
    failures += 1;
    // Results are kept for a week. One that was cut off is there still.
    if (read === 'gone') place = null;
    await shop.access.sleep(wait);
  }
  throw new VendorError(
    'vendor_down',
    `Shopify failed to list its ${resource.root}, three times; it is asked again with the next run`,
  );
}

/**
 * How much of a result was read: all that the operation found, a part, or none since it is not there any
 * more.
 */
type Read = 'whole' | 'part' | 'gone';

/** @param listed how many ids were read before: they are passed over */
async function* idsIn(
  shop: Shop,
  { type }: Resource,
  { url, rows }: Result,
  { listed, pageOfResult }: { readonly listed: number; readonly pageOfResult: number },
): AsyncGenerator<string[], Read> {
  if (url === null) return rows === 0 ? 'whole' : 'gone';
  let found = 0;
  let ids: string[] = [];
  try {
    const body = await download(shop, url);
    if (body === null) return 'gone';
    for await (const { id } of linesOf(body)) {
      if (typeof id !== 'string' || !id.startsWith(`gid://shopify/${type}/`)) return 'part';
      found += 1;
      if (found <= listed) continue;
      ids.push(id);
      if (ids.length < pageOfResult) continue;
      yield ids;
      ids = [];
    }
  } catch (error) {
    shop.access.signal.throwIfAborted();
    if (error instanceof VendorError && error.state !== 'vendor_down') throw error;
    return 'part';
  }
  if (found < rows) return 'part';
  yield ids;
  return 'whole';
}
