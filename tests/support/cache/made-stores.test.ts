import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../../src/business/business.ts';
import {
  createBusiness,
  currentSnapshot,
  listBusinesses,
} from '../../../src/control/businesses/businesses.ts';
import { importFolder } from '../../../src/import/run.ts';
import { createTestInstance, type TestInstance } from '../test-instance.ts';
import { MadeStores } from './made-stores.ts';

/** That a remembered store is the one that an import would make. */
let cache: string;
let first: TestInstance;
let second: TestInstance;

const ORDERS = 'order_id,ordered_at,total\nO1,2024-03-05T10:00:00,10\n';
const MARCH = { from_date: '2024-03-01T00:00:00', to_date: '2024-03-31T23:59:59' };

beforeAll(async () => {
  first = await createTestInstance({ isOneEngineEnough: true });
  second = await createTestInstance({ isOneEngineEnough: true });
  cache = join(first.folder, 'cache');
});

afterAll(async () => {
  for (const test of [first, second]) await test[Symbol.asyncDispose]();
});

async function filesWith(orders: string): Promise<string> {
  const folder = await mkdtemp(join(first.folder, 'files-'));
  await writeFile(join(folder, 'orders.csv'), orders);
  return folder;
}

/** Whether the files were read, and not a snapshot taken that was there. */
async function isImported(test: TestInstance, business: Business, orders: string): Promise<boolean> {
  const { instance } = test;
  const folder = await filesWith(orders);
  let isRead = false;
  const report = await new MadeStores(cache).importOnce(instance, business, folder, () => {
    isRead = true;
    return importFolder(instance, business, folder);
  });
  expect(report.snapshot).toBe((await currentSnapshot(instance.control, business.business_id))?.snapshot_id);
  return isRead;
}

/**
 * The business does not have the snapshot that `test.createBusiness` makes at once. The n-th of both
 * instances has the same id.
 */
async function newBusiness(test: TestInstance, timezone = 'Europe/Prague'): Promise<Business> {
  const { instance } = test;
  const count = (await listBusinesses(instance.control)).length;
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  return createBusiness(instance.control, { id, name: 'Shop', timezone, currency: 'CZK' });
}

function ask(test: TestInstance, { business_id }: Business): Promise<unknown> {
  return test.ask('order_statistics', { business_id, ...MARCH });
}

it('the same store in another data folder is not imported again, and answers the same', async () => {
  const made = await newBusiness(first);
  const remembered = await newBusiness(second);
  expect(await isImported(first, made, ORDERS)).toBe(true);
  expect(await isImported(second, remembered, ORDERS)).toBe(false);
  expect(await ask(second, remembered)).toMatchObject({ orders_count: 1, orders_revenues: 10 });
  expect(await ask(second, remembered)).toEqual(await ask(first, made));

  // The next one builds on it.
  expect(await isImported(second, remembered, ORDERS.replace('O1', 'O2'))).toBe(true);
  expect(await ask(second, remembered)).toMatchObject({ orders_count: 2 });
});

it('the store is a copy, so that damage stays where it was done', async () => {
  const made = await newBusiness(first);
  const remembered = await newBusiness(second);
  await isImported(first, made, ORDERS);
  const { snapshot_id } = (await currentSnapshot(first.instance.control, made.business_id)) ?? {};
  await writeFile(first.instance.data.model(made.business_id, String(snapshot_id)), 'damaged');
  await isImported(second, remembered, ORDERS);
  const model = second.instance.data.model(remembered.business_id, String(snapshot_id));
  expect((await readFile(model)).length).toBeGreaterThan(1000);
});

it('other rows, another time zone and another business are imported', async () => {
  await isImported(first, await newBusiness(first), ORDERS.replace('10\n', '11\n'));
  expect(await isImported(second, await newBusiness(second), ORDERS.replace('10\n', '12\n'))).toBe(true);
  await isImported(first, await newBusiness(first), ORDERS.replace('10\n', '13\n'));
  expect(await isImported(second, await newBusiness(second, 'UTC'), ORDERS.replace('10\n', '13\n'))).toBe(
    true,
  );
});

it('rows from the future are imported each time, since they are cut at that moment', async () => {
  const orders = ORDERS.replace('2024', String(new Date().getFullYear() + 1));
  await isImported(first, await newBusiness(first), orders);
  expect(await isImported(second, await newBusiness(second), orders)).toBe(true);
});

it('a store that several files ask for at once is imported once, and the others wait for it', async () => {
  const orders = ORDERS.replace('10\n', '14\n');
  const [one, other] = [await newBusiness(first), await newBusiness(second)];
  const imported = await Promise.all([isImported(first, one, orders), isImported(second, other, orders)]);
  expect(imported.filter((isImported) => isImported)).toHaveLength(1);
  expect(await ask(first, one)).toEqual(await ask(second, other));
});
