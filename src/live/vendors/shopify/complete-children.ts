import { z } from 'zod';
import type { Json } from '../../vendor.ts';
import { pagesWithin } from '../idle-pages.ts';
import { childFieldsOf, JSON_OBJECT, PAGE_INFO, type Resource, type Row, type Unread } from './resources.ts';
import { type Asked, askShop, type Shop, TooCostly } from './shop.ts';

/** How many are asked for at once where a query may cost too much: what the shop allowed before. */
export interface Size {
  most: number;
}

/** Asks for fewer at once until the shop finds it cheap enough. */
export async function askForFewer<Data>(
  shop: Shop,
  size: Size,
  asked: (most: number) => Asked<Data>,
): Promise<Data> {
  for (;;) {
    try {
      return await askShop(shop, asked(size.most));
    } catch (error) {
      if (!(error instanceof TooCostly) || size.most === 1) throw error;
      size.most = Math.max(1, Math.floor(size.most / 2));
    }
  }
}

const LIST = z.object({ nodes: z.array(JSON_OBJECT), pageInfo: PAGE_INFO });

type List = z.infer<typeof LIST>;

/** Rows that were asked for with the first of their children, with all of them. */
export async function completeChildren(
  shop: Shop,
  resource: Resource,
  unread: Unread,
  rows: readonly Row[],
): Promise<Row[]> {
  const { children, type } = resource;
  if (children === null) return [...rows];
  const complete: Row[] = [];
  for (const row of rows) {
    const nodes = await allOf(LIST.parse(row[children.name]), { most: 50 }, (size, after) =>
      askForFewer(shop, size, (first) => ({
        document: `query Children($id: ID!, $first: Int!, $after: String) {
          node(id: $id) { ... on ${type} { list: ${children.name}(first: $first, after: $after) {
            nodes { ${childFieldsOf(resource, unread)} } pageInfo { hasNextPage endCursor } } } } }`,
        variables: { id: row.id, first, after },
        data: NODE_WITH_LIST,
      })),
    );
    complete.push({ ...row, [children.name]: { nodes } });
  }
  return complete;
}

const NODE_WITH_LIST = z.object({ node: z.object({ list: LIST }).nullable() });

/** All of a list whose first page is known. */
async function allOf(
  { nodes, pageInfo }: List,
  size: Size,
  more: (size: Size, after: string | null) => Promise<z.infer<typeof NODE_WITH_LIST>>,
): Promise<Json[]> {
  const all: Json[] = [...nodes];
  let place = pageInfo;
  const met = pagesWithin("A list of Shopify's within an order or product");
  while (place.hasNextPage) {
    const { node } = await more(size, place.endCursor);
    // It was deleted meanwhile: what is known of it goes when ids are compared.
    if (node === null) break;
    met();
    all.push(...node.list.nodes);
    place = node.list.pageInfo;
  }
  return all;
}

const LINE = 'quantity subtotalSet { shopMoney { amount } } lineItem { id }';
const LINES = `nodes { ${LINE} } pageInfo { hasNextPage endCursor }`;
const REFUNDS = z.object({ nodes: z.array(z.object({ id: z.string(), refundLineItems: LIST }).nullable()) });

/**
 * Orders with the lines of their refunds, which bulk operations cannot answer: asked for by the ids of the
 * refunds.
 */
export async function completeRefunds(shop: Shop, rows: readonly Row[], size: Size): Promise<Row[]> {
  const ids = [...new Set(rows.flatMap((row) => refundsOf(row).map(({ id }) => id)))];
  const lines = new Map<string, Json[]>();
  for (let asked = 0; asked < ids.length; ) {
    const { nodes } = await askForFewer(shop, size, (most) => ({
      document: `query RefundLines($ids: [ID!]!) { nodes(ids: $ids) { ... on Refund { id refundLineItems(first: 20) { ${LINES} } } } }`,
      variables: { ids: ids.slice(asked, asked + most) },
      data: REFUNDS,
    }));
    for (const refund of nodes)
      if (refund !== null) lines.set(refund.id, await linesOf(shop, refund.id, refund.refundLineItems));
    asked += size.most;
  }
  return rows.map((row) => {
    const refunds = refundsOf(row).map((refund) => ({
      ...refund,
      refundLineItems: { nodes: lines.get(refund.id) ?? [] },
    }));
    return { ...row, refunds };
  });
}

function linesOf(shop: Shop, id: string, first: List): Promise<Json[]> {
  return allOf(first, { most: 100 }, (size, after) =>
    askForFewer(shop, size, (most) => ({
      document: `query MoreRefundLines($id: ID!, $first: Int!, $after: String) {
        node(id: $id) { ... on Refund { list: refundLineItems(first: $first, after: $after) { ${LINES} } } } }`,
      variables: { id, first: most, after },
      data: NODE_WITH_LIST,
    })),
  );
}

function refundsOf(row: Row): { readonly id: string }[] {
  return Array.isArray(row.refunds) ? (row.refunds as { id: string }[]) : [];
}
