import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../cli/command-line.ts';
import { launchBrowser } from '../support/browser.ts';
import { ended, newPerson, PASSWORD, titleOf } from './phone-person.ts';

/**
 * A new merchant goes from a link to the first number that they can compare with their shop, on a phone
 * without JavaScript.
 */
const MOST_CLICKS = 12;
const MOST_WORDS = 150;

let cli: CommandLine;
let browser: Browser;
let server: Awaited<ReturnType<CommandLine['serve']>>;

beforeAll(async () => {
  [cli, browser] = await Promise.all([CommandLine.open(), launchBrowser()]);
  server = await cli.serve();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGKILL');
  await cli?.[Symbol.asyncDispose]();
});

/** Two orders that count, of winter and summer in New York, and one that does not. */
function ordersFile(): string {
  const folder = join(cli.folder, 'merchant');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'orders_export.csv');
  writeFileSync(
    file,
    `Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Id,Cancelled at
#1,Ann@example.com,paid,USD,20,5,0,25,2026-01-05 14:00:00 -0500,2,Mug,10,MUG,9001,
#2,bob@example.com,paid,USD,10,0,0,10.55,2026-07-05 15:00:00 -0400,1,Mug,10,MUG,9002,
#3,bob@example.com,voided,USD,10,0,0,10,2026-07-06 16:00:00 -0400,1,Mug,10,MUG,9003,2026-07-06 17:00:00 -0400
`,
  );
  return file;
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** What a person does and what they are shown, page by page. */
class Way {
  readonly #page: Page;
  clicks = 0;
  readonly words: [title: string, words: number][] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  async click(locator: Locator): Promise<void> {
    await locator.click();
    this.clicks += 1;
  }

  /** All that a page shows without unfolding anything, once however often it loads again. */
  async read(title: string | RegExp): Promise<void> {
    await expect.poll(() => titleOf(this.#page), { timeout: 60_000 }).toMatch(title);
    const read = async (expression: string) => wordsOf(String(await this.#page.evaluate(expression)));
    const all = await read("document.querySelector('main').innerText");
    // What only a screen reader says is not seen, and counted with the text around it.
    const hidden = await read(
      "[...document.querySelectorAll('main .visually-hidden')].map((each) => each.innerText).join(' ')",
    );
    this.words.push([await titleOf(this.#page), all - hidden]);
    const [wide, shown] = (await this.#page.evaluate(
      '[document.documentElement.scrollWidth, innerWidth]',
    )) as [number, number];
    expect(wide).toBeLessThanOrEqual(shown);
  }

  get allWords(): number {
    return this.words.reduce((sum, [, words]) => sum + words, 0);
  }
}

it('comes to a number to compare within 12 clicks and 150 words', { timeout: 240_000 }, async () => {
  const { context, page, password_link } = await newPerson(cli, browser, 'merchant@example.com');
  const way = new Way(page);
  await page.goto(password_link);
  await way.read('Choose a password');
  for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD);
  await way.click(page.locator('main button[type=submit]'));

  await way.read('Stores');
  await page.getByLabel('Store name').fill('Mugs');
  await way.click(page.getByRole('button', { name: 'Create store' }));

  await way.read('Mugs');
  // The field opens the list of files, where one is touched.
  await page.locator('input[type=file]').setInputFiles(ordersFile());
  way.clicks += 2;
  await way.click(page.getByRole('button', { name: 'Upload', exact: true }));
  await ended(page);

  await way.read('Check and publish');
  const headline = await page.locator('.headline').textContent();
  expect(headline).toMatch(/^2 orders, (US)?\$35\.55, January\s–\sJuly 2026\. Does this match Shopify\?$/);
  expect(await page.locator('main').textContent()).toContain('America/New_York');
  const atNumber = { clicks: way.clicks, words: way.allWords };

  await way.click(page.getByRole('button', { name: 'Publish' }));
  await ended(page);
  await way.read('Published');
  await way.click(page.getByRole('link', { name: 'See the numbers' }));
  await expect.poll(() => titleOf(page)).toBe('Mugs');
  console.log({ atNumber, inAll: { clicks: way.clicks, words: way.allWords }, pages: way.words });
  expect(atNumber.clicks).toBeLessThanOrEqual(MOST_CLICKS);
  expect(way.clicks).toBeLessThanOrEqual(MOST_CLICKS);
  expect(way.allWords).toBeLessThanOrEqual(MOST_WORDS);
  await context.close();
});
