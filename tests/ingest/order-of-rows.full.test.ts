import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { answers, type Files, importFiles, writeFiles } from './shop.ts';

const test = await createTestInstance({ isOneEngineEnough: true });

afterAll(() => test[Symbol.asyncDispose]());

const ORDERS = Array.from({ length: 12 }, (_, i) => ({
  order_id: `O${i}`,
  ordered_at: `2024-0${1 + (i % 4)}-10T10:00:00`,
  email: `mail${i % 5}@example.com`,
  total: String(10 + i),
}));
const ITEMS = Array.from({ length: 24 }, (_, i) => ({
  order_id: `O${i % 12}`,
  line_no: String(1 + Math.floor(i / 12)),
  external_product_id: `P${i % 5}`,
  quantity: String(1 + (i % 3)),
  unit_price: String(i),
}));
const PRODUCTS = Array.from({ length: 4 }, (_, i) => ({
  external_product_id: `P${i}`,
  name: `Product ${i}`,
  categories: i % 2 === 0 ? 'even|all' : 'all',
  price: String(i),
}));

type Rows = readonly Readonly<Record<string, string>>[];

function csv(rows: Rows): string {
  const names = Object.keys(rows[0] ?? {});
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
}

const ndjson = (rows: Rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** The rows in any order, as one import or two, as one file or two, in either format. */
function spread(table: string, rows: Rows): fc.Arbitrary<[Files, Files]> {
  return fc
    .tuple(
      fc.shuffledSubarray([...rows], { minLength: rows.length }),
      fc.integer({ min: 1, max: rows.length - 2 }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([shuffled, cut, isLater, isJson]) => {
      const second = shuffled.slice(cut);
      const files = isJson ? { [`${table}-0.ndjson`]: ndjson(second) } : { [`${table}-2.csv`]: csv(second) };
      const first = { [`${table}-1.csv`]: csv(shuffled.slice(0, cut)) };
      return isLater ? [first, files] : [{ ...first, ...files }, {}];
    });
}

it('the order of rows, files and imports does not matter when keys are distinct', async () => {
  const business = await test.createBusiness({ currency: 'CZK' });
  const anonymous = async () =>
    JSON.parse(JSON.stringify(await answers(test, business)).replaceAll(business.business_id, ''));
  await importFiles(test, business, {
    'orders.csv': csv(ORDERS),
    'order_items.csv': csv(ITEMS),
    'products.csv': csv(PRODUCTS),
  });
  const expected = await anonymous();
  const way = fc.tuple(spread('orders', ORDERS), spread('order_items', ITEMS), spread('products', PRODUCTS));
  await fc.assert(
    fc.asyncProperty(way, async (tables) => {
      const fresh = await test.createBusiness({ currency: 'CZK' });
      for (const step of [0, 1]) {
        const files = Object.assign({}, ...tables.map((table) => table[step]));
        // Lines of one order may come in both imports.
        if (Object.keys(files).length > 0) await test.importFolder(fresh, writeFiles(test, files), '0', true);
      }
      const actual = JSON.stringify(await answers(test, fresh)).replaceAll(fresh.business_id, '');
      expect(JSON.parse(actual)).toEqual(expected);
    }),
    { numRuns: runs(1) },
  );
});
