import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

/** What sales say of a stock that was read before them. Numbers worked out by hand. */

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

interface Stock {
  readonly external_product_id: string;
  readonly in_stock: boolean | null;
  readonly stock_quantity: number | null;
  readonly stock_as_of: string | null;
  readonly sold_since_stock_as_of: number | null;
  readonly days_of_cover: number | null;
}

async function stockOf(business: Business, args: object = {}) {
  const { result, notes } = await test.run('list_products', { business_id: business.business_id, ...args });
  const { products, total_count } = result as { products: Stock[]; total_count: number };
  return { products, total_count, notes: (notes ?? []).filter((note) => note.includes('stock')) };
}

const READ = { read_on: '2026-03-20', read_at: '2026-03-20T12:00:00Z' };

/**
 * The shop has 40 days, 1 March to 9 April, with an order of one piece of each product every day at noon UTC.
 */
function shop(): Store {
  const orders = Array.from({ length: 40 }, (_, day) => ({
    order_id: `o${day}`,
    ordered_at: new Date(Date.UTC(2026, 2, 1 + day, 12)).toISOString(),
    email: 'a@x.cz',
    total: '1',
  }));
  const sold = ['gone', 'enough', 'short', 'backorder', 'unread', 'changed'];
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders,
    order_items: orders.flatMap(({ order_id }) =>
      sold.map((external_product_id, index) => ({
        ...{ order_id, line_no: String(index + 1), external_product_id, quantity: '1', unit_price: '1' },
      })),
    ),
    products: [
      { external_product_id: 'gone', in_stock: 'false', stock_quantity: '0' },
      { external_product_id: 'enough', in_stock: 'true', stock_quantity: '48' },
      { external_product_id: 'short', in_stock: 'true', stock_quantity: '20' },
      { external_product_id: 'backorder', in_stock: 'true', stock_quantity: '0' },
      { external_product_id: 'unread' },
      { external_product_id: 'unsold', in_stock: 'false', stock_quantity: '0' },
    ].map((row) => ({
      ...row,
      name: row.external_product_id,
      price: '1',
      updated_at: '2025-01-01T00:00:00Z',
    })),
    stock_readings: [
      { external_product_id: 'gone', in_stock: 'false', stock_quantity: '0', ...READ },
      { external_product_id: 'enough', in_stock: 'true', stock_quantity: '48', ...READ },
      { external_product_id: 'short', in_stock: 'true', stock_quantity: '20', ...READ },
      { external_product_id: 'backorder', in_stock: 'true', stock_quantity: '0', ...READ },
      { external_product_id: 'unsold', in_stock: 'false', stock_quantity: '0', ...READ },
    ],
  };
}

it('a stock that sales since contradict is not known, and a cover is of what is left', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, shop());
  const { products, notes } = await stockOf(business, { limit: 100 });
  const at = '2026-03-20T12:00:00Z';
  const row = (stock_as_of: string | null, sold_since_stock_as_of: number | null) => ({
    ...{ stock_as_of, sold_since_stock_as_of },
  });
  // Twenty orders came after noon of 20 March; one piece a day was sold in the 28 days before 9 April.
  expect(products).toMatchObject([
    { external_product_id: 'backorder', in_stock: true, ...row(at, 20), days_of_cover: null },
    { external_product_id: 'enough', in_stock: true, ...row(at, 20), days_of_cover: 28 },
    { external_product_id: 'gone', in_stock: null, ...row(at, 20), days_of_cover: null },
    { external_product_id: 'short', in_stock: null, ...row(at, 20), days_of_cover: 0 },
    { external_product_id: 'unread', in_stock: null, ...row(null, null), days_of_cover: null },
    { external_product_id: 'unsold', in_stock: false, ...row(at, 0), days_of_cover: null },
  ]);
  expect(notes).toEqual([
    '2 products sold 40 pieces after their stock last changed or was told, all that was there or more: in_stock is null. Read the stock again.',
  ]);
  // Nobody knows of those two, so they are in neither.
  expect(await stockOf(business, { filter_in_stock: false })).toMatchObject({
    total_count: 1,
    products: [{ external_product_id: 'unsold' }],
    notes: [expect.stringMatching(/^Without 3 products whose in_stock is null: /)],
  });
  expect((await stockOf(business, { filter_in_stock: true })).total_count).toBe(2);
  for (const filter_in_stock of [true, false]) {
    const { notes } = await test.run('list_products', { business_id: business.business_id, filter_in_stock });
    expect(notes).toContainEqual(expect.stringMatching(/^Without 3 products whose in_stock is null: /));
  }
  const { product } = (await test.ask('get_product', {
    business_id: business.business_id,
    external_product_id: 'gone',
  })) as { product: Stock };
  expect(product).toMatchObject({ in_stock: null, sold_since_stock_as_of: 20 });
});

it('the sales since a reading of stock after the last loaded order are unknown', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const later = { read_on: '2026-05-20', read_at: '2026-05-20T12:00:00Z' };
  const { stock_readings, ...rest } = shop();
  await test.importStore(business, {
    ...rest,
    stock_readings: stock_readings.map((row) => ({ ...row, ...later })),
  });
  const ask = (id: string) => stockOf(business, { filter_external_product_ids: [id] });
  // 48 pieces at one piece a day, as they were read.
  expect(await ask('enough')).toMatchObject({
    products: [{ in_stock: true, sold_since_stock_as_of: null, days_of_cover: 48 }],
    notes: [
      'Sales after 2026-04-09 are not loaded, and stock was read after the last of them: sold_since_stock_as_of is null; days_of_cover is of the stock as it was read, by sales of the last 28 whole days before that date.',
    ],
  });
  expect((await ask('gone')).products).toMatchObject([
    { in_stock: false, sold_since_stock_as_of: null, days_of_cover: 0 },
  ]);
  // It was never sold, so it has no cover to speak of.
  expect((await ask('unsold')).notes).toEqual([
    'Sales after 2026-04-09 are not loaded, and stock was read after the last of them: sold_since_stock_as_of is null.',
  ]);
  expect(await ask('unread')).toMatchObject({ products: [{ days_of_cover: null }], notes: [] });
  const { notes } = await test.run('get_product', {
    business_id: business.business_id,
    external_product_id: 'gone',
  });
  expect(notes).toContainEqual(expect.stringMatching(/^Sales after 2026-04-09 are not loaded/));
});

it('an import reads the stock when it runs, not when the row changed', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const before = new Date().toISOString();
  await test.importStore(business, { ...shop(), stock_readings: [] });
  const after = new Date().toISOString();
  const { products } = await stockOf(business, { filter_external_product_ids: ['gone'] });
  expect(products).toMatchObject([{ in_stock: false, sold_since_stock_as_of: null }]);
  const asOf = products[0]?.stock_as_of ?? '';
  expect(Date.parse(asOf)).toBeGreaterThanOrEqual(Date.parse(before) - 1000);
  expect(Date.parse(asOf)).toBeLessThanOrEqual(Date.parse(after) + 1000);
});

it('a stock that is read again on its day is one reading, and another stock replaces it', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const mug = (stock_quantity?: string) => ({
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    products: [{ external_product_id: 'mug', name: 'Mug', price: '1', stock_quantity }],
  });
  const asOf = async () => (await stockOf(business)).products[0]?.stock_as_of;
  await test.importStore(business, mug('3'));
  const first = await asOf();
  await test.importStore(business, mug('3'));
  expect(await asOf()).toBe(first);
  // The row says nothing of the stock any more: what was read stays, as of then.
  await test.importStore(business, mug());
  expect((await stockOf(business)).products).toMatchObject([{ stock_quantity: 3, stock_as_of: first }]);
  await test.importStore(business, mug('2'));
  expect((await stockOf(business)).products).toMatchObject([{ stock_quantity: 2 }]);
  expect(Date.parse((await asOf()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
});
