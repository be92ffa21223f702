import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { type PageServer, servePages } from './page-server.ts';
import { account, claudeApp, oneBusiness, paths, threeBusinesses } from './page-states.ts';

let server: PageServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  server = await servePages();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  await page?.close();
  page = await browser.newPage();
  server.posts.length = 0;
});

async function open(state: string): Promise<void> {
  await page.goto(`${server.url}/${state}`);
}

/** What the form sends when a button is pressed, by its accessible name. */
async function press(
  name: string | RegExp,
): Promise<{ path: string; fields: readonly (readonly [string, string])[] }> {
  await page.getByRole('button', { name }).click();
  await page.waitForURL('**/auth/**');
  const [post, ...others] = server.posts;
  expect(others).toEqual([]);
  if (post === undefined) throw new Error('nothing was sent');
  return post;
}

test('sign-in sends the address, the password and where to go', async () => {
  await open('sign-in');
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(' pass word " ');
  expect(await press('Sign in')).toEqual({
    path: paths.signIn,
    fields: [
      ['return_to', paths.apps],
      ['email', account.email],
      ['password', ' pass word " '],
    ],
  });
});

test('sign-in through a provider sends where to go, and needs no password', async () => {
  await open('sign-in-for-an-app');
  expect(await press('Sign in with Northwind Login')).toEqual({
    path: paths.identityProvider,
    fields: [['return_to', '/auth/authorize?client_id=x&state="y"']],
  });
});

test('a failed sign-in keeps the address, says why beside the fields and waits in the password', async () => {
  await open('sign-in-failed');
  expect(await page.title()).toBe('Error: Sign in · Storesight');
  expect(await page.getByRole('alert').textContent()).toContain('the password is wrong');
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(account.email);
  const password = page.getByLabel('Password', { exact: true });
  expect(await password.getAttribute('aria-describedby')).toBe('error');
  expect(await password.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
});

/** With the consent comes whose stores were shown. */
const SHOWN_TO = ['account', account.email];

test('consent: nothing is sent before stores are chosen; cancelling needs no choice', async () => {
  await open('consent-nothing-chosen');
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Allow' }).click();
  expect(server.posts).toEqual([]);
  expect(await press('Cancel')).toEqual({
    path: paths.consent('uid-1'),
    fields: [SHOWN_TO, ['decision', 'deny']],
  });
});

test('consent to all stores', async () => {
  await open('consent-nothing-chosen');
  await page.getByRole('radio', { name: 'All my stores' }).check();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await press('Allow')).toEqual({
    path: paths.consent('uid-1'),
    fields: [SHOWN_TO, ['businesses', 'all'], ['decision', 'allow']],
  });
});

test('consent to some stores; those of one name are told apart by their hosts', async () => {
  await open('consent-nothing-chosen');
  await page.getByRole('radio', { name: 'Only these' }).check();
  await page.getByRole('checkbox', { name: 'outlet.nordicgarden.example' }).check();
  await page.getByRole('checkbox', { name: 'Kaffehörnan' }).check();
  expect((await press('Allow')).fields).toEqual([
    SHOWN_TO,
    ['businesses', 'chosen'],
    ['business_id', threeBusinesses[1]?.business_id],
    ['business_id', threeBusinesses[2]?.business_id],
    ['decision', 'allow'],
  ]);
});

test('consent with the keyboard alone', async () => {
  await open('consent-nothing-chosen');
  // The link to the content, the name of the program, the choice.
  for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/auth/**');
  expect(server.posts[0]?.fields).toEqual([
    SHOWN_TO,
    ['businesses', 'chosen'],
    ['business_id', oneBusiness.business_id],
    ['decision', 'allow'],
  ]);
});

test('the only store is ticked; without a store there is only "all"', async () => {
  await open('consent-one-business');
  expect((await press('Allow')).fields).toEqual([
    SHOWN_TO,
    ['businesses', 'chosen'],
    ['business_id', oneBusiness.business_id],
    ['decision', 'allow'],
  ]);
  server.posts.length = 0;
  await open('consent-no-business');
  expect(await page.getByText('No store is assigned to you yet').count()).toBe(1);
  expect((await press('Allow')).fields).toEqual([SHOWN_TO, ['businesses', 'all'], ['decision', 'allow']]);
});

test('a business_id comes back as it was, whatever is in it', async () => {
  await open('consent-hostile');
  const { fields } = await press('Allow');
  const ids = fields.filter(([name]) => name === 'business_id').map(([, value]) => value);
  expect(ids).toHaveLength(5);
  expect(ids[3]).toContain('<img src=x onerror=alert(1)>"\'');
});

test('consent with another account comes back to the same request', async () => {
  await open('consent-all');
  expect(await page.getByText(account.email).count()).toBe(1);
  expect(await press('Use another account')).toEqual({
    path: paths.signOut,
    fields: [['return_to', paths.consent('uid-1')]],
  });
});

test.each([
  ['consent-nothing-chosen', ['Claude', 'claude.ai', 'Identified by a document at claude.ai']],
  ['consent-all', ['an app on this computer', '127.0.0.1:6274', 'its name is not verified']],
  ['consent-some', ['an app on this device', 'cursor:', 'its name is not verified']],
  ['consent-hostile', ['.example.com', 'Identified by a document at claude.ai.example.com']],
])('%s shows who asks', async (state, texts) => {
  await open(state);
  const whoAsks = await page.getByRole('region', { name: 'Who asks' }).textContent();
  for (const text of texts) expect(whoAsks).toContain(text);
});

test('consent says what is read for the permissions that are held, and what never', async () => {
  await open('consent-200-businesses');
  const text = await page.getByRole('region', { name: 'What it can read' }).textContent();
  expect(text).toContain('Statistics');
  expect(text).not.toContain('Campaigns');
  expect(text).toContain('Names, addresses, e-mail addresses or phone numbers of customers');
});

test('a connection keeps what it had until another choice is saved', async () => {
  await open('app-access');
  expect(await page.getByRole('radio', { name: 'All my stores' }).isChecked()).toBe(true);
  await page.getByRole('radio', { name: 'Only these' }).check();
  await page.getByRole('checkbox', { name: 'Kaffehörnan' }).check();
  expect(await press('Save')).toEqual({
    path: paths.appAccess(claudeApp.grant_id),
    fields: [
      ['businesses', 'chosen'],
      ['business_id', threeBusinesses[2]?.business_id],
    ],
  });
});

test('a wrong choice is told at the choice', async () => {
  await open('app-access-error');
  const group = page.getByRole('group', { name: 'Which stores may it read?' });
  expect(await group.getAttribute('aria-describedby')).toBe('businesses-error');
  expect(await group.locator('#businesses-error').textContent()).toContain('at least one');
  expect(await page.getByRole('radio', { name: 'Only these' }).isChecked()).toBe(true);
});

test('connected apps: each button says which app', async () => {
  await open('apps');
  const change = page.getByRole('link', { name: 'Change stores of Cursor' });
  expect(await change.getAttribute('href')).toBe(paths.appAccess('a1111111-0000-4000-8000-000000000002'));
  expect(await page.getByRole('heading', { name: 'Access key made on the server' }).count()).toBe(1);
  const times = await page.locator('time').evaluateAll((all) => all.map((time) => time.outerHTML));
  expect(times).toContain('<time datetime="2026-11-20T08:30:12.000Z">20 November 2026, 08:30 UTC</time>');
  expect(await press('Disconnect Cursor')).toEqual({
    path: paths.revokeApp('a1111111-0000-4000-8000-000000000002'),
    fields: [],
  });
});

test('a store without a connection shows the way to the first one', async () => {
  await open('apps-none');
  const link = page.getByRole('link', { name: 'Connect your first app' });
  expect(await link.getAttribute('href')).toBe(paths.connect);
});

test('signing out', async () => {
  await open('apps');
  expect(await press('Sign out')).toEqual({ path: paths.signOut, fields: [] });
});

test('a new password is sent twice, and not before it is long enough; the account is not sent', async () => {
  await open('new-password');
  expect(await page.getByLabel('Account').inputValue()).toBe(account.email);
  await page.getByLabel('New password', { exact: true }).fill('too short');
  await page.getByLabel('New password again').fill('too short');
  await page.getByRole('button', { name: 'Save the password' }).click();
  expect(server.posts).toEqual([]);
  await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
  await page.getByLabel('New password again').fill('correct horse battery!');
  expect(await press('Save the password')).toEqual({
    path: paths.passwordLink('secret-link'),
    fields: [
      ['new_password', 'correct horse battery'],
      ['repeated_password', 'correct horse battery!'],
    ],
  });
});

test('a changed password needs the current one, where there is one', async () => {
  await open('password');
  await page.getByLabel('Current password').fill('old');
  await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
  await page.getByLabel('New password again').fill('correct horse battery');
  const { path, fields } = await press('Change the password');
  expect(path).toBe(paths.password);
  expect(fields.map(([name]) => name)).toEqual(['current_password', 'new_password', 'repeated_password']);
  await open('password-none-yet');
  expect(await page.getByLabel('Current password').count()).toBe(0);
});

test.each([
  ['sign-in', 'email', 'username'],
  ['sign-in', 'password', 'current-password'],
  ['password', 'current-password', 'current-password'],
  ['password', 'new-password', 'new-password'],
  ['new-password', 'username', 'username'],
  ['new-password', 'repeated-password', 'new-password'],
])('%s: a password manager knows the field %s', async (state, id, autocomplete) => {
  await open(state);
  expect(await page.locator(`#${id}`).getAttribute('autocomplete')).toBe(autocomplete);
});

test('settings to copy hold the address of this server and are valid', async () => {
  await open('connect');
  const url = 'https://storesight.example.com/mcp';
  expect(await page.getByLabel('Address for your app').inputValue()).toBe(url);
  expect(await page.getByText('works on this computer only').count()).toBe(0);
  const texts = await page.locator('.copyable').allTextContents();
  expect(texts).toContain(`claude mcp add --transport http storesight ${url}`);
  expect(texts).toContain(`code --add-mcp '{"name":"storesight","type":"http","url":"${url}"}'`);
  const settings = texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
  expect(settings).toEqual([
    { servers: { storesight: { type: 'http', url } } },
    { mcpServers: { storesight: { url } } },
    { mcpServers: { storesight: { type: 'http', url } } },
  ]);
  expect(texts.every((text) => text === text.trim())).toBe(true);
});

test('one click selects a setting', async () => {
  await open('connect');
  await page.getByText('Claude Code').click();
  await page.locator('.copyable:visible').click();
  expect(await page.evaluate('getSelection().toString()')).toMatch(/^claude mcp add .*\/mcp$/);
});

test('a server on this computer warns of apps in the cloud', async () => {
  await open('connect-loopback');
  expect(await page.getByText('works on this computer only').count()).toBe(1);
});
