import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { partFile } from '../../src/snapshot/canonical-parts.ts';
import { lockBusiness } from '../../src/snapshot/lock-business.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { answers, importFiles, SMALL_SHOP, storedRows } from './shop.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
let business: Business;

afterAll(() => test[Symbol.asyncDispose]());

beforeEach(async () => {
  business = await test.createBusiness({ currency: 'CZK' });
});

const order = (id: string) => ({ 'orders.csv': `order_id,ordered_at,total\n${id},2024-06-01,1\n` });
const loadedOrders = async () => (await storedRows(test, business, 'orders', 'order_id')).flat();
const served = async () => (await currentSnapshot(test.instance.control, business.business_id))?.snapshot_id;
const kept = async () =>
  (await listSnapshots(test.instance.control, business.business_id)).map(({ snapshot_id }) => snapshot_id);
const back = (to?: string) => rollBack(test.instance, business.business_id, to);

it('a rollback brings the answers of before back, and forth again', async () => {
  await importFiles(test, business, SMALL_SHOP);
  const first = { answers: await answers(test, business), snapshot: await served() };
  await importFiles(test, business, order('B1'));
  const second = { answers: await answers(test, business), snapshot: await served() };
  expect(second.answers).not.toEqual(first.answers);
  expect(await back()).toBe(first.snapshot);
  expect(await answers(test, business)).toEqual(first.answers);
  expect(await back(second.snapshot)).toBe(second.snapshot);
  expect(await answers(test, business)).toEqual(second.answers);
});

it('the next import builds on the snapshot rolled back to, and goes back to it', async () => {
  await importFiles(test, business, order('A1'));
  const first = await served();
  await importFiles(test, business, order('wrong'));
  await back();
  await importFiles(test, business, order('A2'));
  expect(await loadedOrders()).toEqual(['A1', 'A2']);
  expect(await back()).toBe(first);
  expect(await loadedOrders()).toEqual(['A1']);
});

it('three are kept, in the control database and on disk; what an import does not touch is shared by them', async () => {
  await importFiles(test, business, SMALL_SHOP);
  const items = async () =>
    partFile(test.instance.data.snapshot(business.business_id, String(await served())), 'order_items', 1);
  const first = await items();
  const bytes = readFileSync(first);
  for (const id of ['A', 'B', 'C']) await importFiles(test, business, order(id));
  expect(await kept()).toHaveLength(3);
  expect(readdirSync(test.instance.data.snapshots(business.business_id)).sort()).toEqual(
    (await kept()).sort(),
  );
  // The file of the rows is there by each of the three, and no longer by the first one.
  expect(existsSync(first)).toBe(false);
  expect(statSync(await items()).nlink).toBe(3);
  expect(readFileSync(await items())).toEqual(bytes);
  expect(await storedRows(test, business, 'order_items', 'count(*)::integer')).toEqual([[4]]);

  await back();
  const before = await served();
  const lock = lockBusiness(test.instance.data.lock(business.business_id));
  await expect(back()).rejects.toThrow('another import of this business is running');
  expect(await served()).toBe(before);
  lock[Symbol.dispose]();
  await back();
  expect(await loadedOrders()).toEqual(['A', 'A1', 'A2', 'A3']);
  await expect(back()).rejects.toThrow('there is no earlier snapshot to go back to');
  await expect(back('20200101T000000000Z-0000')).rejects.toThrow(
    'there is no snapshot 20200101T000000000Z-0000',
  );
});
