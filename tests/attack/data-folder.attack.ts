import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses.ts';
import { rollBack } from '../../src/ingest/rollback.ts';
import type { Business } from '../../src/model/business.ts';
import { runImport } from '../ingest/command-line.ts';
import { answers, importFiles, SMALL_SHOP, writeFiles } from '../ingest/shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { report } from './report.ts';

const KILLS = 20;
const ORDERS = 20_000;

/** More orders than the small shop has, so that an import takes a second or two. */
function manyOrders(): Record<string, string> {
  const orders = Array.from(
    { length: ORDERS },
    (_, i) => `K${i},2024-0${1 + (i % 9)}-11T10:00:00,mail${i % 5000}@example.com,${i % 100}\n`,
  );
  return { 'orders.csv': `order_id,ordered_at,email,total\n${orders.join('')}` };
}

it('an import that is killed at any moment leaves the store as it was, and nothing else', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  const before = await answers(test, business);
  const servedBefore = await served(test, business);
  const folder = writeFiles(test, manyOrders());
  const whole = performance.now();
  await runImport(test, await test.createBusiness({ currency: 'CZK' }), folder).ended;
  const wholeMs = performance.now() - whole;

  const counts = { kills: 0, 'served before the kill': 0, 'left a folder': 0 };
  let mostFolders = 0;
  for (; counts.kills < KILLS; counts.kills += 1) {
    const { process, ended } = runImport(test, business, folder);
    // Also at the very start and the very end.
    await setTimeout(1.05 * wholeMs * ((counts.kills + Math.random()) / KILLS));
    process.kill('SIGKILL');
    await ended;
    mostFolders = Math.max(mostFolders, folders(test, business).length);
    if ((await served(test, business)) === servedBefore) {
      expect(await answers(test, business)).toEqual(before);
      if (folders(test, business).length > (await listed(test, business)).length)
        counts['left a folder'] += 1;
    } else {
      counts['served before the kill'] += 1;
      expect(await answers(test, business)).toMatchObject([{ orders_count: ORDERS + 3 }, {}, {}, {}]);
      await rollBack(test.instance, business.business_id);
    }
  }
  const { warnings } = await importFiles(test, business, SMALL_SHOP);
  expect(warnings).toEqual([]);
  expect(await answers(test, business)).toEqual(before);
  expect(folders(test, business)).toEqual(await listed(test, business));
  expect(counts['left a folder']).toBeGreaterThan(KILLS / 4);
  report('data folder: kills', { counts, worst: { 'folders at once': mostFolders } });
});

function folders(test: TestInstance, { business_id }: Business): string[] {
  return readdirSync(test.instance.data.snapshots(business_id)).sort();
}

async function listed(test: TestInstance, { business_id }: Business): Promise<string[]> {
  return (await listSnapshots(test.instance.control, business_id))
    .map(({ snapshot_id }) => snapshot_id)
    .sort();
}

async function served(test: TestInstance, { business_id }: Business): Promise<string | undefined> {
  return (await currentSnapshot(test.instance.control, business_id))?.snapshot_id;
}
