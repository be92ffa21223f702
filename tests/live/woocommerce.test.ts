import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/live/vendor.ts';
import { woocommerce } from '../../src/live/vendors/woocommerce/woocommerce.ts';
import { runs } from '../support/runs.ts';
import '../support/seed.ts';
import { killsRandomly, landingsOf } from './stubs/landing.ts';
import { between, type Random, seededRandom } from './stubs/random.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';
import { randomFaults } from './stubs/stub-server.ts';
import { MadeSite, totalOf } from './stubs/woocommerce/made-site.ts';
import { KEY, startWoocommerceStub, type WoocommerceStub } from './stubs/woocommerce/woocommerce-stub.ts';

const DAY = 24 * 3600_000;

async function openSite(
  random: Random,
  size: { orders: number; products: number; customers: number },
  clockBehind = 0,
) {
  const clock = new Clock('2026-11-22T12:00:00Z');
  const ofSite = clock.behind(clockBehind);
  const site = new MadeSite(random, ofSite);
  site.fill(size);
  const stub = await startWoocommerceStub(site, random);
  stub.clock = ofSite;
  const access = stubAccess(clock, { settings: { url: stub.url }, secrets: KEY });
  return {
    clock,
    site,
    stub,
    access,
    ...landingsOf(woocommerce.streams, access, () => clock.pass(60_000)),
    [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
  };
}

interface Order {
  readonly id: number;
  readonly status: string;
  readonly date_modified_gmt: string;
  readonly total: string;
  readonly line_items: readonly { readonly id: number; readonly total: string }[];
}

interface Refund {
  readonly id: number;
  readonly parent_id: number;
  readonly amount: string;
  readonly date_created_gmt: string;
}

/**
 * Gives the body of each order that was changed last, as the importer takes it, and of each refund its own.
 */
function landed(rows: readonly Json[]) {
  const orders = new Map<number, Order>();
  const refunds = new Map<number, unknown>();
  const products = new Map<number, string>();
  for (const row of rows) {
    if ('discount_total' in (row as object)) {
      const order = row as unknown as Order;
      const before = orders.get(order.id);
      if (before === undefined || before.date_modified_gmt <= order.date_modified_gmt)
        orders.set(order.id, order);
    } else if ('refunded_by' in (row as object)) {
      const { id, parent_id, amount, date_created_gmt } = row as unknown as Refund;
      refunds.set(id, [parent_id, Number(amount), date_created_gmt]);
    } else if ('regular_price' in (row as object)) {
      const { id, regular_price } = row as unknown as { id: number; regular_price: string };
      products.set(id, regular_price);
    }
  }
  const inWords = [...orders.values()].map(({ id, status, total, line_items }) => [
    id,
    status === 'trash'
      ? 'trash'
      : { status, total: Number(total), lines: line_items.map((line) => [line.id, Number(line.total)]) },
  ]);
  return { orders: new Map(inWords as [number, unknown][]), refunds, products };
}

function expectSame(site: MadeSite, rows: readonly Json[]): void {
  const { orders, refunds, products } = landed(rows);
  const expected = [...site.orders.values()].map(
    (order) =>
      [
        order.id,
        order.status === 'trash'
          ? 'trash'
          : {
              status: order.status,
              total: totalOf(order) / 100,
              lines: order.lines.map(({ id, total }) => [id, total / 100]),
            },
      ] as const,
  );
  expect(orders).toEqual(new Map(expected));
  const refunded = [...site.orders.values()].filter(({ status }) => status !== 'trash');
  for (const { id: order, refunds: made } of refunded)
    for (const { id, amount, createdAt } of made)
      expect([id, refunds.get(id)]).toEqual([
        id,
        [order, amount / 100, new Date(createdAt).toISOString().slice(0, 19)],
      ]);
  // WooCommerce names no moment of a draft that was never saved again: it is found when all are read from the
  // beginning.
  const findable = [...site.products.values()].filter(
    ({ isDraft, wasSavedAgain }) => !isDraft || wasSavedAgain,
  );
  for (const { variations, id, price } of findable)
    for (const one of [{ id, price }, ...variations])
      expect(products.get(one.id)).toBe((one.price / 100).toFixed(2));
  const customers = rows.flatMap((row) =>
    'username' in (row as object) ? [(row as { id: number }).id] : [],
  );
  expect(new Set(customers)).toEqual(new Set(site.customers.keys()));
}

describe('a shop', () => {
  it('is read with refunds, variations and trash, many orders of one second among them', async () => {
    await using opened = await openSite(seededRandom(1), { orders: 900, products: 30, customers: 120 });
    await opened.readAll();
    expectSame(opened.site, opened.rows());
    // Each order once.
    const orders = opened.rows().filter((row) => 'discount_total' in (row as object));
    expect(orders.length).toBeLessThan(900 * 1.3);
  });

  it('is read in the end with changes while it is read, faults and killed runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 31 }), async (seed) => {
        const random = seededRandom(seed);
        const size = {
          orders: between(random, 0, 400),
          products: between(random, 0, 20),
          customers: between(random, 0, 150),
        };
        await using opened = await openSite(random, size, random() < 0.5 ? 0 : between(random, 0, 3600_000));
        const { site, stub, clock } = opened;
        site.seenLate = 40;
        stub.faults = randomFaults(random, random() * 0.3);
        // A run in a slow shop lasts longer than what is saved is seen late.
        const slowest = random() < 0.5 ? 2500 : 50_000;
        stub.beforeAnswer = () => {
          clock.pass(between(random, 0, slowest));
          if (random() < 0.3) site.change();
        };
        const killed = killsRandomly(random, random() * 0.2);
        for (let round = 0; round < 3; round += 1) {
          await opened.readAll(killed);
          clock.pass(between(random, 0, 3600_000));
        }
        stub.beforeAnswer = () => {};
        // So that all that is read once a day is.
        clock.pass(DAY + 60_000);
        await opened.readAll(killed);
        expectSame(site, opened.rows());
      }),
      { numRuns: runs(3) },
    );
  });

  it('is read again where it was saved late, when the pages that were read were past it', async () => {
    await using opened = await openSite(seededRandom(7), { orders: 0, products: 0, customers: 0 });
    const { site, stub, clock, access, landings } = opened;
    for (let count = 0; count < 230; count += 1) site.addOrder(clock.now().getTime() - 60 * DAY);
    await opened.readAll();
    clock.pass(DAY);
    const [late, ...others] = site.orders.values();
    if (late === undefined) throw new Error('no order');
    const save = (orders: typeof others, before = 0) => {
      for (const order of orders) order.modifiedAt = clock.now().getTime() - before;
    };
    // Before each page: all others are saved, and again; then one is seen that was saved before; and a minute
    // later a new one comes.
    const meanwhile = [
      () => save(others),
      () => save(others),
      () => {
        late.status = 'cancelled';
        save([late], 30_000);
      },
      () => {
        clock.pass(60_000);
        site.addOrder();
      },
    ];
    stub.beforeAnswer = () => {
      clock.pass(20_000);
      meanwhile.shift()?.();
    };
    for (const { stream, landing } of landings)
      if (stream.name === 'orders') await landing.runToEnd(stream, access);
    expect(meanwhile).toEqual([]);
    stub.beforeAnswer = () => {};
    clock.pass(DAY);
    await opened.readAll();
    expectSame(site, opened.rows());
  });

  it('has its refunds within a week when it is older than their list, or when its orders do not name them', async () => {
    await using opened = await openSite(seededRandom(2), { orders: 20, products: 2, customers: 2 });
    const { site, stub, clock } = opened;
    stub.hasRefunds = false;
    await opened.readAll();
    const order = site.addOrder();
    clock.pass(120_000);
    await opened.readAll();
    // The order does not say that it was changed.
    site.refund(order, false);
    clock.pass(7 * DAY);
    await opened.readAll();
    expectSame(site, opened.rows());
    stub.hasRefunds = true;
    stub.namesRefunds = false;
    site.refund(order, false);
    clock.pass(120_000);
    await opened.readAll();
    expectSame(site, opened.rows());
  });

  it('a shop with drafts, which have no moment in UTC, is read with all that it sells', async () => {
    await using opened = await openSite(seededRandom(6), { orders: 5, products: 0, customers: 2 });
    const { site, clock, readAll, rows } = opened;
    const old = clock.now().getTime() - 500 * DAY;
    for (let count = 0; count < 250; count += 1) site.addProduct(old + count * 1000, true);
    for (let count = 0; count < 150; count += 1) site.addProduct(old + DAY + count * 1000, false);
    await readAll();
    expectSame(site, rows());
    site.addProduct(clock.now().getTime(), true);
    clock.pass(7 * DAY);
    await readAll();
    clock.pass(15 * 60_000);
    const before = rows().length;
    await readAll();
    expect(rows().length).toBe(before);
  });

  it('brings nothing where nothing changed, and prices of variations within a week', async () => {
    await using opened = await openSite(seededRandom(3), { orders: 30, products: 10, customers: 3 });
    const { site, clock, readAll, rows, stub } = opened;
    await readAll();
    const before = rows().length;
    clock.pass(15 * 60_000);
    const asked = stub.asked.length;
    await readAll();
    expect(rows().length).toBe(before);
    expect(stub.asked.length - asked).toBeLessThan(15);
    for (const { variations } of site.products.values())
      for (const variation of variations) variation.price += 100;
    clock.pass(7 * DAY);
    await readAll();
    expectSame(site, rows());
  });
});

it('lists that are read once a day are not put off for a year by a clock that was a year ahead', async () => {
  await using opened = await openSite(seededRandom(3), { orders: 3, products: 2, customers: 3 });
  const { site, stub, clock } = opened;
  const ahead = new Clock('2027-11-22T12:00:00Z');
  const wrong = stubAccess(ahead, { settings: { url: stub.url }, secrets: KEY });
  const { readAll, landings } = landingsOf(woocommerce.streams, wrong, () => {});
  await readAll();
  ahead.pass(15 * 60_000);
  await readAll();
  for (const { variations } of site.products.values())
    for (const variation of variations) variation.price += 100;
  const id = 9000;
  site.customers.set(id, { ...[...site.customers.values()][0], id } as never);
  clock.pass(7 * DAY);
  for (const { stream, landing } of landings) await landing.runToEnd(stream, opened.access);
  expectSame(
    site,
    landings.flatMap(({ landing }) => landing.rows),
  );
});

it('a shop that answers every page with the first one is told so, and not read for ever', async () => {
  await using opened = await openSite(seededRandom(3), { orders: 130, products: 2, customers: 130 });
  const { access, stub } = opened;
  const fetch: typeof access.fetch = (request) => {
    const url = new URL(request.url);
    url.searchParams.delete('page');
    expect(stub.asked.length).toBeLessThan(50);
    return access.fetch(new Request(url, request));
  };
  const { landings } = landingsOf(woocommerce.streams, { ...access, fetch }, () => {});
  const customers = landings.find(({ stream }) => stream.name === 'customers');
  if (customers === undefined) throw new Error('there is no such stream');
  expect(await customers.landing.run(customers.stream, { ...access, fetch })).toBe(false);
  expect(customers.landing.failures).toMatchObject([{ state: 'bad_answer' }]);
  const listAll = async () => {
    for await (const page of woocommerce.listings?.[0]?.list({ ...access, fetch }, null) ?? [])
      expect(page.ids.length).toBeGreaterThan(0);
  };
  await expect(listAll()).rejects.toMatchObject({ state: 'bad_answer' });
});

describe('a failure', () => {
  async function stateOf(prepare: (stub: WoocommerceStub) => Record<string, string>) {
    await using opened = await openSite(seededRandom(4), { orders: 1, products: 1, customers: 1 });
    const { clock, stub } = opened;
    const secrets = { ...KEY, ...prepare(stub) };
    return await woocommerce.check(stubAccess(clock, { settings: { url: stub.url }, secrets })).then(
      (check) => check,
      (error) => [error.state, error.message],
    );
  }

  it('says what to do about the key or its permission', async () => {
    expect(await stateOf(() => ({ consumerSecret: 'cs_wrong' }))).toEqual([
      'unauthorized',
      expect.stringContaining('Make a new one'),
    ]);
    expect(
      await stateOf((stub) => {
        stub.denied.add('customers');
        return {};
      }),
    ).toEqual({
      account: 'Made site',
      missing: [{ scope: 'read access to wc/v3/customers', costs: 'no customers who never bought' }],
    });
    expect(
      await stateOf((stub) => {
        for (const list of ['customers', 'orders', 'products']) stub.denied.add(list);
        return {};
      }),
    ).toEqual(['missing_scope', expect.stringContaining('shop manager')]);
  });

  it('finds out that the address is wrong', async () => {
    await using opened = await openSite(seededRandom(5), { orders: 1, products: 1, customers: 1 });
    const elsewhere = stubAccess(opened.clock, {
      settings: { url: `${opened.stub.url}/blog` },
      secrets: KEY,
    });
    await expect(woocommerce.check(elsewhere)).rejects.toMatchObject({ state: 'api_changed' });
    for (const url of [
      'http://shop.example',
      'https://key:secret@shop.example',
      'https://shop.example/?a=1',
      'shop.example',
    ])
      expect(woocommerce.settings.safeParse({ url }).success).toBe(false);
    expect(woocommerce.settings.safeParse({ url: 'https://shop.example/store' }).success).toBe(true);
  });
});
