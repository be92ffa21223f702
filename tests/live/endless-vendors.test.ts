import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { readPlaces, takeConnection } from '../../src/control/connections/connection-leases.ts';
import { type Connection, createConnection, listRuns } from '../../src/control/connections/connections.ts';
import { runConnection } from '../../src/live/run-connection.ts';
import { tryHere } from '../../src/live/try-key.ts';
import { type Stream, type Vendor, VendorError } from '../../src/live/vendor.ts';
import { woocommerce } from '../../src/live/vendors/woocommerce/woocommerce.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpShop, madeUpVendor, PLANTED_KEY } from './made-up-shop.ts';
import { seededRandom } from './stubs/random.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';
import { type StubServer, startStub } from './stubs/stub-server.ts';

/** Vendors whose answers are well made, and lead nowhere or say far more than anybody keeps. */

let test: TestInstance;
let business: Business;
let connection: Connection;
let shop: MadeUpShop;
let stub: StubServer | null;

beforeEach(async () => {
  stub = null;
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = new MadeUpShop();
  business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Berlin' });
  connection = await createConnection(test.instance.control, test.instance.secret, {
    ...{ business_id: business.business_id, name: 'made-up', vendor: 'made-up', account: null },
    ...{ settings: { shop: 'example.com' }, secrets: { key: PLANTED_KEY }, interval_s: 900 },
  });
});

afterEach(async () => {
  await stub?.[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

async function run(vendor: Vendor) {
  const held = await takeConnection(test.instance.control, connection.connection_id);
  if (held === null) throw new Error('somebody holds it');
  const signal = new AbortController().signal;
  return runConnection({ ...test.instance, vendors: [vendor], log: silent, signal }, held);
}

/** A WooCommerce that answers all questions alike. */
async function openWoo(status: number, body: unknown) {
  stub = await startStub(async () => ({ status, body }), seededRandom(1));
  return {
    settings: { url: stub.url },
    secrets: { consumerKey: 'ck_1', consumerSecret: 'cs_1' },
  };
}

async function readOrders(body: unknown): Promise<number> {
  const access = stubAccess(new Clock('2026-10-01T00:00:00Z'), await openWoo(200, body));
  const orders = woocommerce.streams.find(({ name }) => name === 'orders');
  let pages = 0;
  for await (const _page of orders?.read(access, null) ?? []) {
    pages += 1;
    if (pages > 300) throw new Error('it goes on and on');
  }
  return pages;
}

const SECOND = '2026-01-01T00:00:00';
const items = (count: number, moment: string) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    date_created_gmt: moment,
    date_modified_gmt: moment,
  }));

it('a shop that answers with the same full page whatever it is asked for is left after some pages', async () => {
  await expect(readOrders(items(100, SECOND))).rejects.toThrow(
    "WooCommerce's list of orders has no end: 200 pages in a row brought nothing",
  );
});

it('an invalid moment is told as an answer that WooCommerce does not give', async () => {
  await expect(readOrders(items(3, `${SECOND} and a half`))).rejects.toMatchObject({ state: 'bad_answer' });
});

it('a place that grows without end is not kept, and what came before is', async () => {
  const pages = [
    { rows: [], cursor: 'first' },
    { rows: [], cursor: 'x'.repeat(9 * 2 ** 20) },
  ];
  const [stream] = madeUpVendor(shop).streams;
  const lying: Stream = {
    ...(stream as Stream),
    read: async function* () {
      yield* pages;
    },
  };
  const result = await run({ ...madeUpVendor(shop), streams: [lying] });
  expect(result?.state).toBe('bad_answer');
  expect(result?.message).toMatch(/cannot be told apart: where to go on takes more than 8388608 characters/);
  const held = await takeConnection(test.instance.control, connection.connection_id);
  if (held === null) throw new Error('somebody holds it');
  const [place] = await readPlaces(test.instance.control, held);
  expect(place?.place).toBe('"first"');
});

it('a list of ids whose place grows without end is left, too', async () => {
  shop.add(20);
  const vendor = madeUpVendor(shop);
  expect((await run(vendor))?.state).toBe('ok');
  const [listing] = vendor.listings ?? [];
  if (listing === undefined) throw new Error('it lists orders');
  const lying = {
    ...listing,
    list: async function* () {
      yield { ids: ['1'], cursor: 'x'.repeat(9 * 2 ** 20) };
    },
  };
  const held = await takeConnection(test.instance.control, connection.connection_id);
  if (held === null) throw new Error('somebody holds it');
  const { signal } = new AbortController();
  const context = { ...test.instance, vendors: [{ ...vendor, listings: [lying] }], log: silent, signal };
  const result = await runConnection({ ...context, reconciles: { mostGone: null } }, held);
  expect(result?.state).toBe('bad_answer');
});

it('words of a vendor in a message are cut before they are kept or shown', async () => {
  const key = { name: 'a', ...(await openWoo(401, { code: 'x'.repeat(2_000_000) })) };
  const signal = AbortSignal.timeout(100_000);
  const trying = tryHere(woocommerce, key, { log: silent, signal, allowsLoopback: true });
  const message = await trying.then(
    () => 'it was taken',
    (error: Error) => error.message,
  );
  expect(message).toMatch(/^WooCommerce does not take the key \(x+…$/);
  expect(message.length).toBeLessThanOrEqual(1000);
  const [stream] = madeUpVendor(shop).streams;
  shop.onRequest = () => {
    throw new VendorError('api_changed', `it says ${'y'.repeat(2_000_000)}`);
  };
  await run({ ...madeUpVendor(shop), streams: [stream as Stream] });
  const [kept] = await listRuns(test.instance.control, connection.connection_id);
  expect(kept?.message).toMatch(/it says y+…$/);
  expect(JSON.stringify(kept).length).toBeLessThan(4000);
});

it('the name of an account that a vendor tells is cut, and an id of an account that nobody has is refused', async () => {
  const signal = AbortSignal.timeout(100_000);
  const check = (account: string, accountId: string) =>
    tryHere(
      { ...madeUpVendor(shop), check: async () => ({ account, accountId, missing: [] }) },
      { name: 'a', settings: {}, secrets: {} },
      { log: silent, signal },
    );
  const { check: tried } = await check('My\nshop '.repeat(100_000), 'id');
  expect(tried.account).toMatch(/^My shop My shop .*…$/);
  expect(tried.account.length).toBeLessThanOrEqual(200);
  await expect(check('My shop', 'x'.repeat(1_000_000))).rejects.toMatchObject({ state: 'bad_answer' });
});
