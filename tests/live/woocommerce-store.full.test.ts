import { afterAll, expect, it } from 'vitest';
import { woocommerce } from '../../src/live/vendors/woocommerce/woocommerce.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { importRows, ordersOf } from './stubs/imported.ts';
import { killsRandomly, Landing } from './stubs/landing.ts';
import { between, seededRandom } from './stubs/random.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';
import { randomFaults } from './stubs/stub-server.ts';
import { MadeSite, totalOf } from './stubs/woocommerce/made-site.ts';
import { KEY, startWoocommerceStub } from './stubs/woocommerce/woocommerce-stub.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

/** Counts in plain TypeScript what the shop has. */
function counted(site: MadeSite) {
  const valid = [...site.orders.values()].filter(({ status }) =>
    ['processing', 'completed', 'on-hold'].includes(status),
  );
  return {
    orders: valid.length,
    revenue: valid.reduce((sum, order) => sum + totalOf(order), 0) / 100,
  };
}

it('a store has the orders and the revenue of the shop', { timeout: 300_000 }, async () => {
  const random = seededRandom(21);
  const clock = new Clock('2026-11-22T12:00:00Z');
  const site = new MadeSite(random, clock);
  site.fill({ orders: 500, products: 20, customers: 40 });
  await using stub = await startWoocommerceStub(site, random);
  const access = stubAccess(clock, { settings: { url: stub.url }, secrets: KEY });
  stub.faults = randomFaults(random, 0.1);
  const business = await test.createBusiness({ currency: 'CZK', timezone: 'Europe/Prague' });
  const landings = woocommerce.streams.map((stream) => ({ stream, landing: new Landing(), imported: 0 }));
  for (let round = 0; round < 4; round += 1) {
    const isLast = round === 3;
    for (let change = 0; change < 25 * round && !isLast; change += 1) site.change();
    stub.beforeAnswer = () => {
      clock.pass(between(random, 0, 2000));
      if (round > 0 && !isLast && random() < 0.3) site.change();
    };
    clock.pass(120_000);
    for (const { stream, landing } of landings)
      await landing.runToEnd(stream, access, () => clock.pass(60_000), killsRandomly(random, 0.1));
    // All streams of a run are imported together, or not: as it comes.
    const rows = landings.flatMap((each) => each.landing.rows.slice(each.imported));
    for (const each of landings) each.imported = each.landing.rows.length;
    const report = await importRows(test, business, rows);
    if (report !== null) expect(report.rejects_file).toBeNull();
  }
  const expected = counted(site);
  expect(await ordersOf(test, business)).toEqual({
    orders: expected.orders,
    revenue: expect.closeTo(expected.revenue, 2),
  });
});
