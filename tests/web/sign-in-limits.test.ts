import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPasswordLink } from '../../src/control/people/credentials.ts';
import { TrustedProxies } from '../../src/server/client-address.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { postForm } from './form-post.ts';
import { PasswordWork } from './password-work.ts';

/**
 * Guessing is slow: in a quarter of an hour ten failures for an e-mail from one address, fifty for an
 * address, and fifty for an e-mail from all addresses. None of these limits keeps out somebody who signed in
 * before.
 */
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
  server = await startTestServer(test, { proxies: TrustedProxies.nearby() });
});

afterEach(async () => {
  vi.useRealTimers();
  await server.stop();
});

async function signIn(email: string, password: string, forwardedFor = '192.0.2.1', on = server, cookie = '') {
  const headers = { 'X-Forwarded-For': forwardedFor, Cookie: cookie };
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
])('ten wrong tries for %s from one address, also many at once', async (_name, email) => {
  expect(await wrongTries(25, email)).toEqual([10, 15]);
  // Neither the right password nor another spelling gets around it.
  for (const spelling of [email(), ` ${email().toUpperCase()} `]) {
    const { status, wait, page } = await signIn(spelling, person.password);
    expect(status).toBe(429);
    expect(Number(wait)).toBeGreaterThan(14 * 60);
    expect(Number(wait)).toBeLessThanOrEqual(15 * 60);
    expect(page).toContain(
      'Too many tries. Try again in 15 minutes, or in a browser where you have signed in',
    );
  }
  // Others are not touched, nor is the account from elsewhere.
  expect((await signIn('somebody.else@example.com', WRONG)).status).toBe(401);
  expect((await signIn(email(), WRONG, '192.0.2.77')).status).toBe(401);
});

it('fifty wrong tries for an e-mail from all addresses together, ten of each', async () => {
  for (let address = 1; address <= 5; address += 1) {
    expect(await wrongTries(12, () => person.email, `192.0.2.${address}`)).toEqual([10, 2]);
  }
  expect((await signIn(person.email, person.password, '192.0.2.77')).status).toBe(429);
});

describe('while somebody else tries, from everywhere and from the same network', () => {
  const ATTACKERS = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6'];

  /** All that strangers may try with the account and from its owner's address. */
  async function attack(): Promise<void> {
    for (const address of ATTACKERS) await wrongTries(12, () => person.email, address);
    await wrongTries(50, (index) => `guess-${index}@example.com`, '192.0.2.1');
    expect((await signIn(person.email, person.password)).status).toBe(429);
    expect((await signIn(person.email, person.password, '192.0.2.99')).status).toBe(429);
  }

  /** The cookies that an answer sets, as a browser sends them. */
  const cookiesOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');

  async function signInOnce(email = person.email): Promise<string> {
    const response = await postForm(`${server.baseUrl}/sign-in`, { email, password: person.password });
    expect(response.status).toBe(303);
    return cookiesOf(response);
  }

  it('the owner signs in with a device that is known, and it is refused only its own failures', async () => {
    const cookies = await signInOnce();
    const device = cookies.split('; ').find((cookie) => cookie.startsWith('storesight_device=')) ?? '';
    await attack();
    const from = ['192.0.2.1', server, device] as const;
    expect((await signIn(person.email.toUpperCase(), person.password, ...from)).status).toBe(303);
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await signIn(person.email, WRONG, ...from)).status).toBe(401);
    }
    const { status, page } = await signIn(person.email, person.password, ...from);
    expect(status).toBe(429);
    expect(page).toContain('Too many tries. Try again in 15 minutes. A new link lets you in at once.');
  });

  it('a device is known to the account that signed in with it, for a year, and in no other spelling', async () => {
    const device = await signInOnce();
    const other = await Person.join(test.instance.control);
    await attack();
    const status = async (cookie: string) =>
      (await signIn(person.email, person.password, '192.0.2.1', server, cookie)).status;
    expect(await status(await signInOnce(other.email))).toBe(429);
    expect(await status(device.replace(/(storesight_device=.{20})./, '$1_'))).toBe(429);
    expect(await status('storesight_device=x')).toBe(429);
    expect(await status(device)).toBe(303);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 366 * 86_400_000 });
    await attack();
    expect(await status(device)).toBe(429);
  });

  it('the owner changes the password in a session', async () => {
    const cookie = await signInOnce();
    await attack();
    const response = await postForm(
      `${server.baseUrl}/password`,
      {
        current_password: person.password,
        new_password: person.password,
        repeated_password: person.password,
      },
      { cookie },
    );
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/password?done=1']);
  });

  it('the owner comes in by a link, and the device is known from then on', async () => {
    await attack();
    const { handle } = await createPasswordLink(test.instance.control, person.account_id);
    const fields = { new_password: person.password, repeated_password: person.password };
    const response = await postForm(`${server.baseUrl}/password/${handle}`, fields);
    expect(response.status).toBe(303);
    const cookie = cookiesOf(response);
    expect((await signIn(person.email, person.password, '192.0.2.1', server, cookie)).status).toBe(303);
  });
});

it('the limit ends a quarter of an hour after the first failure, and further tries do not prolong it', async () => {
  await wrongTries(10, () => person.email);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14.5 * MINUTE });
  const { status, wait, page } = await signIn(person.email, person.password);
  expect(status).toBe(429);
  expect(Number(wait)).toBeLessThanOrEqual(30);
  expect(page).toContain('Try again in 1 minute, or');
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

it('the address behind a proxy is what the proxy added last, and IPv6 counts by network', async () => {
  expect(await wrongTries(50, (index) => `a-${index}@example.com`, '203.0.113.9, 198.51.100.1')).toEqual([
    50, 0,
  ]);
  expect((await signIn('b@example.com', WRONG, '192.0.2.200, 198.51.100.1')).status).toBe(429);
  expect((await signIn('b@example.com', WRONG, '198.51.100.1, 192.0.2.200')).status).toBe(401);
  expect(await wrongTries(50, (index) => `c-${index}@example.com`, '2001:db8:1:2::1')).toEqual([50, 0]);
  expect((await signIn('d@example.com', WRONG, '2001:db8:1:2:ffff::9')).status).toBe(429);
  expect((await signIn('d@example.com', WRONG, '2001:db8:1:3::1')).status).toBe(401);
});

it('an address that is no trusted proxy is not believed, which is told once', async () => {
  const proxies = TrustedProxies.listed(['203.0.113.7']);
  const direct = await startTestServer(test, { proxies });
  const tries = Array.from({ length: 55 }, (_, index) =>
    signIn(`guess-${index}@example.com`, WRONG, `192.0.2.${index}`, direct),
  );
  expect((await Promise.all(tries)).filter(({ status }) => status === 429)).toHaveLength(5);
  expect(direct.logText().split('STORESIGHT_TRUSTED_PROXIES')).toHaveLength(2);
  await direct.stop();
});

it('nobody chooses their address where there is no proxy', async () => {
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
  using work = new PasswordWork();
  for (let times = 0; times < 30; times += 1) await signIn(person.email, 'a wrong password');
  expect(work.costs).toEqual([]);
  await signIn('somebody-else@example.com', 'a wrong password');
  expect(work.costs).toHaveLength(1);
});
