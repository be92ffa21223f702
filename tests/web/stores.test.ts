import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { COUNTRIES, currencies, usualOf } from '../../src/business/countries.ts';
import { readBusiness } from '../../src/control/businesses/businesses.ts';
import { assignmentsOf, grantAccess } from '../../src/control/people/accounts.ts';
import { addManager, allowNewBusinesses, listManagers, manages } from '../../src/control/people/managers.ts';
import { mainThread } from '../../src/main-thread/turns.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import type { Page } from './cookie-browser.ts';

/** Which stores a person sees, makes and lets others manage. */
let test: TestInstance;
let server: TestServer;
let first: Business;
let second: Business;
let ada: Person;
let eve: Person;
let nobody: Person;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  const { control } = test.instance;
  [first, second] = [
    await test.createBusiness({ name: 'First shop', timezone: 'Europe/Prague', currency: 'CZK' }),
    await test.createBusiness({ name: 'Second shop' }),
  ];
  [ada, eve, nobody] = [await Person.join(control), await Person.join(control), await Person.join(control)];
  await addManager(control, ada.account_id, first.business_id);
  await addManager(control, eve.account_id, second.business_id);
  // Reading is no managing.
  await grantAccess(control, eve.account_id, first.business_id, ['LIST_PRODUCT']);
  for (const person of [ada, eve, nobody]) await person.open(`${server.baseUrl}/stores`);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const get = (person: Person, path: string) => person.browser.get(`${server.baseUrl}${path}`);
const send = (person: Person, path: string, fields: Record<string, string>) =>
  person.browser.post(`${server.baseUrl}${path}`, fields);
const titleOf = ({ text }: Page) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];

describe('the stores that somebody manages', () => {
  it('are listed, and no others', async () => {
    const page = await get(ada, '/stores');
    expect(page.text).toContain('First shop');
    expect(page.text).not.toContain('Second shop');
    expect(page.text).not.toContain('/stores/new');
    expect((await get(nobody, '/stores')).text).toContain('No store yet');
  });

  it('are written when it is the turn of the account on the main thread', async () => {
    const turns = vi.spyOn(mainThread, 'run');
    await get(ada, `/stores/${first.business_id}`);
    expect(turns.mock.calls.map(([account]) => account)).toContain(ada.account_id);
    turns.mockRestore();
  });

  it('open; what is loaded stands there', async () => {
    const page = await get(ada, `/stores/${first.business_id.toUpperCase()}`);
    expect(page.status).toBe(200);
    expect(titleOf(page)).toBe('First shop');
    expect(page.text).toContain('Three steps to your first numbers');
  });

  it("another's answers as one that there is not", async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const missing = await get(eve, `/stores/${unknown}`);
    expect(missing.status).toBe(404);
    for (const path of [
      `/stores/${first.business_id}`,
      `/stores/${first.business_id}/managers`,
      '/stores/x',
    ]) {
      const page = await get(eve, path);
      expect(page.status).toBe(404);
      expect(page.text).toBe(missing.text);
    }
    const fields = { account_id: eve.account_id };
    for (const path of ['managers', 'managers/remove']) {
      const page = await send(eve, `/stores/${first.business_id}/${path}`, fields);
      expect([page.status, page.text]).toEqual([404, missing.text]);
    }
    expect(await manages(test.instance.control, eve.account_id, first.business_id)).toBe(false);
  });

  it('are for people who are signed in', async () => {
    for (const path of ['/stores', '/stores/new', `/stores/${first.business_id}`]) {
      const response = await fetch(`${server.baseUrl}${path}`, { redirect: 'manual' });
      expect(response.headers.get('Location')).toBe(`/sign-in?return_to=${encodeURIComponent(path)}`);
    }
  });
});

describe('a new store', () => {
  it('needs only a name, and is read and managed by whoever makes it', async () => {
    await allowNewBusinesses(test.instance.control, ada.account_id);
    expect((await get(ada, '/stores')).text).toContain('/stores/new');
    const made = await send(ada, '/stores/new', { name: ' Nová Škoda ' });
    const id = made.location?.pathname.split('/').at(-1) ?? '';
    expect(await readBusiness(test.instance.control, id)).toEqual({
      business_id: id,
      name: 'Nová Škoda',
      link: null,
      timezone: null,
      primary_currency: null,
    });
    const assigned = await assignmentsOf(test.instance.control, ada.account_id);
    expect(assigned.find(({ business_id }) => business_id === id)?.permissions).toHaveLength(4);
    expect((await ada.browser.follow(made)).text).toContain('Three steps to your first numbers');
    expect(server.logText()).toContain('a store was made in the browser');
    expect(server.logText()).not.toContain(ada.email);
    // Its empty model is built when it is first asked.
    const all = { from_date: '2026-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };
    expect(await test.ask('order_statistics', { business_id: id, ...all })).toMatchObject({
      orders_revenues: 0,
    });
  });

  it.each([
    [' ', 'Give the store a name.'],
    ['x'.repeat(101), 'at most 100 visible letters'],
    ['a\0b', 'at most 100 visible letters'],
    ['a\r\nb', 'at most 100 visible letters'],
    ['a\u001b[2Jb', 'at most 100 visible letters'],
    ['a\u202eb', 'at most 100 visible letters'],
  ])('%j is refused as its name in words', async (name, words) => {
    const page = await send(ada, '/stores/new', { name });
    expect(page.status).toBe(400);
    expect(page.text).toContain(words);
  });

  it('is not for those who may not', async () => {
    for (const page of [await get(eve, '/stores/new'), await send(eve, '/stores/new', { name: 'Mine' })]) {
      expect(page.status).toBe(403);
      expect(titleOf(page)).toBe('You cannot create stores');
    }
  });

  it('is made ten times in a quarter of an hour', async () => {
    const mona = await Person.join(test.instance.control);
    await allowNewBusinesses(test.instance.control, mona.account_id);
    await mona.open(`${server.baseUrl}/stores`);
    const fields = { name: 'One of many' };
    for (let count = 0; count < 10; count += 1) {
      expect((await send(mona, '/stores/new', fields)).status).toBe(303);
    }
    const page = await send(mona, '/stores/new', fields);
    expect(page.status).toBe(429);
    expect(Number(page.headers.get('Retry-After'))).toBeGreaterThan(800);
  });
});

describe('managers', () => {
  it('name others among the accounts of the store, who see it at once', async () => {
    const page = await get(ada, `/stores/${first.business_id}/managers`);
    expect(page.text).toContain(eve.email);
    expect(page.text).not.toContain(nobody.email);
    expect(page.text).not.toContain('Remove as manager');

    const refused = await send(ada, `/stores/${first.business_id}/managers`, {
      account_id: nobody.account_id,
    });
    expect([
      refused.status,
      await manages(test.instance.control, nobody.account_id, first.business_id),
    ]).toEqual([400, false]);

    const added = await send(ada, `/stores/${first.business_id}/managers`, { account_id: eve.account_id });
    expect((await ada.browser.follow(added)).text).toContain('manages this store from now on');
    expect((await get(eve, `/stores/${first.business_id}`)).status).toBe(200);
  });

  it('take it from each other, but not from the last', async () => {
    const path = `/stores/${first.business_id}/managers/remove`;
    const removed = await send(eve, path, { account_id: ada.account_id });
    expect(removed.status).toBe(303);
    expect((await get(ada, `/stores/${first.business_id}`)).status).toBe(404);
    const last = await send(eve, path, { account_id: eve.account_id });
    expect(last.status).toBe(400);
    expect(last.text).toContain('Add another manager first.');
    expect(await listManagers(test.instance.control, first.business_id)).toHaveLength(1);
    const stranger = await send(eve, path, { account_id: 'x' });
    expect(stranger.text).toContain('the account manages this store no longer');
  });
});

describe('what is proposed for a country', () => {
  const EXPECTED = [
    ['CZ', 'Europe/Prague', 'CZK'],
    ['SK', 'Europe/Bratislava', 'EUR'],
    ['HR', 'Europe/Zagreb', 'EUR'],
    ['PL', 'Europe/Warsaw', 'PLN'],
    ['GB', 'Europe/London', 'GBP'],
    ['CH', 'Europe/Zurich', 'CHF'],
    ['JP', 'Asia/Tokyo', 'JPY'],
    ['NO', 'Europe/Oslo', 'NOK'],
  ] as const;

  it.each(EXPECTED)('%s: %s, %s', (country, timezone, currency) => {
    expect(usualOf(country)).toMatchObject({ timezones: [timezone], currency });
  });

  it('can be chosen, of every country', () => {
    const known = new Set(currencies().map(({ code }) => code));
    const missing = COUNTRIES.filter(({ code }) => !known.has(usualOf(code)?.currency ?? ''));
    expect(missing).toEqual([]);
    expect(COUNTRIES.length).toBeGreaterThan(240);
  });
});
