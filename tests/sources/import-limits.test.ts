import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { importFiles } from '../../src/import/run.ts';
import { ImportError } from '../../src/snapshot/import-errors.ts';
import type { ImportLimits } from '../../src/snapshot/import-limits.ts';
import { ImportMeter } from '../../src/snapshot/import-meter.ts';
import type { Files } from '../ingest/shop.ts';
import { writeFiles } from '../ingest/staging.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { tightLimits } from '../support/tight-limits.ts';
import { writeDuckdb } from './duckdb-file.ts';
import { overlappingZip, zipOf } from './zip-archive.ts';

/**
 * What an import may take, whatever the format: each limit small enough that a file of this test goes beyond
 * it.
 */

let test: TestInstance;
let shop: Business;
let served: string | undefined;
let folders = 0;

const PRODUCT = 'external_product_id,name,price\nA,a,1\n';

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = await test.createBusiness({ name: 'Limits', timezone: 'Europe/Prague', currency: 'CZK' });
  await importTight({ 'products.csv': PRODUCT }, {});
  served = (await currentSnapshot(test.instance.control, shop.business_id))?.snapshot_id;
});
afterAll(() => test[Symbol.asyncDispose]());

const folderOf = (files: Files) => {
  folders += 1;
  const folder = join(test.folder, `limits-${folders}`);
  mkdirSync(folder);
  return writeFiles(folder, files);
};

async function importTight(files: Files | string, limits: Partial<ImportLimits>) {
  const context = { ...test.instance, importLimits: tightLimits(limits) };
  return importFiles(context, shop, [typeof files === 'string' ? files : folderOf(files)]);
}

/** The refusal; nothing of the import is left, and what was served still is. */
async function refusalOf(files: Files | string, limits: Partial<ImportLimits>): Promise<string> {
  const error = await importTight(files, limits).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ImportError);
  const now = await currentSnapshot(test.instance.control, shop.business_id);
  expect(now?.snapshot_id).toBe(served);
  const folders = readdirSync(test.instance.data.snapshots(shop.business_id));
  expect(folders.filter((name) => name.includes('building'))).toEqual([]);
  return (error as Error).message;
}

const rows = (count: number) =>
  `external_product_id,name,price\n${Array.from({ length: count }, (_, i) => `P${i},p,1\n`).join('')}`;

const shopifyOrders = (count: number) =>
  `Name,Total,Currency,Created at,Lineitem name\n${Array.from({ length: count }, (_, i) => `#${i},10,EUR,2026-01-05 10:00:00 +0100,Mug of many letters\n`).join('')}`;

async function parquetOf(select: string, options = ''): Promise<string> {
  const folder = folderOf({});
  await writeDuckdb(join(folder, '..', `limits-${folders}.duckdb`), [
    `copy (${select}) to '${join(folder, 'products.parquet')}' (format parquet${options})`,
  ]);
  return folder;
}

it.each([
  ['CSV', { 'products.csv': rows(11) }],
  ['CSV in two files', { 'products-1.csv': rows(6), 'products-2.csv': rows(6) }],
  ['NDJSON', { 'products.ndjson': '{"external_product_id":"A","name":"a","price":1}\n'.repeat(11) }],
  ['an archive', { 'a.zip': zipOf([{ name: 'products.csv', content: rows(11) }]) }],
])('refuses more rows than an import may have: %s', async (_, files) => {
  const message = await refusalOf(files as Files, { rows: 10 });
  expect(message).toContain('may have 10 rows together');
  expect(message).toContain('STORESIGHT_IMPORT_ROWS');
});

it('refuses a Parquet file by the rows in its footer', async () => {
  const file = await parquetOf(
    "select 'P' || n as external_product_id, 'p' as name, 1 as price from range(11) as t(n)",
  );
  expect(await refusalOf(file, { rows: 10 })).toContain('with products.parquet this one has more');
});

it('refuses a Parquet file whose one long text stands in each row, before it reads the rows', async () => {
  const file = await parquetOf(
    "select 'P' || n as external_product_id, repeat('x', 2000) as name, 1 as price from range(100) as t(n)",
  );
  expect(await refusalOf(file, { cellBytes: 1024 })).toMatch(
    /products\.parquet has a cell in "name" of more/,
  );
  expect(await refusalOf(file, { unpackedBytes: 100_000 })).toContain('STORESIGHT_IMPORT_UNPACKED');
});

it.each([
  ['CSV', { 'products.csv': rows(2000) }],
  ['gzip', { 'products.csv.gz': rows(2000) }],
  ['an archive', { 'a.zip': zipOf([{ name: 'products.csv', content: rows(2000) }]) }],
  ['a feed', { 'feed.xml': `<SHOP>${'<SHOPITEM><ITEM_ID>1</ITEM_ID></SHOPITEM>'.repeat(400)}</SHOP>` }],
])('refuses files that hold more bytes than an import may have: %s', async (_, files) => {
  expect(await refusalOf(files as Files, { unpackedBytes: 10_000 })).toContain(
    'may hold 10000 bytes together once they are unpacked',
  );
});

it.each([
  ['an archive', { 'a.zip': zipOf([{ name: 'products.csv', content: rows(2000) }]) }],
  ['another encoding', { 'orders_export.csv': Buffer.from(`\uFEFF${shopifyOrders(100)}`, 'utf16le') }],
  [
    'a feed',
    {
      'feed.xml': `<SHOP>${'<SHOPITEM><ITEM_ID>1</ITEM_ID><PRODUCTNAME>a</PRODUCTNAME><PRICE_VAT>1</PRICE_VAT></SHOPITEM>'.repeat(400)}</SHOP>`,
    },
  ],
])('ends what writes more than an import may: %s', async (_, files) => {
  expect(await refusalOf(files as Files, { writtenBytes: 5000 })).toContain('STORESIGHT_IMPORT_WRITTEN');
});

it('ends what an engine writes, by a look at the folder', async () => {
  const folder = folderOf({ 'model.duckdb': 'x'.repeat(20_000) });
  using meter = new ImportMeter(tightLimits({ writtenBytes: 10_000 }));
  await meter.look(folder, test.instance.data);
  expect(meter.signal.reason).toBeInstanceOf(ImportError);
  expect(() => meter.check()).toThrow('STORESIGHT_IMPORT_WRITTEN');
});

it('ends after its minutes, and says so', async () => {
  expect(await refusalOf({ 'products.csv': rows(2) }, { minutes: 0 })).toContain('may take 0 minutes');
});

it('refuses more files than an import may have, those in archives too', async () => {
  const zip = zipOf([
    { name: 'products-1.csv', content: PRODUCT },
    { name: 'products-2.csv', content: PRODUCT },
  ]);
  expect(await refusalOf({ 'a.zip': zip, 'b.zip': zip }, { files: 5 })).toContain(
    'with b.zip this one has more',
  );
});

it('refuses an archive whose directory names one entry many times, before it writes', async () => {
  const message = await refusalOf(
    { 'a.zip': overlappingZip({ name: 'products.csv', content: rows(5000) }, 300) },
    // Less than one of its files.
    { writtenBytes: 5000 },
  );
  expect(message).toContain('a.zip cannot be unpacked: several of its files lie in the same bytes');
});

it('counts what many small bombs unpack to together, each of them below what one file may unpack to', async () => {
  // Long rows: what is counted is bytes, and five million rows of each file would be read before.
  const row = `A,${'a'.repeat(20_000)},1\n`;
  const bomb = gzipSync(`external_product_id,name,price\n${row.repeat(1700)}`);
  const zip = zipOf([0, 1, 2].map((i) => ({ name: `products-${i}.csv.gz`, content: bomb })));
  expect(await refusalOf({ 'a.zip': zip }, {})).toContain('unpack to more than 200 times what was given');
});

it('says in our words that a Parquet file is damaged, without a path', async () => {
  const folder = await parquetOf("select 'A' as external_product_id, 'a' as name, 1 as price");
  writeFileSync(join(folder, 'products.parquet'), `PAR1${'x'.repeat(100)}PAR1`);
  const message = await refusalOf(folder, {});
  expect(message).toMatch(/^products\.parquet cannot be read as parquet: it is damaged/);
  expect(message).not.toContain(test.folder);
});
