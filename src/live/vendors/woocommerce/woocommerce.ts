import { z } from 'zod';
import {
  type Access,
  type Check,
  type Json,
  type MissingScope,
  type Vendor,
  VendorError,
} from '../../vendor.ts';
import { pagesWithin } from '../idle-pages.ts';
import { customers } from './customers.ts';
import { customerIds, orderIds } from './ids.ts';
import { ITEM, type Item, streamOf } from './listing.ts';
import { askSite, PER_PAGE } from './site.ts';
import { webhook } from './webhook.ts';

const DAY = 24 * 3600_000;
const WEEK = 7 * DAY;

const ROWS = z.array(z.looseObject({ id: z.number() }));

/**
 * What belongs to one order or product, by its ids: pages have things of one second in any order, which would
 * look like a change.
 */
async function allOf(access: Access, path: string): Promise<z.infer<typeof ROWS>> {
  const all: z.infer<typeof ROWS> = [];
  const met = pagesWithin("A list of WooCommerce's within an order or product");
  for (let page = 1; ; page += 1) {
    const rows = await askSite(access, path, { per_page: String(PER_PAGE), page: String(page) }, ROWS);
    all.push(...rows);
    if (rows.length < PER_PAGE) return all.toSorted((one, other) => one.id - other.id);
    met();
  }
}

/**
 * An order with the bodies of its refunds, which have their days; what it says of them itself may be empty.
 */
async function ordersWithRefunds(access: Access, items: readonly Item[]): Promise<Json[][]> {
  const groups: Json[][] = [];
  for (const order of items) {
    const named = Array.isArray(order.refunds) ? order.refunds.length : 0;
    const hasRefunds = named > 0 || order.status === 'refunded';
    const refunds = hasRefunds ? await allOf(access, `wc/v3/orders/${order.id}/refunds`) : [];
    groups.push([order as Json, ...refunds.map((refund) => ({ ...refund, parent_id: order.id }) as Json)]);
  }
  return groups;
}

const REFUNDS = z.array(z.looseObject({ id: z.number(), parent_id: z.number() }));
const ORDERS = z.array(ITEM);

/** The orders of refunds, with all of their refunds. An order that is not there any more has none. */
async function ordersOfRefunds(access: Access, items: readonly Item[]): Promise<Json[][]> {
  const refunds = REFUNDS.safeParse(items).data;
  if (refunds === undefined)
    throw new VendorError(
      'bad_answer',
      'WooCommerce has refunds without their orders: does a plugin change what it answers?',
    );
  const ids = [...new Set(refunds.map(({ parent_id }) => parent_id))];
  if (ids.length === 0) return [];
  const parameters = { include: ids.join(','), per_page: String(PER_PAGE), status: 'any' };
  const orders = await askSite(access, 'wc/v3/orders', parameters, ORDERS);
  const complete = await ordersWithRefunds(
    access,
    orders.map((order) => ({ ...order, refunds: [{}] })),
  );
  const byOrder = new Map(
    orders.map((order, index) => [order.id, [order as Json, ...(complete[index]?.slice(1) ?? [])]]),
  );
  return refunds.map(({ parent_id }) => byOrder.get(parent_id) ?? []);
}

/** A product with its variations, which a list of products does not have. */
async function productsWithVariations(access: Access, items: readonly Item[]): Promise<Json[][]> {
  const groups: Json[][] = [];
  for (const product of items) {
    const hasThem = Array.isArray(product.variations) && product.variations.length > 0;
    const variations = hasThem ? await allOf(access, `wc/v3/products/${product.id}/variations`) : [];
    groups.push([product as Json, ...(variations as Json[])]);
  }
  return groups;
}

const asTheyAre = async (_access: Access, items: readonly Item[]) => items.map((item) => [item as Json]);

const ORDER_LIST = { path: 'wc/v3/orders', parameters: { status: 'any' } };
const TRASH = { path: 'wc/v3/orders', parameters: { status: 'trash' } };

export const woocommerce: Vendor = {
  name: 'woocommerce',
  title: 'WooCommerce',
  settings: z.object({
    url: z
      .string()
      .transform((text) => text.trim())
      .refine((text) => /^https:\/\/[^/?#@]+(\/[^?#]*)?$|^http:\/\/127\.0\.0\.1:\d+$/.test(text), {
        error: 'is not the address of a shop over https, such as https://shop.example',
      })
      .meta({
        title: 'Address of the shop',
        description: 'the address of the shop, such as https://shop.example',
      }),
  }),
  addressSetting: 'url',
  secrets: {
    consumerKey: {
      title: 'Consumer key',
      description: 'the consumer key, ck_… (WooCommerce, Settings, Advanced, REST API)',
    },
    consumerSecret: {
      title: 'Consumer secret',
      description: 'the consumer secret, cs_…, which is shown beside it once',
    },
    webhookSecret: {
      title: 'Secret of the webhooks',
      description: 'the secret of the webhooks (WooCommerce, Settings, Advanced, Webhooks)',
      isOptional: true,
      isRare: true,
    },
  },
  streams: [
    streamOf({ name: 'products', path: 'wc/v3/products', by: 'modified', rowsOf: productsWithVariations }),
    // A variation can change without its product.
    streamOf({
      name: 'all-products',
      path: 'wc/v3/products',
      by: 'date',
      again: { every: WEEK },
      rowsOf: productsWithVariations,
    }),
    streamOf({ name: 'orders', ...ORDER_LIST, by: 'modified', rowsOf: ordersWithRefunds }),
    // Some ways to pay give money back without touching the order.
    streamOf({ name: 'refunds', path: 'wc/v3/refunds', by: 'date', isNewer: true, rowsOf: ordersOfRefunds }),
    streamOf({
      name: 'last-month',
      ...ORDER_LIST,
      by: 'date',
      again: { every: WEEK, back: 30 * DAY },
      rowsOf: ordersWithRefunds,
    }),
    streamOf({ name: 'trash', ...TRASH, by: 'modified', rowsOf: asTheyAre }),
    streamOf({ name: 'all-trash', ...TRASH, by: 'date', again: { every: WEEK }, rowsOf: asTheyAre }),
    customers,
  ],
  listings: [orderIds, customerIds],
  check,
  webhook,
};

const READ: readonly (readonly [path: string, costs: string])[] = [
  ['wc/v3/orders', 'no orders at all'],
  ['wc/v3/products', 'no catalogue: products are those of the orders'],
  ['wc/v3/customers', 'no customers who never bought'],
];

async function check(access: Access): Promise<Check> {
  const missing: MissingScope[] = [];
  for (const [path, costs] of READ) {
    try {
      await askSite(access, path, { per_page: '1' }, ROWS);
    } catch (error) {
      if (!(error instanceof VendorError) || error.state !== 'missing_scope') throw error;
      missing.push({ scope: `read access to ${path}`, costs });
      if (missing.length === READ.length) throw error;
    }
  }
  const { name } = await askSite(access, '', {}, z.object({ name: z.string() }));
  return { account: name, missing };
}
