import type { KyselyPlugin } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { takeConnection } from '../../src/control/connections/connection-leases.ts';
import { type Connection, createConnection } from '../../src/control/connections/connections.ts';
import { type RunContext, runConnection } from '../../src/live/run-connection.ts';
import type { Access, Listing, Vendor } from '../../src/live/vendor.ts';
import { idsOf } from '../../src/live/vendors/shopify/ids.ts';
import { CUSTOMERS, ORDERS } from '../../src/live/vendors/shopify/resources.ts';
import { shopify } from '../../src/live/vendors/shopify/shopify.ts';
import { woocommerce } from '../../src/live/vendors/woocommerce/woocommerce.ts';
import { ENGINES } from '../control/engines.ts';
import { storedRows } from '../ingest/shop.ts';
import { findPostgres } from '../support/postgres.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { between, type Random, seededRandom, shuffled } from './stubs/random.ts';
import { MadeShop, totalOf as totalOfShopify } from './stubs/shopify/made-shop.ts';
import { CLIENT, startShopifyStub } from './stubs/shopify/shopify-stub.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';
import { FAULTS, type Fault, type Faults, randomFaults } from './stubs/stub-server.ts';
import { MadeSite, totalOf as totalOfWoocommerce } from './stubs/woocommerce/made-site.ts';
import { KEY, startWoocommerceStub } from './stubs/woocommerce/woocommerce-stub.ts';

let test: TestInstance;
afterEach(() => test[Symbol.asyncDispose]());

const DAY = 24 * 3600_000;

/** A vendor that is asked by the clock of the test, so that no wait takes time. */
function reachedBy(vendor: Vendor, access: Access, listings = vendor.listings ?? []): Vendor {
  return {
    ...vendor,
    streams: vendor.streams.map((stream) => ({
      ...stream,
      read: (_, cursor) => stream.read(access, cursor),
    })),
    listings: listings.map(
      (listing): Listing => ({
        ...listing,
        ...(listing.listsAll && { listsAll: () => listing.listsAll?.(access) ?? Promise.resolve(true) }),
        list: (_, cursor) => listing.list(access, cursor),
        missing: (_, ids) => listing.missing(access, ids),
      }),
    ),
  };
}

class Store {
  readonly #vendor: Vendor;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly business: Business;
  readonly #connection: Connection;
  /** Runs that were killed before they ended. */
  killed = 0;
  #hours = 0;

  private constructor(
    vendor: Vendor,
    clock: Clock,
    random: Random,
    business: Business,
    connection: Connection,
  ) {
    this.#vendor = vendor;
    this.#clock = clock;
    this.#random = random;
    this.business = business;
    this.#connection = connection;
  }

  static async connect(vendor: Vendor, clock: Clock, random: Random, currency: string): Promise<Store> {
    const business = await test.createBusiness({ currency, timezone: 'UTC' });
    const connection = await createConnection(test.instance.control, test.instance.secret, {
      ...{ business_id: business.business_id, name: 'stub', vendor: vendor.name, account: null },
      ...{ settings: {}, secrets: {}, interval_s: 900 },
    });
    return new Store(vendor, clock, random, business, connection);
  }

  /**
   * Runs until there is no more; some are killed: whatever they would have written from a moment on is not.
   * Most end with one page, and only land it: failures are many where imports are few.
   */
  async readAll(reconciles: RunContext['reconciles'], killed: number, mostOfOnePage = 0.3): Promise<void> {
    for (let run = 0, hasCompared = reconciles === undefined; run < 4000; run += 1) {
      const isKilled = this.#random() < killed;
      const isOfOnePage = this.#random() < mostOfOnePage;
      let left = isKilled ? between(this.#random, 1, isOfOnePage ? 20 : 60) : Number.POSITIVE_INFINITY;
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => {
          left -= 1;
          if (left < 0) throw new Error('killed');
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      this.#hours += 1;
      const held = await takeConnection(
        test.instance.control,
        this.#connection.connection_id,
        new Date(Date.now() + this.#hours * 3_600_000),
      );
      if (held === null) throw new Error('somebody holds it');
      const result = await runConnection(
        {
          ...test.instance,
          control: test.instance.control.withPlugin(plugin),
          ...{ vendors: [this.#vendor], log: { info: () => {}, warn: () => {}, error: () => {} } },
          signal: new AbortController().signal,
          limits: { seconds: isOfOnePage ? 0 : 60, pendingBytes: 2 ** 30, pieceLength: 20_000 },
          ...(hasCompared || reconciles === undefined ? {} : { reconciles }),
        },
        held,
      ).catch(() => null);
      if (left < 0) this.killed += 1;
      this.#clock.pass(60_000);
      if (result === null || result.report.failed.length > 0) continue;
      hasCompared ||= result.hasCompared;
      if (hasCompared && !result.hasMore) {
        expect(result).toMatchObject({ state: 'ok' });
        return;
      }
    }
    throw new Error('no end');
  }

  rows(table: string, select: string): Promise<unknown[][]> {
    return storedRows(test, this.business, table, select);
  }
}

const sorted = (rows: unknown[][]) => rows.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));

/** Faults of every kind, and how many of each there were. */
function countedFaults(random: Random, share: number) {
  const seen = new Map<Fault, number>(FAULTS.map((kind) => [kind, 0]));
  const any = randomFaults(random, share);
  const faults: Faults = (request) => {
    const fault = any(request);
    if (fault !== null) seen.set(fault, (seen.get(fault) ?? 0) + 1);
    return fault;
  };
  return { faults, seen, least: () => Math.min(...seen.values()) };
}

async function openShopify(
  random: Random,
  size: { orders: number; products: number; customers: number },
  controlUrl?: string,
) {
  test = await createTestInstance({
    isOneEngineEnough: true,
    ...(controlUrl === undefined ? {} : { controlUrl }),
  });
  const clock = new Clock('2026-11-22T12:00:00Z');
  const shop = new MadeShop(random, clock);
  shop.fill(size);
  const stub = await startShopifyStub(shop, clock, random);
  const access = stubAccess(clock, {
    settings: { shop: stub.url.replace('http://', ''), clientId: CLIENT.id },
    secrets: { clientSecret: CLIENT.secret },
  });
  // Operations are tried as often as reading page by page.
  const limits = { mostByPages: between(random, 0, 2) * 60, pageOfResult: between(random, 5, 80) };
  const listings = (shopify.listings ?? []).map((listing) =>
    idsOf(listing.table === 'orders' ? ORDERS : CUSTOMERS, listing, limits),
  );
  const store = await Store.connect(reachedBy(shopify, access, listings), clock, random, 'EUR');
  return { clock, shop, stub, access, store, [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose]() };
}

function ofShopify(shop: MadeShop) {
  return [...shop.orders.values()].map((order) => [String(order.id), totalOfShopify(order) / 100]);
}

describe('a store is equal to its vendor, row for row, with deletions that the vendor does not tell', () => {
  it.each(ENGINES)(
    'Shopify, with %s: orders and customers, whatever fails or is killed',
    {
      timeout: 3_600_000,
    },
    async (engine) => {
      const random = seededRandom(31 * engine.length);
      const controlUrl = engine === 'PostgreSQL' ? await (await findPostgres()).createDatabase() : undefined;
      await using opened = await openShopify(
        random,
        { orders: 130, products: 12, customers: 40 },
        controlUrl,
      );
      const { shop, stub, clock, store } = opened;
      stub.failingOperations = 0.3;
      const { faults, seen, least } = countedFaults(random, 0.25);
      stub.faults = faults;
      await store.readAll(undefined, 0.3);
      // Until each kind of failure was there so often: no answer, half of one, 429, 5xx, a page instead of
      // JSON, an ended token, a kill.
      for (let round = 0; round < 2 || Math.min(least(), store.killed) < runs(1); round += 1) {
        stub.beforeAnswer = () => {
          clock.pass(between(random, 0, 2000));
          if (random() < 0.1) shop.change();
        };
        for (const order of shuffled(random, [...shop.orders.values()]).slice(0, 8))
          shop.orders.delete(order.id);
        for (const customer of shuffled(random, [...shop.customers.values()]).slice(0, 3))
          shop.customers.delete(customer.id);
        await store.readAll(round % 3 === 0 ? { mostGone: 1000 } : undefined, 0.3, 0.9);
        clock.pass(3600_000);
      }
      stub.beforeAnswer = () => {};
      clock.pass(60_000);
      await store.readAll({ mostGone: 1000 }, 0.3);
      console.log(`${engine}: ${JSON.stringify({ ...Object.fromEntries(seen), killed: store.killed })}`);
      expect(sorted(await store.rows('orders', 'order_id, cast(total as double)'))).toEqual(
        sorted(ofShopify(shop)),
      );
      const buyers = new Set(
        [...shop.orders.values()].flatMap(({ customer, email }) => [String(customer), email]),
      );
      const profiles = (await store.rows('profiles', 'profile_id')).map(([id]) => String(id));
      for (const id of shop.customers.keys()) expect(profiles).toContain(String(id));
      // Who is gone and bought stays: the orders are there.
      for (const id of profiles)
        if (!shop.customers.has(Number(id)))
          expect(buyers.has(id) || buyers.has(`customer-${id}@shop.example`)).toBe(true);
    },
  );

  it('Shopify: nothing goes that an app may not see any more', async () => {
    const random = seededRandom(5);
    await using opened = await openShopify(random, { orders: 60, products: 3, customers: 5 });
    const { stub, store, shop, clock } = opened;
    await store.readAll(undefined, 0);
    // Only orders of the last 60 days are listed from now on.
    stub.scopes.delete('read_all_orders');
    clock.pass(25 * 3600_000);
    const [first] = shop.customers.keys();
    await store.readAll({ mostGone: 1000 }, 0);
    expect(await store.rows('orders', 'order_id')).toHaveLength(60);
    expect(first).toBeDefined();
  });

  it('WooCommerce: orders deleted for good, and customers', { timeout: 600_000 }, async () => {
    test = await createTestInstance({ isOneEngineEnough: true });
    const random = seededRandom(17);
    const clock = new Clock('2026-11-22T12:00:00Z');
    const site = new MadeSite(random, clock);
    site.fill({ orders: 160, products: 8, customers: 50 });
    await using stub = await startWoocommerceStub(site, random);
    const access = stubAccess(clock, { settings: { url: stub.url }, secrets: KEY });
    const store = await Store.connect(reachedBy(woocommerce, access), clock, random, 'CZK');
    stub.faults = randomFaults(random, 0.05);
    await store.readAll(undefined, 0.3);
    for (let round = 0; round < 3; round += 1) {
      stub.beforeAnswer = () => {
        clock.pass(between(random, 0, 2000));
        if (random() < 0.1) site.change();
      };
      for (const order of shuffled(random, [...site.orders.values()]).slice(0, 12)) site.deleteOrder(order);
      for (const customer of shuffled(random, [...site.customers.values()]).slice(0, 4))
        site.customers.delete(customer.id);
      await store.readAll({ mostGone: null }, 0.3);
      clock.pass(3600_000);
    }
    stub.beforeAnswer = () => {};
    // So that what is read weekly is.
    clock.pass(8 * DAY);
    await store.readAll({ mostGone: null }, 0.3);
    const expected = [...site.orders.values()]
      .filter(({ status }) => status !== 'trash')
      .map((order) => [String(order.id), totalOfWoocommerce(order) / 100]);
    expect(sorted(await store.rows('orders', 'order_id, cast(total as double)'))).toEqual(sorted(expected));
    const buyers = new Set([...site.orders.values()].map(({ customer }) => customer));
    const profiles = (await store.rows('profiles', 'profile_id')).map(([id]) => Number(id));
    for (const id of site.customers.keys()) expect(profiles).toContain(id);
    for (const id of profiles) expect(site.customers.has(id) || buyers.has(id)).toBe(true);
  });
});
