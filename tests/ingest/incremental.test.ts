import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { importFolder } from '../../src/import/run.ts';
import { updateBusiness } from '../../src/snapshot/update-business.ts';
import { isQuick } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { EVEN_IF_SMALL, linesOf, linesWithoutOrder, reportedLines } from './incremental-lines.ts';
import { answers, type Files, importFiles, SMALL_SHOP, writeFiles } from './shop.ts';

/**
 * Some imports build everything, and say why. That the model is the same is asked by
 * tests/properties/random-batches.full.test.ts.
 */
const test: TestInstance = await createTestInstance({ isOneEngineEnough: true });
let business: Business;

/** One store for all tests, which bring orders of their own; they run in their order. */
beforeAll(async () => {
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
});

afterAll(() => test[Symbol.asyncDispose]());

async function build(files: Files, limits = EVEN_IF_SMALL, secret = test.instance.secret): Promise<string> {
  const context = { ...test.instance, secret };
  const source = writeFiles(test, files);
  const { build } = await importFolder(context, business, source, { incremental: limits });
  return build.kind === 'incremental' ? build.kind : build.reason;
}

const ORDERS = 'order_id,ordered_at,email,total';
const newOrder = (id: string) => ({ 'orders.csv': `${ORDERS}\n${id},2024-05-01,jana@example.com,5\n` });

it('brings the model up to date for new, changed and deleted rows', async () => {
  expect(await build(newOrder('A9'))).toBe('incremental');
  expect(await revenue()).toBe(355.5);
  expect(
    await build({
      'orders.csv': 'order_id,ordered_at,email,total,_deleted\nA1,,,,true\nA9,2024-05-01,,7,\n',
    }),
  ).toBe('incremental');
  expect(await revenue()).toBe(257);
});

async function revenue(): Promise<unknown> {
  const [{ orders_revenues }] = (await answers(test, business)) as [{ orders_revenues: number }];
  return orders_revenues;
}

it('builds everything where that is less work', async () => {
  expect(await build(newOrder('C1'), { mostAffected: 1, fewestRows: 1000 })).toBe('the store is small');
  expect(
    await build(
      { 'orders.csv': 'order_id,_deleted\nA2,true\nA3,true\n' },
      { mostAffected: 0.2, fewestRows: 0 },
    ),
  ).toMatch(/^(?:[5-9]\d|100)% of the rows about persons belong to affected ones$/);
});

it.skipIf(isQuick)(
  'goes on counting lines without an order, which is not looked for in all of the store again',
  async () => {
    const warningsOf = (files: Files) => linesWithoutOrder(test, business, files);
    expect(await warningsOf(linesOf('B1', 'B1', 'B2'))).toEqual(reportedLines(3));
    // B1 has one line now.
    expect(await warningsOf(linesOf('B3', 'B3', 'B1'))).toEqual(reportedLines(4));
  },
);

it.skipIf(isQuick).each([
  [{ replaced_share: 9.9 }, /^too much of the file is replaced rows/, 'D1'],
  [{ free_share: 0.6 }, /^too much of the file before is unused/, 'D2'],
])('builds everything where the file before has %j', async (share, reason, id) => {
  await editDescription(share);
  expect(await build(newOrder(id))).toMatch(reason);
});

it.skipIf(isQuick)('builds no more than is affected again after that: the new file has neither', async () =>
  expect(await build(newOrder('D3'))).toBe('incremental'),
);

it('builds everything where everything may change', async () => {
  await updateBusiness(test.instance, business, { timezone: 'Asia/Tokyo' });
  expect(await build(newOrder('E1'))).toBe('incremental');
  expect(await build(SMALL_SHOP, EVEN_IF_SMALL, Buffer.alloc(32, 'another'))).toBe(
    'the secret of this instance was replaced',
  );
});

async function editDescription(share: object): Promise<void> {
  const snapshot = await currentSnapshot(test.instance.control, business.business_id);
  const file = join(
    test.instance.data.snapshot(business.business_id, String(snapshot?.snapshot_id)),
    'snapshot.json',
  );
  const description = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...description, build: { ...description.build, ...share } }));
}
