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
];
const REFUND_LINES = [
  { refund_id: 'r1', order_id: 'o1', line_no: '1', quantity: '1', amount: '100' },
  { refund_id: 'r1', order_id: 'o1', line_no: '2', quantity: '1', amount: '50' },
  { refund_id: 'r2', order_id: 'o2', external_product_id: 'shirt', quantity: '1', amount: '10' },
  // Of a cancelled order, of a refund that is not loaded, of another order than its refund, of a line that is not there.
  { refund_id: 'r3', order_id: 'o3', line_no: '1', quantity: '1', amount: '90' },
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

it('a month with refunds alone is in the trend', async () => {
  const asked = { ...BOTH, breakdown: 'month', external_product_ids: ['shirt'] };
  expect(await ask('product_statistics_trend', asked)).toMatchObject({
    periods: [
      { period: '2024-01', refunded_quantity: 2, refunded_quantity_by_refund_date: 1 },
      {
        period: '2024-02',
        refunded_quantity: 0,
        return_rate: null,
        refunded_quantity_by_refund_date: 1,
        refunded_revenue_by_refund_date: 100,
      },
    ],
  });
});

it('orders have all refunds, also those without lines', async () => {
  expect(await ask('order_statistics_trend', { ...BOTH, breakdown: 'month' })).toMatchObject({
    periods: [
      { orders_count: 2, refunded_revenue: 407, refunded_revenue_by_refund_date: 250 },
      { orders_count: 0, refunded_revenue: 0, refunded_revenue_by_refund_date: 157 },
    ],
  });
  expect(await ask('order_statistics', JANUARY)).toMatchObject({
    refunded_revenue: 407,
    refunded_revenue_by_refund_date: 250,
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
      expect(await notes(byOrder, tool, { sort_by: 'return_rate' })).toContain(told);
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
