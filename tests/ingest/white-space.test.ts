import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { csvText } from '../oracle/csv-text.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { importFiles, query, readRejects, refusal, storedRows, writeFiles } from './shop.ts';

/**
 * What spreadsheets and copied texts leave around a cell: tab, no-break, ideographic and zero-width space,
 * marks.
 */
const INVISIBLE = ['\t', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u200e', '\u2028', ' \u00a0\t '];

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness();
});

afterAll(() => test[Symbol.asyncDispose]());

it('ids, e-mails, phones and lists are kept without what is invisible around them', async () => {
  const around = (text: string, index: number) => `${INVISIBLE[index]}${text}${INVISIBLE[index]}`;
  const rows = INVISIBLE.map((_, index) => ({
    order_id: around(`A${index}`, index),
    ordered_at: around('2024-01-05T10:00:00', index),
    email: around('Jana@Example.com', index),
    phone: around('+420601234567', index),
    total: around('5', index),
    coupon_codes: `a|${around('žluť', index)}`,
  }));
  const header = Object.keys(rows[0] ?? {});
  await importFiles(test, business, {
    'orders-1.csv': csvText([header, ...rows.map((row) => Object.values(row))]),
    'orders-2.ndjson': rows
      .map((row, index) => JSON.stringify({ ...row, order_id: around(`B${index}`, index) }))
      .join('\n'),
  });
  const ids = await storedRows(test, business, 'orders', 'order_id');
  expect(ids.flat()).toEqual(['A', 'B'].flatMap((file) => INVISIBLE.map((_, index) => `${file}${index}`)));
  const others = await storedRows(
    test,
    business,
    'orders',
    'distinct email_hash, email_domain, phone_hash, coupon_codes, cast(ordered_at as varchar)',
  );
  expect(others).toEqual([
    [expect.any(String), 'example.com', expect.any(String), ['a', 'žluť'], '2024-01-05 10:00:00'],
  ]);
});

it('the same around a text that begins and ends with other than ASCII', async () => {
  const names = ['žluť', '~', '\u00a0žluť', 'žluť\u200b', 'a žluť b'];
  await importFiles(test, business, {
    'products.csv': csvText([
      ['external_product_id', 'name', 'price'],
      ...names.map((name, index) => [`P${index}`, name, '1']),
    ]),
  });
  const stored = await storedRows(test, business, 'products', 'external_product_id, name');
  expect(stored.map(([, name]) => name)).toEqual(['žluť', '~', 'žluť', 'žluť', 'a žluť b']);
});

it('an id of blanks alone is missing, in every format', async () => {
  const header = 'order_id,ordered_at,total\n';
  const { report } = await refusal(test, business, {
    'orders-1.csv': `${header}${INVISIBLE.map((blank) => `"${blank}",2024-01-01,1\n`).join('')}`,
    'orders-2.ndjson': INVISIBLE.map((order_id) =>
      JSON.stringify({ order_id, ordered_at: '2024-01-01', total: 1 }),
    ).join('\n'),
  });
  expect(readRejects(report).map(([, , column, , reason]) => `${column} ${reason}`)).toEqual(
    Array.from({ length: 2 * INVISIBLE.length }, () => 'order_id is required'),
  );
  const folder = writeFiles(test, {});
  await query(`copy (select '  ' as order_id, '2024-01-01' as ordered_at, '1' as total) to '${folder}/orders.parquet'
    (format parquet)`);
  const parquet = await test.importFolder(business, folder, '1');
  expect(parquet.tables.orders).toMatchObject({ read: 1, loaded: 0, rejected: 1 });
});
