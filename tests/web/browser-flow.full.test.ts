import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
import { createPasswordLink } from '../../src/control/people/credentials.ts';
import { Person } from '../oauth/person.ts';
import { ask, message, post } from '../server/requests.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { launchBrowser } from '../support/browser.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type LoopbackApp, startLoopbackApp } from './loopback-app.ts';

/** The whole way of a person, in a real browser at a real server, with and without JavaScript. */
const SCREENSHOTS = process.env.STORESIGHT_SCREENSHOTS;
const NEW_PASSWORD = 'a password of several words';

let test: TestInstance;
let server: TestServer;
let browser: Browser;
let shops: Business[];

beforeAll(async () => {
  test = await createTestInstance();
  [server, browser] = await Promise.all([startTestServer(test), launchBrowser()]);
  shops = [
    await test.createBusiness({ name: 'Nordic Garden', link: 'https://nordicgarden.example' }),
    await test.createBusiness({ name: 'Kaffehörnan' }),
  ];
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await test?.[Symbol.asyncDispose]();
});

describe.sequential.each([
  {
    name: 'on a desktop',
    options: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' as const },
  },
  {
    name: 'on a phone without JavaScript',
    options: {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark' as const,
      isMobile: true,
      hasTouch: true,
      javaScriptEnabled: false,
    },
  },
])('$name', ({ name, options }) => {
  let context: BrowserContext;
  let page: Page;
  let person: Person;
  let loopback: LoopbackApp;
  let token: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    person = await Person.join(test.instance.control, shops);
    loopback = await startLoopbackApp(server.baseUrl);
    context = await browser.newContext(options);
    context.on('console', (said) => {
      // Chromium says so of every page whose status is not 2xx.
      const isStatus = /the server responded with a status of 4\d\d/.test(said.text());
      if (!isStatus || said.location().url !== said.page()?.url()) complaints.push(said.text());
    });
    context.on('weberror', (error) => complaints.push(String(error.error())));
    context.on('dialog', (dialog) => complaints.push(dialog.message()));
    page = await context.newPage();
  });

  afterAll(async () => {
    await context?.close();
    await loopback?.close();
  });

  /** The page with this heading is there, fits into the window, and nobody complained on the way. */
  async function expectPage(heading: string, picture: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 10_000 });
    if (SCREENSHOTS !== undefined) {
      await mkdir(SCREENSHOTS, { recursive: true });
      const path = join(SCREENSHOTS, `${name.replaceAll(' ', '-')}-${picture}.png`);
      await page.screenshot({ path, fullPage: true });
    }
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, picture).toBeLessThanOrEqual(options.viewport.width);
    expect(complaints, picture).toEqual([]);
  }

  async function tabTo(target: Locator): Promise<void> {
    for (let steps = 0; steps < 30; steps += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('Tab does not lead there');
  }

  async function signIn(password: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async function backAtTheApp(): Promise<URL> {
    await page.getByText('Back at the app.').waitFor({ timeout: 10_000 });
    const answer = loopback.answers.at(-1);
    if (answer === undefined) throw new Error('the app got no answer');
    expect(answer.searchParams.get('state')).toBe('the state');
    expect(answer.searchParams.get('iss')).toBe(server.baseUrl);
    return answer;
  }

  async function storesSeen(): Promise<string[]> {
    const [text = ''] = await ask(server.mcpUrl, token, 'list_businesses', {});
    return (JSON.parse(text).result as { name: string }[]).map((store) => store.name).toSorted();
  }

  it('an app sends the person to sign in, consent by keyboard leads back, and the code is good', async () => {
    const authorization = loopback.app.authorize();
    await page.goto(authorization.url.href);
    await expectPage('Sign in', '1-sign-in');
    expect(await page.getByText('to connect An app').count()).toBe(1);

    await signIn('not the password');
    await expectPage('Sign in', '2-sign-in-wrong');
    expect(await page.getByRole('alert').textContent()).toContain(
      'The e-mail address or the password is wrong.',
    );
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(person.email);

    await signIn(person.password);
    await expectPage('Let this app read your stores?', '3-consent');
    expect(await page.getByRole('region', { name: 'Who asks' }).textContent()).toContain(
      new URL(loopback.app.redirect_uri).host,
    );
    await tabTo(page.getByRole('radio', { name: 'All my stores' }));
    await page.keyboard.press('ArrowDown');
    await tabTo(page.getByRole('checkbox', { name: 'Kaffehörnan' }));
    await page.keyboard.press('Space');
    await expectPage('Let this app read your stores?', '4-consent-chosen');
    await tabTo(page.getByRole('button', { name: 'Allow' }));
    await page.keyboard.press('Enter');
    const tokens = await loopback.app.redeem(await backAtTheApp(), authorization);
    expect(tokens.status).toBe(200);
    token = tokens.access_token ?? '';
    expect(await storesSeen()).toEqual(['Kaffehörnan']);
  });

  it('the way back leads to no second answer', async () => {
    await page.goBack();
    await expectPage('This request is over', '5-request-over');
    expect(await page.getByText('If the app is connected, there is nothing to do.').count()).toBe(1);
    await page.getByRole('link', { name: 'Connected apps' }).last().click();
    await expectPage('Connected apps', '6-connected');
  });

  it('the app is shown, and gets all stores', async () => {
    await page.goto(`${server.baseUrl}/connections`);
    await expectPage('Connected apps', '6-connected');
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'An app' }) });
    expect(await card.textContent()).toContain('Kaffehörnan');
    expect(await card.textContent()).not.toContain('Nordic Garden');
    const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date());
    expect(await card.getByText('Last used').locator('xpath=..').textContent()).toContain(today);

    await card.getByRole('link', { name: 'Change stores of An app' }).click();
    await expectPage('Change stores', '7-change');
    expect(await page.getByRole('checkbox', { name: 'Kaffehörnan' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'All my stores' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectPage('Connected apps', '8-changed');
    expect(await page.getByRole('status').textContent()).toContain('from its next question on');
    expect(await storesSeen()).toEqual(['Kaffehörnan', 'Nordic Garden']);
  });

  it('disconnected, its next call is refused', async () => {
    await page.getByRole('button', { name: 'Disconnect An app' }).click();
    await expectPage('Connected apps', '9-disconnected');
    expect(await page.getByRole('status').textContent()).toContain('It can read nothing more.');
    expect(await page.getByRole('heading', { name: 'No app is connected yet' }).count()).toBe(1);
    expect((await post(server.mcpUrl, message('tools/list'), { token })).status).toBe(401);
  });

  it('cancelled, the app is told so and gets nothing', async () => {
    await page.goto(loopback.app.authorize().url.href);
    await expectPage('Let this app read your stores?', '10-consent-again');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const { searchParams } = await backAtTheApp();
    expect(searchParams.get('error')).toBe('access_denied');
    expect(searchParams.get('code')).toBeNull();
  });

  it('the guide shows the address and how each app is connected', async () => {
    await page.goto(server.mcpUrl);
    await expectPage('Connect an app', '11-connect');
    expect(await page.getByLabel('Address for your app').inputValue()).toBe(server.mcpUrl);
    await page.getByText('Claude Code').click();
    expect(
      await page.getByText(`claude mcp add --transport http storesight ${server.mcpUrl}`).isVisible(),
    ).toBe(true);
    await expectPage('Connect an app', '12-connect-open');
  });

  it('the password is changed, and signing out leaves nothing to go back to', async () => {
    await page.getByRole('link', { name: 'Password' }).click();
    await expectPage('Change your password', '13-password');
    await page.getByLabel('Current password').fill(person.password);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('New password again').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await expectPage('Change your password', '14-password-changed');
    expect(await page.getByRole('status').textContent()).toContain('Your password is changed.');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expectPage('Sign in', '15-signed-out');
    await page.goBack();
    await expectPage('Sign in', '15-signed-out');
    await signIn(NEW_PASSWORD);
    await page.getByRole('navigation', { name: 'Your account' }).waitFor();
  });

  it('somebody new chooses a password by the link of the invitation', async () => {
    const email = `new-${options.viewport.width}@example.com`;
    const { account_id } = await createAccount(test.instance.control, { email, password: null });
    const { handle } = await createPasswordLink(test.instance.control, account_id);
    await page.goto(`${server.baseUrl}/password/${handle}`);
    await expectPage('Choose a password', '16-new-password');
    expect(await page.getByLabel('Account').inputValue()).toBe(email);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('New password again').fill(`${NEW_PASSWORD}!`);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await expectPage('Choose a password', '17-new-password-differs');
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('New password again').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await expectPage('Connect an app', '18-welcome');
    expect(await page.getByRole('status').textContent()).toBe(
      'Your password is saved, and you are signed in.',
    );
    await page.getByRole('link', { name: 'Connected apps' }).click();
    expect(await page.getByText(`Signed in as ${email}`).count()).toBe(1);
    await page.goto(`${server.baseUrl}/password/${handle}`);
    await expectPage('This link has expired or was already used', '19-link-over');
  });

  it('a mistyped address and a broken request of an app end at pages that say what to do', async () => {
    await page.goto(`${server.baseUrl}/connections/that/is/none`);
    await expectPage('There is no such page', '20-no-page');
    await page.goto(`${server.baseUrl}/authorize?client_id=unknown&response_type=code`);
    await expectPage('The app could not be connected', '21-bad-request');
    expect(await page.getByText('Go back to the app and connect it again.').count()).toBe(1);
  });
});
