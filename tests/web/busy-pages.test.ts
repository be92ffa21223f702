import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { addManager } from '../../src/control/people/managers.ts';
import { OperatorError } from '../../src/errors.ts';
import { BusyError, type Warehouse } from '../../src/warehouse/warehouse.ts';
import { Person } from '../oauth/person.ts';
import { emptyStore } from '../oracle/store.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { environmentWith } from '../server/warehouse-doubles.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * A page that has no numbers now says why, in words for people, and when to try again; the log has no defect.
 */
let test: TestInstance;
let server: TestServer;
let shop: Business;
let owner: Person;
let query: Warehouse['query'];

/** A page counts as some 30 messages: there is room for two. */
const MOST_MESSAGES = 70;

const busy = async () => {
  throw new BusyError();
};

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  query = (...asked) => test.warehouse.query(...asked);
  const environment = environmentWith(test, (...asked) => query(...asked));
  server = await startTestServer(test, { environment, rateLimit: MOST_MESSAGES });
  shop = await test.createBusiness({ name: 'Shop', timezone: 'Europe/Prague', currency: 'CZK' });
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  store.orders = [
    { order_id: 'o1', ordered_at: '2026-08-05T12:00:00Z', total: '100', currency: 'CZK' },
    { order_id: 'o2', ordered_at: '2026-08-06T12:00:00Z', total: '100', currency: 'CZK' },
  ];
  await test.importStore(shop, store);
});

beforeEach(async () => {
  query = (...asked) => test.warehouse.query(...asked);
  const { control } = test.instance;
  owner = await Person.join(control);
  await grantAccess(control, owner.account_id, shop.business_id, ['DISPLAY_ANALYTICS_DASHBOARD']);
  await addManager(control, owner.account_id, shop.business_id);
  await owner.open(`${server.baseUrl}/stores`);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const PAGES = [
  ['the overview', '/overview'],
  ['its CSV', '/overview.csv'],
  ['the store', ''],
] as const;

const get = (path: string, signal: AbortSignal | null = null) =>
  owner.browser.get(`${server.baseUrl}/stores/${shop.business_id}${path}`, { signal });

describe.each(PAGES)('%s', (_name, path) => {
  it('is 503 while the server is busy, and says so', async () => {
    query = busy;
    const before = server.logText();
    const page = await get(path);
    expect(page.status).toBe(503);
    expect(page.headers.get('Retry-After')).toBe('5');
    expect(page.text).toContain(
      'The numbers cannot be shown now: the server is busy with other questions; try again in a moment',
    );
    const logged = server.logText().slice(before.length);
    expect(logged).toContain('a page was refused');
    expect(logged).not.toContain('a page failed');
  });

  it('tells of an error that nobody expected by its reference alone', async () => {
    query = () => Promise.reject(new Error('secret words'));
    const page = await get(path);
    expect(page.status).toBe(503);
    expect(page.text).toContain('the log says why');
    expect(page.text).not.toContain('secret words');
    expect(server.logText()).toContain('secret words');
  });

  it('counts as messages of its account', async () => {
    const pages = [];
    for (let time = 0; time < 3; time += 1) pages.push(await get(path));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(pages.at(-1)?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(pages.at(-1)?.text).toContain('too many requests; try again in');
  });
});

it('a page that the operator alone can mend is 503, with the words that everybody may read', async () => {
  query = () =>
    Promise.reject(new OperatorError('the data cannot be read', { cause: new Error('/srv/path') }));
  const page = await get('/overview');
  expect(page.status).toBe(503);
  expect(page.text).toContain('the data cannot be read');
  expect(page.text).not.toContain('/srv/path');
  expect(server.logText()).toContain('an operator is needed');
});

it('what is asked for a page ends with its browser', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const begun = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  query = (_snapshot, _queries, _asker, signal) => {
    signals.push(signal);
    begun.resolve();
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        cancelled.resolve();
        reject(signal.reason);
      });
    });
  };
  const leaving = new AbortController();
  const page = get('/overview', leaving.signal).catch(() => null);
  await begun.promise;
  leaving.abort();
  await cancelled.promise;
  expect(await page).toBeNull();
  expect(signals.map((signal) => signal?.aborted)).toEqual(signals.map(() => true));
});
