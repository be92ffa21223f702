import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { askForErasure } from '../../src/control/connections/connection-erasures.ts';
import { endRun, takeConnection } from '../../src/control/connections/connection-leases.ts';
import {
  createConnection,
  listConnections,
  MOST_CONNECTIONS,
  openSecrets,
  readConnection,
} from '../../src/control/connections/connections.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { addManager } from '../../src/control/people/managers.ts';
import { importFiles } from '../../src/import/run.ts';
import { runConnection } from '../../src/live/run-connection.ts';
import { VENDORS } from '../../src/live/vendors/all-vendors.ts';
import { shownSettings } from '../../src/web/pages/connection-form.ts';
import { VENDOR_WORDS } from '../../src/web/pages/vendor-words.ts';
import { writeFiles } from '../ingest/shop.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { ga4Event, ndjson } from '../sources/ga4-export.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { stateOf } from './control-state.ts';
import type { Page } from './cookie-browser.ts';
import { refusingConnection } from './refusing-connection.ts';

/** What managers connect their stores to, in the browser. */
const KEY = 'planted-key-2718281828';
const OTHER_KEY = 'planted-key-1618033988';
const HEADER = 'order_id,ordered_at,currency,total,status,email\n';
/** The header of an export with the status `packed`, which nobody explained yet. */
const SHOP_HEADER =
  'Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id\n';

let test: TestInstance;
let server: TestServer;
let vendor: Server;
let file: string;
let base: string;
let shop: Business;
let ada: Person;
let eve: Person;
let keeper: Person;

beforeAll(async () => {
  vendor = createServer(({ url = '' }, response) => {
    if (url.includes(KEY) || url.includes(OTHER_KEY)) response.end(file);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
});

afterAll(async () => {
  vendor.close();
  await server.stop();
  await test[Symbol.asyncDispose]();
});

beforeEach(async () => {
  const { control } = test.instance;
  file = `${HEADER}1,2026-10-10T10:00:00Z,EUR,17,paid,ann@example.com\n`;
  shop = await test.createBusiness({ name: 'First shop', timezone: 'Europe/Prague', currency: 'EUR' });
  const other = await test.createBusiness({ name: 'Second shop' });
  [ada, eve, keeper] = [
    await Person.join(control, [shop]),
    await Person.join(control),
    await Person.join(control),
  ];
  await addManager(control, ada.account_id, shop.business_id);
  await addManager(control, keeper.account_id, shop.business_id);
  await addManager(control, eve.account_id, other.business_id);
  // Reading is no managing.
  await grantAccess(control, eve.account_id, shop.business_id, ['DISPLAY_ANALYTICS_DASHBOARD']);
  for (const person of [ada, eve, keeper]) await person.open(`${server.baseUrl}/stores`);
});

const place = (path = '') => `${server.baseUrl}/stores/${shop.business_id}/sources${path}`;
const get = (path = '', person = ada) => person.browser.get(place(path));
const send = (path: string, fields: Record<string, string> = {}, person = ada) =>
  person.browser.post(place(path), fields);
const titleOf = ({ text }: Page) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];
const address = (key = KEY, name = 'orders.csv') => `${base}/${key}/${name}`;
const connectUrl = (fields: Record<string, string> = {}, person = ada) =>
  send('/new/url', { secret_address: address(), ...fields }, person);

/** The connection of the shop, once it is there. */
async function theConnection() {
  const [connection] = await listConnections(test.instance.control, shop.business_id);
  if (connection === undefined) throw new Error('nothing is connected');
  return connection;
}

/** What a worker does. */
async function run(): Promise<void> {
  const { connection_id } = await theConnection();
  const held = await takeConnection(test.instance.control, connection_id);
  if (held === null) throw new Error('somebody holds it');
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const signal = new AbortController().signal;
  await runConnection({ ...test.instance, vendors: VENDORS, log, signal, allowsLoopback: true }, held);
}

const orders = async () =>
  test.ask('order_statistics', {
    business_id: shop.business_id,
    ...{ from_date: '2026-01-01T00:00:00', to_date: '2026-12-31T23:59:59' },
  });

describe('a source', () => {
  it('is connected, read, paused, given another key and removed; no page, log or file has its key', async () => {
    const pages: Page[] = [await get(), await get('/new/url')];
    expect(pages[0]?.text).toContain('Nothing is connected yet');
    expect(pages[1]?.text).toContain('type="password"');
    pages.push(await connectUrl());
    expect([pages.at(-1)?.status, titleOf(pages.at(-1) as Page)]).toEqual([200, 'Connected']);
    const { connection_id } = await theConnection();
    const at = `/${connection_id}`;
    pages.push(await get(), await get(at));
    expect(pages.at(-1)?.text).toContain('not read yet');
    expect(pages.at(-1)?.headers.get('Refresh')).toMatch(/^5; url=/);

    await run();
    expect(await orders()).toMatchObject({ orders_count: 1, orders_revenues: 17 });
    pages.push(await get(at), await ada.browser.get(`${server.baseUrl}/stores/${shop.business_id}`));
    expect(pages.at(-2)?.text).toContain('up to date');
    expect(pages.at(-2)?.text).toContain('orders: 1 read, 1 loaded');
    expect(pages.at(-2)?.headers.get('Refresh')).toBeNull();
    expect(pages.at(-1)?.text).toMatch(/up to date, loaded until/);

    pages.push(await ada.browser.follow(await send(`${at}/pause`)));
    expect(pages.at(-1)?.text).toContain('It is paused');
    expect((await theConnection()).is_paused).toBe(true);
    pages.push(await ada.browser.follow(await send(`${at}/resume`)));
    expect((await theConnection()).is_paused).toBe(false);
    pages.push(await ada.browser.follow(await send(`${at}/sync`)));
    expect(Date.parse((await theConnection()).due_at)).toBeLessThanOrEqual(Date.now());

    pages.push(await get(`${at}/key`));
    pages.push(await send(`${at}/key`, { secret_address: `${base}/wrong` }));
    expect([pages.at(-1)?.status, pages.at(-1)?.text]).toEqual([
      400,
      expect.stringContaining('no file at the address any more'),
    ]);
    pages.push(await send(`${at}/key`, { secret_address: address(OTHER_KEY) }));
    expect(titleOf(pages.at(-1) as Page)).toBe('The key is changed');
    expect(openSecrets(test.instance.secret, await theConnection())).toEqual({ address: address(OTHER_KEY) });

    pages.push(await get(`${at}/remove`));
    expect(pages.at(-1)?.text).toContain('What was imported stays');
    pages.push(await ada.browser.follow(await send(`${at}/remove`)));
    expect(pages.at(-1)?.text).toContain('The source is removed.');
    expect(await listConnections(test.instance.control, shop.business_id)).toEqual([]);
    const landed = test.instance.data.landed(shop.business_id, connection_id);
    await expect(readdir(landed)).rejects.toThrow('ENOENT');
    expect(await orders()).toMatchObject({ orders_count: 1 });

    for (const page of pages) {
      const { pathname, search } = page.url;
      const seen = `${pathname}${search} ${page.headers.get('Location')} ${page.text}`;
      expect(seen, pathname).not.toMatch(/planted-key|ann@example\.com/);
    }
    expect(server.logText()).toContain('a source was connected in the browser');
    expect(server.logText()).toContain('a key of a source was not taken');
    expect(server.logText()).not.toMatch(/planted-key|@example\.com/);
    for (const entry of await readdir(test.instance.data.root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = await readFile(join(entry.parentPath, entry.name), 'latin1');
      expect(text, entry.name).not.toContain('planted-key');
    }
  });

  it('that nobody can read is not connected; what was typed stays, but for the key', async () => {
    const page = await send('/new/shopify', {
      setting_shop: 'shop.example',
      setting_clientId: 'client-1',
      secret_clientSecret: KEY,
    });
    expect(page.status).toBe(400);
    expect(page.text).toContain(
      'Shopify needs Shopify address of the shop: the domain that Shopify gave the shop',
    );
    expect(page.text).toContain('value="client-1"');
    expect(page.text).not.toContain(KEY);
    expect((await send('/new/url')).text).toContain('needs Address of the file');
    expect((await connectUrl({ minutes: '0' })).text).toContain('the interval must be');
    expect((await connectUrl({ minutes: 'x' })).text).toContain('the interval must be');
    expect((await connectUrl({ name: 'No Name' })).text).toContain('small letters, digits and dashes');
    expect((await connectUrl({ secret_address: `${base}/${'x'.repeat(5000)}` })).text).toContain(
      'at most 4000 characters',
    );
    expect((await send('/new/woocommerce', { setting_url: `https://${'x'.repeat(301)}` })).text).toContain(
      'at most 300 characters',
    );
    expect((await get('/new/amazon')).status).toBe(404);
    expect((await send('/new/amazon')).status).toBe(404);
    expect(await listConnections(test.instance.control, shop.business_id)).toEqual([]);
  });

  it('whose key no request can hold is told so, or leaves no trace of it', async () => {
    const shopify = (secret_accessToken: string) =>
      send('/new/shopify', { setting_shop: new URL(base).host, secret_accessToken });
    const hidden = await shopify(`${KEY}…`);
    expect([hidden.status, hidden.text]).toEqual([
      400,
      expect.stringContaining('Access token holds a character that no key has'),
    ]);
    const page = await shopify(`${KEY}č`);
    expect([page.status, titleOf(page)]).toEqual([500, 'Something went wrong here']);
    expect(server.logText()).toContain('a page failed');
    expect(server.logText()).not.toContain(KEY);
  });

  it('is connected once, however often the form is sent', async () => {
    await connectUrl();
    const again = await connectUrl({ name: 'again' });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('very key already')]);
    expect(await listConnections(test.instance.control, shop.business_id)).toHaveLength(1);
  });

  it('is nothing that only this server reaches', async () => {
    const never = {
      'a private address': 'http://10.0.0.7/orders.csv',
      'a private address over https': 'https://192.168.1.1/orders.csv',
      'the address of a cloud': 'http://169.254.169.254/latest/meta-data',
      'an address within IPv6': 'https://[::ffff:10.0.0.7]/orders.csv',
      'a port': 'https://example.com:8443/orders.csv',
      'a user': 'https://ann:secret@example.com/orders.csv',
      'a file': 'file:///etc/passwd',
    };
    for (const [name, secret_address] of Object.entries(never)) {
      const page = await send('/new/url', { secret_address });
      expect([name, page.status, page.text]).toEqual([
        name,
        400,
        expect.stringMatching(/no public address|must be reached over https|no user and no password/),
      ]);
    }
    expect(await listConnections(test.instance.control, shop.business_id)).toEqual([]);
  });

  it('a source on this machine is refused where nobody allowed that', async () => {
    const strict = await startTestServer(test, { allowsLoopback: false });
    await ada.open(`${strict.baseUrl}/stores`);
    const page = await ada.browser.post(`${strict.baseUrl}/stores/${shop.business_id}/sources/new/url`, {
      secret_address: address(),
    });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('must be reached over https')]);
    await strict.stop();
  });

  it('is one of twenty at most', async () => {
    const { control, secret } = test.instance;
    for (let number = 0; number < MOST_CONNECTIONS; number += 1)
      await createConnection(control, secret, {
        ...{ business_id: shop.business_id, name: `url-${number}`, vendor: 'url', settings: {} },
        ...{ secrets: {}, account: null, interval_s: 900 },
      });
    expect((await connectUrl()).text).toContain('20 are the most');
  });

  it('stays while somebody waits to be forgotten', async () => {
    await connectUrl();
    const { connection_id } = await theConnection();
    const { control, secret } = test.instance;
    const wish = { connection_id, request_id: 'r', identifiers: ['x'], gone: [] };
    await askForErasure(control, secret, wish);
    const page = await send(`/${connection_id}/remove`);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('try again in a minute')]);
    expect(await readConnection(control, connection_id)).not.toBeNull();
  });
});

describe('a status that nobody explained', () => {
  const packed = (id: number) =>
    `#${id},ann@example.com,packed,EUR,10,0,0,10,2026-10-05 15:40:14 +0100,1,Mug,10,${id}\n`;

  it('is asked for, and what was read is imported with the answer', async () => {
    file = SHOP_HEADER + packed(1) + packed(2);
    await connectUrl({ secret_address: address(KEY, 'orders_export.csv') });
    await run();
    const { connection_id, state } = await theConnection();
    expect(state).toBe('import_refused');
    const asked = await get(`/${connection_id}`);
    expect(asked.text).toContain('What the statuses of your shop mean');
    expect(asked.text).toContain('name="status_name" value="packed"');
    expect(asked.text).not.toContain('--status');

    const wrong = await send(`/${connection_id}/answer`, { status_name: 'packed', status_meaning: 'eaten' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Not understood')]);
    const answer = { status_name: 'packed', status_meaning: 'paid', timezone: 'Asia/Tokyo' };
    const answered = await send(`/${connection_id}/answer`, answer);
    expect((await ada.browser.follow(answered)).text).toContain('Your answer is remembered');
    // What was not asked for is not remembered.
    expect(JSON.stringify(await stateOf(test.instance.control))).not.toContain('Asia/Tokyo');
    await run();
    expect((await theConnection()).state).toBe('ok');
    expect(await orders()).toMatchObject({ orders_count: 2, orders_revenues: 20 });
  });
});

it('a store of purchases is asked whether the orders of its shop take their place, and they do', async () => {
  const purchase = ga4Event('purchase', 60, { transaction_id: '77', value: 20, currency: 'EUR' });
  await importFiles(test.instance, shop, [writeFiles(test, { 'events.json': ndjson([purchase]) })], {
    settings: { 'orders-from': 'ga4' },
  });
  const counted = async () => ((await orders()) as Record<string, unknown>).orders_revenues;
  expect(await counted()).toBe(20);
  file = `${SHOP_HEADER}#1,ann@example.com,paid,EUR,10,0,0,10,2026-10-05 15:40:14 +0100,1,Mug,10,1\n`;
  await connectUrl({ secret_address: address(KEY, 'orders_export.csv') });
  await run();
  const { connection_id } = await theConnection();
  const asked = await get(`/${connection_id}`);
  expect(asked.text).toContain('Whose orders the store has');
  expect(asked.text).toContain('Take the purchases away');
  // Only what the page offers.
  const wrong = await send(`/${connection_id}/answer`, { 'orders-from': 'ga4' });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('would count twice')]);
  await run();
  expect([(await theConnection()).state, await counted()]).toEqual(['import_refused', 20]);

  const answered = await send(`/${connection_id}/answer`, { 'orders-from': 'shop' });
  expect((await ada.browser.follow(answered)).text).toContain('Your answer is remembered');
  await run();
  expect([(await theConnection()).state, await counted()]).toEqual(['ok', 10]);
  // It was said of that one import.
  expect(JSON.stringify(await stateOf(test.instance.control))).not.toContain('import said');
});

describe('rows that a vendor lists no more, and that were not deleted', () => {
  const wishes = () =>
    test.instance.control
      .selectFrom('connection_streams')
      .select('place')
      .where('stream', '=', 'order-ids asked')
      .execute();
  let id: string;

  beforeEach(async () => {
    await test.instance.control.deleteFrom('connection_streams').execute();
    id = await refusingConnection(test.instance, shop.business_id);
    await grantAccess(test.instance.control, ada.account_id, shop.business_id, [
      'DISPLAY_ANALYTICS_DASHBOARD',
    ]);
  });

  it('are told, and deleted once somebody has confirmed just so many', async () => {
    const page = await get(`/${id}`);
    expect(page.text).toContain('30 of 59 orders are not listed there any more');
    expect(page.text).toContain('Delete orders here, too');
    expect(page.text).not.toContain('--most-gone');
    const asking = await get(`/${id}/gone?kind=order-ids`);
    expect(asking.text).toContain('Delete up to 30 orders');
    // Nothing is done by asking.
    expect(await wishes()).toEqual([]);

    for (const [fields, status] of [
      [{ kind: 'order-ids', count: '31' }, 409],
      [{ kind: 'order-ids' }, 409],
      [{ kind: 'customer-ids', count: '30' }, 409],
    ] as const) {
      expect((await send(`/${id}/gone`, fields)).status).toBe(status);
      expect(await wishes()).toEqual([]);
    }
    const confirmed = await send(`/${id}/gone`, { kind: 'order-ids', count: '30' });
    expect((await ada.browser.follow(confirmed)).text).toContain('is deleted then');
    expect((await wishes()).map(({ place }) => JSON.parse(place))).toMatchObject([{ mostGone: 30 }]);
    expect(Date.parse((await theConnection()).due_at)).toBeLessThanOrEqual(Date.now());
    expect(server.logText()).toContain('deletions of a source were confirmed');
  });

  it('can be compared anew, by whoever manages the store; only who sees numbers can have them deleted', async () => {
    const page = await get(`/${id}`, keeper);
    expect(page.text).toContain('Compare again');
    expect(page.text).toContain('How many is not shown');
    const withoutTimes = page.text.replaceAll(/<time.*?<\/time>/g, '');
    expect(withoutTimes).not.toMatch(/\b30\b|\b59\b|Delete orders/);
    const asking = await get(`/${id}/gone?kind=order-ids`, keeper);
    expect([asking.status, asking.text]).toEqual([403, expect.not.stringMatching(/\b30\b/)]);
    expect((await send(`/${id}/gone`, { kind: 'order-ids', count: '30' }, keeper)).status).toBe(403);
    expect(await wishes()).toEqual([]);
    const compared = await send(`/${id}/compare`, {}, keeper);
    expect((await keeper.browser.follow(compared)).text).toContain('Nothing was deleted');
    expect((await wishes()).map(({ place }) => JSON.parse(place))).toMatchObject([{ mostGone: null }]);
  });

  it('are nothing to decide about while the source is paused', async () => {
    await send(`/${id}/pause`);
    expect((await get(`/${id}`)).text).not.toContain('Delete orders');
    expect((await send(`/${id}/gone`, { kind: 'order-ids', count: '30' })).status).toBe(409);
    expect(await wishes()).toEqual([]);
  });
});

describe('who may', () => {
  const paths = (id: string) => ({
    get: ['', '/new/url', `/${id}`, `/${id}/key`, `/${id}/gone?kind=order-ids`, `/${id}/remove`],
    post: [
      '/new/url',
      ...['sync', 'pause', 'resume', 'answer', 'compare', 'gone', 'key', 'remove'].map(
        (what) => `/${id}/${what}`,
      ),
    ],
  });

  it('is a manager of the store: to others, reading it or not, nothing of it is there', async () => {
    await connectUrl();
    const { connection_id } = await theConnection();
    const before = await stateOf(test.instance.control);
    const missing = await eve.browser.get(`${server.baseUrl}/stores/00000000-0000-4000-8000-000000000000`);
    const fields = { secret_address: address(OTHER_KEY) };
    for (const path of paths(connection_id).get) {
      const page = await get(path, eve);
      expect([path, page.status, page.text]).toEqual([path, 404, missing.text]);
    }
    for (const path of paths(connection_id).post) {
      const page = await send(path, fields, eve);
      expect([path, page.status, page.text]).toEqual([path, 404, missing.text]);
    }
    expect(await stateOf(test.instance.control)).toEqual(before);
  });

  it('reaches a connection by its own store alone', async () => {
    await connectUrl();
    const { connection_id } = await theConnection();
    const others = await test.createBusiness({ name: 'Third shop' });
    await addManager(test.instance.control, eve.account_id, others.business_id);
    const before = await stateOf(test.instance.control);
    const at = `${server.baseUrl}/stores/${others.business_id}/sources`;
    for (const path of paths(connection_id).get.slice(2)) {
      const page = await eve.browser.get(`${at}${path}`);
      expect([path, page.status, titleOf(page)]).toEqual([path, 404, 'No such source']);
    }
    for (const path of paths(connection_id).post.slice(1)) {
      const page = await eve.browser.post(`${at}${path}`, { secret_address: address(OTHER_KEY) });
      expect([path, page.status, titleOf(page)]).toEqual([path, 404, 'No such source']);
    }
    expect((await eve.browser.get(at)).text).not.toContain(connection_id);
    expect(await stateOf(test.instance.control)).toEqual(before);
  });

  it('is shown no number of a store that they manage and may not read', async () => {
    await connectUrl();
    await run();
    const { connection_id } = await theConnection();
    const page = await get(`/${connection_id}`, keeper);
    expect(page.text).toContain('up to date');
    expect(page.text).toContain('your account may not see the numbers of this store');
    expect(page.text).not.toMatch(/\d+ (read|loaded|rows|went)/);
  });

  it.each([
    ['deletions_refused', null],
    ['import_refused', { kind: 'refused', message: 'there are 17 of 30 orders' }],
  ])('is shown none in words either, where it says %s', async (state, refusal) => {
    const { control } = test.instance;
    await connectUrl();
    const { connection_id } = await theConnection();
    await grantAccess(control, ada.account_id, shop.business_id, ['DISPLAY_ANALYTICS_DASHBOARD']);
    const held = await takeConnection(control, connection_id);
    if (held === null) throw new Error('somebody holds it');
    const now = new Date().toISOString();
    await endRun(control, held, {
      run: {
        ...{ started_at: now, ended_at: now, state, message: 'there are 17 of 30 orders' },
        report: {
          ...{ rows: {}, gone: {}, imports: [], notes: [], failed: [], refusal },
          refused: [{ listing: 'order-ids', title: 'orders', gone: 17, known: 30 }],
        },
      },
      ...{ failures: 0, due_at: new Date(Date.now() + 900_000) },
    });
    const store = await keeper.browser.get(`${server.baseUrl}/stores/${shop.business_id}`);
    for (const page of [await get(`/${connection_id}`, keeper), await get('', keeper), store])
      expect([page.status, page.text]).toEqual([200, expect.not.stringContaining('17 of 30')]);
    expect((await get(`/${connection_id}`)).text).toContain('17 of 30');
  });

  it('tries twenty keys in a quarter of an hour, and one at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = createServer(() => promise.then(() => slow.closeAllConnections()));
    await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening));
    const slowAddress = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/x`;
    const waiting = connectUrl({ secret_address: slowAddress });
    await expect.poll(async () => (await connectUrl({ secret_address: 'x' })).status).toBe(429);
    resolve();
    expect((await waiting).status).toBe(400);
    slow.close();
    let page = await connectUrl({ secret_address: 'x' });
    for (let tries = 0; tries < 20 && page.status !== 429; tries += 1)
      page = await connectUrl({ secret_address: 'x' });
    expect([page.status, titleOf(page)]).toEqual([429, 'Too much at once']);
  });

  it('waits while ten others try vendors that do not answer, and is tried when one of them has ended', async () => {
    const asked: ServerResponse[] = [];
    const silent = createServer((_, response) => void asked.push(response));
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const silentAddress = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
    try {
      const others = await Promise.all(
        Array.from({ length: 10 }, async () => {
          const store = await test.createBusiness({ name: 'A shop' });
          const person = await Person.join(test.instance.control);
          await addManager(test.instance.control, person.account_id, store.business_id);
          await person.open(`${server.baseUrl}/stores`);
          return { store, person };
        }),
      );
      const tries = others.map(({ store, person }) =>
        person.browser.post(`${server.baseUrl}/stores/${store.business_id}/sources/new/url`, {
          secret_address: silentAddress,
        }),
      );
      await expect.poll(() => asked.length).toBe(10);
      const own = connectUrl();
      expect(await Promise.race([own, sleep(300)])).toBeUndefined();
      asked[0]?.writeHead(404).end();
      expect(titleOf(await own)).toBe('Connected');
      for (const response of asked) response.destroy();
      for (const { status } of await Promise.all(tries)) expect(status).toBe(400);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('whose session ended comes back to the page after signing in', async () => {
    const someone = await Person.join(test.instance.control);
    for (const path of ['', '/new/shopify', '/some-id', '/some-id/key']) {
      const { location } = await get(path, someone);
      const back = `/stores/${shop.business_id}/sources${path}`;
      expect(location?.searchParams.get('return_to')).toBe(back);
    }
    const { location } = await send('/some-id/pause', {}, someone);
    expect(location?.searchParams.get('return_to')).toBe('/stores');
  });
});

it('a page asks for what each vendor needs', () => {
  for (const each of VENDORS) {
    const { guide, fields } = VENDOR_WORDS[each.name] ?? { guide: [], fields: {} };
    expect(guide.length, each.name).toBeGreaterThan(1);
    const shown = [...shownSettings(each).map(({ name }) => name), ...Object.keys(each.secrets)];
    expect(Object.keys(fields).sort(), each.name).toEqual(shown.sort());
    const needed = Object.entries(each.settings.shape).filter(([, schema]) => !schema.isOptional());
    expect(shownSettings(each).map(({ name }) => name)).toEqual(
      expect.arrayContaining(needed.map(([name]) => name)),
    );
  }
});
