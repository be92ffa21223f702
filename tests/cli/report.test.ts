import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from './command-line.ts';
import { writeOrders } from './hand-made-orders.ts';

/** The page of the monthly meeting. */
let cli: CommandLine;
let business_id: string;
let file: string;

beforeAll(async () => {
  cli = await CommandLine.openShared();
  const about = ['--name', '<b>A & B', '--timezone', 'Europe/Prague', '--currency', 'CZK'];
  ({ business_id } = (await cli.json(['business', 'create', ...about])) as { business_id: string });
  await cli.json(['import', business_id, writeOrders(cli.folder)]);
  file = join(cli.folder, 'report.html');
});

afterAll(() => cli[Symbol.asyncDispose]());

const report = (month: string, ...more: string[]) =>
  cli.run(['report', business_id, '--month', month, '--out', file, ...more]);

it('is one file with the numbers that tools answer', async () => {
  const written = await report('2024-02', '--compare', 'none', '--json');
  const days = { from_date: '2024-02-01', to_date: '2024-02-29' };
  expect(JSON.parse(written.stdout)).toEqual({ file, ...days, unfinished: null });
  const page = readFileSync(file, 'utf8');
  const args = JSON.stringify({ business_id, ...days });
  const { orders_count, orders_revenues } = (await cli.json(['call', 'order_statistics', args])) as Record<
    string,
    number
  >;
  const shownBy = (key: string) => new RegExp(`data-card="${key}">.*?data-value="(.*?)"`).exec(page)?.[1];
  expect(Number(shownBy('orders'))).toBe(orders_count);
  expect(Number(shownBy('revenue'))).toBe(orders_revenues);
  expect(orders_count).toBeGreaterThan(0);
  expect(page).toContain('<h1>&lt;b&gt;A &amp; B</h1>');
  // It loads nothing, runs nothing, and leads nowhere but within itself.
  expect(page).not.toMatch(/<script|<link|<img|<form|src=|url\((?!#)|@import|href="(?!#)/);
});

it.each([
  ['2024-13', [], /--month must be a month like 2026-10, and is 2024-13/],
  ['feb', [], /--month must be a month like 2026-10/],
  ['2024-02', ['--compare', 'last'], /before, year, none/],
  ['2024-02', ['--out', '/nowhere/at/all.html'], /\/nowhere\/at\/all.html cannot be written/],
])('refuses %s %j in words', async (month, more, why) => {
  const refused = await report(month, ...more);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toMatch(why);
});

it('is written once, in the language that is asked for', async () => {
  const german = join(cli.folder, 'german.html');
  const written = await report('2024-02', '--language', 'de', '--out', german);
  expect(written.stdout).toContain(`Written to ${german}`);
  const page = readFileSync(german, 'utf8');
  expect(page).toContain('<html lang="de">');
  expect(page).toContain('<h2 id="look">Worauf zu achten ist</h2>');
  const again = await report('2024-03', '--out', german);
  expect(again.stderr).toContain('german.html is there already; name another file by --out, or remove it');
  expect(readFileSync(german, 'utf8')).toBe(page);
});

it('refuses a month without data, and says where a month is not over', async () => {
  for (const month of ['2010-01', '2025-03']) {
    const refused = await report(month, '--out', join(cli.folder, 'none.html'));
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toMatch(
      new RegExp(`no orders of ${month} are loaded: the first one is of 20\\d\\d-`),
    );
  }
  const last = await report('2025-01', '--out', join(cli.folder, 'last.html'));
  expect(last.stdout).toMatch(/Mind: The last loaded order is of 2025-01-02\. If orders came in after it/);
});

it('says where nothing is loaded', async () => {
  const empty = (await cli.json(['business', 'create', '--name', 'Empty'])) as { business_id: string };
  const refused = await cli.run(['report', empty.business_id, '--month', '2024-02', '--out', file]);
  expect(refused.stderr).toContain('no orders of Empty are loaded yet');
});
