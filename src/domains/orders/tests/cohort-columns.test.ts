import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Row } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

let test: TestInstance;
let business_id: string;

type Cohort = Record<string, unknown>;

const RANGE = { from_date: '2024-01-01', to_date: '2024-06-30' };
/** The last order that is known. */
const UNTIL = '2024-06-30';

/** Days since the first order, of customer `index`: a third comes back after 20 days, a third after 60. */
const daysOf = (index: number) => [[0], [0, 20], [0, 60]][index % 3] as number[];
const dayAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** 30 customers of January, 12 of February, 24 who came on 1 and 24 who came on 15 April. */
const CUSTOMERS = [
  ...Array.from({ length: 30 }, () => '2024-01-10'),
  ...Array.from({ length: 12 }, () => '2024-02-10'),
  ...Array.from({ length: 24 }, () => '2024-04-01'),
  ...Array.from({ length: 24 }, () => '2024-04-15'),
].map((first, index) => ({
  id: `c${index}`,
  first,
  orders: daysOf(index)
    .map((days) => ({ date: dayAfter(first, days), total: 100 + ((37 * index) % 50) + days }))
    .filter(({ date }) => date <= UNTIL),
}));

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  business_id = business.business_id;
  const orders: Row<'orders'>[] = CUSTOMERS.flatMap(({ id, orders }) =>
    orders.map(({ date, total }, index) => ({
      ...{ order_id: `${id}-${index}`, external_customer_id: id, ordered_at: `${date}T10:00:00` },
      total: String(total),
    })),
  );
  orders.push({ order_id: 'last', ordered_at: `${UNTIL}T10:00:00`, total: '1' });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'CZK' }),
    orders,
  });
});

afterAll(() => test[Symbol.asyncDispose]());

const ask = async (args: object) =>
  ((await test.ask('first_purchase_cohorts', { business_id, ...RANGE, ...args })) as { cohorts: Cohort[] })
    .cohorts;

/** Counted from the list above, for the customers who have been observed for as long. */
function truth(month: string, days: number) {
  const mature = CUSTOMERS.filter(
    ({ first }) => first.startsWith(month) && dayAfter(first, days) <= UNTIL,
  ).map(({ first, orders }) => orders.filter(({ date }) => date <= dayAfter(first, days)));
  const n = mature.length;
  const spent = mature.map((orders) => orders.reduce((sum, { total }) => sum + total, 0));
  const back = mature.filter((orders) => orders.length > 1).length;
  const mean = spent.reduce((sum, one) => sum + one, 0) / n;
  const error = Math.sqrt(spent.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1) / n);
  // Wilson, with z = 1.959963985.
  const [p, z] = [back / n, 1.959963985];
  const middle = p + z ** 2 / (2 * n);
  const distance = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  const share = (value: number) => (100 * value) / (1 + z ** 2 / n);
  return {
    n,
    mean,
    error,
    retention: 100 * p,
    low: share(middle - distance),
    high: share(middle + distance),
  };
}

/** SciPy 1.17.1, t.ppf(0.975, n - 1). */
const STUDENT: Readonly<Record<number, number>> = { 30: 2.0452296421, 24: 2.0686576104, 48: 2.0117405137 };

it.each([
  ['2024-01', 90, 30],
  ['2024-01', 30, 30],
  // The later customers of April have been observed for 76 days.
  ['2024-04', 30, 48],
])(
  'the columns of the cohort %s after %i days count %i customers and have intervals',
  async (month, days, n) => {
    const cohort = (await ask({ days: [days] })).find((row) => row.cohort === month) as Cohort;
    const expected = truth(month, days);
    expect(expected.n).toBe(n);
    expect(cohort[`retention_${days}`]).toBeCloseTo(expected.retention, 4);
    expect(cohort[`retention_${days}_low`]).toBeCloseTo(expected.low, 3);
    expect(cohort[`retention_${days}_high`]).toBeCloseTo(expected.high, 3);
    expect(cohort[`ltv_${days}`]).toBeCloseTo(expected.mean, 4);
    const distance = (STUDENT[n] as number) * expected.error;
    expect(cohort[`ltv_${days}_low`]).toBeCloseTo(expected.mean - distance, 3);
    expect(cohort[`ltv_${days}_high`]).toBeCloseTo(expected.mean + distance, 3);
  },
);

it('a column counts the customers who were observed for so many days, and is null where there are none', async () => {
  const cohorts = await ask({ days: [90, 365] });
  const april = cohorts.find((row) => row.cohort === '2024-04') as Cohort;
  expect(truth('2024-04', 90).n).toBe(24);
  expect(april.ltv_90).toBeCloseTo(truth('2024-04', 90).mean, 4);
  expect(april).toMatchObject({ retention_365: null, ltv_365: null, ltv_365_low: null });
  // The money of 12 customers has no interval.
  const february = cohorts.find((row) => row.cohort === '2024-02') as Cohort;
  expect(february.ltv_90).toBeCloseTo(truth('2024-02', 90).mean, 4);
  expect(february).toMatchObject({ ltv_90_low: null, ltv_90_high: null });
  expect(february.retention_90_low).toBeCloseTo(truth('2024-02', 90).low, 3);
});

it('asking for days replaces the lists by columns, and gives no other columns', async () => {
  const [listed] = (await ask({})) as [Cohort];
  expect(Object.keys(listed).filter((name) => /^(retention|ltv)_\d/.test(name))).toEqual([]);
  expect(listed).toMatchObject({ retention: expect.any(Array), ltv: expect.any(Array) });
  const [flat] = (await ask({ days: [90], cohort_period: 'all' })) as [Cohort];
  expect(Object.keys(flat).filter((name) => /retention|ltv|periods/.test(name))).toEqual([
    ...['retention_90', 'retention_90_low', 'retention_90_high'],
    ...['ltv_90', 'ltv_90_low', 'ltv_90_high'],
  ]);
  const table = (await test.ask('first_purchase_cohorts', {
    ...{ business_id, ...RANGE, days: [90], format: 'table' },
  })) as { columns: string[] };
  expect(table.columns).toContain('ltv_90_high');
  expect(table.columns).not.toContain('ltv_30');
  expect(JSON.stringify(table.columns)).not.toContain('periods');
  const [chosen] = (await ask({ days: [90], fields: ['ltv_90'] })) as [Cohort];
  expect(Object.keys(chosen)).toEqual(['cohort', 'cohort_start', 'segment', 'ltv_90']);
});

it('asking for a number of days that the product does not compute is refused', async () => {
  await expect(ask({ days: [60] })).rejects.toThrow(/^days\[0\]: must be one of 30, 90, 180, 365$/);
  await expect(ask({ days: 90.5 })).rejects.toThrow(/days/);
});
