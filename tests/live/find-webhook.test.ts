import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { type Erasure, waitingErasures } from '../../src/control/connections/connection-erasures.ts';
import { releaseLease, takeConnection, takeDue } from '../../src/control/connections/connection-leases.ts';
import {
  type Connection,
  createConnection,
  hasConnections,
  makeDueSoon,
  readConnection,
  removeConnection,
} from '../../src/control/connections/connections.ts';
import { findHook } from '../../src/live/find-webhook.ts';
import { forgetNext } from '../../src/live/forget-persons.ts';
import { staleNotes } from '../../src/live/freshness.ts';
import { type RunContext, runConnection } from '../../src/live/run-connection.ts';
import { VendorError } from '../../src/live/vendor.ts';
import { shopify } from '../../src/live/vendors/shopify/shopify.ts';
import { storedRows } from '../ingest/shop.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { MadeUpShop, madeUpVendor, PLANTED_KEY } from './made-up-shop.ts';

let test: TestInstance;
let server: TestServer;
let business: Business;
let shop: MadeUpShop;
let connection: Connection;
let logged: string[];

const MOST_DELETIONS = 3;

/** Signs and speaks as Shopify does. */
const vendors = () => {
  if (shopify.webhook === undefined) throw new Error('Shopify tells of changes');
  return [{ ...madeUpVendor(shop), webhook: { ...shopify.webhook, secret: 'key' } }];
};

const log = {
  info: (details: object, message: string) => void logged.push(`${message} ${JSON.stringify(details)}`),
  warn: (details: object, message: string) => void logged.push(`${message} ${JSON.stringify(details)}`),
  error: (details: object, message: string) => void logged.push(`${message} ${JSON.stringify(details)}`),
};

const contextOf = (): RunContext => ({
  ...test.instance,
  ...{ vendors: vendors(), log, signal: new AbortController().signal },
});

beforeEach(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = new MadeUpShop();
  logged = [];
  business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Berlin' });
  connection = await createConnection(test.instance.control, test.instance.secret, {
    ...{ business_id: business.business_id, name: 'made-up', vendor: 'made-up', account: null },
    ...{ settings: { shop: 'example.com' }, secrets: { key: PLANTED_KEY }, interval_s: 900 },
  });
  server = await startTestServer(test, {
    findHook: (request) =>
      findHook({ ...test.instance, vendors: vendors(), log, mostDeletions: MOST_DELETIONS }, request),
  });
});

afterEach(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function run(): Promise<string | undefined> {
  const held = await takeConnection(test.instance.control, connection.connection_id);
  if (held === null) throw new Error('somebody holds it');
  return (await runConnection(contextOf(), held))?.state;
}

function post(
  topic: string,
  said: object | string,
  { key = PLANTED_KEY, path = '' } = {},
): Promise<Response> {
  const domain = /redact|data_request/.test(topic) ? { shop_domain: 'example.com' } : {};
  const body = typeof said === 'string' ? said : JSON.stringify({ ...domain, ...said });
  return fetch(`${server.baseUrl}${path || `/hooks/made-up/${connection.connection_id}`}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': 'example.com',
      'x-shopify-hmac-sha256': createHmac('sha256', key).update(body).digest('base64'),
    },
  });
}

it('only who has the key is heard, and nobody else learns what there is', async () => {
  const signed = await post('orders/create', { id: 1 });
  expect([signed.status, await signed.json()]).toEqual([200, { status: 'taken' }]);
  const refusals = [
    await post('orders/create', { id: 1 }, { key: 'another' }),
    await post('orders/create', { id: 1 }, { path: `/hooks/made-up/${randomUUID()}` }),
    await post('orders/create', { id: 1 }, { path: `/hooks/shopify/${connection.connection_id}` }),
    await post('orders/create', { id: 1 }, { path: '/hooks/made-up/no-uuid' }),
    await fetch(`${server.baseUrl}/hooks/made-up/${connection.connection_id}`, { method: 'POST' }),
  ];
  const answers = await Promise.all(refusals.map(async (each) => [each.status, await each.text()]));
  expect(new Set(answers.map(String)).size).toBe(1);
  expect(answers[0]?.[0]).toBe(401);
  expect((await post('orders/create', 'x'.repeat(4 * 2 ** 20 + 1))).status).toBe(413);
  expect(`${server.logText()}${logged.join('')}`).not.toContain(PLANTED_KEY);
});

/**
 * Sends the head of a request and a little of its body, and gives the status; 0 where none comes. Closes
 * without sending the rest.
 */
async function statusOfHead(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connectTo(Number(port), hostname);
  try {
    const head = Object.entries({ Host: `${hostname}:${port}`, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{"id"`);
    const first = await Promise.race([once(socket, 'data'), sleep(2000)]);
    return first === undefined ? 0 : Number(String(first[0]).slice(9, 12));
  } finally {
    socket.destroy();
  }
}

const SIGNATURE = { 'X-Shopify-Hmac-Sha256': 'AAAA', 'X-Shopify-Topic': 'orders/create' };

it('the body of a request is not waited for when it is for nobody, or has no signature', async () => {
  const ours = `/hooks/made-up/${connection.connection_id}`;
  const long = { 'Content-Length': String(3 * 2 ** 20) };
  expect(await statusOfHead(`/hooks/made-up/${randomUUID()}`, { ...long, ...SIGNATURE })).toBe(401);
  expect(await statusOfHead(`/hooks/shopify/${connection.connection_id}`, { ...long, ...SIGNATURE })).toBe(
    401,
  );
  expect(await statusOfHead(ours, long)).toBe(401);
  const tooLong = { 'Content-Length': String(4 * 2 ** 20 + 1), ...SIGNATURE };
  expect(await statusOfHead(ours, tooLong)).toBe(413);
  expect(await statusOfHead(`/hooks/made-up/${randomUUID()}`, tooLong)).toBe(401);
  const deleting = {
    ...SIGNATURE,
    'Content-Length': String(64 * 1024 + 1),
    'X-Shopify-Topic': 'customers/redact',
  };
  expect(await statusOfHead(ours, deleting)).toBe(413);
});

it('bodies that do not come take few places of a connection from one address', async () => {
  const { hostname, port } = new URL(server.baseUrl);
  const head = [
    `POST /hooks/made-up/${connection.connection_id} HTTP/1.1`,
    ...[`Host: ${hostname}:${port}`, 'Content-Length: 1000', 'X-Shopify-Hmac-Sha256: AAAA'],
    ...['', ''],
  ].join('\r\n');
  const sockets = Array.from({ length: 12 }, () => connectTo(Number(port), hostname));
  try {
    for (const socket of sockets) socket.write(head);
    const answered = await Promise.all(
      sockets.map((socket) => Promise.race([once(socket, 'data'), sleep(1500)])),
    );
    const statuses = answered.flatMap((first) =>
      first === undefined ? [] : [String(first[0]).slice(9, 12)],
    );
    expect(statuses).toEqual(['429', '429', '429', '429']);
    for (const socket of sockets) socket.destroy();
    // Their places are free once they are gone.
    await vi.waitFor(async () => expect((await post('orders/create', { id: 1 })).status).toBe(200));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

it('a change has the connection read soon, however often it is told, and not while it fails', async () => {
  const { control } = test.instance;
  shop.add(20);
  expect(await run()).toBe('ok');
  expect(await takeDue(control)).toBeNull();
  for (let count = 0; count < 5; count += 1)
    expect((await post('orders/create', { id: count })).status).toBe(200);
  const due =
    Date.parse((await readConnection(control, connection.connection_id))?.due_at ?? '') - Date.now();
  expect(due).toBeGreaterThan(0);
  expect(due).toBeLessThanOrEqual(32_000);
  shop.onRequest = () => {
    throw new VendorError('quota', 'no more');
  };
  await run();
  const before = await readConnection(control, connection.connection_id);
  await makeDueSoon(control, connection.connection_id);
  expect(await readConnection(control, connection.connection_id)).toEqual(before);
});

it('persons whom Shopify wants forgotten are, and orders that it deleted go', async () => {
  for (let count = 0; count < 14; count += 1) shop.add(20 + count);
  await run();
  const redact = {
    customer: { id: 7_000_000_902, email: 'person2@example.com', phone: null },
    orders_to_redact: [],
  };
  expect((await post('customers/redact', redact)).status).toBe(200);
  expect((await post('customers/redact', redact)).status).toBe(200);
  const waiting = JSON.stringify(
    await test.instance.control.selectFrom('connection_erasures').selectAll().execute(),
  );
  expect(waiting).not.toMatch(/person2|7000000902/);
  shop.orders.delete(5);
  expect((await post('orders/delete', { id: 5 })).status).toBe(200);
  const postponed = new Map<string, number>();
  while (await forgetNext(contextOf(), postponed));
  expect(postponed.size).toBe(0);
  await run();
  const ids = (await storedRows(test, business, 'orders', 'cast(order_id as integer)')).flat();
  expect(ids).toEqual([1, 3, 4, 6, 7, 8, 10, 11, 12, 13, 14]);
  const request = { customer: redact.customer, orders_requested: [], data_request: { id: 1 } };
  expect((await post('customers/data_request', request)).status).toBe(200);
  expect(logged.join('')).toContain('a person asked a vendor');
  expect(logged.join('')).not.toContain('person2');
  expect((await post('shop/redact', { shop_id: 1 })).status).toBe(200);
  expect(await readConnection(test.instance.control, connection.connection_id)).toMatchObject({
    is_paused: true,
  });
  while (await forgetNext(contextOf(), postponed));
  expect(await readConnection(test.instance.control, connection.connection_id)).toBeNull();
}, 60_000);

it('a deletion that is told goes only where the vendor, asked, does not have it', async () => {
  for (let count = 0; count < 6; count += 1) shop.add(20 + count);
  await run();
  const stored = async () => {
    while (await forgetNext(contextOf(), new Map()));
    await run();
    return (await storedRows(test, business, 'orders', 'cast(order_id as integer)')).flat();
  };
  // The body of a product that was deleted, sent as that of an order.
  expect((await post('orders/delete', { id: 4 })).status).toBe(200);
  expect(await stored()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(logged.join('')).toContain('which its vendor has still: it stays');
  // While the vendor does not answer it waits, and is asked again.
  shop.orders.delete(5);
  shop.onRequest = () => {
    throw new VendorError('vendor_down', 'it sleeps');
  };
  expect((await post('orders/delete', { id: 5 })).status).toBe(200);
  const postponed = new Map<string, number>();
  expect(await forgetNext(contextOf(), postponed)).toBe(false);
  expect(postponed.size).toBe(1);
  shop.onRequest = () => {};
  expect(await stored()).toEqual([1, 2, 3, 4, 6]);
  // A key that may not ask confirms nothing, and holds nothing up.
  shop.orders.delete(6);
  shop.onRequest = () => {
    throw new VendorError('unauthorized', 'the key is refused');
  };
  expect((await post('orders/delete', { id: 6 })).status).toBe(200);
  while (await forgetNext(contextOf(), new Map()));
  expect(logged.join('')).toContain('may not ask the vendor whether it is');
  shop.onRequest = () => {};
  expect(await stored()).toEqual([1, 2, 3, 4, 6]);
}, 60_000);

it('a wish of Shopify for data of a person, sent as a wish to forget them, forgets nobody', async () => {
  for (let count = 0; count < 6; count += 1) shop.add(20 + count);
  await run();
  const customer = { id: 7_000_000_902, email: 'person2@example.com', phone: null };
  const request = { shop_id: 1, customer, orders_requested: [2], data_request: { id: 1 } };
  expect((await post('customers/redact', request)).status).toBe(200);
  expect(await forgetNext(contextOf(), new Map())).toBe(false);
  expect((await storedRows(test, business, 'orders', 'cast(order_id as integer)')).flat()).toHaveLength(6);
}, 60_000);

it('more deletions than may wait are to be told again, and persons have places of their own', async () => {
  for (let count = 0; count < 14; count += 1) shop.add(20 + count);
  await run();
  const remove = async (id: number) => {
    shop.orders.delete(id);
    return (await post('orders/delete', { id })).status;
  };
  const answers = [await remove(1), await remove(3), await remove(4), await remove(5)];
  expect(answers).toEqual([200, 200, 200, 429]);
  expect(logged.filter((line) => line.includes('3 deletions wait'))).toHaveLength(1);
  const redact = { customer: { email: 'person2@example.com' }, orders_to_redact: [] };
  const person = (number: number) => ({ ...redact, customer: { email: `nobody${number}@example.com` } });
  expect((await post('customers/redact', redact)).status).toBe(200);
  // Persons have the same number of places again: anybody with the secret may sign any number of requests.
  const persons: number[] = [];
  for (const number of [1, 2, 3, 4]) persons.push((await post('customers/redact', person(number))).status);
  expect(persons).toEqual([200, 200, 429, 429]);
  while (await forgetNext(contextOf(), new Map()));
  // What is done is kept until nothing can land any more that was read before it was asked.
  const asked_at = new Date(Date.now() - 3600_000).toISOString();
  await test.instance.control.updateTable('connection_erasures').set({ asked_at }).execute();
  await run();
  while (await forgetNext(contextOf(), new Map()));
  expect(await remove(5)).toBe(200);
  while (await forgetNext(contextOf(), new Map()));
  await run();
  const ids = (await storedRows(test, business, 'orders', 'cast(order_id as integer)')).flat();
  expect(ids).toEqual([6, 7, 8, 10, 11, 12, 13, 14]);
}, 60_000);

it('a person whom Shopify asked to forget goes before the connection does, though nothing is read any more', async () => {
  const { control, data } = test.instance;
  const { business_id, connection_id } = connection;
  for (let count = 0; count < 14; count += 1) shop.add(20 + count);
  await run();
  await post('customers/redact', { customer: { email: 'person2@example.com' }, orders_to_redact: [5] });
  await expect(removeConnection(control, connection_id)).rejects.toThrow('not deleted yet');
  await post('shop/redact', { shop_id: 1 });
  expect(await takeDue(control)).toBeNull();
  expect(await hasConnections(control)).toBe(true);
  // While somebody else reads the business, it is not tried every two seconds.
  const held = await takeConnection(control, connection_id);
  if (held === null) throw new Error('somebody holds it');
  const postponed = new Map<string, number>();
  expect(await forgetNext(contextOf(), postponed)).toBe(false);
  expect(postponed.size).toBe(2);
  for (const until of postponed.values()) expect(until).toBeGreaterThan(performance.now() + 20_000);
  await releaseLease(control, held);
  const later = new Map<string, number>();
  while (await forgetNext(contextOf(), later));
  expect(await readConnection(control, connection_id)).toBeNull();
  expect(await hasConnections(control)).toBe(false);
  await expect(readdir(data.landed(business_id, connection_id))).rejects.toThrow('ENOENT');
  const ids = (await storedRows(test, business, 'orders', 'cast(order_id as integer)')).flat();
  expect(ids).toEqual([1, 3, 4, 6, 7, 8, 10, 11, 12, 13, 14]);
  expect(logged.join('')).not.toContain('could not be deleted');
}, 60_000);

it('rows that are gone are landed once, however often the rest of a deletion is tried', async () => {
  const { control, secret } = test.instance;
  await post('customers/redact', { customer: { email: 'person2@example.com' }, orders_to_redact: [5] });
  const failing: RunContext = {
    ...contextOf(),
    get importMemory(): never {
      throw new Error('it fails');
    },
  };
  await forgetNext(failing, new Map()).catch(() => {});
  const waiting: Erasure[] = [];
  for await (const erasure of waitingErasures(control, secret)) waiting.push(erasure);
  expect(waiting).toMatchObject([{ isLanded: true, identifiers: ['person2@example.com'] }]);
}, 60_000);

it('answers say of a connection that is behind until when it is loaded, and none of others', async () => {
  const { control } = test.instance;
  shop.add(20);
  await run();
  const question = {
    business_id: business.business_id,
    ...{ from_date: '2026-01-01T00:00:00', to_date: '2026-01-31T23:59:59' },
  };
  const notesOf = async (tool: string, args: object) =>
    ((await test.run(tool, args as Record<string, unknown>)).notes ?? []).filter((note) =>
      note.includes('connection'),
    );
  expect(await notesOf('order_statistics', question)).toEqual([]);
  expect(await notesOf('list_businesses', {})).toEqual([]);
  await control
    .updateTable('connections')
    .set({
      loaded_until: '2026-02-03T04:05:06.789Z',
      reached_at: '2026-02-03T05:00:00.000Z',
      state: 'unauthorized',
    })
    .execute();
  const note =
    'The connection "made-up" is loaded until 2026-02-03T04:05:06Z; it was last reached at 2026-02-03T05:00:00Z (the key is refused). What happened since may be missing.';
  expect(await notesOf('order_statistics', question)).toEqual([note]);
  expect(await notesOf('list_businesses', {})).toEqual([`Of ${business.business_id}: ${note}`]);
});

it('names what keeps a connection back where the rest is newer', async () => {
  const { control } = test.instance;
  const now = new Date('2026-03-01T12:00:00Z');
  const old = { loaded_until: '2026-02-03T04:05:06.789Z', reached_at: now.toISOString(), vendor: 'shopify' };
  const noteOf = async (state: string, complete: Readonly<Record<string, string | null>>) => {
    await control
      .updateTable('connections')
      .set({ ...old, state })
      .execute();
    await control.deleteFrom('connection_streams').execute();
    for (const [stream, complete_until] of Object.entries(complete))
      await control
        .insertInto('connection_streams')
        .values({ connection_id: connection.connection_id, stream, place: 'null', complete_until })
        .execute();
    const notes = await staleNotes(control, [business.business_id], now);
    return notes.get(business.business_id)?.join(' ') ?? '';
  };
  const fresh = now.toISOString();
  const onlyOrders = { products: old.loaded_until, orders: fresh, customers: null, 'order-ids': null };
  expect(await noteOf('api_changed', onlyOrders)).toContain(
    'is loaded until 2026-02-03T04:05:06Z (products, customers; the rest is newer); it was last reached',
  );
  // What is landed and not imported is not newer to anybody, and where all are behind there is no rest.
  expect(await noteOf('import_refused', onlyOrders)).toContain('04:05:06Z; it was');
  expect(await noteOf('bad_answer', { products: old.loaded_until })).toContain('04:05:06Z; it was');
});
