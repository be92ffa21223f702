import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { isQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

/** Numbers worked out by hand from the rows below. */

let test: TestInstance;
let business: Business;

const ORDERS = [
  { order_id: 'o1', ordered_at: '2024-01-10T12:00:00', email: 'a@example.com', total: '500' },
  {
    order_id: 'o2',
    ordered_at: '2024-01-20T12:00:00',
    email: 'b@example.com',
    total: '10',
    currency: 'EUR',
    fx_rate: '25',
  },
  {
    order_id: 'o3',
    ordered_at: '2024-01-21T12:00:00',
    email: 'c@example.com',
    total: '90',
    status: 'cancelled',
  },
  // A credit note whose order nobody knows, and an order of a test.
  {
    order_id: 'k1',
    ordered_at: '2024-02-08T09:00:00',
    email: 'd@example.com',
    total: '0',
    status: 'credit_note',
  },
  { order_id: 't1', ordered_at: '2024-01-08T09:00:00', email: 'd@example.com', total: '8', is_test: 'true' },
];
const LINES = [
  { order_id: 'o1', line_no: '1', external_product_id: 'shirt', quantity: '4', unit_price: '100' },
  { order_id: 'o1', line_no: '2', external_product_id: 'sock', quantity: '2', unit_price: '50' },
  { order_id: 'o2', line_no: '1', external_product_id: 'shirt', quantity: '1', unit_price: '10' },
  { order_id: 'o3', line_no: '1', external_product_id: 'shirt', quantity: '1', unit_price: '90' },
];
const REFUNDS = [
  { refund_id: 'r1', order_id: 'o1', refunded_at: '2024-02-05T09:00:00', amount: '150' },
  { refund_id: 'r2', order_id: 'o2', refunded_at: '2024-01-31T23:30:00', amount: '10' },
  { refund_id: 'r3', order_id: 'o3', refunded_at: '2024-02-06T09:00:00', amount: '90' },
  { refund_id: 'r4', order_id: 'o1', refunded_at: '2024-02-07T09:00:00', amount: '7' },
  { refund_id: 'r5', order_id: 'k1', refunded_at: '2024-02-08T09:00:00', amount: '30' },
  { refund_id: 'r6', order_id: 't1', refunded_at: '2024-02-08T09:00:00', amount: '8' },
];
const REFUND_LINES = [
  { refund_id: 'r1', order_id: 'o1', line_no: '1', quantity: '1', amount: '100' },
  { refund_id: 'r1', order_id: 'o1', line_no: '2', quantity: '1', amount: '50' },
  { refund_id: 'r2', order_id: 'o2', external_product_id: 'shirt', quantity: '1', amount: '10' },
  // These are of a cancelled order, and of a credit note.
  { refund_id: 'r3', order_id: 'o3', line_no: '1', quantity: '1', amount: '90' },
  { refund_id: 'r5', order_id: 'k1', external_product_id: 'shirt', quantity: '3', amount: '30' },
  // One is of a refund that is not loaded, one of another order than its refund, one of a line that is not
  // there.
  { refund_id: 'r9', order_id: 'o1', line_no: '1', quantity: '1', amount: '1' },
  { refund_id: 'r2', order_id: 'o1', line_no: '1', quantity: '1', amount: '1' },
  { refund_id: 'r1', order_id: 'o1', line_no: '9', quantity: '1', amount: '1' },
];

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: ORDERS,
    order_items: LINES,
    refunds: REFUNDS,
    refund_lines: REFUND_LINES,
  });
});

afterAll(() => test[Symbol.asyncDispose]());

const JANUARY = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
const BOTH = { from_date: '2024-01-01T00:00:00', to_date: '2024-02-29T23:59:59' };
const ask = (tool: string, args: object) => test.ask(tool, { business_id: business.business_id, ...args });

it('products have what came back of the orders of the range, and what was refunded in it', async () => {
  expect(await ask('product_statistics', { ...JANUARY, sort_by: 'return_rate' })).toMatchObject({
    products: [
      {
        external_product_id: 'sock',
        refunded_quantity: 1,
        refunded_revenue: 50,
        return_rate: 50,
        refunded_quantity_by_refund_date: 0,
        refunded_revenue_by_refund_date: 0,
      },
      {
        external_product_id: 'shirt',
        refunded_quantity: 2,
        refunded_revenue: 350,
        return_rate: 40,
        refunded_quantity_by_refund_date: 1,
        refunded_revenue_by_refund_date: 250,
      },
    ],
  });
});

it('the trend has a row for a month that has refunds and no sales', async () => {
  const asked = { ...BOTH, breakdown: 'month', external_product_ids: ['shirt'] };
  expect(await ask('product_statistics_trend', asked)).toMatchObject({
    periods: [
      { period: '2024-01', refunded_quantity: 2, refunded_quantity_by_refund_date: 1 },
      {
        period: '2024-02',
        refunded_quantity: 0,
        return_rate: null,
        refunded_quantity_by_refund_date: 5,
        refunded_revenue_by_refund_date: 220,
      },
    ],
  });
});

it('orders have all refunds, also those without lines, of cancelled orders, and of credit notes', async () => {
  expect(await ask('order_statistics_trend', { ...BOTH, breakdown: 'month' })).toMatchObject({
    periods: [
      {
        ...{ orders_count: 2, orders_revenues: 750, refunded_revenue: 407 },
        ...{ refunded_revenue_by_refund_date: 250, refunded_revenue_of_cancelled_orders: 0 },
        ...{ revenue_after_refunds: 343, revenue_after_refunds_by_refund_date: 500 },
      },
      {
        ...{ orders_count: 0, orders_revenues: 0, refunded_revenue: 0 },
        // 157 of valid orders, 90 of the cancelled one, 30 of the credit note; nothing of the test.
        ...{ refunded_revenue_by_refund_date: 277, refunded_revenue_of_cancelled_orders: 90 },
        // What was paid for the cancelled order is in no revenue, so what was paid back of it is not taken
        // off.
        ...{ revenue_after_refunds: 0, revenue_after_refunds_by_refund_date: -187 },
      },
    ],
  });
  expect(await ask('order_statistics', JANUARY)).toMatchObject({
    ...{ refunded_revenue: 407, refunded_revenue_by_refund_date: 250 },
    ...{ revenue_after_refunds: 343, revenue_after_refunds_by_refund_date: 500 },
  });
  const february = { from_date: '2024-02-01T00:00:00', to_date: '2024-02-29T23:59:59' };
  expect(await ask('order_statistics', february)).toMatchObject({
    ...{ refunded_revenue_by_refund_date: 277, refunded_revenue_of_cancelled_orders: 90 },
    ...{ revenue_after_refunds: 0, revenue_after_refunds_by_refund_date: -187 },
  });
});

it('a credit note is no order, and nobody becomes a customer by it', async () => {
  expect(await ask('order_statistics', BOTH)).toMatchObject({ orders_count: 2, unique_customers_count: 2 });
  const byStatus = { ...BOTH, dimension: 'status' };
  expect(await ask('order_distribution_statistics', byStatus)).toMatchObject({
    rows: expect.arrayContaining([
      expect.objectContaining({ key: 'credit_note', orders_count: 1, revenue: 0, valid: false }),
      expect.objectContaining({ key: 'paid', refunded_revenue: 407, revenue_after_refunds: 343 }),
    ]),
  });
});

it('keeps rows within bounds of a return rate', async () => {
  const filter_metrics = [{ metric: 'return_rate', from_value: 45 }];
  expect(await ask('product_statistics', { ...JANUARY, filter_metrics })).toMatchObject({
    products: [{ external_product_id: 'sock' }],
  });
});

it.skipIf(isQuick)(
  'says that products have no refunds where these are loaded by order alone, to whom it concerns',
  async () => {
    const load = async (refunds: typeof REFUNDS) => {
      const one = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
      const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
      await test.importStore(one, { ...store, orders: ORDERS, order_items: LINES, refunds });
      return one.business_id;
    };
    const byOrder = await load(REFUNDS);
    const none = await load([]);
    const notes = async (business_id: string, tool: string, more: object) =>
      (await test.run(tool, { business_id, ...JANUARY, ...more })).notes?.join() ?? '';
    const told =
      'Refunds are loaded by order, not by line (order_statistics has them): which products came back is not known.';
    const filtered = { filter_metrics: [{ metric: 'refunded_quantity', from_value: 1 }] };
    for (const tool of [
      'product_statistics',
      'category_statistics',
      'brand_statistics',
      'master_product_statistics',
    ]) {
      await expect(notes(byOrder, tool, { sort_by: 'return_rate' })).rejects.toThrow(
        'sort_by is return_rate, which is null in all rows',
      );
      expect(await notes(byOrder, tool, filtered)).toContain(told);
      expect(await notes(byOrder, tool, { fields: ['refunded_revenue'] })).toContain(told);
      expect(await notes(byOrder, tool, {})).not.toContain('efunds');
      expect(await notes(none, tool, filtered)).toContain('No refunds are loaded: which products came back');
      expect(await notes(business.business_id, tool, filtered)).not.toContain('efunds');
    }
    const trend = { external_product_ids: ['shirt'], breakdown: 'month' };
    expect(await notes(byOrder, 'product_statistics_trend', { ...trend, fields: ['return_rate'] })).toContain(
      told,
    );
    expect(await notes(byOrder, 'product_statistics_trend', trend)).not.toContain('efunds');
  },
);
