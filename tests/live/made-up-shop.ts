import { z } from 'zod';
import { LISTING_OF } from '../../src/control/connections/other-origins.ts';
import type { Access, IdPage, Json, Page, Stream, Vendor } from '../../src/live/vendor.ts';
import { VendorError } from '../../src/live/vendor.ts';

interface MadeOrder {
  readonly id: number;
  readonly total: number;
  readonly email: string;
  readonly lines: readonly { readonly sku: string; readonly quantity: number; readonly price: number }[];
}

/** A shop in memory, whose changes have numbers by which they are asked for. */
export class MadeUpShop {
  readonly orders = new Map<number, MadeOrder>();
  readonly #changes = new Map<number, number>();
  #change = 0;
  #nextId = 1;
  pageSize = 3;
  /** Told of every request, and may throw. */
  onRequest: () => void | Promise<void> = () => {};
  requests = 0;

  /** Does what a story tells, each a kind and two numbers; the same story makes the same shop. */
  play(story: readonly (readonly [kind: number, which: number, total: number])[]): void {
    for (const [kind, which, total] of story) {
      const ids = [...this.orders.keys()];
      const id = ids[which % Math.max(1, ids.length)];
      if (id === undefined || kind < 2) this.add(total);
      else if (kind === 2) this.set(id, total);
      else if (kind === 3) this.remove(id);
      else if (kind === 5) this.vanish(id);
      else this.touch(id);
    }
  }

  add(total: number): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.set(id, total);
    return id;
  }

  set(id: number, total: number): void {
    const lines = [
      { sku: `sku-${id % 5}`, quantity: 1, price: total - 1 },
      { sku: 'sku-x', quantity: 1, price: 1 },
    ].slice(0, 1 + (total % 2));
    const [line] = lines;
    const whole = lines.length === 1 && line !== undefined ? [{ ...line, price: total }] : lines;
    this.orders.set(id, { id, total, email: `person${id % 7}@example.com`, lines: whole });
    this.#touch(id);
  }

  remove(id: number): void {
    this.orders.delete(id);
    this.#touch(id);
  }

  /** Deletes it, and no change tells of it. */
  vanish(id: number): void {
    this.orders.delete(id);
    this.#changes.delete(id);
  }

  /** As shops do when somebody only looks. */
  touch(id: number): void {
    this.#touch(id);
  }

  #touch(id: number): void {
    this.#change += 1;
    this.#changes.delete(id);
    this.#changes.set(id, this.#change);
  }

  /** The number of the last change. */
  get latest(): number {
    return this.#change;
  }

  /** All ids, in their order. */
  async *list(access: Access, cursor: Json): AsyncGenerator<IdPage> {
    let after = typeof cursor === 'number' ? cursor : 0;
    for (;;) {
      access.signal.throwIfAborted();
      this.requests += 1;
      await this.onRequest();
      const page = [...this.orders.keys()]
        .toSorted((one, other) => one - other)
        .filter((id) => id > after)
        .slice(0, this.pageSize);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last;
      yield { ids: page.map(String), cursor: after };
    }
  }

  async missing(ids: readonly string[]): Promise<string[]> {
    this.requests += 1;
    await this.onRequest();
    return ids.filter((id) => !this.orders.has(Number(id)));
  }

  async *read(access: Access, cursor: Json): AsyncGenerator<Page> {
    let after = typeof cursor === 'number' ? cursor : 0;
    for (;;) {
      access.signal.throwIfAborted();
      this.requests += 1;
      await this.onRequest();
      const page = [...this.#changes].filter(([, change]) => change > after).slice(0, this.pageSize);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last[1];
      const ids = page.map(([id]) => id);
      yield {
        rows: ids.flatMap((id) => {
          const order = this.orders.get(id);
          return order === undefined ? [] : [documentOf(order)];
        }),
        gone: ids
          .filter((id) => !this.orders.has(id))
          .map((id) => ({ table: 'orders', key: { order_id: String(id) } })),
        cursor: after,
      };
    }
  }
}

/** As Shopify's REST API answers it. */
function documentOf({ id, total, email, lines }: MadeOrder): Json {
  return {
    id,
    name: `#${1000 + id}`,
    email,
    created_at: '2026-01-01T10:00:00Z',
    updated_at: '2026-01-01T10:00:00Z',
    currency: 'EUR',
    financial_status: 'paid',
    total_price: total.toFixed(2),
    subtotal_price: total.toFixed(2),
    total_tax: '0.00',
    total_discounts: '0.00',
    customer: { id: 7_000_000_900 + (id % 7), first_name: 'Planted', last_name: 'Person', email },
    shipping_address: { name: 'Planted Person', address1: 'Planted Street 7', country_code: 'DE' },
    line_items: lines.map(({ sku, quantity, price }, index) => ({
      ...{ id: id * 10 + index, sku, name: sku, quantity, price: price.toFixed(2) },
    })),
  };
}

export const PLANTED_KEY = 'planted-secret-key-3141592653';

/** A vendor that is that shop. */
export function madeUpVendor(shop: MadeUpShop): Vendor {
  const orders: Stream = {
    name: 'orders',
    landsAs: 'shopify-json',
    read: (access, cursor) => {
      if (access.secret('key') !== PLANTED_KEY)
        throw new VendorError('unauthorized', `the key ${access.secret('key')} is none`);
      return shop.read(access, cursor);
    },
  };
  return {
    name: 'made-up',
    title: 'A made-up shop',
    settings: z.object({ shop: z.string().describe('its domain') }),
    secrets: { key: { title: 'Key', description: 'its key' } },
    streams: [orders],
    listings: [
      {
        ...{
          name: LISTING_OF.orders,
          title: 'orders',
          stream: 'orders',
          table: 'orders',
          column: 'order_id',
        },
        idOf: (row) => String((row as { id: number }).id),
        list: (access, cursor) => shop.list(access, cursor),
        missing: (_access, ids) => shop.missing(ids),
      },
    ],
    check: async (access) => {
      if (access.secret('key') !== PLANTED_KEY) throw new VendorError('unauthorized', 'the key is wrong');
      return {
        account: 'Made-up',
        missing: [{ scope: 'read_all_orders', costs: 'only orders of the last 60 days' }],
      };
    },
  };
}
