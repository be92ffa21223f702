import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findGrant, listAppGrants, revokeGrant } from '../../src/control/tokens/grants.ts';
import { purgeSignIn } from '../../src/oauth/purge.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { App, type TokenAnswer } from './app.ts';
import { Person } from './person.ts';

/** What is over goes, and nothing else: an app that is connected stays known however long it is silent. */
const DAY = 86_400_000;

let test: TestInstance;
let server: TestServer;

beforeEach(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
});

afterEach(async () => {
  vi.useRealTimers();
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const start = Date.now();

/** Goes to this many days after the start, and purges. */
async function purgeAtDay(days: number): Promise<void> {
  goToDay(days);
  await purgeSignIn(test.instance.control);
}

function goToDay(days: number): void {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(start + days * DAY + 60_000);
}

async function clients(): Promise<string[]> {
  const rows = await test.instance.control.selectFrom('oauth_clients').select('client_id').execute();
  return rows.map(({ client_id }) => client_id);
}

async function count(table: 'oauth_records' | 'sessions' | 'grants'): Promise<number> {
  return (await test.instance.control.selectFrom(table).selectAll().execute()).length;
}

async function connect(app: App, person: Person): Promise<TokenAnswer> {
  const authorization = app.authorize();
  return app.redeem(await person.allow(authorization.url), authorization);
}

it('removes nothing on the day it was made', async () => {
  const person = await Person.join(test.instance.control);
  const app = await App.register(server.baseUrl);
  await App.register(server.baseUrl);
  await connect(app, person);
  const before = [await count('oauth_records'), await count('sessions'), await count('grants')];
  expect(Math.min(...before)).toBeGreaterThan(0);
  await purgeSignIn(test.instance.control);
  expect([await count('oauth_records'), await count('sessions'), await count('grants')]).toEqual(before);
  expect(await clients()).toHaveLength(2);
});

it('removes sessions, codes and refresh tokens when they are over, and only then', async () => {
  const person = await Person.join(test.instance.control);
  const tokens = await connect(await App.register(server.baseUrl), person);
  const kinds = async () => {
    const rows = await test.instance.control.selectFrom('oauth_records').select('kind').execute();
    return [...new Set(rows.map(({ kind }) => kind))];
  };
  await purgeAtDay(0.4);
  expect(await count('sessions')).toBe(1);
  expect(await kinds()).toEqual(['RefreshToken']);
  await purgeAtDay(0.6);
  expect(await count('sessions')).toBe(0);
  await purgeAtDay(29);
  expect(await kinds()).toEqual(['RefreshToken']);
  expect(tokens.status).toBe(200);
  await purgeAtDay(31);
  expect(await kinds()).toEqual([]);
});

it('keeps a record that is over for a moment of another, that is not', async () => {
  const person = await Person.join(test.instance.control);
  const app = await App.register(server.baseUrl);
  const first = await connect(app, person);
  goToDay(20);
  const second = await app.refresh(first.refresh_token);
  await purgeAtDay(40);
  expect(await app.refresh(first.refresh_token)).toMatchObject({ status: 400 });
  expect(await app.refresh(second.refresh_token)).toMatchObject({ status: 200 });
});

it('forgets a client that nobody let in after two hours', async () => {
  const unused = await App.register(server.baseUrl);
  const person = await Person.join(test.instance.control);
  const denied = await App.register(server.baseUrl);
  await person.deny(denied.authorize().url);
  await purgeAtDay(1.9 / 24);
  expect(await clients()).toHaveLength(2);
  const late = await App.register(server.baseUrl);
  await purgeAtDay(2.1 / 24);
  expect(await clients()).toEqual([late.client_id]);
  const { status } = await fetch(unused.authorize().url, { redirect: 'manual' });
  expect(status).toBe(400);
});

it('keeps a client as long as somebody is connected, and a season more', async () => {
  const [one, other] = [await Person.join(test.instance.control), await Person.join(test.instance.control)];
  const app = await App.register(server.baseUrl);
  await connect(app, one);
  await connect(app, other);
  const [grant] = await listAppGrants(test.instance.control, one.account_id);
  await revokeGrant(test.instance.control, grant?.grant_id ?? '');
  // The other is connected for 180 days, and used it never.
  await purgeAtDay(179);
  expect(await clients()).toEqual([app.client_id]);
  expect(await listAppGrants(test.instance.control, other.account_id)).toHaveLength(1);
  expect(await count('grants')).toBe(1);
  await purgeAtDay(181 + 88);
  expect(await clients()).toEqual([app.client_id]);
  await purgeAtDay(181 + 91);
  expect(await count('grants')).toBe(0);
  expect(await clients()).toEqual([]);
});

it('never ends a connection that is in force', async () => {
  const person = await Person.join(test.instance.control);
  const app = await App.register(server.baseUrl);
  let tokens = await connect(app, person);
  const [grant] = await listAppGrants(test.instance.control, person.account_id);
  for (let day = 25; day < 180; day += 25) {
    await purgeAtDay(day);
    expect(await findGrant(test.instance.control, grant?.grant_id ?? '')).not.toBeNull();
    tokens = await app.refresh(tokens.refresh_token);
    expect(tokens.status).toBe(200);
  }
});

it('leaves what belongs to no sign-in: accounts, keys, grants of the command line', async () => {
  const { control } = test.instance;
  await Person.join(control);
  await connect(await App.register(server.baseUrl), await Person.join(control));
  const tables = ['accounts', 'signing_keys'] as const;
  const all = () => Promise.all(tables.map((table) => control.selectFrom(table).selectAll().execute()));
  const before = await all();
  await purgeAtDay(1000);
  expect(await all()).toEqual(before);
});
