import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { askForErasure } from '../../src/control/connections/connection-erasures.ts';
import { releaseLease, takeConnection } from '../../src/control/connections/connection-leases.ts';
import { createConnection, readConnection } from '../../src/control/connections/connections.ts';
import { forgetNext } from '../../src/live/forget-persons.ts';
import { type RunContext, runConnection } from '../../src/live/run-connection.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { storedRows } from '../ingest/shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpShop, madeUpVendor, PLANTED_KEY } from './made-up-shop.ts';

let test: TestInstance;
let shop: MadeUpShop;
let business: Business;
let connectionId: string;

beforeEach(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = new MadeUpShop();
  for (let count = 0; count < 5; count += 1) shop.add(20);
  const { control, secret } = test.instance;
  business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  const { connection_id } = await createConnection(control, secret, {
    ...{ business_id: business.business_id, name: 'made-up', vendor: 'made-up', account: null },
    ...{ settings: {}, secrets: { key: PLANTED_KEY }, interval_s: 900 },
  });
  connectionId = connection_id;
});

afterEach(() => test[Symbol.asyncDispose]());

async function take() {
  const held = await takeConnection(test.instance.control, connectionId);
  if (held === null) throw new Error('it is held');
  return held;
}

function contextOf(more: Partial<RunContext> = {}): RunContext {
  const log = { info: () => {}, warn: () => {}, error: console.log };
  const { signal } = new AbortController();
  return { ...test.instance, vendors: [madeUpVendor(shop)], log, signal, ...more };
}

async function run(more: Partial<RunContext> = {}): Promise<void> {
  expect(await runConnection(contextOf(more), await take())).toMatchObject({ state: 'ok' });
}

async function orders(): Promise<unknown[]> {
  return (await storedRows(test, business, 'orders', 'cast(order_id as integer)')).flat();
}

describe('a store that goes back to an earlier import', () => {
  it('has with the next run what its connection brought since, and lacks what it deleted since', async () => {
    await run();
    await run({ reconciles: { mostGone: null } });
    const first = (await currentSnapshot(test.instance.control, business.business_id))?.snapshot_id;
    shop.add(30);
    await run();
    shop.vanish(2);
    await run({ reconciles: { mostGone: null } });
    expect(await orders()).toEqual([1, 3, 4, 5, 6]);
    await rollBack(test.instance, business.business_id, first);
    expect(await orders()).toEqual([1, 2, 3, 4, 5]);
    expect(await readConnection(test.instance.control, connectionId)).toMatchObject({ loaded_until: null });
    shop.add(31);
    await run();
    expect(await orders()).toEqual([1, 3, 4, 5, 6, 7]);
  });

  it('does not while a connection is being read, and nothing has changed then', async () => {
    await run();
    shop.add(30);
    await run();
    const held = await take();
    await expect(rollBack(test.instance, business.business_id)).rejects.toThrow('is being read');
    expect(await orders()).toEqual([1, 2, 3, 4, 5, 6]);
    await releaseLease(test.instance.control, held);
    await rollBack(test.instance, business.business_id);
    expect(await orders()).toEqual([1, 2, 3, 4, 5]);
  });
});

it('deletions are found also of what was brought before an older control database was restored', async () => {
  const { control, secret } = test.instance;
  for (let count = 0; count < 35; count += 1) shop.add(20);
  await run();
  const files = await control.selectFrom('landed_files').selectAll().execute();
  const streams = await control.selectFrom('connection_streams').selectAll().execute();
  shop.add(30);
  // It puts the ids into one file, of which the backup does not know.
  await run({ reconciles: { mostGone: null } });
  await control.deleteFrom('landed_files').execute();
  await control.deleteFrom('connection_streams').execute();
  await control.insertInto('landed_files').values(files).execute();
  await control.insertInto('connection_streams').values(streams).execute();
  await run();
  shop.vanish(3);
  shop.vanish(4);
  await askForErasure(control, secret, {
    ...{ connection_id: connectionId, request_id: 'told', identifiers: [], onlyBrought: true },
    gone: [{ table: 'orders', key: { order_id: '3' } }],
  });
  while (await forgetNext(contextOf(), new Map()));
  await run();
  const without3 = await orders();
  expect(without3).toHaveLength(40);
  expect(without3).not.toContain(3);
  await run({ reconciles: { mostGone: null } });
  expect(await orders()).toEqual(without3.filter((id) => id !== 4));
});

it('rows that the vendor deleted before an older control database was restored go, also those that it did not know', async () => {
  const { control } = test.instance;
  for (let count = 0; count < 35; count += 1) shop.add(20);
  await run();
  const files = await control.selectFrom('landed_files').selectAll().execute();
  const streams = await control.selectFrom('connection_streams').selectAll().execute();
  const since = shop.add(30);
  await run();
  await run({ reconciles: { mostGone: null } });
  shop.vanish(since);
  shop.vanish(2);
  for (const [table, rows] of [
    ['landed_files', files],
    ['connection_streams', streams],
  ] as const) {
    await control.deleteFrom(table).execute();
    for (const row of rows)
      await control
        .insertInto(table)
        .values(row as never)
        .execute();
  }
  await run();
  await run({ reconciles: { mostGone: 5 } });
  expect(await orders()).toEqual([...shop.orders.keys()]);
});
