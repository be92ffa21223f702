import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { isQuick } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, type Files, importFiles, refusal, SMALL_SHOP } from './shop.ts';
import { importInTurn } from './staging.ts';

const test: TestInstance = await createTestInstance({ isOneEngineEnough: true });
let business: Business;

beforeEach(async () => {
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
});

afterAll(() => test[Symbol.asyncDispose]());

/** The rows of a table after imports one after the other. No model is made of them. */
async function rowsAfter(batches: readonly Files[], table: string, select: string): Promise<unknown[][]> {
  let found: unknown[][] = [];
  await importInTurn(
    batches.map((files) => ({ files })),
    async ({ rows }) => {
      found = await rows(table, select);
    },
  );
  return found;
}

const totalsAfter = (...batches: readonly Files[]) =>
  rowsAfter(batches, 'orders', 'order_id, cast(total as double)');
const orders = (...rows: string[]) => `order_id,ordered_at,total\n${rows.map((row) => `${row}\n`).join('')}`;

describe('a key identifies a row', () => {
  it('the same files again change nothing in the answers', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const first = await answers(test, business);
    const report = await importFiles(test, business, SMALL_SHOP);
    expect(report.tables.orders).toEqual({
      read: 3,
      loaded: 3,
      rejected: 0,
      replaced: 0,
      ignored: 0,
      deleted: 0,
    });
    expect(await answers(test, business)).toEqual(first);
  });

  it('a changed row replaces the old one whole, the others stay', async () => {
    const changed = { 'orders.csv': orders('A1,2024-01-05T10:00:00,1', 'A4,2024-03-01,4') };
    const columns = 'order_id, cast(total as double), email_hash is null';
    expect(await rowsAfter([SMALL_SHOP, changed], 'orders', columns)).toEqual([
      ['A1', 1, true],
      ['A2', 200, false],
      ['A3', 50, false],
      ['A4', 4, true],
    ]);
  });

  it('the last row of one import wins: of a file, and of the files in the order of their names', async () => {
    const files = {
      'orders-2.csv': orders('A,2024-01-01,21', 'B,2024-01-01,22'),
      'orders-1.csv': orders('A,2024-01-01,11', 'A,2024-01-01,12', 'C,2024-01-01,13'),
      'orders.ndjson': '{"order_id":"C","ordered_at":"2024-01-01","total":31}',
    };
    expect(await totalsAfter(files)).toEqual([
      ['A', 21],
      ['B', 22],
      ['C', 31],
    ]);
  });

  it('a bad row does not replace a good one', async () => {
    const files = { 'orders.csv': orders('A,2024-01-01,1', 'A,2024-01-01,bad') };
    expect(await totalsAfter(files)).toEqual([['A', 1]]);
  });

  it('all columns of a key count', async () => {
    const prices = 'external_product_id,valid_from,price\nP,2024-01-01,1\nP,2024-02-01,2\nQ,2024-01-01,3\n';
    const batches = [prices, prices.replace(',2\n', ',9\n')].map((text) => ({ 'product_prices.csv': text }));
    const columns = 'external_product_id, cast(price as double)';
    expect(await rowsAfter(batches, 'product_prices', columns)).toEqual([
      ['P', 1],
      ['P', 9],
      ['Q', 3],
    ]);
  });
});

describe('line_no', () => {
  const items = (...rows: string[]) =>
    `order_id,external_product_id,quantity,unit_price\n${rows.map((row) => `${row}\n`).join('')}`;
  const linesAfter = (...batches: readonly Files[]) =>
    rowsAfter(batches, 'order_items', 'order_id, line_no::integer, external_product_id');

  it('is the place among the lines of the order, also across files, when no file gives it', async () => {
    const files = {
      'order_items-1.csv': items('A,P,1,1', 'B,Q,1,1', 'A,P,2,1'),
      'order_items-2.csv': items('A,R,1,1'),
    };
    expect(await linesAfter(files)).toEqual([
      ['A', 1, 'P'],
      ['A', 2, 'P'],
      ['A', 3, 'R'],
      ['B', 1, 'Q'],
    ]);
  });

  it('so made, replaces all lines of the same order later', async () => {
    const batches = [items('A,P,1,1', 'A,Q,1,1'), items('A,S,1,1')];
    expect(await linesAfter(...batches.map((text) => ({ 'order_items.csv': text })))).toEqual([
      ['A', 1, 'S'],
    ]);
  });

  it('stays the same when a bad line is left out', async () => {
    expect(await linesAfter({ 'order_items.csv': items('A,P,1,1', 'A,Q,bad,1', 'A,R,1,1') })).toEqual([
      ['A', 1, 'P'],
      ['A', 3, 'R'],
    ]);
  });

  it('may be given in one file and left out in another, but not for one order', async () => {
    const given = 'order_id,line_no,external_product_id,quantity,unit_price\nA,7,P,1,1\n';
    const files = { 'order_items-1.csv': given, 'order_items-2.csv': items('B,P,1,1') };
    expect(await linesAfter(files)).toEqual([
      ['A', 7, 'P'],
      ['B', 1, 'P'],
    ]);
    const mixed = { 'order_items-1.csv': given, 'order_items-2.csv': items('A,P,1,1') };
    expect((await refusal(test, business, mixed)).report?.tables.order_items?.rejected).toBe(1);
  });
});

describe('tables may come one by one', () => {
  it.skipIf(isQuick)('tables that come in any order end as if they had come together', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const together = JSON.stringify(await answers(test, business)).replaceAll(business.business_id, '');
    const { 'orders.csv': orders, 'order_items.csv': items, 'products.csv': products } = SMALL_SHOP;
    business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    const early = await importFiles(test, business, { 'order_items.csv': items });
    expect(early.warnings).toEqual([
      '4 order_items belong to orders that are not loaded; they count when those are',
    ]);
    await importFiles(test, business, { 'products.csv': products });
    await importFiles(test, business, { 'orders.csv': orders });
    expect(JSON.stringify(await answers(test, business)).replaceAll(business.business_id, '')).toBe(together);
  });
});
