import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { postForm } from './form-post.ts';

/** Guessing is slow: ten failures for an e-mail and fifty for an address in a quarter of an hour. */
const MINUTE = 60_000;
/** Longer than any password, so that a wrong try costs no time here. */
const WRONG = 'x'.repeat(1001);

let test: TestInstance;
let person: Person;
let server: TestServer;

beforeAll(async () => {
  test = await createTestInstance();
  person = await Person.join(test.instance.control);
});

afterAll(() => test[Symbol.asyncDispose]());

beforeEach(async () => {
  server = await startTestServer(test, { isBehindProxy: true });
});

afterEach(async () => {
  vi.useRealTimers();
  await server.stop();
});

async function signIn(email: string, password: string, forwardedFor = '192.0.2.1', on = server) {
  const headers = { 'X-Forwarded-For': forwardedFor };
  const response = await postForm(`${on.baseUrl}/sign-in`, { email, password }, { headers });
  return { status: response.status, wait: response.headers.get('Retry-After'), page: await response.text() };
}

/** So many tries at once: how many were made, and how many refused unseen. */
async function wrongTries(count: number, email: (index: number) => string, address?: string, on = server) {
  const tries = Array.from({ length: count }, (_, index) => signIn(email(index), WRONG, address, on));
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  return [401, 429].map((status) => statuses.filter((each) => each === status).length);
}

it.each([
  ['an account', () => person.email],
  ['an e-mail that has no account', () => 'nobody@example.com'],
])('ten wrong tries for %s, also many at once, and from anywhere', async (_name, email) => {
  expect(await wrongTries(25, email)).toEqual([10, 15]);
  // Neither the right password nor another spelling or address gets around it.
  for (const spelling of [email(), ` ${email().toUpperCase()} `]) {
    const { status, wait, page } = await signIn(spelling, person.password, '192.0.2.77');
    expect(status).toBe(429);
    expect(Number(wait)).toBeGreaterThan(14 * 60);
    expect(Number(wait)).toBeLessThanOrEqual(15 * 60);
    expect(page).toContain('Too many tries. Try again in 15 minutes.');
  }
  // Others are not touched.
  expect((await signIn('somebody.else@example.com', WRONG)).status).toBe(401);
});

it('the limit ends a quarter of an hour after the first failure, and further tries do not prolong it', async () => {
  await wrongTries(10, () => person.email);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14.5 * MINUTE });
  const { status, wait, page } = await signIn(person.email, person.password);
  expect(status).toBe(429);
  expect(Number(wait)).toBeLessThanOrEqual(30);
  expect(page).toContain('Try again in a minute.');
  vi.setSystemTime(Date.now() + MINUTE);
  expect((await signIn(person.email, person.password)).status).toBe(303);
});

it('a success forgets the failures of the account', async () => {
  expect(await wrongTries(9, () => person.email)).toEqual([9, 0]);
  expect((await signIn(person.email, person.password)).status).toBe(303);
  expect(await wrongTries(11, () => person.email)).toEqual([10, 1]);
});

it('fifty wrong tries from one address, also many at once, whatever the e-mail', async () => {
  expect(await wrongTries(80, (index) => `guess-${index}@example.com`)).toEqual([50, 30]);
  const { status, wait } = await signIn(person.email, person.password);
  expect(status).toBe(429);
  expect(Number(wait)).toBeGreaterThan(14 * 60);
  // They count for that address alone; and what was refused there did not count for the account.
  expect((await signIn(person.email, person.password, '192.0.2.2')).status).toBe(303);
});

it('a success is not counted for the address, and forgets none of its failures', async () => {
  expect(await wrongTries(49, (index) => `guess-${index}@example.com`)).toEqual([49, 0]);
  for (let times = 0; times < 3; times += 1) {
    expect((await signIn(person.email, person.password)).status).toBe(303);
  }
  expect(await wrongTries(3, (index) => `more-${index}@example.com`)).toEqual([1, 2]);
});

it('behind a proxy the address is what the proxy added last; of IPv6 the network counts', async () => {
  expect(await wrongTries(50, (index) => `a-${index}@example.com`, '203.0.113.9, 198.51.100.1')).toEqual([
    50, 0,
  ]);
  expect((await signIn('b@example.com', WRONG, '192.0.2.200, 198.51.100.1')).status).toBe(429);
  expect((await signIn('b@example.com', WRONG, '198.51.100.1, 192.0.2.200')).status).toBe(401);
  expect(await wrongTries(50, (index) => `c-${index}@example.com`, '2001:db8:1:2::1')).toEqual([50, 0]);
  expect((await signIn('d@example.com', WRONG, '2001:db8:1:2:ffff::9')).status).toBe(429);
  expect((await signIn('d@example.com', WRONG, '2001:db8:1:3::1')).status).toBe(401);
});

it('without a proxy nobody chooses their address', async () => {
  const direct = await startTestServer(test);
  const tries = await Promise.all(
    Array.from({ length: 55 }, (_, index) =>
      signIn(`guess-${index}@example.com`, WRONG, `192.0.2.${index}`, direct),
    ),
  );
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(5);
  await direct.stop();
});

it('what is refused costs no work with the password', async () => {
  await wrongTries(10, () => person.email);
  const before = performance.now();
  for (let times = 0; times < 30; times += 1) await signIn(person.email, 'a wrong password');
  // Thirty checks of a password would take three seconds and more.
  expect(performance.now() - before).toBeLessThan(1500);
});
