import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../cli/command-line.ts';
import { seededRandom } from '../live/stubs/random.ts';
import { MadeShop, totalOf } from '../live/stubs/shopify/made-shop.ts';
import { CLIENT, type ShopifyStub, startShopifyStub } from '../live/stubs/shopify/shopify-stub.ts';
import { Clock } from '../live/stubs/stub-access.ts';
import { ask } from '../server/requests.ts';
import { launchBrowser } from '../support/browser.ts';
import { violations } from './pages/axe.ts';

/**
 * A merchant connects their shop in the browser alone, and an app answers of it: a phone without JavaScript,
 * a real server with its worker, and a stub of Shopify.
 */
const SCREENSHOTS = process.env.STORESIGHT_SCREENSHOTS;
const PASSWORD = 'a password of several words';

class ClockOfThisMachine extends Clock {
  override now(): Date {
    return new Date();
  }
}

let cli: CommandLine;
let browser: Browser;
let server: Awaited<ReturnType<CommandLine['serve']>>;
let shop: MadeShop;
let stub: ShopifyStub;
let logged = '';

beforeAll(async () => {
  const random = seededRandom(21);
  const clock = new ClockOfThisMachine(new Date().toISOString());
  shop = new MadeShop(random, clock);
  shop.fill({ orders: 40, products: 10, customers: 20 });
  [cli, browser, stub] = await Promise.all([
    CommandLine.open(),
    launchBrowser(),
    startShopifyStub(shop, clock, random),
  ]);
  stub.scopes.delete('read_all_orders');
  server = await cli.serve([], { STORESIGHT_VENDORS_ON_LOOPBACK: 'true' });
  logged = server.logged;
  server.child.stderr.on('data', (chunk) => {
    logged += chunk;
  });
});

afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGKILL');
  await stub?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});

/** In plain TypeScript, over what the shop has. */
function counted() {
  const valid = [...shop.orders.values()].filter((order) => order.cancelledAt === null && !order.test);
  const revenue = valid.reduce((sum, order) => sum + totalOf(order), 0) / 100;
  return { orders_count: valid.length, orders_revenues: expect.closeTo(revenue, 2) };
}

it('a shop is connected, read, asked over MCP, paused, given another key and removed', {
  timeout: 240_000,
}, async () => {
  const email = 'ada@example.com';
  const { business_id } = await cli.json([
    ...['business', 'create', '--name', 'Loja', '--currency', 'EUR', '--timezone', 'Europe/Prague'],
  ]);
  const as = ['--account', email, '--business', String(business_id)];
  await cli.json(['account', 'create', '--email', email]);
  await cli.json(['account', 'grant', ...as, '--all-permissions']);
  await cli.json(['manager', 'add', ...as]);
  const { access_token } = await cli.json(['token', 'create', '--account', email]);
  const { password_link } = await cli.json(['account', 'invite', '--account', email]);
  const answered = async () => {
    const all = { from_date: '2020-01-01T00:00:00', to_date: '2030-12-31T23:59:59' };
    const [text = ''] = await ask(server.url, String(access_token), 'order_statistics', {
      business_id,
      ...all,
    });
    return JSON.parse(text);
  };

  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  const see = (heading: string) => expectPage(context, page, heading);
  await page.goto(String(password_link));
  for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD);
  await page.locator('main button[type=submit]').click();
  await page.getByRole('link', { name: 'Stores', exact: true }).click();
  await page.getByRole('link', { name: 'Data of Loja' }).click();
  await page.getByRole('link', { name: 'connect your shop' }).click();
  await see('Data sources');
  await page.getByRole('link', { name: 'Shopify' }).click();
  await see('Connect Shopify');

  await page.getByLabel('Shopify address of the shop').fill(stub.url.replace('http://', ''));
  await page.getByLabel('Client ID').fill(CLIENT.id);
  await page.getByLabel('Client secret').fill('shpss_wrong');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').getByText('gives no token for the client id and secret').waitFor();
  expect(await page.getByLabel('Client ID').inputValue()).toBe(CLIENT.id);
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
  await page.getByLabel('Client secret').fill(CLIENT.secret);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connected' }).waitFor();
  await page.getByText('Without read_all_orders: only orders of the last 60 days.').waitFor();
  stub.scopes.add('read_all_orders');
  await page.getByRole('link', { name: 'See how it goes' }).click();
  await see('Source shopify');
  // The page reloads itself while the shop is read.
  await page.getByText('up to date', { exact: true }).waitFor({ timeout: 150_000 });
  expect(await answered()).toMatchObject(counted());

  shop.addOrder();
  // Shopify's search finds what was changed some seconds later.
  const readNow = async () => {
    await page.getByRole('button', { name: 'Read it now' }).click();
    return answered();
  };
  await expect.poll(readNow, { timeout: 90_000, interval: 3000 }).toMatchObject(counted());

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('It is paused: nothing is read').waitFor();
  await see('Source shopify');
  await page.getByRole('button', { name: 'Read it again' }).click();
  await page.getByRole('link', { name: 'Another key' }).click();
  await see('Another key');
  await page.getByLabel('Client secret').fill('shpss_wrong');
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('alert').getByText('so nothing was changed').waitFor();
  await page.getByLabel('Client secret').fill(CLIENT.secret);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('heading', { level: 1, name: 'The key is changed' }).waitFor();
  await page.getByRole('link', { name: 'See how it goes' }).click();
  await page.getByRole('link', { name: 'Remove' }).click();
  await see('Remove this source?');
  // With another key it is read at once; while that lasts, removing is refused in words.
  const form = page.url();
  const remove = async () => {
    await page.goto(form);
    await page.getByRole('button', { name: 'Remove it' }).click();
    const isRemoved = page.getByText('The source is removed.').waitFor({ timeout: 5000 });
    return isRemoved.then(() => true).catch(() => false);
  };
  await expect.poll(remove, { timeout: 90_000, interval: 3000 }).toBe(true);
  await see('Data sources');
  expect(await answered()).toMatchObject(counted());
  expect(logged).toContain('a source was removed');
  expect(logged).not.toMatch(/shpss_\w|shpat_\w/);
  await context.close();
});

/** It fits the phone, and axe finds nothing in it. */
async function expectPage(context: BrowserContext, page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 30_000 });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth'), heading).toBeLessThanOrEqual(
    360,
  );
  expect(await page.content()).not.toMatch(/shpss_\w|shpat_\w/);
  // axe is a script: the same page, in a browser of the same person that has scripts.
  const scripted = await browser.newContext({
    viewport: { width: 360, height: 740 },
    storageState: await context.storageState(),
  });
  const copy = await scripted.newPage();
  await copy.goto(`${page.url().replace(/\?.*/, '')}?reload=no`);
  expect(await violations(copy), heading).toEqual([]);
  await scripted.close();
  if (SCREENSHOTS === undefined) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({
    path: join(SCREENSHOTS, `sources-${heading.replaceAll(/\W+/g, '-')}.png`),
    fullPage: true,
  });
}
