import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Rows as columns, and rows of some fields, are the same numbers in the same order as whole rows. */
const FOLDER = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  business_id = business.business_id;
  await test.importFolder(business, FOLDER);
});

afterAll(() => test[Symbol.asyncDispose]());

const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
type Rows = Record<string, unknown>[];

/** Tool, its arguments, where its rows are, what names a row, and some of its fields. */
it.each([
  ['order_statistics_trend', { breakdown: 'month' }, 'periods', ['period', 'period_start'], ['orders_count']],
  [
    ...['product_statistics', { limit: 1000 }, 'products', ['external_product_id']],
    ['estimated_revenue', 'categories'],
  ],
  [
    ...['product_statistics_trend', { breakdown: 'month', external_product_ids: ['P1', 'P9'] }, 'periods'],
    ...[
      ['external_product_id', 'period', 'period_start'],
      ['total_quantity', 'estimated_gross_profit'],
    ],
  ],
  ['category_statistics', { limit: 1000 }, 'categories', ['category'], ['reach', 'conversion_rate']],
  [
    'brand_statistics_trend',
    { breakdown: 'week', brands: ['Kubík & syn'] },
    'periods',
    ['brand', 'period'],
    ['reach'],
  ],
  [
    ...['order_distribution_statistics', { dimension: 'weekday' }, 'rows', ['key']],
    ['orders_count', 'average_order_value'],
  ],
  ['list_products', { limit: 1000 }, 'products', ['external_product_id'], ['price', 'name']],
] as [string, object, string, string[], string[]][])('%s %j', async (tool, args, key, identity, fields) => {
  const call = { business_id, ...(tool.startsWith('list_') ? {} : range), ...args };
  const ask = async (more: object) => (await test.ask(tool, { ...call, ...more })) as Record<string, unknown>;
  const { [key]: whole, ...rest } = await ask({});
  const rows = whole as Rows;
  expect(rows.length).toBeGreaterThan(1);

  const { columns, rows: cells, ...besides } = await ask({ format: 'table' });
  const inColumns = (cells as unknown[][]).map((row) =>
    Object.fromEntries((columns as string[]).map((column, index) => [column, row[index]])),
  );
  expect(inColumns).toEqual(rows);
  expect(besides).toEqual(rest);

  const some = (await ask({ fields }))[key] as Rows;
  expect(some).toHaveLength(rows.length);
  for (const [index, row] of some.entries()) {
    for (const name of [...identity, ...fields]) expect(row[name]).toEqual(rows[index]?.[name]);
    expect(rows[index]).toMatchObject(row);
    expect(Object.keys(row).length).toBeLessThan(Object.keys(rows[index] ?? {}).length);
  }
  const both = await ask({ fields, format: 'table' });
  expect((both.rows as unknown[][]).length).toBe(rows.length);
  expect(both.columns).toEqual(expect.arrayContaining(fields));
  await expect(ask({ fields: ['no_such_field'] })).rejects.toThrow('fields');
});
