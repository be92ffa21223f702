import { afterAll, expect, it } from 'vitest';
import { shopify } from '../../src/live/vendors/shopify/shopify.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { importRows, ordersOf } from './stubs/imported.ts';
import { killsRandomly, Landing } from './stubs/landing.ts';
import { between, seededRandom } from './stubs/random.ts';
import { MadeShop, totalOf } from './stubs/shopify/made-shop.ts';
import { CLIENT, startShopifyStub } from './stubs/shopify/shopify-stub.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';
import { randomFaults } from './stubs/stub-server.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

/** Counts in plain TypeScript what the shop has. */
function counted(shop: MadeShop) {
  const valid = [...shop.orders.values()].filter((order) => order.cancelledAt === null && !order.test);
  return { orders: valid.length, revenue: valid.reduce((sum, order) => sum + totalOf(order), 0) / 100 };
}

it('a store has the orders and the revenue of the shop that it is connected to', {
  timeout: 120_000,
}, async () => {
  const random = seededRandom(11);
  const clock = new Clock('2026-11-22T12:00:00Z');
  const shop = new MadeShop(random, clock);
  shop.fill({ orders: 560, products: 30, customers: 60 });
  await using stub = await startShopifyStub(shop, clock, random);
  const access = stubAccess(clock, {
    settings: { shop: stub.url.replace('http://', ''), clientId: CLIENT.id },
    secrets: { clientSecret: CLIENT.secret },
  });
  stub.faults = randomFaults(random, 0.1);
  stub.failingOperations = 0.3;
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
  const landings = shopify.streams.map((stream) => ({ stream, landing: new Landing(), imported: 0 }));
  for (let round = 0; round < 2; round += 1) {
    for (let change = 0; change < 40 * round; change += 1) shop.change();
    stub.beforeAnswer = () => {
      clock.pass(between(random, 0, 2000));
      if (round > 0 && random() < 0.5) shop.change();
    };
    for (const each of landings) {
      await each.landing.runToEnd(each.stream, access, () => clock.pass(60_000), killsRandomly(random, 0.1));
      const report = await importRows(test, business, each.landing.rows.slice(each.imported));
      each.imported = each.landing.rows.length;
      if (report !== null) expect(report.rejects_file).toBeNull();
    }
  }
  stub.beforeAnswer = () => {};
  clock.pass(60_000);
  for (const { stream, landing, imported } of landings) {
    await landing.runToEnd(stream, access, () => clock.pass(60_000));
    await importRows(test, business, landing.rows.slice(imported));
  }
  const landed = new Set(
    landings.flatMap(({ landing }) => landing.rows.map((row) => (row as { id: string }).id)),
  );
  const deleted = [...landed]
    .filter((id) => id.includes('/Order/'))
    .map((id) => id.replace(/.*\//, ''))
    .filter((id) => !shop.orders.has(Number(id)));
  expect(deleted.length).toBeGreaterThan(0);
  await importRows(
    test,
    business,
    [],
    deleted.map((order_id) => ({ table: 'orders', key: { order_id } })),
  );
  expect(await ordersOf(test, business)).toEqual({
    orders: counted(shop).orders,
    revenue: expect.closeTo(counted(shop).revenue, 2),
  });
});
