import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** Cancelled orders beside those that were placed, against a loop over the rows. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const STATUSES = ['paid', 'cancelled', 'returned', 'paid', 'credit_note', 'cancelled', 'paid', 'paid'];
const ORDERS = Array.from({ length: 48 }, (_, index) => ({
  order_id: `o${index}`,
  email: `p${index}@example.com`,
  ordered_at: `2024-0${1 + (index % 3)}-1${index % 7}T12:00:00`,
  status: STATUSES[index % STATUSES.length] as string,
  total: STATUSES[index % STATUSES.length] === 'credit_note' ? '0' : '100',
  country: index === 7 ? 'PL' : index % 5 === 0 ? 'SK' : 'CZ',
  coupon_codes: ['', 'A', 'A|B'][index % 3] as string,
  is_test: index === 7 || index === 13 ? 'true' : 'false',
}));

async function load(orders: Store['orders']): Promise<string> {
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await test.importStore(business, { ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }), orders });
  return business.business_id;
}

const METRICS = ['placed_orders_count', 'cancelled_orders_count', 'cancellation_rate', 'orders_count'];

async function ask(business_id: string, args: object) {
  const { result, notes = [] } = await test.run('query_metrics', {
    ...{ business_ids: [business_id], from_date: '2024-01-01', to_date: '2024-12-31', metrics: METRICS },
    ...args,
  });
  return { rows: (result as { rows: (string | number | null)[][] }).rows, notes };
}

/** The same numbers of some of the orders. */
function counted(orders: readonly (typeof ORDERS)[number][]): number[] {
  const placed = orders.filter(({ status, is_test }) => status !== 'credit_note' && is_test === 'false');
  const cancelled = placed.filter(({ status }) => status === 'cancelled').length;
  const share = Math.round((1_000_000 * cancelled) / placed.length) / 10_000;
  return [placed.length, cancelled, share, placed.length - cancelled];
}

it('cancelled orders are counted by the date of the order, in all and by what cuts orders', async () => {
  const business_id = await load(ORDERS);
  expect((await ask(business_id, {})).rows).toEqual([counted(ORDERS)]);
  for (const [dimension, valuesOf] of [
    ['month', (order: (typeof ORDERS)[number]) => [order.ordered_at.slice(0, 7)]],
    ['country', (order: (typeof ORDERS)[number]) => [order.country]],
    ['coupon', (order: (typeof ORDERS)[number]) => (order.coupon_codes || '(not set)').split('|')],
  ] as const) {
    const { rows, notes } = await ask(business_id, { group_by: [dimension] });
    for (const [name, ...values] of rows.slice(0, -1))
      expect(values, `${dimension} ${name}`).toEqual(
        counted(ORDERS.filter((order) => valuesOf(order).includes(String(name)))),
      );
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.at(-1)?.slice(1)).toEqual(counted(ORDERS));
    expect(notes.join()).not.toContain('marked as cancelled');
  }
  // What is not in the first row is one row, in which an order with two coupons counts once.
  const { rows } = await ask(business_id, { group_by: ['coupon'], limit: 1, sort_by: 'coupon' });
  expect(rows[0]?.[0]).toBe('(not set)');
  expect(rows[1]).toEqual(['(rest)', ...counted(ORDERS.filter((order) => order.coupon_codes !== ''))]);
});

it('cancelled orders are said to be unknown where no order of the store is cancelled', async () => {
  const business_id = await load(ORDERS.filter(({ status }) => status === 'paid'));
  const { rows, notes } = await ask(business_id, {});
  expect(rows[0]?.[2]).toBe(0);
  expect(notes).toContain(
    'No order of the store is marked as cancelled: if its source does not tell cancellations, these are unknown and not 0.',
  );
});

it('leave test orders out, which are counted by themselves, also cancelled ones', async () => {
  const business_id = await load(ORDERS);
  const metrics = ['test_orders_count', 'placed_orders_count', 'cancelled_orders_count'];
  const tests = ORDERS.filter(({ is_test }) => is_test === 'true');
  const [placed, cancelled] = counted(ORDERS);
  expect((await ask(business_id, { metrics })).rows).toEqual([[tests.length, placed, cancelled]]);
  const byCountry = { group_by: ['country'], sort_by: 'country' };
  const { rows } = await ask(business_id, { ...byCountry, metrics });
  for (const [country, count] of rows.slice(0, -1))
    expect([country, count]).toEqual([country, tests.filter((order) => order.country === country).length]);
  expect(rows.map(([country]) => country)).toContain('PL');
  expect((await ask(business_id, byCountry)).rows.map(([country]) => country)).not.toContain('PL');
});
