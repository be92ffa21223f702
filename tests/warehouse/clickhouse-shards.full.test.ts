import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { readBusiness } from '../../src/control/businesses/businesses.ts';
import { initWarehouse } from '../../src/server/init-warehouse.ts';
import { readClickHouseUrl } from '../../src/warehouse/clickhouse-connection.ts';
import { createClickHouseSchema, schemaStatements } from '../../src/warehouse/clickhouse-schema.ts';
import { shardOf } from '../../src/warehouse/clickhouse-shards.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { startClickHouse, type TestClickHouse } from '../support/clickhouse.ts';
import { createTestInstance } from '../support/test-instance.ts';

let servers: TestClickHouse[];

beforeAll(async () => {
  servers = await Promise.all([startClickHouse(), startClickHouse()]);
  for (const { writing, place } of servers) await createClickHouseSchema(writing, place);
});

afterAll(async () => {
  for (const server of servers) await server.stop();
});

/** The URL of the first servers. */
function urlOf(count: number): string {
  const hosts = servers.slice(0, count).map(({ place }) => new URL(place.shards[0]).host);
  return `clickhouse://${hosts.join(',')}/storesight`;
}

const SHOP: Store = {
  ...emptyStore({ timezone: null, primary_currency: null }),
  orders: [
    { order_id: 'O1', ordered_at: '2024-03-01T10:00:00Z', total: '10.00' },
  ] as unknown as Store['orders'],
};

/** The servers on which a business has rows that stay. */
async function placesOf(businessId: string): Promise<number[]> {
  const places: number[] = [];
  for (const [index, { client }] of servers.entries()) {
    const answer = await client.query({
      query: 'select 1 from storesight.arrived_snapshots where business_id = {id: UUID} limit 1',
      query_params: { id: businessId },
      format: 'JSONEachRow',
    });
    if ((await answer.json()).length > 0) places.push(index);
  }
  return places;
}

it('has each business on one shard, and moves few when one more is there', { timeout: 120_000 }, async () => {
  await using test = await createTestInstance({ warehouseUrl: urlOf(1) });
  await initWarehouse(test.instance, test.settings);
  const ids = [0, 1].map((shard) => uuidOf(shard, 2));
  for (const id of ids) {
    await test.importStore(await test.createBusiness({ id }), SHOP);
  }
  expect(await placesOf(ids[0] ?? '')).toEqual([0]);

  await using grown = await createTestInstance({ warehouseUrl: urlOf(2), folder: test.folder });
  expect(await initWarehouse(grown.instance, grown.settings)).toMatchObject({ brought: 2, there: 2 });
  const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
  for (const [shard, business_id] of ids.entries()) {
    expect(await grown.ask('order_statistics', { business_id, ...range })).toMatchObject({ orders_count: 1 });
    // The next import takes away what is on the old shard.
    const business = await readBusiness(grown.instance.control, business_id);
    await grown.importStore(business as Business, SHOP);
    await expect.poll(() => placesOf(business_id), { timeout: 30_000 }).toEqual([shard]);
  }
});

/** A business that lives on `shard` when there are `count`. */
function uuidOf(shard: number, count: number): string {
  const id = randomUUID();
  return shardOf(id, count) === shard ? id : uuidOf(shard, count);
}

it('spreads businesses evenly, and a new shard takes from all others alike', () => {
  const ids = Array.from({ length: 4000 }, () => randomUUID());
  const before = ids.map((id) => shardOf(id, 4));
  const after = ids.map((id) => shardOf(id, 5));
  for (const shard of [0, 1, 2, 3, 4]) {
    const share = after.filter((place) => place === shard).length / ids.length;
    expect(share).toBeGreaterThan(0.16);
    expect(share).toBeLessThan(0.24);
  }
  for (const [index, place] of after.entries()) expect([before[index], 4]).toContain(place);
});

it('has statements for a cluster that ClickHouse understands', async () => {
  for (const statement of schemaStatements('storesight', 'shops')) {
    expect(statement).toContain("on cluster 'shops'");
    expect(statement).not.toMatch(/ MergeTree/);
    const answer = await servers[0]?.client.query({
      query: `explain ast ${statement}`,
      format: 'TabSeparated',
    });
    expect(await answer?.text()).toMatch(/^"?(Create|Alter)Query/);
  }
});

const PLACE = { username: 'default', password: '', database: 'storesight', cluster: undefined };

it.each([
  ['clickhouse://warehouse', { ...PLACE, shards: ['http://warehouse:8123'] }],
  [
    'clickhouses://reader:p%40ss@warehouse.example:9440/shops',
    {
      ...PLACE,
      shards: ['https://warehouse.example:9440'],
      username: 'reader',
      password: 'p@ss',
      database: 'shops',
    },
  ],
  [
    'clickhouse://storesight@one.example,two.example:9000/storesight?cluster=shops',
    {
      ...PLACE,
      shards: ['http://one.example:8123', 'http://two.example:9000'],
      username: 'storesight',
      cluster: 'shops',
    },
  ],
])('%s is a place', (url, place) => {
  expect(readClickHouseUrl(url)).toEqual(place);
});

it.each([
  'http://warehouse/storesight',
  'clickhouse://',
  'clickhouse://a:b@c@d/storesight',
  'clickhouse://warehouse/Drop table',
  'clickhouse://warehouse:port/storesight',
  'clickhouse://one,,two/storesight',
  'clickhouse://user:100%@warehouse/storesight',
  "clickhouse://warehouse/storesight?cluster=a'b",
  'clickhouse://warehouse/storesight#x',
])('%s is no URL of ClickHouse', (url) => {
  expect(readClickHouseUrl(url)).toBeNull();
});
