import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
import { beginSession, findSession } from '../../src/control/people/browser-sessions.ts';
import { createPasswordLink } from '../../src/control/people/credentials.ts';
import { App } from '../oauth/app.ts';
import { Person } from '../oauth/person.ts';
import { ask } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { CookieBrowser, type Page } from './cookie-browser.ts';
import { postForm } from './form-post.ts';
import { CheapPasswords } from './password-work.ts';
import { slowControl } from './slow-control.ts';

/** Setting a password with a link, and changing it. */
const FIRST = 'the first long password';
const SECOND = 'the second long password';
const DAY = 24 * 3_600_000;

let test: TestInstance;
let server: TestServer;
let shop: Business;
let cheap: CheapPasswords;
let people = 0;

beforeAll(async () => {
  cheap = new CheapPasswords();
  test = await createTestInstance();
  server = await startTestServer(test);
  shop = await test.createBusiness({ name: 'Shop' });
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
  cheap[Symbol.dispose]();
});

afterEach(() => {
  vi.useRealTimers();
});

async function invited(): Promise<{ account_id: string; email: string; url: string; handle: string }> {
  people += 1;
  const account = await createAccount(test.instance.control, {
    email: `invited-${people}@example.com`,
    password: null,
  });
  return { ...account, ...(await linkFor(account.account_id)) };
}

async function linkFor(accountId: string): Promise<{ url: string; handle: string }> {
  const { handle } = await createPasswordLink(test.instance.control, accountId);
  return { handle, url: `${server.baseUrl}/password/${handle}` };
}

/** Fills in the form of a link. */
async function choose(
  url: string,
  password: string,
  repeated = password,
  browser = new CookieBrowser(),
): Promise<Page> {
  return browser.post(url, { new_password: password, repeated_password: repeated });
}

async function canSignIn(email: string, password: string): Promise<boolean> {
  const { status } = await postForm(`${server.baseUrl}/sign-in`, { email, password });
  expect([303, 401]).toContain(status);
  return status === 303;
}

async function isSignedIn(browser: CookieBrowser): Promise<boolean> {
  return (await browser.get(`${server.baseUrl}/connections`)).status === 200;
}

async function isOn(session: string): Promise<boolean> {
  return (await findSession(test.instance.control, session)) !== null;
}

describe('the link of an invitation', () => {
  it('sets the password, signs in and leads to how an app is connected; then it is over', async () => {
    const { url, email } = await invited();
    const browser = new CookieBrowser();
    const page = await browser.get(url);
    expect(page.text).toContain(email);
    // Looking does not use it up: programs that read mail look at every link.
    await browser.get(url);
    const saved = await browser.submit(page, { new_password: FIRST, repeated_password: FIRST });
    expect(saved.location?.pathname).toBe('/connect');
    expect((await browser.follow(saved)).text).toContain(server.mcpUrl);
    expect(await canSignIn(email, FIRST)).toBe(true);
    for (const again of [await new CookieBrowser().get(url), await choose(url, SECOND)]) {
      expect(again.status).toBe(404);
      expect(again.text).toContain('This link has expired or was already used');
      expect(again.text).not.toContain(email);
    }
    expect(await canSignIn(email, FIRST)).toBe(true);
  });

  it.each([
    ['too short', 'eleven char', 'eleven char', 'at least 12 characters'],
    ['empty', '', '', 'at least 12 characters'],
    ['too long', 'x'.repeat(1001), 'x'.repeat(1001), 'at most 1000 characters'],
    ['typed differently', FIRST, SECOND, 'The two new passwords differ.'],
    ['typed once', FIRST, '', 'The two new passwords differ.'],
  ])('stays good when the password is %s', async (_name, password, repeated, says) => {
    const { url } = await invited();
    const { status, text } = await choose(url, password, repeated);
    expect(status).toBe(400);
    expect(text).toContain(says);
    expect(text).not.toContain(password === '' ? FIRST : password);
    expect((await choose(url, FIRST)).status).toBe(303);
  });

  it.each([12, 1000])('takes a password of %i characters', async (length) => {
    const { url, email } = await invited();
    const password = Array.from({ length }, (_, index) => String.fromCodePoint(0xe0 + (index % 97))).join('');
    expect((await choose(url, password)).status).toBe(303);
    expect(await canSignIn(email, password)).toBe(true);
  });

  it('takes a password of any characters, NUL too', async () => {
    const { url, email } = await invited();
    const password = '\0 " <b> 店 👩‍💻  %00';
    expect((await choose(url, password)).status).toBe(303);
    expect(await canSignIn(email, password)).toBe(true);
    expect(await canSignIn(email, password.trim().slice(1))).toBe(false);
  });

  it('is over after seven days', async () => {
    const { url, email } = await invited();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * DAY - 60_000 });
    expect((await new CookieBrowser().get(url)).status).toBe(200);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    expect((await new CookieBrowser().get(url)).status).toBe(404);
    expect((await choose(url, FIRST)).status).toBe(404);
    expect(await canSignIn(email, FIRST)).toBe(false);
  });

  it('ends when a newer one is made, and no other one does', async () => {
    const [older, other] = [await invited(), await invited()];
    const newer = await linkFor(older.account_id);
    expect((await choose(older.url, FIRST)).status).toBe(404);
    expect((await choose(newer.url, SECOND)).status).toBe(303);
    expect((await choose(other.url, FIRST)).status).toBe(303);
  });

  it('ends when the person changes the password without it', async () => {
    const person = await Person.join(test.instance.control);
    const { url } = await linkFor(person.account_id);
    await person.open(`${server.baseUrl}/password`);
    expect((await change(person.browser, person.password, SECOND)).status).toBe(303);
    expect((await choose(url, FIRST)).status).toBe(404);
  });

  it('used many times at once sets one password', async () => {
    const { url, email } = await invited();
    const passwords = [1, 2, 3, 4].map((number) => `long password number ${number}`);
    const slow = await startTestServer(test, { control: slowControl(test.instance.control) });
    const at = url.replace(server.baseUrl, slow.baseUrl);
    const answers = await Promise.all(passwords.map((password) => choose(at, password)));
    await slow.stop();
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    for (const { status, text } of answers.filter(({ status }) => status !== 303)) {
      expect([400, 404]).toContain(status);
      expect(text).toMatch(/This link (is over|was used)/);
    }
    const working: boolean[] = [];
    for (const password of passwords) working.push(await canSignIn(email, password));
    expect(working).toEqual(answers.map(({ status }) => status === 303));
  });

  it('never stands in the log, nor does a password', async () => {
    const { url, handle } = await invited();
    await new CookieBrowser().get(url);
    await choose(url, 'short one');
    await choose(url, 'a password for the log');
    await new CookieBrowser().get(`${url}/more`);
    await new CookieBrowser().get(url);
    const log = server.logText();
    expect(log).toContain('/password/:link');
    expect(log).not.toContain(handle);
    expect(log).not.toMatch(/short one|a password for the log|invited-\d+@/);
  });
});

function change(browser: CookieBrowser, current: string, password: string, on = server): Promise<Page> {
  return browser.post(`${on.baseUrl}/password`, {
    current_password: current,
    new_password: password,
    repeated_password: password,
  });
}

describe('a new password', () => {
  let person: Person;
  /** The session of another browser. */
  let elsewhere: string;

  beforeEach(async () => {
    person = await Person.join(test.instance.control, [shop]);
    await person.open(`${server.baseUrl}/password`);
    elsewhere = await beginSession(test.instance.control, person.account_id);
  });

  it('ends all other sessions, and leaves connected apps alone', async () => {
    const app = await App.register(server.baseUrl);
    const authorization = app.authorize();
    const tokens = await app.redeem(await person.allow(authorization.url), authorization);
    const stranger = await createAccount(test.instance.control, {
      email: 'stranger@example.com',
      password: null,
    });
    const strangers = await beginSession(test.instance.control, stranger.account_id);
    const before = person.browser.cookie(server.baseUrl, 'storesight_session');

    const changed = await change(person.browser, person.password, SECOND);
    expect(changed.location?.pathname).toBe('/password');
    expect((await person.browser.follow(changed)).text).toContain('Your password is changed.');
    expect(await isSignedIn(person.browser)).toBe(true);
    expect(person.browser.cookie(server.baseUrl, 'storesight_session')).not.toBe(before);
    expect(await isOn(elsewhere)).toBe(false);
    expect(await isOn(strangers)).toBe(true);
    expect(await canSignIn(person.email, person.password)).toBe(false);
    expect(await canSignIn(person.email, SECOND)).toBe(true);

    expect(await ask(server.mcpUrl, tokens.access_token ?? '', 'list_businesses', {})).toEqual([
      expect.stringContaining('"Shop"'),
    ]);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('a password that a link sets ends all sessions and begins one in the browser that used it', async () => {
    const { url } = await linkFor(person.account_id);
    const other = new CookieBrowser();
    expect((await choose(url, SECOND, SECOND, other)).status).toBe(303);
    expect([await isSignedIn(person.browser), await isOn(elsewhere), await isSignedIn(other)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([
    ['the current one is wrong', 'not the current one', SECOND, SECOND, 'The current password is wrong.'],
    ['the current one is missing', '', SECOND, SECOND, 'The current password is wrong.'],
    ['it is too short', 'correct horse battery', 'short', 'short', 'at least 12 characters'],
    ['the two differ', 'correct horse battery', SECOND, FIRST, 'The two new passwords differ.'],
  ])('is not taken when %s', async (_name, current, first, second, says) => {
    const fields = { current_password: current, new_password: first, repeated_password: second };
    const { status, text } = await person.browser.post(`${server.baseUrl}/password`, fields);
    expect(status).toBe(400);
    expect(text).toContain(says);
    expect([await isSignedIn(person.browser), await isOn(elsewhere)]).toEqual([true, true]);
    expect(await canSignIn(person.email, person.password)).toBe(true);
  });

  it('is not set by who only sits at the browser of somebody that signs in elsewhere', async () => {
    await test.instance.control
      .updateTable('accounts')
      .set({ password_hash: null })
      .where('account_id', '=', person.account_id)
      .execute();
    const page = await person.browser.get(`${server.baseUrl}/password`);
    expect(page).toMatchObject({
      status: 403,
      text: expect.stringContaining('This account has no password'),
    });
    expect((await change(person.browser, '', SECOND)).status).toBe(403);
    expect(await canSignIn(person.email, SECOND)).toBe(false);
  });

  it.each([
    ['person', (email: string) => email],
    ['person and more', (email: string) => `x${email}x`],
    ['again and again', () => 'passwordpassword'],
    ['numbers', () => '123412341234'],
    ['a row of keys', () => 'qwertyuiop123'],
    ['what it is', () => 'MyPassword2026'],
  ])('is not the first that somebody would guess: %s', async (_what, guess) => {
    const page = await change(person.browser, person.password, guess(person.email));
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('too easy to guess') });
  });

  it('cannot be got by guessing at the browser of somebody', async () => {
    const own = await startTestServer(test);
    await person.open(`${own.baseUrl}/password`);
    // Longer than any password, so that a wrong try costs no time here.
    const wrong = 'x'.repeat(1001);
    const tries = await Promise.all(
      Array.from({ length: 13 }, () => change(person.browser, wrong, SECOND, own)),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(10);
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.text).toContain('Too many tries. Try again in 15 minutes.');
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(14 * 60);
    expect((await change(person.browser, person.password, SECOND, own)).status).toBe(429);
    // Neither counts for the other: who tries at one place keeps nobody out of the other.
    const { email, password } = person;
    expect((await postForm(`${own.baseUrl}/sign-in`, { email, password })).status).toBe(303);
    await own.stop();
  });
});
