import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { endSessionsOf } from '../../src/control/people/browser-sessions.ts';
import { type AppGrant, listAppGrants } from '../../src/control/tokens/grants.ts';
import { App, type Authorization } from '../oauth/app.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import type { Page } from './cookie-browser.ts';
import { slowControl } from './slow-control.ts';

/** What the consent form may say, and what comes of it. */
let test: TestInstance;
let server: TestServer;
let shops: Business[];
let person: Person;
let app: App;
let authorization: Authorization;
let consent: Page;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test, { control: slowControl(test.instance.control) });
  shops = [
    await test.createBusiness({ name: 'First shop' }),
    await test.createBusiness({ name: 'Second shop' }),
  ];
  person = await Person.join(test.instance.control, shops);
  app = await App.register(server.baseUrl);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

beforeEach(async () => {
  authorization = app.authorize();
  consent = await person.open(authorization.url);
});

function answer(fields: readonly (readonly [string, string])[]): Promise<Page> {
  return person.browser.post(
    consent.url,
    new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
  );
}

function connections(): Promise<AppGrant[]> {
  return listAppGrants(test.instance.control, person.account_id);
}

it.each<[string, [string, string][], boolean]>([
  ['nothing', [], false],
  [
    'a decision that is none',
    [
      ['decision', 'perhaps'],
      ['businesses', 'all'],
    ],
    false,
  ],
  ['no stores', [['decision', 'allow']], false],
  [
    'only these, and none',
    [
      ['decision', 'allow'],
      ['businesses', 'chosen'],
    ],
    true,
  ],
  [
    'only these, and one of somebody else',
    [
      ['decision', 'allow'],
      ['businesses', 'chosen'],
      ['business_id', '33333333-2222-4333-8444-555555555555'],
    ],
    true,
  ],
])('%s is no answer: the question is asked again', async (_name, fields, isChosen) => {
  const before = await connections();
  const { status, text } = await answer(fields);
  expect(status).toBe(400);
  expect(text).toContain('Choose which stores the app may read: all, or at least one of the list.');
  expect(/value="chosen" checked/.test(text)).toBe(isChosen);
  expect(await connections()).toEqual(before);
  expect((await answer([['decision', 'deny']])).status).toBe(303);
});

it('only stores of the person are given, whatever the form names', async () => {
  const stranger = await test.createBusiness({ name: 'Shop of a stranger' });
  const ids = [stranger.business_id, shops[1]?.business_id ?? ''];
  await answer([
    ['decision', 'allow'],
    ['businesses', 'chosen'],
    ...ids.map((id) => ['business_id', id] as const),
  ]);
  const [newest] = await connections();
  expect(newest?.allowlist).toEqual([shops[1]?.business_id]);
});

it('somebody else who opens the link of a request cannot answer it', async () => {
  const eve = await Person.join(test.instance.control, shops);
  await eve.open(`${server.baseUrl}/connections`);
  expect((await eve.browser.get(consent.url)).text).toContain('This request is over');
  const { status } = await eve.browser.post(consent.url, { decision: 'allow', businesses: 'all' });
  expect(status).toBe(400);
  expect(await listAppGrants(test.instance.control, eve.account_id)).toEqual([]);
  expect((await person.browser.get(consent.url)).text).toContain('Who asks');
});

it('two apps may ask at the same time, and each gets its own answer', async () => {
  const other = await App.register(server.baseUrl, 'http://127.0.0.1:4444/callback');
  const second = other.authorize();
  const returned = await person.allow(second.url, [shops[0] as Business]);
  expect(await other.redeem(returned, second)).toMatchObject({ status: 200 });
  const first = await person.browser.follow(
    await answer([
      ['decision', 'allow'],
      ['businesses', 'all'],
    ]),
    (url) => url.origin !== server.baseUrl,
  );
  expect(await app.redeem(first.location as URL, authorization)).toMatchObject({ status: 200 });
});

it('a session that ended while the person read leads back to the question', async () => {
  await endSessionsOf(test.instance.control, person.account_id);
  const signIn = await person.browser.follow(
    await answer([
      ['decision', 'allow'],
      ['businesses', 'all'],
    ]),
  );
  expect(signIn.text).toContain('to connect');
  const again = await person.browser.submit(
    signIn,
    { email: person.email, password: person.password },
    '/sign-in',
  );
  expect(again.location?.href).toBe(consent.url.href);
});

it('two clicks on Allow, at once or one after the other, make one connection', async () => {
  const before = (await connections()).length;
  await Promise.all([
    answer([
      ['decision', 'allow'],
      ['businesses', 'all'],
    ]),
    answer([
      ['decision', 'allow'],
      ['businesses', 'all'],
    ]),
  ]);
  const ids = shops.map(({ business_id }) => ['business_id', business_id] as const);
  const last = await answer([['decision', 'allow'], ['businesses', 'chosen'], ...ids.slice(1)]);
  const returned = await person.browser.follow(last, (url) => url.origin !== server.baseUrl);
  expect(await app.redeem(returned.location as URL, authorization)).toMatchObject({ status: 200 });
  const [newest, ...others] = await connections();
  expect(newest?.allowlist).toEqual([shops[1]?.business_id]);
  expect(newest?.grant_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(others).toHaveLength(before);
});

it('each request makes a connection of its own, also of one person to one app', async () => {
  const before = (await connections()).length;
  await answer([
    ['decision', 'allow'],
    ['businesses', 'all'],
  ]);
  await person.allow(app.authorize().url);
  expect(await connections()).toHaveLength(before + 2);
});
