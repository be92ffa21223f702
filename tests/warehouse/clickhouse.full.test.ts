import { existsSync, mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Tool } from '../../src/answers/tool.ts';
import { runTool } from '../../src/asking/run-tool.ts';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { listSnapshots } from '../../src/control/businesses/businesses.ts';
import { operatorCaller } from '../../src/control/people/callers.ts';
import { importFolder } from '../../src/import/run.ts';
import { deletePersons } from '../../src/ingest/delete-person.ts';
import { initWarehouse } from '../../src/server/init-warehouse.ts';
import { deleteBusiness } from '../../src/snapshot/delete-business.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { buildingFolder } from '../../src/snapshot/snapshot-folders.ts';
import { markUnfinished } from '../../src/snapshot/unfinished.ts';
import { sql } from '../../src/sql/sql.ts';
import { ClickHouseEngine } from '../../src/warehouse/clickhouse.ts';
import { connectToRead } from '../../src/warehouse/clickhouse-connection.ts';
import { createClickHouseSchema } from '../../src/warehouse/clickhouse-schema.ts';
import { ClickHouseShards } from '../../src/warehouse/clickhouse-shards.ts';
import { ScheduledWarehouse } from '../../src/warehouse/scheduling/scheduled-warehouse.ts';
import { Scheduler } from '../../src/warehouse/scheduling/scheduler.ts';
import type { SnapshotReference } from '../../src/warehouse/warehouse.ts';
import { writeFiles } from '../ingest/shop.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { startClickHouse, type TestClickHouse } from '../support/clickhouse.ts';
import { startLosingProxy } from '../support/losing-proxy.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * A whole instance on ClickHouse. That its answers are those of DuckDB is asked wherever the tests ask a
 * tool.
 */
let clickHouse: TestClickHouse;
let test: TestInstance;
/** Nobody waits for removals. */
const SOON = { timeout: 20_000, interval: 100 };
const RANGE = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };

beforeAll(async () => {
  clickHouse = await startClickHouse();
  await createClickHouseSchema(clickHouse.writing, clickHouse.place);
  test = await createTestInstance({ warehouseUrl: clickHouse.url });
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await clickHouse.stop();
});

function order(number: number, total = '10.00') {
  return { order_id: `O${number}`, ordered_at: '2024-03-01T10:00:00Z', total };
}

function shopWith(orders: number): Store {
  const numbers = Array.from({ length: orders }, (_, index) => index);
  return {
    ...emptyStore({ timezone: null, primary_currency: null }),
    orders: numbers.map((number) => order(number)) as unknown as Store['orders'],
  };
}

async function ordersOf({ business_id }: Business, on = test): Promise<unknown> {
  const { orders_count } = (await on.ask('order_statistics', { business_id, ...RANGE })) as {
    orders_count: number;
  };
  return orders_count;
}

async function snapshotsThere({ business_id }: Business): Promise<string[]> {
  const answer = await clickHouse.client.query({
    query:
      'select distinct snapshot_id from storesight.orders where business_id = {business_id: UUID} order by 1',
    query_params: { business_id },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ snapshot_id: string }>()).map(({ snapshot_id }) => snapshot_id);
}

it('answers an empty business, each import, and a rollback', async () => {
  const business = await test.createBusiness();
  expect(await ordersOf(business)).toBe(0);
  await test.importStore(business, shopWith(2));
  expect(await ordersOf(business)).toBe(2);
  await test.importStore(business, shopWith(5));
  expect(await ordersOf(business)).toBe(5);
  await rollBack(test.instance, business.business_id);
  expect(await ordersOf(business)).toBe(2);
});

it('keeps three snapshots of a business there, as here', async () => {
  const business = await test.createBusiness();
  for (const orders of [1, 2, 3, 4]) await test.importStore(business, shopWith(orders));
  const kept = await listSnapshots(test.instance.control, business.business_id);
  expect(kept).toHaveLength(3);
  await vi.waitFor(
    async () =>
      expect(await snapshotsThere(business)).toEqual(kept.map(({ snapshot_id }) => snapshot_id).sort()),
    SOON,
  );
});

it('removes what an import left that was killed while it published, and reads nothing of it', async () => {
  const business = await test.createBusiness();
  await test.importStore(business, shopWith(2));
  const [served] = await listSnapshots(test.instance.control, business.business_id);
  const left = { business_id: business.business_id, snapshot_id: 'left behind' };
  const folder = test.instance.data.snapshot(business.business_id, buildingFolder(left.snapshot_id));
  mkdirSync(folder);
  await markUnfinished(folder, { import: left.snapshot_id, builds_on: served?.snapshot_id ?? null });
  const file = test.instance.data.model(business.business_id, served?.snapshot_id ?? '');
  await test.instance.copier?.copy(left, file);
  expect(await ordersOf(business)).toBe(2);
  expect(await snapshotsThere(business)).toContain('left behind');
  await test.importStore(business, shopWith(3));
  await vi.waitFor(async () => expect(await snapshotsThere(business)).not.toContain('left behind'), SOON);
  expect(existsSync(folder)).toBe(false);
});

it('leaves alone what nobody knows', async () => {
  const business = await test.createBusiness();
  await test.importStore(business, shopWith(2));
  const snapshot = await served(business);
  const unknown = { business_id: business.business_id, snapshot_id: 'of another control database' };
  await test.instance.copier?.copy(
    unknown,
    test.instance.data.model(business.business_id, snapshot.snapshot_id),
  );
  await test.importStore(business, shopWith(3));
  expect(await snapshotsThere(business)).toContain(unknown.snapshot_id);
});

it('an import that does not arrive whole changes nothing', async () => {
  const business = await test.createBusiness();
  await test.importStore(business, shopWith(2));
  await clickHouse.client.command({
    query: 'alter table storesight.orders add constraint cheap check ifNull(revenue, 0) < 11',
  });
  await expect(
    test.importStore(business, { ...shopWith(1), orders: [order(9, '12.00')] as unknown as Store['orders'] }),
  ).rejects.toThrow(/the import failed, so nothing was changed/);
  await clickHouse.client.command({ query: 'alter table storesight.orders drop constraint cheap' });
  expect(await ordersOf(business)).toBe(2);
  await test.importStore(business, {
    ...shopWith(1),
    orders: [order(9, '12.00')] as unknown as Store['orders'],
  });
  expect(await ordersOf(business)).toBe(3);
});

it('an import while ClickHouse is away changes nothing, and says where it was looked for', async () => {
  const away = await createTestInstance({ warehouseUrl: 'clickhouse://127.0.0.1:9/storesight' });
  await expect(away.createBusiness()).rejects.toThrow(
    /nothing was changed: ClickHouse at http:\/\/127\.0\.0\.1:9 does not answer \(ECONNREFUSED\)/,
  );
  await away[Symbol.asyncDispose]();
});

/** The shop has two buyers, so that an import can affect one alone. */
async function shopOfTwo(): Promise<Business> {
  const business = await test.createBusiness();
  await importOrders(
    business,
    'O1,2024-03-01,1,ada@example.com,Visa',
    'O2,2024-03-02,2,bob@example.com,Cash',
  );
  return business;
}

async function importOrders(business: Business, ...rows: string[]): Promise<string> {
  const folder = writeFiles(test, {
    'orders.csv': ['order_id,ordered_at,total,email,payment_method', ...rows, ''].join('\n'),
  });
  const incremental = { mostAffected: 10, fewestRows: 0 };
  return (await importFolder(test.instance, business, folder, { incremental })).build.kind;
}

async function ordersThere(business: Business): Promise<unknown> {
  const answer = await clickHouse.client.query({
    query: `select order_id, toFloat64(revenue) as revenue, payment_method from storesight.orders
      where business_id = {business_id: UUID} and snapshot_id = {snapshot_id: String} order by order_id`,
    query_params: { ...(await served(business)) },
    format: 'JSONCompactEachRow',
  });
  return answer.json();
}

/** This changes the snapshot that is served, as nobody should. */
async function tamper(business: Business, change: string): Promise<void> {
  await clickHouse.client.command({
    query: `alter table storesight.orders update ${change} where business_id = {business_id: UUID} and order_id = 'O2'`,
    query_params: { business_id: business.business_id },
    clickhouse_settings: { mutations_sync: '2' },
  });
}

it('an import that affects some sends their rows, and takes the others from the snapshot before', async () => {
  const business = await shopOfTwo();
  // Sums and counts do not show it, so it shows where the row comes from.
  await tamper(business, "payment_method = 'from ClickHouse'");
  expect(await importOrders(business, 'O3,2024-03-03,4,ada@example.com,Visa')).toBe('incremental');
  expect(await ordersThere(business)).toEqual([
    ['O1', 1, 'Visa'],
    ['O2', 2, 'from ClickHouse'],
    ['O3', 4, 'Visa'],
  ]);
  expect(await ordersOf(business)).toBe(3);
});

it('sends a table whole where the snapshot before has other rows, and all of them where it is not there', async () => {
  const business = await shopOfTwo();
  await tamper(business, 'revenue = 20');
  expect(await importOrders(business, 'O3,2024-03-03,4,ada@example.com,Visa')).toBe('incremental');
  const orders = [
    ['O1', 1, 'Visa'],
    ['O2', 2, 'Cash'],
    ['O3', 4, 'Visa'],
  ];
  expect(await ordersThere(business)).toEqual(orders);
  for (const table of ['orders', 'arrived_snapshots']) {
    await clickHouse.client.command({
      query: `delete from storesight.${table} where business_id = {business_id: UUID}`,
      query_params: { business_id: business.business_id },
    });
  }
  expect(await importOrders(business, 'O4,2024-03-04,8,ada@example.com,Visa')).toBe('incremental');
  expect(await ordersThere(business)).toEqual([...orders, ['O4', 8, 'Visa']]);
});

it('a person who is deleted is in no part of any table there', async () => {
  const business = await shopOfTwo();
  await importOrders(business, 'O3,2024-03-03,4,ada@example.com,Visa');
  const { rows } = await deletePersons(test.instance, business, ['ada@example.com']);
  expect(rows).toEqual({ orders: 2 });
  expect(await ordersThere(business)).toEqual([['O2', 2, 'Cash']]);
  const left = async () => {
    const answer = await clickHouse.client.query({
      query: `select order_id from storesight.orders where business_id = {business_id: UUID}`,
      query_params: { business_id: business.business_id },
      // Rows that are only marked as deleted are counted too.
      clickhouse_settings: { apply_deleted_mask: 0 },
      format: 'JSONCompactEachRow',
    });
    return answer.json();
  };
  await vi.waitFor(async () => expect(await left()).toEqual([['O2']]), SOON);
});

/**
 * How many rows of a business each table there has, also those that are only marked as deleted; tables
 * without any are left out.
 */
async function rowsThere({ business_id }: Business): Promise<Readonly<Record<string, number>>> {
  const ask = async <Row>(query: string) => {
    const query_params = { business_id };
    const clickhouse_settings = { apply_deleted_mask: 0 } as const;
    const answer = await clickHouse.client.query({
      ...{ query, query_params, clickhouse_settings },
      format: 'JSONEachRow',
    });
    return answer.json<Row>();
  };
  const tables = await ask<{ table: string }>(
    "select table from system.columns where database = 'storesight' and name = 'business_id'",
  );
  const counts: Record<string, number> = {};
  for (const { table } of tables) {
    const [row] = await ask<{ rows: string }>(
      `select count() as rows from storesight.${table} where business_id = {business_id: UUID}`,
    );
    if (Number(row?.rows) > 0) counts[table] = Number(row?.rows);
  }
  return counts;
}

it('a store that is deleted leaves nothing in any table there, and another one stays', async () => {
  const inPrague = { timezone: 'Europe/Prague', currency: 'CZK' };
  const [going, staying] = [await test.createBusiness(inPrague), await test.createBusiness(inPrague)];
  await importFolder(test.instance, going, 'tests/fixtures/hand-made-shop');
  for (const business of [going, staying]) await test.importStore(business, shopWith(3));
  const before = await rowsThere(staying);
  // Both snapshots of the one, and of it nearly every table, since its shop has some of everything.
  expect(Object.keys(await rowsThere(going)).length).toBeGreaterThan(20);
  await deleteBusiness(test.instance, going.business_id);
  await vi.waitFor(async () => expect(await rowsThere(going)).toEqual({}), SOON);
  expect(await rowsThere(staying)).toEqual(before);
  expect(await ordersOf(staying)).toBe(3);
});

async function served({ business_id }: Business, on = test): Promise<SnapshotReference> {
  const [newest] = await listSnapshots(on.instance.control, business_id);
  return { business_id, snapshot_id: newest?.snapshot_id ?? '' };
}

function warehouseOn(shards: ClickHouseShards, timeoutSeconds = 30): ScheduledWarehouse {
  const engine = new ClickHouseEngine(shards, 'storesight', timeoutSeconds);
  return new ScheduledWarehouse(engine, new Scheduler({ slots: 4, timeoutSeconds }), null);
}

const asker = { account: 'ada', question: 'test' };

it('a query that takes too long is stopped, and one whose caller left', async () => {
  const snapshot = await served(await test.createBusiness());
  const impatient = warehouseOn(clickHouse.reading, 1);
  const slow = sql`select sum(sleepEachRow(0.3)) as slept from numbers(8)`;
  await expect(impatient.query(snapshot, [slow], asker)).rejects.toThrow('the query took longer than 1 s');
  const leaving = new AbortController();
  const asked = warehouseOn(clickHouse.reading).query(snapshot, [slow], asker, leaving.signal);
  leaving.abort(new Error('the caller left'));
  await expect(asked).rejects.toThrow('the caller left');
});

it('refuses what would need too much memory', async () => {
  const snapshot = await served(await test.createBusiness());
  const { place } = clickHouse;
  const limits = { connections: 1, timeoutSeconds: 30, memoryLimit: '20MB' };
  const shards = new ClickHouseShards(place, (address) => connectToRead(place, address, limits));
  const warehouse = warehouseOn(shards);
  const large = sql`select length(groupArray(number)) as length from numbers(30000000)`;
  await expect(warehouse.query(snapshot, [large], asker)).rejects.toThrow('the query needs more memory');
  await warehouse.close();
});

it('asks once more when the connection was lost, and not a third time', async () => {
  const snapshot = await served(await test.createBusiness());
  const one = sql`select 1 as one`;
  for (const [lost, outcome] of [
    [1, [[{ one: 1 }]]],
    [2, /ECONNRESET|socket hang up/],
  ] as const) {
    await using proxy = await startLosingProxy(clickHouse.place.shards[0], lost);
    const place = { ...clickHouse.place, shards: [proxy.address] as [string] };
    const limits = { connections: 1, timeoutSeconds: 30 };
    const shards = new ClickHouseShards(place, (address) => connectToRead(place, address, limits));
    const warehouse = warehouseOn(shards);
    const asked = warehouse.query(snapshot, [one], asker);
    if (outcome instanceof RegExp) await expect(asked).rejects.toThrow(outcome);
    else expect(await asked).toEqual(outcome);
    await warehouse.close();
  }
});

it('says that a snapshot has not come, where zeros would be wrong', async () => {
  await using here = await createTestInstance();
  const business = await here.createBusiness();
  await here.importStore(business, shopWith(2));
  const environment = { ...here.environment, warehouse: test.warehouse };
  const tool = CATALOGUE.find(({ name }) => name === 'order_statistics') as Tool;
  const args = { business_id: business.business_id, ...RANGE };
  const asked = runTool(environment, tool, args, operatorCaller(here.instance.control));
  await expect(asked).rejects.toThrow('`storesight warehouse init`');
});

it('brings a snapshot anew whose publication was interrupted', async () => {
  const business = await test.createBusiness();
  await test.importStore(business, shopWith(3));
  const snapshot = await served(business);
  const file = test.instance.data.model(snapshot.business_id, snapshot.snapshot_id);
  expect(await test.instance.copier?.copy(snapshot, file)).toBe(false);
  await clickHouse.client.command({
    query: 'delete from storesight.arrived_snapshots where business_id = {business_id: UUID}',
    query_params: { business_id: business.business_id },
  });
  expect(await test.instance.copier?.copy(snapshot, file)).toBe(true);
  expect(await ordersOf(business)).toBe(3);
});

it('builds anew what is served of another version', async () => {
  // The instance has this business alone: all of an instance are brought.
  await using other = await createTestInstance({ warehouseUrl: clickHouse.url });
  const business = await other.createBusiness();
  await other.importStore(business, shopWith(4));
  const { control } = other.instance;
  await control
    .updateTable('snapshots')
    .set({ model_version: '0.0.9' })
    .where('business_id', '=', business.business_id)
    .execute();
  const before = await served(business, other);
  await initWarehouse(other.instance, other.settings);
  expect((await served(business, other)).snapshot_id).not.toBe(before.snapshot_id);
  expect(await ordersOf(business, other)).toBe(4);
});
