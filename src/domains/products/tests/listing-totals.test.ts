import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { setBusinessSettings } from '../../../control/businesses/business-settings.ts';

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

it('the totals are of all rows, whichever page: an order and a line of several rows count once', async () => {
  expect(await ask('category_statistics', { limit: 1 })).toMatchObject({ total_count: 4, totals: WHOLE });
  expect(await ask('product_statistics', { limit: 1, offset: 9 })).toMatchObject({
    ...{ total_count: 4, totals: WHOLE, products: [] },
  });
  expect(await ask('brand_statistics')).toMatchObject({ total_count: 2, totals: WHOLE });
  expect(await ask('master_product_statistics')).toMatchObject({ total_count: 4, totals: WHOLE });
});

it('the totals are of the rows that pass the filters, also those on metrics', async () => {
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
    ...{
      total_count: 0,
      totals: {
        unique_orders_count: 0,
        total_quantity: 0,
        estimated_revenue: 0,
        net_revenue: 0,
        estimated_gross_profit: 0,
        revenue_with_known_cost: null,
      },
    },
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
  // Nothing is known of VAT and costs.
  const unknown = { net_revenue: null, estimated_gross_profit: null, revenue_with_known_cost: 0 };
  expect(totals).toEqual({ ...WHOLE, ...unknown });
  expect((await ask('category_statistics', {})).categories).toContainEqual(
    expect.objectContaining({ category: 'Outdoor', estimated_revenue: 80 }),
  );
});

it('the totals have the profit of all rows, and say of how much it is known', async () => {
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await setBusinessSettings(test.instance.control, business.business_id, { vat_rate: 25 });
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  store.products = [
    { external_product_id: 'tent', name: 'Tent', price: '125', purchase_price: '60' },
    { external_product_id: 'mug', name: 'Mug', price: '25' },
  ];
  store.orders = [{ order_id: 'a', ordered_at: '2024-03-01T12:00:00', total: '150', status: 'paid' }];
  store.order_items = [
    { order_id: 'a', external_product_id: 'tent', quantity: '1', unit_price: '125' },
    { order_id: 'a', external_product_id: 'mug', quantity: '1', unit_price: '25' },
  ];
  await test.importStore(business, store);
  const call = { business_id: business.business_id, ...YEAR, limit: 1, sort_by: 'estimated_revenue' };
  const { result, notes } = await test.run('product_statistics', call);
  expect(result).toMatchObject({
    // 150 / 1.25; 125 / 1.25 - 60; 125 of 150.
    totals: { net_revenue: 120, estimated_gross_profit: 40, revenue_with_known_cost: 83.3333 },
  });
  const note =
    'estimated_gross_profit is 0 where nothing is known of it: there revenue_with_known_cost is 0 or null.';
  expect(notes).not.toContain(note);
  const mug = await test.run('product_statistics', { ...call, filter_external_product_ids: ['mug'] });
  expect(mug.result).toMatchObject({ products: [{ estimated_gross_profit: 0, revenue_with_known_cost: 0 }] });
  expect(mug.notes).toContain(note);
});
