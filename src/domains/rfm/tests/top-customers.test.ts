import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { sizesOfParts } from '../queries/top-customers.ts';

interface Segment {
  readonly segment: string;
  readonly customers_count: number | null;
}

interface Part {
  readonly top: number;
  readonly customers_count: number | null;
  readonly orders_count: number | null;
  readonly revenue: number | null;
  readonly revenue_share: number | null;
  readonly revenue_after_refunds: number | null;
}

interface Answer {
  readonly revenue: number;
  readonly rows: readonly { readonly key: string; readonly revenue: number; readonly orders_count: number }[];
  readonly top_customers: readonly Part[] | null;
  readonly top_customer_segments: readonly (Segment & { readonly top: number })[] | null;
}

let test: TestInstance;
let business_id: string;
let few: string;
let refunded: string;

const RANGE = { from_date: '2024-01-01', to_date: '2024-12-31' };

/**
 * Customer c of 137 has 1 to 6 orders of 100 + c each, the more the higher c is, and there are 40 orders of
 * nobody.
 */
const ORDERS: Row<'orders'>[] = [
  ...Array.from({ length: 137 }, (_, customer) =>
    Array.from({ length: 1 + Math.floor((6 * customer) / 137) }, (_, index) => ({
      order_id: `c${customer}-${index}`,
      external_customer_id: `c${customer}`,
      ordered_at: `2024-${String(12 - index).padStart(2, '0')}-20T08:00:00`,
      total: String(100 + customer),
    })),
  ).flat(),
  ...Array.from({ length: 40 }, (_, index) => ({
    ...{ order_id: `nobody-${index}`, ordered_at: '2024-06-01T08:00:00', total: '1000' },
  })),
];

/** The best customer got nearly all back, and each tenth one a part of the first order. */
const REFUNDS: Row<'refunds'>[] = ORDERS.flatMap(({ order_id = '', external_customer_id: id, total }) => {
  const customer = Number(id?.slice(1));
  const isBest = id === 'c136';
  if (!isBest && !(customer % 10 === 0 && order_id.endsWith('-0'))) return [];
  const refunded_at = '2024-12-24T08:00:00';
  return [{ refund_id: order_id, order_id, refunded_at, amount: isBest ? total : '12.5' }];
});

beforeAll(async () => {
  test = await createTestInstance();
  business_id = await load(ORDERS);
  refunded = await load(ORDERS, REFUNDS);
  few = await load(ORDERS.filter(({ external_customer_id: id = '' }) => /^c[0-7]$/.test(id)));
});

afterAll(() => test[Symbol.asyncDispose]());

async function load(orders: Row<'orders'>[], refunds: Row<'refunds'>[] = []): Promise<string> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    ...{ orders, refunds },
  });
  return business.business_id;
}

const ask = async (args: object, of = business_id) =>
  (await test.ask('order_distribution_statistics', {
    ...{ business_id: of, ...RANGE, dimension: 'weekday', ...args },
  })) as Answer;

/** Computed from the raw rows: what the best `size` customers brought. */
function truth(size: number) {
  const byCustomer = Map.groupBy(
    ORDERS.filter((row) => row.external_customer_id !== undefined),
    (row) => row.external_customer_id,
  );
  const spent = (orders: Row<'orders'>[]) => orders.reduce((sum, { total }) => sum + Number(total), 0);
  const best = [...byCustomer.values()].sort((one, other) => spent(other) - spent(one)).slice(0, size);
  const revenue = spent(best.flat());
  return {
    customers_count: size,
    orders_count: best.flat().length,
    revenue,
    revenue_share: Math.round((1_000_000 * revenue) / spent(ORDERS)) / 10_000,
  };
}

describe('top_customers', () => {
  it('say which part each row is of, whatever fields are asked for', async () => {
    const { top_customers, top_customer_segments } = await ask({
      ...{ top_customers: [1, 10], fields: ['orders_count'] },
    });
    expect(top_customers?.map(({ top }) => top)).toEqual([1, 10]);
    expect(top_customer_segments?.every(({ top }) => [1, 10].includes(top))).toBe(true);
  });

  it('has the share of the best customers, by percent or number', async () => {
    // 1 % of 137 is 2, up to 5; 10 % is 14, the first tenth; 25 % is 35, beside which no tenth ends.
    const { top_customers } = await ask({ top_customers: [1, 10, 25, 100] });
    const sizes = [5, 14, 35, 137];
    expect(top_customers).toMatchObject(sizes.map((size) => truth(size)));
    expect(top_customers?.map(({ top }) => top)).toEqual([1, 10, 25, 100]);
    const byNumber = await ask({ top_customers: [20, 5, 1000], top_customers_as: 'number' });
    expect(byNumber.top_customers).toMatchObject([20, 5, 137].map((size) => truth(size)));
  });

  it('says where a part is of another number of customers than was asked for', async () => {
    const noted = async (args: object) => {
      const asked = { business_id, ...RANGE, dimension: 'weekday', ...args };
      const { notes = [] } = await test.run('order_distribution_statistics', asked);
      return notes.filter((note) => note.startsWith('top_customers are counted up'));
    };
    const rule =
      'top_customers are counted up to a multiple of five, or to the end of a tenth of the customers, so that no two answers tell of a few people:';
    // 1 % of 137 is 1.37; 10 and 25 % are 13.7 and 34.25, which nobody would count otherwise.
    expect(await noted({ top_customers: [1, 10, 25, 100] })).toEqual([`${rule} top 1 % is of 5 customers.`]);
    expect(await noted({ top_customers: [7, 20, 31, 1000], top_customers_as: 'number' })).toEqual([
      `${rule} top 7 is of 14 customers, top 31 is of 35 customers.`,
    ]);
    expect(await noted({ top_customers: [20, 35], top_customers_as: 'number' })).toEqual([]);
  });

  it('is the first tenth of customer_value_decile at 10 %', async () => {
    const { rows, top_customers } = await ask({
      dimension: 'customer_value_decile',
      top_customers: [10, 20],
    });
    const [first, second] = rows;
    expect(top_customers?.[0]).toMatchObject({ revenue: first?.revenue, orders_count: first?.orders_count });
    expect(top_customers?.[1]?.revenue).toBe(Number(first?.revenue) + Number(second?.revenue));
  });

  it('is of valid orders, whatever the rows are of', async () => {
    const [byStatus, byHour] = await Promise.all(
      ['status', 'hour'].map((dimension) => ask({ dimension, top_customers: [10] })),
    );
    expect(byStatus?.top_customers).toEqual(byHour?.top_customers);
    expect((await ask({})).top_customers).toBeNull();
    expect((await ask({ top_customers: [] })).top_customers).toBeNull();
  });

  it('has what was kept after refunds beside what was paid, and says which of them chooses', async () => {
    const asked = { top_customers: [5, 50, 100], top_customers_as: 'percent' };
    const run = (of: string) =>
      test.run('order_distribution_statistics', {
        business_id: of,
        ...RANGE,
        dimension: 'weekday',
        ...asked,
      });
    const { result, notes } = await run(refunded);
    // Computed by hand: 6 orders of 236 of the best customer, and 12.50 of each tenth one among the parts.
    const best = (size: number) =>
      Array.from({ length: size }, (_, place) => 136 - place).reduce(
        (sum, customer) => sum + (customer === 136 ? 6 * 236 : customer % 10 === 0 ? 12.5 : 0),
        0,
      );
    expect((result as Answer).top_customers).toEqual(
      [14, 70, 137].map((size) =>
        expect.objectContaining({
          ...truth(size),
          revenue_after_refunds: truth(size).revenue - best(size),
        }),
      ),
    );
    const said = /^top_customers are chosen by revenue, before refunds; revenue_after_refunds is/;
    expect(notes?.filter((note) => said.test(note))).toHaveLength(1);
    const without = await run(business_id);
    expect((without.result as Answer).top_customers?.[0]?.revenue_after_refunds).toBeNull();
    expect(without.notes?.filter((note) => said.test(note))).toEqual([]);
  });

  it('tells the RFM segments of each part', async () => {
    // Who spent most has 6 orders, 4 to 6 of the range, the last of them on 20 December: from 5 orders on
    // champions.
    const { top_customers, top_customer_segments } = await ask({ top_customers: [10, 60, 100] });
    const of = (top: number) =>
      top_customer_segments?.filter((row) => row.top === top).map(({ top: _, ...row }) => row);
    expect(of(10)).toEqual([{ segment: 'champions', customers_count: 14 }]);
    const rfm = (await test.ask('rfm_segment_statistics', {
      business_id,
      as_of: RANGE.to_date,
    })) as { segments: Segment[] };
    const all = rfm.segments.filter(({ customers_count }) => customers_count !== 0);
    expect(of(100)).toEqual(all.map(({ segment, customers_count }) => ({ segment, customers_count })));
    for (const { top, customers_count } of top_customers ?? []) {
      expect(of(top)?.reduce((sum, one) => sum + Number(one.customers_count), 0)).toBe(customers_count);
    }
  });

  it('hides fewer than five people, and the differences of parts by which they would follow', async () => {
    const asked = Array.from({ length: 10 }, (_, index) => 31 + index);
    for (const args of [
      { top_customers: asked, top_customers_as: 'number' },
      { top_customers: asked },
      { top_customers: asked.map((top) => 4 * (top - 30)), dimension: 'customer_value_decile' },
    ]) {
      const { top_customers, top_customer_segments } = await ask(args);
      const sizes = top_customers?.map(({ customers_count }) => Number(customers_count)) ?? [];
      for (const one of sizes) {
        for (const other of sizes) expect([0, 5]).toContain(Math.min(5, Math.abs(one - other)));
      }
      const shown = top_customer_segments?.filter(({ customers_count }) => customers_count !== null) ?? [];
      expect(shown).not.toEqual([]);
      for (const { segment, customers_count } of shown) {
        expect(customers_count).toBeGreaterThanOrEqual(5);
        for (const other of shown) {
          if (other.segment !== segment) continue;
          const apart = Math.abs(Number(other.customers_count) - Number(customers_count));
          expect([0, 5]).toContain(Math.min(5, apart));
        }
      }
    }
    // 8 customers: 5 leave 3, which could be told by what all brought.
    const all = await ask({ top_customers: [10, 100] }, few);
    expect(all.top_customers?.map(({ customers_count }) => customers_count)).toEqual([8, 8]);
    const nobody = await ask({ top_customers: [100], to_date: '2024-01-31' }, few);
    expect(nobody.top_customers).toEqual([
      {
        ...{
          top: 100,
          customers_count: null,
          orders_count: null,
          revenue: null,
          revenue_share: null,
          revenue_after_refunds: null,
        },
      },
    ]);
  });

  it('refuses what is no part', async () => {
    await expect(ask({ top_customers: [0] })).rejects.toThrow(
      /^top_customers\[0\]: must be between 0.01 and 1000000$/,
    );
    await expect(ask({ top_customers: Array.from({ length: 11 }, () => 1) })).rejects.toThrow(
      /at most 10 elements/,
    );
    await expect(ask({ top_customers: [101] })).rejects.toThrow(
      /^top_customers must be at most 100, or top_customers_as must be number$/,
    );
  });
});

it.each([
  // Fewer than 50: no tenths.
  [49, [10, 40, 95], [5, 20, 49]],
  [4, [50, 100], [null, null]],
  [0, [50], [null]],
  // Online Retail: 4,339 customers; 434 are the first tenth, though 435 are whole fives.
  [4339, [1, 10, 99.99], [45, 434, 4339]],
  // A rounding error of floating point adds no customer: 7 % of 500 are 35.000000000000004.
  [500, [7], [35]],
])('the parts of %i customers at %j percent have the sizes %j', (customers, asked, sizes) => {
  expect(sizesOfParts(customers, asked, 'percent')).toEqual(sizes);
});
