import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { csvText } from '../oracle/csv-text.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { importFiles, storedRows } from './shop.ts';
import { stageFiles } from './staging.ts';

/** What each spelling of a cell is stored as. One import per table holds all of them. */

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
});

afterAll(() => test[Symbol.asyncDispose]());

/** Prague is one hour ahead of UTC in winter, two in summer. */
const MOMENTS: readonly [cell: string, utc: string][] = [
  ['2024-01-05T10:00:30', '2024-01-05 09:00:30'],
  ['2024-07-05T10:00:30', '2024-07-05 08:00:30'],
  ['2024-01-05 10:00:30', '2024-01-05 09:00:30'],
  ['2024-01-05T10:00', '2024-01-05 09:00:00'],
  ['2024-01-05', '2024-01-04 23:00:00'],
  ['2024-01-05T10:00:30.5', '2024-01-05 09:00:30.5'],
  ['2024-01-05T10:00:30.123456', '2024-01-05 09:00:30.123456'],
  ['2024-01-05T10:00:30Z', '2024-01-05 10:00:30'],
  ['2024-01-05T10:00Z', '2024-01-05 10:00:00'],
  ['2024-01-05T10:00:30+02:00', '2024-01-05 08:00:30'],
  ['2024-01-05T10:00:30+0200', '2024-01-05 08:00:30'],
  ['2024-01-05T10:00:30+02', '2024-01-05 08:00:30'],
  ['2024-01-05T10:00:30-05:30', '2024-01-05 15:30:30'],
  ['2024-01-05T10:00-05', '2024-01-05 15:00:00'],
  ['2024-01-05T10:00-0530', '2024-01-05 15:30:00'],
  ['2024-01-05T10:00:30+14:00', '2024-01-04 20:00:30'],
  ['2024-01-05T10:00:30-13:59', '2024-01-05 23:59:30'],
  ['2024-01-05 10:00:30 +0200', '2024-01-05 08:00:30'],
  ['2024-01-05T10:00:30 Z', '2024-01-05 10:00:30'],
  ['2024-01-05 10:00 -05:30', '2024-01-05 15:30:00'],
  ['2024-01-05T10:00 Z', '2024-01-05 10:00:00'],
  ['2024-01-05 10:00:30.5 +0200', '2024-01-05 08:00:30.5'],
  ['2024-02-29T00:30:00', '2024-02-28 23:30:00'],
  // The skipped hour and the repeated one, whose second time is meant.
  ['2024-03-31T01:59:59', '2024-03-31 00:59:59'],
  ['2024-03-31T02:30:00', '2024-03-31 01:30:00'],
  ['2024-10-27T02:30:00', '2024-10-27 01:30:00'],
  ['2024-10-27T02:30:00+02:00', '2024-10-27 00:30:00'],
];

const MONEY: readonly [cell: string, value: string][] = [
  ['1', '1.0000'],
  ['-1.5', '-1.5000'],
  ['+2', '2.0000'],
  ['0.00005', '0.0001'],
  ['1e3', '1000.0000'],
  ['99999999999.9999', '99999999999.9999'],
];

const LISTS: readonly [cell: string, values: string[]][] = [
  ['a|b', ['a', 'b']],
  [' a | b || ', ['a', 'b']],
  ['["a","b|c", " d "]', ['a', 'b|c', 'd']],
  ['[]', []],
  ['', []],
  ['[Sale] Shoes|x', ['[Sale] Shoes', 'x']],
  ['["Říčka, \\"velká\\""]', ['Říčka, "velká"']],
];

const FLAGS: readonly [cell: string, value: string][] = [
  ['true', 'true'],
  ['TRUE', 'true'],
  ['False', 'false'],
  ['', 'false'],
];

/** One @ with ASCII behind it, and all else, is read in two ways. */
const DOMAINS: readonly [cell: string, domain: string | null][] = [
  ['jana@example.com', 'example.com'],
  ['Jana@Shop-1.Example_x.COM', 'shop-1.example_x.com'],
  ['@example.com', 'example.com'],
  ['<jana@example.com>', 'example.com'],
  ['jana@old.example@example.com', 'example.com'],
  ['jana@example.com@', 'example.com'],
  ['jana@Škoda.example', 'škoda.example'],
  ['jana@', null],
  ['jana@-', null],
  ['jana', null],
];

const id = (index: number) => String(index).padStart(3, '0');

describe('cells are stored as what they mean', () => {
  it('moments: with and without offset, seconds, T; in hours that clocks skip or repeat', async () => {
    await importFiles(test, business, {
      'refunds.csv': csvText([
        ['refund_id', 'order_id', 'refunded_at', 'amount'],
        ...MOMENTS.map(([cell], index) => [id(index), 'A', cell, '1']),
      ]),
    });
    const rows = await storedRows(test, business, 'refunds', 'refund_id, cast(refunded_at as varchar)');
    expect(rows.map(([index, utc]) => [MOMENTS[Number(index)]?.[0], utc])).toEqual(MOMENTS);
  });

  it('money, lists and flags; in CSV and in NDJSON', async () => {
    const cells = Array.from({ length: 7 }, (_, index) => ({
      price: MONEY[index]?.[0] ?? '1',
      categories: LISTS[index]?.[0] ?? '',
      discontinued: FLAGS[index]?.[0] ?? '',
    }));
    await importFiles(test, business, {
      'products.csv': csvText([
        ['external_product_id', 'name', 'price', 'categories', 'discontinued'],
        ...cells.map(({ price, categories, discontinued }, index) => [
          `csv ${id(index)}`,
          'n',
          price,
          categories,
          discontinued,
        ]),
      ]),
      'products.ndjson': cells
        .map((row, index) => JSON.stringify({ external_product_id: `json ${id(index)}`, name: 'n', ...row }))
        .join('\n'),
    });
    const rows = await storedRows(
      test,
      business,
      'products',
      "split_part(external_product_id, ' ', 2), external_product_id, cast(price as varchar), categories, cast(discontinued as varchar)",
    );
    expect(rows).toEqual(
      cells.flatMap((_, index) =>
        ['csv', 'json'].map((format) => [
          id(index),
          `${format} ${id(index)}`,
          MONEY[index]?.[1] ?? '1.0000',
          LISTS[index]?.[1] ?? [],
          FLAGS[index]?.[1] ?? 'false',
        ]),
      ),
    );
  });

  it('numbers, truth values, lists and objects of JSON', async () => {
    await importFiles(test, business, {
      'products.ndjson': [
        '{"external_product_id": 7, "name": 5.5, "price": 10.10, "categories": ["a", "b"], "in_stock": true, "attributes": {"size": [1, "é"]}}',
        '{"price": 1e2, "name": "x", "external_product_id": "8", "categories": null, "in_stock": "", "attributes": null}',
      ].join('\n'),
    });
    const rows = await storedRows(
      test,
      business,
      'products',
      'external_product_id, name, cast(price as varchar), categories, in_stock, attributes',
    );
    expect(rows.filter(([key]) => key === '7' || key === '8')).toEqual([
      ['7', '5.5', '10.1000', ['a', 'b'], true, '{"size":[1,"é"]}'],
      ['8', 'x', '100.0000', [], null, null],
    ]);
  });

  it('currencies in any case, whole numbers written with .0, rates, JSON text, dates', async () => {
    await importFiles(test, business, {
      'orders.csv':
        'order_id,ordered_at,total,currency,fx_rate\nA,2024-01-01,10,eur,25.345\nB,2024-01-01,10,Czk,\n',
      'order_items.csv': 'order_id,line_no,external_product_id,quantity,unit_price\nA,2.0,P,1.5,1\n',
      'profiles.csv': 'profile_id,birthday,attributes,tags\np,1990-02-28,"{""a"": 1}",x|y\n',
    });
    expect(
      await storedRows(test, business, 'orders', 'order_id, currency, cast(fx_rate as varchar)'),
    ).toEqual([
      ['A', 'EUR', '25.34500000000000'],
      ['B', 'CZK', null],
    ]);
    expect(
      await storedRows(test, business, 'order_items', 'line_no, kind, cast(quantity as varchar)'),
    ).toEqual([['2', 'product', '1.5000']]);
    expect(
      await storedRows(test, business, 'profiles', 'cast(birthday as varchar), attributes, tags'),
    ).toEqual([['1990-02-28', '{"a": 1}', ['x', 'y']]]);
  });

  it('the domain of an e-mail address', async () => {
    const { rows } = await stageFiles('profiles', {
      'profiles.csv': csvText([
        ['profile_id', 'email'],
        ...DOMAINS.map(([cell], index) => [`p${id(index)}`, cell]),
      ]),
    });
    expect(rows.map(({ email_domain }, index) => [DOMAINS[index]?.[0], email_domain])).toEqual(DOMAINS);
  });

  it('a cell that stands in no file is an empty one, also where only one of several files has the column', async () => {
    const { rows } = await stageFiles('products', {
      'products/1.csv': 'external_product_id,name,price\nA,a,1\n',
      'products/2.csv': 'external_product_id,name,price,original_price,discontinued\nB,b,1,1.5,true\n',
      'products/3.csv': 'price,name,external_product_id\n1,c,C\n',
    });
    const told = rows.map((row) => [
      ...[
        row.external_product_id,
        row.name,
        String(row.original_price),
        row.discontinued,
        row.brand,
        row.categories,
      ],
    ]);
    expect(told).toEqual([
      ['A', 'a', 'null', false, null, []],
      ['B', 'b', '1.5', true, null, []],
      ['C', 'c', 'null', false, null, []],
    ]);
  });
});
