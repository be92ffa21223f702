import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { CDNOW, type Purchase, readCdnow, writeCdnow } from '../../../../tests/support/cdnow.ts';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { isQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

interface Cycle {
  readonly eligible_customers_count: number;
  readonly observed_days_min: number | null;
  readonly within: Record<string, number | boolean | null>[];
  readonly histogram: { from_day: number; to_day: number | null; customers_count: number }[];
  readonly by_order_number: Record<string, number | null>[];
}

let test: TestInstance;
let emptyBusiness: string;

beforeAll(async () => {
  test = await createTestInstance();
  emptyBusiness = await businessWith([]);
});

afterAll(() => test[Symbol.asyncDispose]());

async function businessWith(orders: Store['orders'], timezone = 'UTC'): Promise<string> {
  const business = await test.createBusiness({ timezone, currency: 'EUR' });
  const store = emptyStore({ timezone, primary_currency: 'EUR' });
  if (orders.length > 0) await test.importStore(business, { ...store, orders });
  return business.business_id;
}

const YEAR = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
const ask = async (business_id: string, args: object = {}) =>
  (await test.ask(ofAnybody('repeat_purchase_cycle'), { business_id, ...YEAR, ...args })) as Cycle;

const order = (order_id: string, external_customer_id: string, ordered_at: string, status = 'paid') => ({
  order_id,
  external_customer_id,
  ordered_at,
  status,
  total: '10',
});

describe.skipIf(isQuick || !existsSync(CDNOW))(
  'CDNOW (skipped where its file is not beside the repository)',
  () => {
    let purchases: Purchase[];
    let business_id: string;

    beforeAll(async () => {
      purchases = readCdnow();
      const folder = join(test.folder, 'cdnow');
      writeCdnow(purchases, folder);
      const business = await test.createBusiness({ currency: 'USD' });
      await test.importFolder(business, folder);
      business_id = business.business_id;
    });

    it.each([1, 2, 5])('has the days of a plain loop over the file from order %i on', async (number) => {
      const day = (date: string) => Date.parse(date) / 86_400_000;
      const days: number[] = [];
      const observed: number[] = [];
      for (const own of Map.groupBy(purchases, ({ customer }) => customer).values()) {
        const [current, next] = [own[number - 1], own[number]];
        if (current === undefined || current.date < '1997-02-01' || current.date > '1997-03-31') continue;
        observed.push(day('1998-06-30') - day(current.date));
        if (next !== undefined) days.push(day(next.date) - day(current.date));
      }
      days.sort((a, b) => a - b);
      const mean = days.reduce((sum, value) => sum + value, 0) / days.length;
      // The median of an even number of days is between two of them.
      const median =
        ((days[Math.floor((days.length - 1) / 2)] ?? 0) + (days[Math.ceil((days.length - 1) / 2)] ?? 0)) / 2;
      const cycle = await ask(business_id, {
        from_date: '1997-02-01T00:00:00',
        to_date: '1997-03-31T23:59:59',
        from_order_number: number,
      });
      expect(cycle).toMatchObject({
        eligible_customers_count: observed.length,
        returned_customers_count: days.length,
        avg_days_to_next_order: Math.round(mean * 10_000) / 10_000,
        median_days_to_next_order: median,
        same_day_returned_count: days.filter((value) => value === 0).length,
        observed_days_min: Math.min(...observed),
      });
      for (const { from_day, to_day, customers_count } of cycle.histogram) {
        const inside = days.filter((value) => value >= from_day && value <= (to_day ?? Infinity));
        expect(customers_count, `${from_day}-${to_day}`).toBe(inside.length);
      }
      for (const row of cycle.within) {
        expect(row.returned_customers_count).toBe(days.filter((value) => value <= Number(row.days)).length);
        expect(row.is_mature).toBe(Math.min(...observed) >= Number(row.days));
      }
      expect(cycle.by_order_number[number - 1]).toMatchObject({ eligible_customers_count: observed.length });
    });
  },
);

it('a worked example: three customers, one of whom is observed too shortly', async () => {
  const business_id = await businessWith([
    order('1', 'a', '2024-01-01T10:00:00'),
    order('2', 'a', '2024-01-11T09:00:00'),
    order('3', 'b', '2024-01-01T12:00:00'),
    order('4', 'b', '2024-03-01T12:00:00', 'cancelled'),
    order('5', 'b', '2024-01-21T12:00:00'),
    order('6', 'c', '2024-02-20T12:00:00'),
  ]);
  // Up to 1 March, a and b are observed for 60 days and c for 10; they came again after 10 and 20 days.
  const cycle = await ask(business_id);
  expect(cycle).toMatchObject({
    ...{ eligible_customers_count: 3, returned_customers_count: 2, return_rate: 66.6667 },
    ...{
      avg_days_to_next_order: 15,
      median_days_to_next_order: 15,
      p25_days: 12.5,
      p75_days: 17.5,
      p90_days: 19,
    },
    ...{ same_day_returned_count: 0, observed_days_min: 10 },
  });
  expect(cycle.within.slice(0, 4)).toEqual([
    {
      ...{ days: 7, returned_customers_count: 0, return_rate: 0 },
      ...{ mature_customers_count: 3, mature_return_rate: 0, is_mature: true },
    },
    {
      ...{ days: 14, returned_customers_count: 1, return_rate: 33.3333 },
      ...{ mature_customers_count: 2, mature_return_rate: 50, is_mature: false },
    },
    {
      ...{ days: 30, returned_customers_count: 2, return_rate: 66.6667 },
      ...{ mature_customers_count: 2, mature_return_rate: 100, is_mature: false },
    },
    {
      ...{ days: 60, returned_customers_count: 2, return_rate: 66.6667 },
      ...{ mature_customers_count: 2, mature_return_rate: 100, is_mature: false },
    },
  ]);
  expect(cycle.histogram.filter(({ customers_count }) => customers_count > 0)).toEqual([
    { from_day: 7, to_day: 13, customers_count: 1, share: 50 },
    { from_day: 14, to_day: 20, customers_count: 1, share: 50 },
  ]);
  expect(cycle.by_order_number[1]).toEqual({
    ...{ order_number: 2, eligible_customers_count: 2, returned_customers_count: 0, return_rate: 0 },
    median_days_to_next_order: null,
  });
});

it('counts days by the calendar of the business, not by hours', async () => {
  const orders = [order('1', 'a', '2024-03-30T23:30:00Z'), order('2', 'a', '2024-03-31T21:30:00Z')];
  const inPrague = await ask(await businessWith(orders, 'Europe/Prague'));
  const inUtc = await ask(await businessWith(orders, 'UTC'));
  // 00:30 and 23:30 of the day on which clocks go forward; in UTC two days.
  expect(inPrague).toMatchObject({ same_day_returned_count: 1, avg_days_to_next_order: 0 });
  expect(inUtc).toMatchObject({ same_day_returned_count: 0, avg_days_to_next_order: 1 });
});

it('takes order n inside the range, and the next one whenever it was', async () => {
  const business_id = await businessWith([
    order('1', 'a', '2023-12-31T23:59:59'),
    order('2', 'a', '2024-01-01T00:00:00'),
    order('3', 'a', '2025-06-01T00:00:00'),
  ]);
  expect(await ask(business_id)).toMatchObject({
    eligible_customers_count: 0,
    return_rate: null,
    observed_days_min: null,
  });
  expect(await ask(business_id, { from_order_number: 2 })).toMatchObject({
    ...{
      from_order_number: 2,
      eligible_customers_count: 1,
      returned_customers_count: 1,
      avg_days_to_next_order: 517,
    },
  });
});

describe('the cycle of a product', () => {
  /** Each customer's orders, a week apart: T has a tent, O has another product. */
  const BUYERS = { a: 'TOT', b: 'T', c: 'OT', d: 'OTT', e: 'TT', f: 'OOT', g: 'TO' };
  let business_id: string;

  beforeAll(async () => {
    const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
    const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
    for (const [who, letters] of Object.entries(BUYERS)) {
      for (const [index, letter] of [...letters].entries()) {
        const order_id = `${who}${index + 1}`;
        store.orders.push(order(order_id, who, `2024-05-${String(1 + 7 * index).padStart(2, '0')}T10:00:00`));
        store.order_items.push({
          ...{ order_id, line_no: '1', kind: 'product', external_product_id: letter },
          ...{ quantity: '1', unit_price: '10' },
        });
      }
    }
    await test.importStore(business, store);
    business_id = business.business_id;
  });

  /** Who counts from the first order or the second, and who of them returned. */
  const told = async (args: object) =>
    (await ask(business_id, { filter_external_product_ids: ['T'], ...args })).by_order_number
      .slice(0, 2)
      .map((row) => [row.eligible_customers_count, row.returned_customers_count]);

  it('numbers orders over all of the customer, then keeps those with it', async () => {
    // First ever with a tent: a b e g; second ever: c d e.
    expect(await told({ return_with: 'anything' })).toEqual([
      [4, 3],
      [3, 1],
    ]);
    // The buyers a, b, e and g: a and e buy another tent later. The buyers c, d and e: d does.
    expect(await told({})).toEqual([
      [4, 2],
      [3, 1],
    ]);
  });

  it('numbers the orders with it alone where that is asked', async () => {
    expect(await told({ numbering: 'selection', return_with: 'anything' })).toEqual([
      [7, 4],
      [3, 0],
    ]);
    expect(await told({ numbering: 'selection' })).toEqual([
      [7, 3],
      [3, 0],
    ]);
  });

  it('says which orders count, and which are a return', async () => {
    const notes = async (args: object) =>
      ((await test.run('repeat_purchase_cycle', { business_id, ...YEAR, ...args })).notes ?? []).filter(
        (note) => note.includes('selected'),
      );
    expect(await notes({})).toEqual([]);
    expect(await notes({ filter_external_product_ids: ['T'] })).toEqual([
      'Counted are customers whose n-th order ever has a selected product; returned are those with a later order that has one.',
    ]);
    expect(
      await notes({ filter_external_product_ids: ['T'], numbering: 'selection', return_with: 'anything' }),
    ).toEqual([
      'Counted are customers with n orders that have a selected product, from the n-th of these on; returned are those with a later order of anything.',
    ]);
  });

  it('tells of the selected orders alone that they have no customer', async () => {
    const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
    const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
    for (const [order_id, product] of [
      ['1', 'T'],
      ['2', 'O'],
      ['3', 'O'],
    ] as const) {
      store.orders.push({ order_id, ordered_at: '2024-05-01T10:00:00', status: 'paid', total: '10' });
      store.order_items.push({
        ...{ order_id, line_no: '1', kind: 'product', external_product_id: product },
        ...{ quantity: '1', unit_price: '10' },
      });
    }
    await test.importStore(business, store);
    const { notes = [] } = await test.run('repeat_purchase_cycle', {
      ...{ business_id: business.business_id, ...YEAR, filter_external_product_ids: ['T'] },
    });
    expect(notes.find((note) => note.includes('no known customer'))).toMatch(/^1 order worth 10 EUR /);
  });
});

it('the cycle is null where nobody came back, and then nothing is mature', async () => {
  await businessWith([order('1', 'a', '2024-01-01T10:00:00')]);
  const cycle = await ask(emptyBusiness);
  expect(cycle).toMatchObject({
    ...{ data_until: null, eligible_customers_count: 0, return_rate: null, median_days_to_next_order: null },
  });
  expect(cycle.within).toHaveLength(8);
  expect(cycle.within[0]).toEqual({
    ...{ days: 7, returned_customers_count: 0, return_rate: null },
    ...{ mature_customers_count: 0, mature_return_rate: null, is_mature: false },
  });
  expect(cycle.histogram).toHaveLength(12);
  expect(cycle.by_order_number.map(({ order_number }) => order_number)).toEqual([1, 2, 3, 4, 5]);
});

it.each([0, 21, 1.5, '2'])('refuses from_order_number %j', async (from_order_number) => {
  await expect(ask(emptyBusiness, { from_order_number })).rejects.toThrow(
    /^from_order_number must be (a whole number )?between 1 and 20/,
  );
});
