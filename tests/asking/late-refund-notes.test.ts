import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * An order each day of 2024 until 18 July, the 200th: half of its history is 99 days, and 101 orders are as
 * old as that.
 */
const DAYS = 200;

let test: TestInstance;
let business: Business;

const day = (place: number) => new Date(Date.UTC(2024, 0, 1 + place)).toISOString().slice(0, 10);

/** @param waits by the place of the order, the days until its refund */
function storeOf(waits: ReadonlyMap<number, number>): Store {
  const places = Array.from({ length: DAYS }, (_, place) => place);
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: [
      // What never counted is no part of the history, and its refunds count in no wait.
      ...['credit_note', 'cancelled'].map((status) => ({
        ...{
          order_id: status,
          ordered_at: '2020-01-01T12:00:00',
          email: 'a@example.com',
          total: '9',
          status,
        },
      })),
      ...places.map((place) => ({
        ...{ order_id: `o${place}`, ordered_at: `${day(place)}T12:00:00`, total: '100' },
        email: `c${place}@example.com`,
      })),
    ],
    order_items: places.map((place) => ({
      ...{ order_id: `o${place}`, line_no: '1', external_product_id: 'shirt' },
      ...{ quantity: '1', unit_price: '100' },
    })),
    refunds: [
      ...[...waits].map(([place, wait]) => ({
        ...{ refund_id: `r${place}`, order_id: `o${place}`, amount: '50' },
        // Just after midnight there, the day before in UTC.
        refunded_at: `${day(place + wait)}T${wait === 0 ? '13' : '00'}:10:00`,
      })),
      ...['credit_note', 'cancelled'].map((order_id) => ({
        ...{ refund_id: order_id, order_id, amount: '9', refunded_at: '2021-01-01T12:00:00' },
      })),
    ],
    refund_lines: [...waits].map(([place]) => ({
      ...{ refund_id: `r${place}`, order_id: `o${place}`, line_no: '1', quantity: '1', amount: '50' },
    })),
  };
}

/**
 * Among 40 old orders 38 wait for 1 to 10 days, two for 40; young ones have had no time for more than a day.
 */
const WAITS = new Map([
  ...Array.from({ length: 38 }, (_, place) => [place, 1 + (place % 10)] as const),
  ...[38, 39].map((place) => [place, 40] as const),
  ...Array.from({ length: 60 }, (_, place) => [110 + place, place % 2] as const),
]);

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, storeOf(WAITS));
});

afterAll(() => test[Symbol.asyncDispose]());

const LATE = 'will have more refunds (95 %';

async function lateNotes(tool: string, from_date: string, to_date: string, more = {}): Promise<string[]> {
  const range = { from_date, to_date: `${to_date}T23:59:59` };
  const store =
    tool === 'query_metrics'
      ? { business_ids: [business.business_id] }
      : { business_id: business.business_id };
  const { notes = [] } = await test.run(tool, { ...store, ...range, ...more });
  return notes.filter((note) => note.includes(LATE));
}

const saying = (days: number, since: string, names: string) => [
  `Orders since ${since} will have more refunds (95 % come within ${days} days): their ${names} too good so far, so do not compare with older orders.`,
];

it('says of recent orders how long refunds take, and first of all', async () => {
  // The last order is of 18 July, so that one of the 9th has had 9 of the 10 days.
  const both = saying(10, '2024-07-09', 'refunded_revenue and revenue_after_refunds look');
  expect(await lateNotes('order_statistics', '2024-07-01', '2024-07-09')).toEqual(both);
  expect(await lateNotes('order_statistics', '2024-07-01', '2024-07-31')).toEqual(both);
  const asked = { business_id: business.business_id, from_date: '2024-07-01', to_date: '2024-07-18' };
  expect((await test.run('order_statistics', asked)).notes?.[0]).toContain(LATE);
  const products = saying(10, '2024-07-09', 'refunded_revenue, refunded_quantity and return_rate look');
  for (const tool of ['product_statistics', 'brand_statistics', 'category_statistics'])
    expect(await lateNotes(tool, '2024-07-01', '2024-07-18'), tool).toEqual(products);
  expect(
    await lateNotes('product_statistics', '2024-07-01', '2024-07-18', { fields: ['return_rate'] }),
  ).toEqual(saying(10, '2024-07-09', 'return_rate looks'));
  expect(
    await lateNotes('query_metrics', '2024-07-01', '2024-07-18', { metrics: ['revenue_after_refunds'] }),
  ).toEqual(saying(10, '2024-07-09', 'revenue_after_refunds looks'));
  // A trend is of whole periods: of July the first day is asked for.
  expect(
    await lateNotes('order_statistics_trend', '2024-07-01', '2024-07-01', { breakdown: 'month' }),
  ).toEqual(both);
});

it('says of the range that is compared with what it says of a range', async () => {
  const compared = {
    ...{ metrics: ['refunded_revenue'], compare: 'range' },
    ...{ compare_from_date: '2024-07-01', compare_to_date: '2024-07-31' },
  };
  expect(await lateNotes('query_metrics', '2024-03-01', '2024-03-31', compared)).toEqual([
    `In the compared range: ${saying(10, '2024-07-09', 'refunded_revenue looks')[0]}`,
  ]);
  const other = { ...compared, compare_from_date: '2024-03-01', compare_to_date: '2024-03-31' };
  expect(await lateNotes('query_metrics', '2024-07-01', '2024-07-31', other)).toEqual(
    saying(10, '2024-07-09', 'refunded_revenue looks'),
  );
});

it('says nothing of older orders, of orders not loaded yet, and of what is not by the day of the order', async () => {
  expect(await lateNotes('order_statistics', '2024-06-01', '2024-07-08')).toEqual([]);
  expect(await lateNotes('order_statistics', '2024-07-19', '2024-08-31')).toEqual([]);
  const recent = ['2024-07-01', '2024-07-18'] as const;
  const byDate = { metrics: ['revenue', 'refunded_revenue_by_refund_date'] };
  expect(await lateNotes('query_metrics', ...recent, byDate)).toEqual([]);
  expect(await lateNotes('product_statistics', ...recent, { fields: ['unique_orders_count'] })).toEqual([]);
  const trend = { breakdown: 'week', fields: ['orders_count', 'refunded_revenue_by_refund_date'] };
  expect(await lateNotes('order_statistics_trend', ...recent, trend)).toEqual([]);
  expect(await lateNotes('repeat_purchase_cycle', ...recent)).toEqual([]);
});

it('follows the next import', async () => {
  // 95 % of 42 refunds are 39.9, so the 40th of them, which came after 30 days, counts.
  await test.importStore(business, storeOf(new Map([...WAITS, [40, 30], [41, 30]])));
  expect(await lateNotes('order_statistics', '2024-06-01', '2024-06-18')).toEqual([]);
  expect(await lateNotes('order_statistics', '2024-06-01', '2024-06-19')).toEqual(
    saying(30, '2024-06-19', 'refunded_revenue and revenue_after_refunds look'),
  );
});

it.each([
  ['fewer than 20 refunds of old orders', new Map([...WAITS].filter(([place]) => place < 19 || place > 100))],
  [
    'refunds that still come when half of the history is over',
    new Map([...WAITS].map(([place, wait]) => [place, place < 40 ? wait + 80 : 0])),
  ],
  ['refunds on the day of the order alone', new Map([...WAITS].map(([place]) => [place, 0]))],
])('says nothing where there are %s', async (_, waits) => {
  const other = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(other, storeOf(waits));
  const { business_id } = other;
  expect(await lateNotes('order_statistics', '2024-07-01', '2024-07-18', { business_id })).toEqual([]);
});
