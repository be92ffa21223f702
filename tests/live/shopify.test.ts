import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/live/vendor.ts';
import { changesOf, type Limits } from '../../src/live/vendors/shopify/changes.ts';
import { idsOf } from '../../src/live/vendors/shopify/ids.ts';
import { CUSTOMERS, ORDERS, PRODUCTS } from '../../src/live/vendors/shopify/resources.ts';
import { shopify } from '../../src/live/vendors/shopify/shopify.ts';
import { runs } from '../support/runs.ts';
import '../support/seed.ts';
import { killsRandomly, Landing } from './stubs/landing.ts';
import { between, type Random, seededRandom } from './stubs/random.ts';
import { linesOf, MadeShop, totalOf } from './stubs/shopify/made-shop.ts';
import { CLIENT, type ShopifyStub, startShopifyStub } from './stubs/shopify/shopify-stub.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';
import { type Fault, randomFaults } from './stubs/stub-server.ts';

const KINDS = ['products', 'orders', 'customers'] as const;

type Kind = (typeof KINDS)[number];

/** What a shop is read into, by kind. */
type Landings = Record<Kind, Landing>;

function newLandings(): Landings {
  return { products: new Landing(), orders: new Landing(), customers: new Landing() };
}

const RESOURCES = { products: PRODUCTS, orders: ORDERS, customers: CUSTOMERS };

const stream = (kind: Kind) => {
  const found = shopify.streams.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(`no stream ${kind}`);
  return found;
};

async function openShop(
  random: Random,
  size: { orders: number; products: number; customers: number },
  clockBehind = 0,
) {
  const clock = new Clock('2026-11-22T12:00:00Z');
  const ofShop = clock.behind(clockBehind);
  const shop = new MadeShop(random, ofShop);
  shop.fill(size);
  const stub = await startShopifyStub(shop, ofShop, random);
  stub.clock = ofShop;
  const access = stubAccess(clock, {
    settings: { shop: stub.url.replace('http://', ''), clientId: CLIENT.id },
    secrets: { clientSecret: CLIENT.secret },
  });
  return { clock, shop, stub, access, [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose]() };
}

/** Gives for each id the row that was landed last, in few words. */
function landed(rows: readonly Json[], words: (row: never) => unknown): Map<string, unknown> {
  return new Map(rows.map((row) => [(row as { id: string }).id, words(row as never)]));
}

interface GraphqlOrder {
  readonly updatedAt: string;
  readonly cancelledAt: string | null;
  readonly totalPriceSet: { readonly shopMoney: { readonly amount: string } };
  readonly subtotalPriceSet: { readonly shopMoney: { readonly amount: string } };
  readonly lineItems: { readonly nodes: readonly { readonly id: string; readonly quantity: number }[] };
  readonly refunds: readonly {
    readonly id: string;
    readonly refundLineItems: { readonly nodes: readonly { readonly lineItem: { readonly id: string } }[] };
  }[];
}

const number = (id: string) => Number(id.split('/').at(-1));

const orderInWords = (order: GraphqlOrder) => ({
  updatedAt: Date.parse(order.updatedAt),
  isCancelled: order.cancelledAt !== null,
  total: Number(order.totalPriceSet.shopMoney.amount),
  lines: Number(order.subtotalPriceSet.shopMoney.amount),
  // Those of a bulk operation are in no order.
  items: order.lineItems.nodes.map(({ id, quantity }) => [number(id), quantity]).sort(),
  refunds: order.refunds.map(({ id, refundLineItems: { nodes } }) => [
    number(id),
    nodes.map(({ lineItem }) => number(lineItem.id)),
  ]),
});

function ordersOf({ orders }: MadeShop): Map<string, unknown> {
  return new Map(
    [...orders.values()].map((order) => [
      `gid://shopify/Order/${order.id}`,
      {
        updatedAt: order.updatedAt,
        isCancelled: order.cancelledAt !== null,
        total: totalOf(order) / 100,
        lines: linesOf(order) / 100,
        items: order.lines.map(({ id, quantity }) => [id, quantity]).sort(),
        refunds: order.refunds.map(({ id, lines }) => [id, lines.map(({ line }) => line)]),
      },
    ]),
  );
}

const productInWords = ({ variants }: { variants: { nodes: { sku: string; price: string }[] } }) =>
  variants.nodes.map(({ sku, price }) => [sku, Number(price)]).sort();

const productsOf = ({ products }: MadeShop) =>
  new Map(
    [...products.values()].map(({ id, variants }) => [
      `gid://shopify/Product/${id}`,
      variants.map(({ sku, price }) => [sku, price / 100]).sort(),
    ]),
  );

const customerInWords = ({ defaultEmailAddress }: { defaultEmailAddress: { marketingState: string } }) =>
  defaultEmailAddress.marketingState;

const customersOf = ({ customers }: MadeShop) =>
  new Map([...customers.values()].map(({ id, state }) => [`gid://shopify/Customer/${id}`, state]));

/** Row for row, but for what was deleted, which only a comparison of ids finds. */
function expectSame(shop: MadeShop, landings: Landings, kinds: readonly Kind[] = KINDS): void {
  const orders = landed(landings.orders.rows, orderInWords);
  for (const id of orders.keys()) if (!shop.orders.has(number(id))) orders.delete(id);
  expect(orders).toEqual(ordersOf(shop));
  if (kinds !== KINDS) return;
  expect(landed(landings.products.rows, productInWords)).toEqual(productsOf(shop));
  expect(landed(landings.customers.rows, customerInWords)).toEqual(customersOf(shop));
}

async function readAll(
  { stub, access, clock }: { stub: ShopifyStub; access: ReturnType<typeof stubAccess>; clock: Clock },
  landings: Landings,
  killed?: () => boolean,
  limits?: Limits,
): Promise<void> {
  for (const kind of KINDS) {
    const read = limits === undefined ? stream(kind) : changesOf(RESOURCES[kind], limits);
    await landings[kind].runToEnd(read, access, () => clock.pass(60_000), killed);
  }
  expect(stub.asked.length).toBeGreaterThan(0);
}

describe('a shop that is read for the first time', () => {
  it('comes by a bulk operation with children anywhere, or page by page where it is small', async () => {
    const random = seededRandom(1);
    await using opened = await openShop(random, { orders: 700, products: 60, customers: 80 });
    const landings = newLandings();
    await readAll(opened, landings);
    expectSame(opened.shop, landings);
    // Orders alone are many enough.
    expect(opened.stub.operations.map(({ status }) => status)).toEqual(['COMPLETED']);
  });

  it('is read in parts where it is large', async () => {
    const random = seededRandom(2);
    await using opened = await openShop(random, { orders: 700, products: 1, customers: 1 });
    const landing = new Landing();
    await landing.runToEnd(
      changesOf(ORDERS, { mostByPages: 20, mostByOperation: 300, pageOfResult: 40, bytesOfPart: 60_000 }),
      opened.access,
    );
    expectSame(opened.shop, { ...newLandings(), orders: landing }, ['orders']);
    expect(opened.stub.operations.length).toBeGreaterThan(2);
    const sizes = opened.stub.operations.map(({ roots }) => roots);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(300);
    // A result of more bytes than are held is read more than once.
    const downloads = opened.stub.asked.filter((asked) => asked.startsWith('GET /storage/'));
    expect(downloads.length).toBeGreaterThan(opened.stub.operations.length);
  });

  it('is read on behind more changes of one minute than an operation should have', async () => {
    await using opened = await openShop(seededRandom(11), { orders: 200, products: 1, customers: 1 });
    const at = opened.clock.now().getTime() - 24 * 3600_000;
    for (const [index, order] of [...opened.shop.orders.values()].entries()) {
      order.updatedAt = at + (index % 45) * 1000;
      order.index = { updatedAt: order.updatedAt, knownFrom: 0 };
    }
    const landing = new Landing();
    const limits = { mostByPages: 20, mostByOperation: 50, pageOfResult: 40, bytesOfPart: 2 ** 26 };
    for (let run = 0; run < 3; run += 1) await landing.runToEnd(changesOf(ORDERS, limits), opened.access);
    expectSame(opened.shop, { ...newLandings(), orders: landing }, ['orders']);
    expect(opened.stub.operations.length).toBeLessThan(10);
  }, 20_000);

  it('may be empty', async () => {
    await using opened = await openShop(seededRandom(3), { orders: 0, products: 0, customers: 0 });
    const landings = newLandings();
    await readAll(opened, landings);
    expect(landings.orders.rows).toEqual([]);
    opened.shop.addOrder();
    opened.clock.pass(60_000);
    await readAll(opened, landings);
    expectSame(opened.shop, landings);
  });
});

describe('a change after the first reading', () => {
  it('is landed once, and a run that finds nothing lands nothing', async () => {
    const random = seededRandom(4);
    await using opened = await openShop(random, { orders: 30, products: 5, customers: 5 });
    const { shop, clock } = opened;
    const landings = newLandings();
    await readAll(opened, landings);
    for (let change = 0; change < 30; change += 1) shop.change();
    clock.pass(60_000);
    await readAll(opened, landings);
    expectSame(shop, landings);
    const rows = KINDS.map((kind) => landings[kind].rows.length);
    clock.pass(15 * 60_000);
    await readAll(opened, landings);
    expect(KINDS.map((kind) => landings[kind].rows.length)).toEqual(rows);
  });

  it('is found where a second has two changes, of which the first was read', async () => {
    await using opened = await openShop(seededRandom(5), { orders: 3, products: 1, customers: 1 });
    const { shop, clock } = opened;
    const landings = newLandings();
    const [order] = shop.orders.values();
    if (order === undefined) throw new Error('no order');
    const change = (status: 'FULFILLED' | 'UNFULFILLED') => {
      order.fulfillmentStatus = status;
      order.updatedAt = clock.now().getTime();
      order.index = { updatedAt: order.updatedAt, knownFrom: 0 };
    };
    change('UNFULFILLED');
    await readAll(opened, landings);
    change('FULFILLED');
    const before = landings.orders.rows.length;
    await readAll(opened, landings);
    expect(landings.orders.rows.length).toBe(before + 1);
    expect(landings.orders.rows.at(-1)).toMatchObject({ displayFulfillmentStatus: 'FULFILLED' });
  });

  it('is found while the clock of this server is days ahead', async () => {
    const size = { orders: 150, products: 1, customers: 1 };
    await using opened = await openShop(seededRandom(5), size, 3 * 24 * 3600_000);
    const { shop, clock, stub } = opened;
    const landings = newLandings();
    await readAll(opened, landings);
    expect(stub.operations).toHaveLength(1);
    for (let change = 0; change < 10; change += 1) shop.change();
    clock.pass(60_000);
    await readAll(opened, landings);
    expectSame(shop, landings);
  });

  it('is found where the shop told it when the pages that were read were past it', async () => {
    await using opened = await openShop(seededRandom(5), { orders: 32, products: 1, customers: 1 });
    const { shop, clock, stub } = opened;
    const landings = newLandings();
    await readAll(opened, landings);
    clock.pass(3600_000);
    const [late, ...others] = shop.orders.values();
    if (late === undefined) throw new Error('no order');
    const change = (order: typeof late, toldAfter = 0) => {
      order.fulfillmentStatus = 'FULFILLED';
      order.updatedAt = clock.now().getTime();
      order.index = { updatedAt: null, knownFrom: order.updatedAt + toldAfter };
    };
    for (const order of others) change(order);
    // These come with the pages behind the first: one order is changed that is told 50 s later, then all
    // others, then one of them once more.
    const meanwhile = [
      () => change(late, 50_000),
      () => others.map((order) => change(order)),
      ...[() => {}, () => {}],
      () => others.slice(0, 1).map((order) => change(order)),
    ];
    const before = landings.orders.rows.length;
    stub.beforeAnswer = () => {
      clock.pass(20_000);
      if (landings.orders.rows.length > before) meanwhile.shift()?.();
    };
    await landings.orders.runToEnd(stream('orders'), opened.access);
    stub.beforeAnswer = () => {};
    clock.pass(3600_000);
    await readAll(opened, landings);
    expectSame(shop, landings);
  });

  it('comes in the end with changes while it is read, faults and killed runs of any kind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 31 }), async (seed) => {
        const random = seededRandom(seed);
        const size = {
          orders: between(random, 0, 150),
          products: between(random, 0, 30),
          customers: between(random, 0, 30),
        };
        const limits = {
          mostByPages: between(random, 1, 200),
          mostByOperation: between(random, 20, 200),
          bytesOfPart: between(random, 3000, 100_000),
          pageOfResult: between(random, 1, 60),
        };
        await using opened = await openShop(random, size, random() < 0.5 ? 0 : between(random, 0, 3600_000));
        const { shop, stub, clock } = opened;
        stub.failingOperations = random() * 0.7;
        stub.faults = randomFaults(random, random() * 0.35);
        // A walk over pages of a slow shop lasts longer than the index of the shop is late.
        const slowest = random() < 0.5 ? 3000 : 50_000;
        stub.beforeAnswer = () => {
          clock.pass(between(random, 0, slowest));
          if (random() < 0.3) shop.change();
        };
        const landings = newLandings();
        const killed = killsRandomly(random, random() * 0.2);
        for (let round = 0; round < 3; round += 1) {
          await readAll(opened, landings, killed, limits);
          clock.pass(between(random, 0, 3600_000));
        }
        // The last changes, and the index has to know of them.
        stub.beforeAnswer = () => {};
        clock.pass(60_000);
        await readAll(opened, landings, killed, limits);
        expectSame(shop, landings);
      }),
      { numRuns: runs(3) },
    );
  });
});

describe('a failure of the vendor', () => {
  const CASES: readonly (readonly [Fault, string])[] = [
    ['drop', 'vendor_down'],
    ['hang', 'vendor_down'],
    ['503', 'vendor_down'],
    ['html', 'bad_answer'],
    ['cut', 'bad_answer'],
    ['429', 'quota'],
  ];
  it.each(CASES)('%s is %s where it lasts', async (fault, state) => {
    await using opened = await openShop(seededRandom(6), { orders: 1, products: 1, customers: 1 });
    opened.stub.faults = () => fault;
    await expect(shopify.check(opened.access)).rejects.toMatchObject({ name: 'VendorError', state });
  });

  it('is told by the secret, the domain, the scopes', async () => {
    await using opened = await openShop(seededRandom(7), { orders: 1, products: 1, customers: 1 });
    const { stub, clock, access } = opened;
    const wrong = stubAccess(clock, {
      settings: access.settings as Record<string, string>,
      secrets: { clientSecret: 'wrong' },
    });
    await expect(shopify.check(wrong)).rejects.toMatchObject({ state: 'unauthorized' });
    const old = stubAccess(clock, {
      settings: { shop: access.settings.shop ?? '' },
      secrets: { accessToken: 'shpat_gone' },
    });
    await expect(shopify.check(old)).rejects.toMatchObject({ state: 'unauthorized' });
    stub.scopes = new Set(['read_products']);
    const landing = new Landing();
    expect(await landing.run(stream('orders'), access)).toBe(false);
    expect(landing.failures[0]).toMatchObject({
      state: 'missing_scope',
      message: expect.stringContaining('read_orders'),
    });
  });

  it('is not told where a token ends after a day', async () => {
    await using opened = await openShop(seededRandom(8), { orders: 5, products: 1, customers: 1 });
    const landings = newLandings();
    await readAll(opened, landings);
    opened.clock.pass(25 * 3600_000);
    opened.shop.addOrder();
    opened.clock.pass(60_000);
    await readAll(opened, landings);
    expectSame(opened.shop, landings);
    expect(opened.stub.asked.filter((asked) => asked.includes('access_token'))).toHaveLength(2);
  });
});

describe('scopes', () => {
  it('are told with what they cost when they are missing, and what may be read is read', async () => {
    await using opened = await openShop(seededRandom(9), { orders: 40, products: 3, customers: 3 });
    const { stub, access, shop } = opened;
    expect(await shopify.check(access)).toEqual({
      ...{ account: 'Made shop', accountId: 'gid://shopify/Shop/1', missing: [] },
    });
    stub.scopes = new Set(['read_orders', 'read_products', 'read_customers']);
    for (const field of ['Order.email', 'Order.shippingAddress', 'Customer.defaultEmailAddress'])
      stub.deniedFields.add(field);
    const { missing } = await shopify.check(access);
    expect(missing.map(({ scope, costs }) => `${scope}: ${costs}`)).toEqual([
      'read_inventory (inventoryItem): no purchase prices, so no margins',
      'protected customer data (email): buyers without an account are nobody: no repeat purchases of theirs',
      'protected customer data (shippingAddress): no countries of orders',
      'protected customer data (defaultEmailAddress): no e-mail consents, and customers are not recognised by their e-mail',
      'read_all_orders: only orders of the last 60 days',
    ]);
    const landing = new Landing();
    await landing.runToEnd(stream('orders'), access);
    const recent = [...shop.orders.values()].filter(
      ({ createdAt }) => createdAt > Date.parse('2026-09-23T13:00:00Z'),
    );
    expect(landing.rows).toHaveLength(recent.length);
    expect(JSON.stringify(landing.rows)).not.toContain('email');
  });

  it('bring what was read without them when they are given later: older orders, and the buyers of all', async () => {
    await using opened = await openShop(seededRandom(9), { orders: 140, products: 1, customers: 1 });
    const { stub, access, shop, clock } = opened;
    const all = new Set(stub.scopes);
    const landing = new Landing();
    const orders = stream('orders');
    const read = async () => {
      clock.pass(15 * 60_000);
      await landing.runToEnd(orders, access);
    };
    stub.scopes = new Set(['read_orders', 'read_products', 'read_customers']);
    stub.deniedFields.add('Order.email');
    await read();
    await read();
    const before = landing.rows.length;
    expect(before).toBeLessThan(shop.orders.size);
    stub.scopes = all;
    await read();
    expectSame(shop, { ...newLandings(), orders: landing }, ['orders']);
    expect(JSON.stringify(landing.rows)).not.toContain('email');
    stub.deniedFields.clear();
    await read();
    const emails = landed(landing.rows, ({ email }: { email?: string | null }) => email !== undefined);
    expect([...emails.values()].every(Boolean)).toBe(true);
    // What was taken away for a while is made up for, too.
    stub.deniedFields.add('Order.email');
    await read();
    const [order] = shop.orders.values();
    Object.assign(order ?? {}, { updatedAt: clock.now().getTime(), fulfillmentStatus: 'FULFILLED' });
    Object.assign(order ?? {}, { index: { updatedAt: clock.now().getTime(), knownFrom: 0 } });
    await read();
    expect(landing.rows.at(-1)).not.toHaveProperty('email');
    stub.deniedFields.clear();
    await read();
    const again = landed(landing.rows, ({ email }: { email?: string | null }) => email !== undefined);
    expect([...again.values()].every(Boolean)).toBe(true);
    // And once is enough.
    const rows = landing.rows.length;
    await read();
    await read();
    expect(landing.rows).toHaveLength(rows);
  });
});

it('asks nothing that costs more than the shop allows, and waits where it is throttled', async () => {
  const random = seededRandom(10);
  await using opened = await openShop(random, { orders: 300, products: 100, customers: 50 });
  const started = opened.clock.now().getTime();
  const landings = newLandings();
  const limits = { mostByPages: 1000, mostByOperation: 1000, pageOfResult: 250, bytesOfPart: 2 ** 26 };
  await readAll(opened, landings, undefined, limits);
  expectSame(opened.shop, landings);
  // The points of the requests are more than the bucket has.
  expect(opened.clock.now().getTime() - started).toBeGreaterThan(10_000);
});

describe('a list of ids that an operation makes', () => {
  const listing = idsOf(
    ORDERS,
    { name: 'order-ids', table: 'orders', column: 'order_id' },
    { mostByPages: 0, pageOfResult: 10 },
  );

  it('goes on in each turn where the one before it stopped, and lists no id again', async () => {
    await using opened = await openShop(seededRandom(8), { orders: 45, products: 3, customers: 5 });
    const { access, shop, clock } = opened;
    const listed: string[] = [];
    let cursor: Json = null;
    for (let turn = 0, isDone = false; !isDone; turn += 1) {
      expect(turn).toBeLessThan(100);
      isDone = true;
      for await (const page of listing.list(access, cursor)) {
        cursor = JSON.parse(JSON.stringify(page.cursor));
        listed.push(...page.ids);
        if (page.ids.length === 0) continue;
        isDone = false;
        break;
      }
      clock.pass(60_000);
    }
    expect(listed.toSorted()).toEqual([...shop.orders.keys()].map(String).toSorted());
  });

  it('is made anew where its result is not there any more', async () => {
    await using opened = await openShop(seededRandom(9), { orders: 45, products: 3, customers: 5 });
    const { access, shop, clock } = opened;
    let cursor: Json = null;
    for await (const page of listing.list(access, null)) {
      cursor = JSON.parse(JSON.stringify(page.cursor));
      if (page.ids.length > 0) break;
    }
    clock.pass(8 * 24 * 3600_000);
    const listed: string[] = [];
    for await (const page of listing.list(access, cursor)) listed.push(...page.ids);
    expect(listed.toSorted()).toEqual([...shop.orders.keys()].map(String).toSorted());
  });
});
