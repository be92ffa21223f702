import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAccount } from '../../src/control/people/accounts.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { CookieBrowser } from './cookie-browser.ts';
import { cookieOf, postForm } from './form-post.ts';
import { PasswordWork } from './password-work.ts';

/** Who gets in by e-mail and password, what the session is worth, and what a stranger learns. */
const SESSION = 'storesight_session';
const PASSWORD = 'correct horse battery';
const HOURS = 3_600_000;

let test: TestInstance;
let server: TestServer;
let person: Person;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  person = await Person.join(test.instance.control);
  await createAccount(test.instance.control, { email: 'invited@example.com', password: null });
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

afterEach(() => {
  vi.useRealTimers();
});

function signIn(fields: Record<string, string>, cookie = ''): Promise<Response> {
  return postForm(`${server.baseUrl}/sign-in`, { password: PASSWORD, ...fields }, { cookie });
}

/** Whether the pages know who is there. */
async function isSignedIn(cookie: string): Promise<boolean> {
  const response = await fetch(`${server.baseUrl}/connections`, {
    redirect: 'manual',
    headers: { Cookie: cookie },
  });
  if (response.status === 200) return true;
  expect([response.status, response.headers.get('Location')]).toEqual([
    303,
    '/sign-in?return_to=%2Fconnections',
  ]);
  return false;
}

describe('by e-mail and password', () => {
  it('opens the pages, in a session of its own', async () => {
    const response = await signIn({ email: person.email });
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/stores']);
    expect(await isSignedIn(cookieOf(response, SESSION))).toBe(true);
    expect(await isSignedIn('')).toBe(false);
  });

  it.each([
    ['upper case', () => person.email.toUpperCase()],
    ['spaces around', () => `  ${person.email}\t`],
  ])('takes the e-mail with %s', async (_name, email) => {
    expect((await signIn({ email: email() })).status).toBe(303);
  });

  it.each([
    ['another case', PASSWORD.toUpperCase()],
    ['a space behind', `${PASSWORD} `],
    ['only its beginning', PASSWORD.slice(0, -1)],
    ['nothing', ''],
    ['more than any password has', 'x'.repeat(100_000)],
  ])('does not take the password with %s', async (_name, password) => {
    const response = await signIn({ email: person.email, password });
    expect(response.status).toBe(401);
    expect(cookieOf(response, SESSION)).toBe('');
    expect(await response.text()).toContain('The e-mail address or the password is wrong.');
  });

  it('takes an accented password however the keyboard composes it', async () => {
    const email = 'accents@example.com';
    const password = 'tři žlutá káčátka';
    await createAccount(test.instance.control, { email, password: password.normalize('NFC') });
    const response = await signIn({ email, password: password.normalize('NFD') });
    expect(response.status).toBe(303);
  });
});

describe('tells a stranger nothing about who has an account', () => {
  const asked = () => [person.email, 'nobody@example.com', 'invited@example.com'];

  it('the answer does not tell who has an account', async () => {
    const answers = asked().map(async (email) => {
      const response = await signIn({ email, password: 'a wrong password' });
      const headers = [...response.headers].filter(([name]) => !['date', 'content-length'].includes(name));
      return { status: response.status, headers, page: (await response.text()).replaceAll(email, 'EMAIL') };
    });
    const [known, ...others] = await Promise.all(answers);
    expect(known?.page).toContain('EMAIL');
    for (const other of others) expect(other).toEqual(known);
  });

  it('the work does not tell who has an account', async () => {
    const own = await startTestServer(test);
    // With a hash of the real cost, unlike that of a `Person`.
    const email = 'timed@example.com';
    await createAccount(test.instance.control, { email, password: PASSWORD });
    using work = new PasswordWork();
    for (const each of [email, ...asked().slice(1)]) {
      await postForm(`${own.baseUrl}/sign-in`, { email: each, password: 'a wrong password' });
    }
    const [known, ...others] = work.costs;
    expect(known).toMatchObject({ algorithm: 'argon2id', memory: 65536, passes: 3, parallelism: 4 });
    expect(others).toEqual([known, known]);
    await own.stop();
  });
});

describe('the session', () => {
  it('is a cookie that scripts and other sites do not get', async () => {
    const [cookie = '', device = '', ...others] = (
      await signIn({ email: person.email })
    ).headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair).toMatch(/^storesight_session=[\w-]{43}$/);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax']);
    const [known = '', ...itsAttributes] = device.split('; ');
    expect(known).toMatch(/^storesight_device=[\w-]{100,400}$/);
    expect(itsAttributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax']);
    expect(await isSignedIn(known)).toBe(false);
  });

  it('a session over https is bound to the host, whatever the listening address is', async () => {
    const origin = 'https://signin.example';
    const secure = await startTestServer(test, { authUrl: `${origin}/auth` });
    const { email } = person;
    const url = `${secure.listeningUrl}/auth/sign-in`;
    const response = await postForm(url, { email, password: PASSWORD }, { origin });
    expect(response.headers.get('Location')).toBe('/auth/stores');
    const [pair = '', ...attributes] = response.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(pair).toMatch(/^__Host-storesight_session=[\w-]{43}$/);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax', 'Secure']);
    const page = (cookie: string) =>
      fetch(`${secure.listeningUrl}/auth/connections`, { headers: { Cookie: cookie }, redirect: 'manual' });
    expect((await page(pair)).status).toBe(200);
    // A neighbour, or plain http, can set a cookie without the prefix only.
    expect((await page(pair.replace('__Host-', ''))).status).toBe(303);
    await secure.stop();
  });

  it('is a new one at each sign-in, and the one that the browser brought ends', async () => {
    const planted = `${SESSION}=${'A'.repeat(43)}`;
    const first = cookieOf(await signIn({ email: person.email }, planted), SESSION);
    expect(first).not.toBe(planted);
    expect(await isSignedIn(planted)).toBe(false);
    const second = cookieOf(await signIn({ email: person.email }, first), SESSION);
    expect(second).not.toBe(first);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
  });

  it('ends on the server when its person signs out, and only that one', async () => {
    const here = cookieOf(await signIn({ email: person.email }), SESSION);
    const there = cookieOf(await signIn({ email: person.email }), SESSION);
    const response = await postForm(`${server.baseUrl}/sign-out`, {}, { cookie: here });
    expect([response.status, response.headers.get('Location')]).toEqual([
      303,
      '/sign-in?return_to=%2Fstores',
    ]);
    expect(response.headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, true]);
  });

  it('ends after twelve hours', async () => {
    const cookie = cookieOf(await signIn({ email: person.email }), SESSION);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12 * HOURS - 60_000 });
    expect(await isSignedIn(cookie)).toBe(true);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('is none when a single character of the cookie is another', async () => {
    const cookie = cookieOf(await signIn({ email: person.email }), SESSION);
    const end = cookie.endsWith('A') ? 'E' : 'A';
    for (const other of [`${cookie.slice(0, -1)}${end}`, cookie.slice(0, -1), `${cookie}A`, `${SESSION}=`]) {
      expect(await isSignedIn(other), other).toBe(false);
    }
    const hashes = await test.instance.control.selectFrom('sessions').select('session_hash').execute();
    for (const { session_hash } of hashes) expect(await isSignedIn(`${SESSION}=${session_hash}`)).toBe(false);
  });

  it('leads past the sign-in page', async () => {
    const browser = new CookieBrowser();
    const page = await browser.get(`${server.baseUrl}/sign-in?return_to=/password`);
    await browser.submit(page, { email: person.email, password: PASSWORD }, '/sign-in');
    const again = await browser.get(`${server.baseUrl}/sign-in?return_to=/connect`);
    expect(again.location?.pathname).toBe('/connect');
  });
});

it('answers NUL and other oddities in every field as anything else that is wrong', async () => {
  const own = await startTestServer(test);
  for (const odd of ['\0', '\ud800', 'a\r\nSet-Cookie: x=1']) {
    const at = `${own.baseUrl}/sign-in`;
    const email = `${odd}${person.email}`;
    expect((await postForm(at, { email, password: PASSWORD })).status, odd).toBe(401);
    expect((await postForm(at, { email: odd, password: odd, return_to: odd })).status, odd).toBe(401);
    const query = await fetch(`${at}?return_to=${encodeURIComponent(`/consent/${odd}`.toWellFormed())}`);
    expect(query.status, odd).toBe(200);
    const cookie = { Cookie: `${SESSION}=${encodeURIComponent(odd.toWellFormed())}` };
    expect((await fetch(`${own.baseUrl}/connections`, { headers: cookie, redirect: 'manual' })).status).toBe(
      303,
    );
  }
  await own.stop();
});
