import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

let test: TestInstance;
let business_id: string;

const YEAR = { from_date: '2024-01-01', to_date: '2024-12-31' };
interface Answer {
  readonly total_count: number;
  readonly totals: Record<string, number>;
  readonly categories: Record<string, number | string>[];
}
const ask = async (tool: string, args: object = {}) =>
  (await test.ask(tool, { business_id, ...YEAR, ...args })) as Answer;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  business_id = business.business_id;
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  store.products = [
    // The levels of a path are categories of their own.
    { external_product_id: 'tent', name: 'Tent', brand: 'Acme', categories: 'Tents|Outdoor', price: '10' },
    { external_product_id: 'bag', name: 'Bag', brand: 'Acme', categories: 'Bags|Outdoor', price: '10' },
    { external_product_id: 'mug', name: 'Mug', brand: 'Bio', price: '10' },
    { external_product_id: 'unsold', name: 'Unsold', brand: 'Bio', categories: 'Bags', price: '10' },
  ];
  const orders: readonly (readonly [date: string, ...products: string[]])[] = [
    ['2024-03-01', 'tent', 'bag'],
    ['2024-03-02', 'tent', 'mug'],
    ['2024-03-03', 'bag'],
    ['2025-03-01', 'tent'],
  ];
  for (const [index, [date, ...products]] of orders.entries()) {
    const order_id = `o${index}`;
    store.orders.push({
      ...{ order_id, external_customer_id: `c${index}`, ordered_at: `${date}T12:00:00` },
      ...{ total: '20', status: 'paid' },
    });
    for (const external_product_id of products)
      store.order_items.push({ order_id, external_product_id, quantity: '2', unit_price: '10' });
  }
  await test.importStore(business, store);
});

afterAll(() => test[Symbol.asyncDispose]());

const WHOLE = { unique_orders_count: 3, total_quantity: 10, estimated_revenue: 100 };

it('of all rows, whichever page: an order and a line of several rows count once', async () => {
  expect(await ask('category_statistics', { limit: 1 })).toMatchObject({ total_count: 4, totals: WHOLE });
  expect(await ask('product_statistics', { limit: 1, offset: 9 })).toMatchObject({
    ...{ total_count: 4, totals: WHOLE, products: [] },
  });
  expect(await ask('brand_statistics')).toMatchObject({ total_count: 2, totals: WHOLE });
  expect(await ask('master_product_statistics')).toMatchObject({ total_count: 4, totals: WHOLE });
});

it('of the rows that pass the filters, also those on metrics', async () => {
  expect(await ask('category_statistics', { filter_categories: ['Tents', 'Outdoor'] })).toMatchObject({
    ...{ total_count: 2, totals: { unique_orders_count: 3, total_quantity: 8, estimated_revenue: 80 } },
  });
  const filter_metrics = [{ metric: 'total_quantity', to_value: 2 }];
  // The mug, two of it; and what was not sold.
  expect(await ask('product_statistics', { filter_metrics })).toMatchObject({
    ...{ total_count: 2, totals: { unique_orders_count: 1, total_quantity: 2, estimated_revenue: 20 } },
  });
  const none = [{ metric: 'total_quantity', from_value: 100 }];
  expect(await ask('brand_statistics', { filter_metrics: none })).toMatchObject({
    ...{ total_count: 0, totals: { unique_orders_count: 0, total_quantity: 0, estimated_revenue: 0 } },
  });
});

it('main categories take each product once, so that rows add up', async () => {
  const { categories, totals, total_count } = await ask('category_statistics', { main_categories: true });
  expect(total_count).toBe(3);
  expect(categories.map(({ category, estimated_revenue }) => [category, estimated_revenue]).sort()).toEqual([
    ['(not set)', 20],
    ['Bags', 40],
    ['Tents', 40],
  ]);
  expect(totals).toEqual(WHOLE);
  expect((await ask('category_statistics', {})).categories).toContainEqual(
    expect.objectContaining({ category: 'Outdoor', estimated_revenue: 80 }),
  );
});
