import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../cli/command-line.ts';
import { countShopifyOrders } from '../sources/count-shopify-orders.ts';
import { NO_SAMPLES, samples } from '../sources/samples.ts';
import { launchBrowser } from '../support/browser.ts';
import { answersOf, ended, newPerson, PASSWORD, titleOf } from './phone-person.ts';

/**
 * A new user takes exports to an answer in the browser alone: a phone without JavaScript, a real server,
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

const sample = (folder: string, name: string) =>
  samples(folder).find((each) => each.name === name)?.path ?? '';
const SAMPLES = [
  sample('shopify-orders', 'pt_eur_tax_included.csv'),
  sample('shopify-products', 'apparel.csv'),
  sample('shopify-customers', 'customers_20cols.csv'),
  sample('klaviyo-openapi', 'get_events.json'),
];

/** Writes files of our own format: orders with lines, products, and events. */
function madeFiles(): string[] {
  const folder = join(cli.folder, 'made');
  mkdirSync(folder, { recursive: true });
  const event = (id: string, metric: string, moment: string) =>
    JSON.stringify({
      type: 'event',
      id,
      attributes: { datetime: moment, event_properties: { $message: 'CAMP1', 'Campaign Name': 'Spring' } },
      relationships: { profile: { data: { id: 'K1' } }, metric: { data: { id: metric } } },
    });
  const files = {
    'orders_export.csv': `Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Id,Cancelled at
#1,Ann@example.com,paid,,20,5,0,25,2026-03-05 14:00:00 +0100,2,Mug,10,MUG,9001,
#2,bob@example.com,paid,,10,0,0,10.55,2026-03-05 15:00:00 +0100,1,Mug,10,MUG,9002,
#3,bob@example.com,voided,,10,0,0,10,2026-03-05 16:00:00 +0100,1,Mug,10,MUG,9003,
`,
    'products_export.csv': 'Handle,Title,Variant SKU,Variant Price\nmug,Mug,MUG,10\n',
    'events.ndjson': [
      JSON.stringify({ type: 'metric', id: 'M1', attributes: { name: 'Received Email' } }),
      JSON.stringify({ type: 'profile', id: 'K1', attributes: { email: 'ann@EXAMPLE.com' } }),
      event('E1', 'M1', '2026-03-05T09:00:00+00:00'),
    ].join('\n'),
  };
  return Object.entries(files).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  });
}

it.each([
  { name: 'the samples of the platforms', files: () => SAMPLES, reason: NO_SAMPLES },
  { name: 'files of our own', files: madeFiles, reason: '' },
])('$name', { timeout: 240_000 }, async ({ files, reason, name }) => {
  const paths = files();
  if (!paths.every((path) => existsSync(path))) {
    console.log(`skipped ${reason}`);
    return;
  }
  const email = `${name.replaceAll(' ', '-')}@example.com`;
  const { context, page, password_link } = await newPerson(cli, browser, email);
  const see = (heading: string | RegExp, picture: string) => expectPage(page, heading, `${name} ${picture}`);
  await page.goto(password_link);
  for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD);
  await page.locator('main button[type=submit]').click();
  await see('Stores', 'stores');
  await page.getByLabel('Store name').fill('Loja');
  await page.getByRole('button', { name: 'Create store' }).click();
  await see('Loja', 'empty-store');

  await page.locator('input[type=file]').setInputFiles(paths);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await ended(page);
  // What the made files do not say, answered as often as something is asked.
  for (let round = 0; round < 5 && (await titleOf(page)) === 'One question before we continue'; round += 1) {
    await see('One question before we continue', 'question');
    for (const [label, value] of [
      ['Time zone', 'Europe/Lisbon'],
      ['Currency', 'EUR'],
    ] as const)
      if ((await page.getByLabel(label, { exact: true }).count()) > 0)
        await page.getByLabel(label, { exact: true }).selectOption(value);
    await page.getByRole('button', { name: /^(Check again|Continue)$/ }).click();
    await ended(page);
  }
  // A row of the sample of customers is cut off.
  if ((await titleOf(page)) === 'Some rows cannot be read') {
    await see('Some rows cannot be read', 'bad-rows');
    await page.getByRole('button', { name: /^Leave out/ }).click();
    await ended(page);
  }
  await see('Check and publish', 'checked');
  await page.getByRole('button', { name: 'Publish' }).click();
  await ended(page);
  await see('Published', 'published');

  const stored = await answersOf(server.url, context, page);
  const counted = countShopifyOrders(readFileSync(paths[0] ?? '', 'utf8'));
  expect(stored).toMatchObject({
    orders_count: counted.orders.valid,
    orders_revenues: counted.revenue / 100,
  });
  await page.goto(`${new URL(server.url).origin}/stores`);
  await page.getByRole('link', { name: 'Data of Loja' }).click();
  await see('Loja', 'store');
  await context.close();
});

async function expectPage(page: Page, heading: string | RegExp, picture: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 30_000 });
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width, picture).toBeLessThanOrEqual(360);
  if (SCREENSHOTS === undefined) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({
    path: join(SCREENSHOTS, `import-${picture.replaceAll(' ', '-')}.png`),
    fullPage: true,
  });
}
