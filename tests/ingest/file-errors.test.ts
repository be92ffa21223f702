import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, type Files, importFiles, refusal, SMALL_SHOP, writeFiles } from './shop.ts';

let test: TestInstance;
let business: Business;
let before: unknown;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness();
  await importFiles(test, business, SMALL_SHOP);
  before = await answers(test, business);
});

afterAll(() => test[Symbol.asyncDispose]());

/** Lines that end where the file is cut, so that it would pass for a shorter one. */
function cutGzip(): Buffer {
  const lines = Array.from({ length: 50_000 }, (_, i) => `X${i},2024-01-01,${(i * 7919) % 1000}\n`).join('');
  const packed = gzipSync(`order_id,ordered_at,total\n${lines}`);
  return packed.subarray(0, packed.length >> 1);
}

describe('a file that cannot be read is refused by name, and nothing changes', () => {
  it.each<[string, Files, string]>([
    [
      'a required column is missing',
      { 'orders.csv': 'order_id,ordered_at\n1,2024-01-01\n' },
      'orders.csv: the required column total is missing',
    ],
    [
      'several required columns are missing',
      { 'orders.ndjson': '{"order_id":"1"}' },
      'orders.ndjson: the required column ordered_at, total is missing',
    ],
    [
      'a column stands there twice',
      { 'orders.csv': 'order_id,ordered_at,total,"total"\n' },
      'orders.csv: the column total stands there twice',
    ],
    [
      'values are separated by semicolons',
      { 'orders.csv': 'order_id;ordered_at;total\n1;2024-01-01;5\n' },
      'orders.csv: the required column order_id, ordered_at, total is missing; are its values separated by commas?',
    ],
    ['a CSV file is empty', { 'orders.csv': '' }, 'orders.csv is empty: its header row is missing'],
    [
      'a packed CSV file is empty',
      { 'orders.csv.gz': '' },
      'orders.csv.gz is empty: its header row is missing',
    ],
    [
      'the header is a blank line',
      { 'orders.csv': '\norder_id,ordered_at,total\n' },
      'orders.csv cannot be read as csv: its first line is blank. Its header row must stand there',
    ],
    [
      'line ends are mixed',
      { 'orders.csv': 'order_id,ordered_at,total\n1,2024-01-01,5\r\n2,2024-01-01,5\n' },
      'orders.csv cannot be read as csv: some of its lines end with LF and some with CRLF; line 2 is the first that differs',
    ],
    [
      'Parquet is none',
      { 'orders.parquet': 'order_id,ordered_at,total\n' },
      'orders.parquet cannot be read as parquet: it is damaged, cut off',
    ],
    [
      'only the second file is bad',
      { 'orders-1.csv': SMALL_SHOP['orders.csv'], 'orders-2.csv': 'order_id,total\n' },
      'orders-2.csv: the required column ordered_at is missing',
    ],
    ['no file is named after a table', { 'order.csv': SMALL_SHOP['orders.csv'] }, 'no table found in'],
  ])('%s', async (_title, files, message) => {
    expect((await refusal(test, business, files)).message).toContain(message);
    expect(await answers(test, business)).toEqual(before);
  });

  it('a packed file is cut off', async () => {
    const folder = writeFiles(test, {});
    writeFileSync(join(folder, 'orders.csv.gz'), cutGzip());
    expect((await refusal(test, business, folder)).message).toBe(
      'orders.csv.gz cannot be unpacked: it is cut off. Get it again',
    );
    writeFileSync(join(folder, 'orders.csv.gz'), 'order_id,ordered_at,total\n');
    expect((await refusal(test, business, folder)).message).toBe(
      'orders.csv.gz cannot be unpacked: it is damaged. Get it again',
    );
    expect(await answers(test, business)).toEqual(before);
  });

  it('a file that cannot be opened', async () => {
    const folder = writeFiles(test, {});
    symlinkSync(join(folder, 'gone'), join(folder, 'orders.csv'));
    expect((await refusal(test, business, folder)).message).toMatch(
      /^orders\.csv cannot be read as csv: it is not there/,
    );
  });

  it('a folder that is missing, is a file, or is empty', async () => {
    const folder = writeFiles(test, SMALL_SHOP);
    const message = async (path: string) => (await refusal(test, business, path)).message;
    expect(await message(join(folder, 'gone'))).toBe(`there is no folder ${join(folder, 'gone')}`);
    expect(await message(join(folder, 'orders.csv'))).toMatch(/is not a folder/);
    mkdirSync(join(folder, 'empty'));
    expect(await message(join(folder, 'empty'))).toMatch(/^no table found in/);
  });
});

it('tells of unknown columns and files, and reads the rest', async () => {
  const fresh = await test.createBusiness();
  const report = await importFiles(test, fresh, {
    ...SMALL_SHOP,
    'orders.csv': SMALL_SHOP['orders.csv']
      .replaceAll(/$/gm, ',x')
      .replace('total,x', 'total,constructor')
      .replace(/,x$/, ''),
    'refunds.ndjson':
      '{"refund_id":"R","order_id":"A1","refunded_at":"2024-01-06","amount":1,"reason":"broken"}',
    'orders.old.csv': 'a copy that somebody left',
    'README.md': 'about these files',
    '.hidden.csv': 'not for us',
  });
  expect(report.warnings).toEqual([
    'README.md was not read: its name is not that of a table and a format',
    'orders.old.csv was not read: its name is not that of a table and a format',
    'orders.csv: unknown columns were not read: constructor',
    'refunds.ndjson: unknown columns were not read: reason',
  ]);
  expect(await answers(test, fresh)).toMatchObject([{ orders_count: 3 }, {}, {}, {}]);
});

it('reads a folder whose name would mean something in a pattern or in SQL', async () => {
  const folder = join(writeFiles(test, {}), "it's [1] * {a,b} ?");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(SMALL_SHOP)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "orders-it's [2].csv"), 'order_id,ordered_at,total\nA9,2024-01-01,1\n');
  const report = await test.importFolder(await test.createBusiness(), folder);
  expect(report.tables.orders).toEqual({
    read: 4,
    loaded: 4,
    rejected: 0,
    replaced: 0,
    ignored: 0,
    deleted: 0,
  });
});
