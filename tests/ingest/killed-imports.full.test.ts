import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { runImport } from './command-line.ts';
import { answers, importFiles, SMALL_SHOP, writeFiles } from './shop.ts';

let test: TestInstance;
let business: Business;
let folder: string;

/** Enough for an import of a second or two, most of it after the process has started. */
const ORDERS = 60_000;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  const orders = Array.from(
    { length: ORDERS },
    (_, i) => `K${i},2024-0${1 + (i % 9)}-11T10:00:00,mail${i % 5000}@example.com,${i % 100}\n`,
  );
  const items = Array.from({ length: 2 * ORDERS }, (_, i) => `K${i >> 1},P${i % 500},1,${i % 50}\n`);
  folder = writeFiles(test, {
    'orders.csv': `order_id,ordered_at,email,total\n${orders.join('')}`,
    'order_items.csv': `order_id,external_product_id,quantity,unit_price\n${items.join('')}`,
  });
});

afterAll(() => test[Symbol.asyncDispose]());

const folders = () => readdirSync(test.instance.data.snapshots(business.business_id)).sort();

const published = async () =>
  (await listSnapshots(test.instance.control, business.business_id))
    .map(({ snapshot_id }) => snapshot_id)
    .sort();

const served = async () => (await currentSnapshot(test.instance.control, business.business_id))?.snapshot_id;

const KILLS = 12;

it('an import killed at any moment changes nothing, and the next one works', async () => {
  const first = await timed(await test.createBusiness({ currency: 'CZK' }), folder);
  const before = await answers(test, business);
  await killAll(folder, first, ORDERS + 3);

  await importFiles(test, business, SMALL_SHOP);
  expect(await answers(test, business)).toEqual(before);
  expect(folders()).toEqual(await published());

  const { code } = await runImport(test, business, folder).ended;
  expect(code).toBe(0);
  expect(folders()).toEqual(await published());
  expect(await answers(test, business)).toMatchObject([{ orders_count: ORDERS + 3 }, {}, {}, {}]);
});

/** How long an import takes that nobody kills. */
async function timed(into: Business, files: string): Promise<number> {
  const startedAt = performance.now();
  expect((await runImport(test, into, files).ended).code).toBe(0);
  return performance.now() - startedAt;
}

/** Kills imports of the files at moments that are spread over one, and looks at what is served after each. */
async function killAll(files: string, wholeMs: number, ordersAfter: number): Promise<void> {
  const before = await answers(test, business);
  const servedBefore = await served();
  let killed = 0;
  let withLeftovers = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { process, ended } = runImport(test, business, files);
    // Spread over the import, after the half second or so in which a process starts.
    const startMs = Math.min(500, wholeMs / 4);
    await new Promise((resolve) =>
      setTimeout(resolve, startMs + ((0.9 * wholeMs - startMs) * (kill + Math.random())) / KILLS),
    );
    process.kill('SIGKILL');
    await ended;
    // Killed after the one step that serves it, or not at all: then all of it is served, not a part.
    if ((await served()) !== servedBefore) {
      expect(await answers(test, business)).toMatchObject([{ orders_count: ordersAfter }, {}, {}, {}]);
      await rollBack(test.instance, business.business_id);
      continue;
    }
    killed += 1;
    if (folders().length > (await published()).length) withLeftovers += 1;
    expect(await answers(test, business)).toEqual(before);
  }
  // Otherwise the kills came too late or too early to prove anything.
  expect(killed).toBeGreaterThan(KILLS / 2);
  expect(withLeftovers).toBeGreaterThan(KILLS / 3);
}
