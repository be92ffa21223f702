import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../cli/command-line.ts';
import { launchBrowser } from '../support/browser.ts';
import { answersOf, ended, newPerson, PASSWORD, titleOf } from './phone-person.ts';

/**
 * A new user maps an export that no source knows, on a phone without JavaScript, with a real server and
 * imports in processes of their own.
 */
const SCREENSHOTS = process.env.STORESIGHT_SCREENSHOTS;

let cli: CommandLine;
let browser: Browser;
let server: Awaited<ReturnType<CommandLine['serve']>>;

beforeAll(async () => {
  [cli, browser] = await Promise.all([CommandLine.open(), launchBrowser()]);
  server = await cli.serve();
});

afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGKILL');
  await cli?.[Symbol.asyncDispose]();
});

/**
 * As UNAS writes them, in Hungarian, which no dictionary of ours has. An order has a row for each of its
 * lines.
 */
const TITLES =
  'Rendelés azonosító;Rendelés ideje;E-mail;Bruttó végösszeg;Pénznem;Rendelés állapota;Terméknév;Cikkszám;Mennyiség;Bruttó egységár';
const ROWS = Array.from({ length: 60 }, (_, index) => {
  const order = Math.floor(index / 2);
  const prices = [1990 + 10 * order, 4500];
  const total = (prices[0] as number) + (prices[1] as number);
  const state = order % 10 === 9 ? 'Törölve' : 'Kiszállítva';
  const day = `2026.03.${String(1 + (order % 28)).padStart(2, '0')} 10:${String(order).padStart(2, '0')}`;
  return {
    order: `U-${1000 + order}`,
    total,
    state,
    line: [`Termék ${index % 2}`, `T-${index % 2}`, 1, prices[index % 2]],
    day,
  };
});
const CSV = `${TITLES}\n${ROWS.map(({ order, total, state, line, day }) =>
  [order, day.replaceAll('.', '/'), `vevo${order}@example.com`, total, 'HUF', state, ...line].join(';'),
).join('\n')}\n`;

/** What a person chooses in the list of each column. */
const CHOSEN = [
  ['Rendelés azonosító', 'Order: number or id'],
  ['Rendelés ideje', 'Order: date'],
  ['E-mail', 'Order: e-mail of the customer'],
  ['Bruttó végösszeg', 'Order: total paid, with VAT and shipping'],
  ['Pénznem', 'Order: currency'],
  ['Rendelés állapota', 'Order: status'],
  ['Terméknév', 'Line: name of the product'],
  ['Cikkszám', 'Line: code of the product'],
  ['Mennyiség', 'Line: quantity'],
  ['Bruttó egységár', 'Line: price of one piece, with VAT'],
] as const;

it('an unknown export is mapped in few steps, and the numbers are those of its rows', {
  timeout: 240_000,
}, async () => {
  const file = join(cli.folder, 'megrendelések.csv');
  await writeFile(file, CSV);
  const { context, page, password_link } = await newPerson(cli, browser, 'uj@example.com');
  await page.goto(password_link);
  for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD);
  await page.locator('main button[type=submit]').click();
  await page.getByLabel('Store name').fill('Bolt');
  await page.getByRole('button', { name: 'Create store' }).click();

  const beganAt = performance.now();
  let steps = 0;
  const click = async (name: string | RegExp) => {
    steps += 1;
    await page.getByRole('button', { name, exact: true }).click();
    await ended(page);
  };
  const choose = async (label: string, value: string) => {
    const list = page.getByLabel(label, { exact: true });
    const isChosen = (await list.locator('option:checked').textContent()) === value;
    if (isChosen) return;
    steps += 1;
    await list.selectOption({ label: value });
  };
  steps += 1;
  await page.locator('input[type=file]').setInputFiles(file);
  await click('Upload');
  await see(page, 'refused');
  steps += 1;
  await page.getByRole('link', { name: 'Map this table' }).click();
  await see(page, 'map');
  for (const [column, field] of CHOSEN) await choose(column, field);
  await click('Try it');
  for (let round = 0; round < 3 && (await titleOf(page)) === 'One question before we continue'; round += 1) {
    await see(page, 'question');
    const zone = page.getByLabel('Time zone', { exact: true });
    if ((await zone.count()) > 0) await choose('Time zone', 'Europe/Budapest');
    for (const [status, meaning] of [
      ['“Kiszállítva” means', 'sent (it counts)'],
      ['“Törölve” means', 'cancelled (it does not count)'],
    ] as const)
      if ((await page.getByLabel(status).count()) > 0) await choose(status, meaning);
    await click(/^(Check again|Continue)$/);
  }
  await see(page, 'checked');
  expect(await titleOf(page)).toBe('Check and publish');
  await click('Publish');
  expect(await titleOf(page)).toBe('Published');
  const seconds = (performance.now() - beganAt) / 1000;
  console.log(`mapped in ${steps} steps and ${seconds.toFixed(0)} s`);
  expect(steps).toBeLessThanOrEqual(24);
  expect(seconds).toBeLessThan(180);

  const counted = new Map(
    ROWS.filter(({ state }) => state !== 'Törölve').map(({ order, total }) => [order, total]),
  );
  expect(await answersOf(server.url, context, page)).toMatchObject({
    orders_count: counted.size,
    orders_revenues: [...counted.values()].reduce((sum, total) => sum + total, 0),
  });
  await context.close();
});

async function see(page: Page, picture: string): Promise<void> {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth'), picture).toBeLessThanOrEqual(
    360,
  );
  if (SCREENSHOTS === undefined) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `map-${picture}.png`), fullPage: true });
}
