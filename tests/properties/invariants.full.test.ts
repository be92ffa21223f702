import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field } from '../../src/answers/fields/field.ts';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { writeDemoTables } from '../../tools/made-shop/generator/write-demo-shop.ts';
import type { Store } from '../oracle/store.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { randomStores } from '../support/random-stores.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * What must hold between tools, without knowing any number beforehand (numbers as in the specification's
 * list).
 */
type Numbers = Record<string, number>;

let test: TestInstance;
let demo: Business;

beforeAll(async () => {
  test = await createTestInstance();
  demo = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const folder = join(test.madeFiles, 'demo-shop');
  await writeDemoTables(folder, { scale: 0.1 });
  await test.importFolder(demo, folder);
});

afterAll(() => test[Symbol.asyncDispose]());

const ask = async (tool: string, args: object) =>
  (await test.ask(ofAnybody(tool), { ...args })) as Record<string, unknown>;
const rowsOf = (answer: Record<string, unknown>) => Object.values(answer).find(Array.isArray) as Numbers[];
const sum = (rows: readonly Numbers[], key: string) =>
  rows.reduce((total, row) => total + Math.round((row[key] ?? 0) * 10_000), 0) / 10_000;
const scaled = (value: unknown) => Math.round(Number(value) * 10_000);

const LISTINGS = [
  'product_statistics',
  'category_statistics',
  'brand_statistics',
  'master_product_statistics',
];
const ranges = fc
  .tuple(fc.nat(700), fc.integer({ min: 1, max: 90 }), fc.constantFrom('day', 'week', 'month'))
  .map(([start, days, breakdown]) => ({
    from_date: `${day(start)}T00:00:00`,
    to_date: `${day(start + days)}T23:59:59`,
    breakdown,
  }));

function day(offset: number): string {
  return new Date(Date.UTC(2024, 9, 1 + offset)).toISOString().slice(0, 10);
}

describe('invariants of the demo shop', () => {
  it('1: new and returning are at most the total, which has orders of nobody too', async () => {
    await fc.assert(
      fc.asyncProperty(ranges, async ({ breakdown: _, ...range }) => {
        const all = (await ask('order_statistics', { business_id: demo.business_id, ...range })) as Numbers;
        const ofCustomers = Number(all.new_orders_count) + Number(all.returning_orders_count);
        expect(ofCustomers).toBeLessThanOrEqual(Number(all.orders_count));
        expect(scaled(all.new_orders_revenues) + scaled(all.returning_orders_revenues)).toBeLessThanOrEqual(
          scaled(all.orders_revenues),
        );
        expect(Number(all.new_customers_count) + Number(all.returning_customers_count)).toBe(
          all.unique_customers_count,
        );
        expect(all.unique_customers_count).toBeLessThanOrEqual(ofCustomers);
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  it('2: the buckets of a trend add up to the statistics of the widened range', async () => {
    await fc.assert(
      fc.asyncProperty(ranges, async (range) => {
        const call = { business_id: demo.business_id, ...range };
        const periods = rowsOf(await ask('order_statistics_trend', call)) as (Numbers & {
          period_start: never;
        })[];
        const first = String(periods[0]?.period_start);
        const end = new Date(String(periods.at(-1)?.period_start));
        if (range.breakdown === 'day') end.setUTCDate(end.getUTCDate() + 1);
        if (range.breakdown === 'week') end.setUTCDate(end.getUTCDate() + 7);
        if (range.breakdown === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
        const last = new Date(end.getTime() - 86_400_000).toISOString().slice(0, 10);
        const whole = await ask('order_statistics', {
          business_id: demo.business_id,
          from_date: `${first}T00:00:00`,
          to_date: `${last}T23:59:59`,
        });
        for (const key of [
          'orders_count',
          'new_orders_count',
          'orders_revenues',
          'returning_orders_revenues',
        ]) {
          expect(sum(periods, key), key).toBe(whole[key]);
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  it('12: who returned in a cohort is who returned from the first order in that month', async () => {
    for (const month of ['2025-01', '2025-10', '2026-08']) {
      await expectSameReturns(demo.business_id, month);
    }
  });

  it('13: affinity is symmetric within an order, and confidence is support of the pair by that of the item', async () => {
    for (const level of ['product', 'master_product', 'category', 'brand']) {
      await expectSymmetricAffinity({ business_id: demo.business_id, ...FIRST_HALF, level });
    }
  });

  it('14: brands and master products have the revenue of their products, categories of theirs', async () => {
    await fc.assert(
      fc.asyncProperty(ranges, async ({ breakdown: _, ...range }) => {
        const call = { business_id: demo.business_id, ...range, limit: 1000 };
        const [products = [], categories = [], brands = [], masters = []] = await Promise.all(
          LISTINGS.map(async (tool) => rowsOf(await ask(tool, call))),
        );
        for (const key of ['estimated_revenue', 'estimated_gross_profit', 'total_quantity', 'impressions']) {
          expect(sum(brands, key), key).toBe(sum(products, key));
          expect(sum(masters, key), key).toBe(sum(products, key));
          for (const category of categories) {
            const inside = products.filter((row) =>
              (row.categories as never as string[]).includes(String(category.category)),
            );
            expect(sum(inside, key), `${category.category} ${key}`).toBe(category[key]);
          }
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  it('15: the same call gives the same bytes, and pages are the whole list cut into pieces', async () => {
    const columns = ['unique_orders_count', 'conversion_rate', 'impressions'];
    for (const [place, tool] of LISTINGS.entries()) {
      // CI tries each listing by one of them.
      for (const sort_by of runs(1) === 1 ? columns.slice(place % 3, (place % 3) + 1) : columns) {
        const call = { business_id: demo.business_id, ...FIRST_HALF, sort_by };
        const whole = rowsOf(await ask(tool, { ...call, limit: 1000 }));
        expect(JSON.stringify(rowsOf(await ask(tool, { ...call, limit: 1000 })))).toBe(JSON.stringify(whole));
        const pages: Numbers[] = [];
        // Three pieces, and what lies behind the last; in the full tests pieces of seven.
        const limit = runs(1) === 1 ? Math.max(1, Math.ceil(whole.length / 3)) : 7;
        for (let offset = 0; offset < whole.length + limit; offset += limit) {
          pages.push(...rowsOf(await ask(tool, { ...call, limit, offset })));
        }
        expect(JSON.stringify(pages)).toBe(JSON.stringify(whole));
      }
    }
  });

  it('every rate is between 0 and 100, parts are at most their whole', async () => {
    for (const tool of LISTINGS) {
      for (const row of rowsOf(
        await ask(tool, { business_id: demo.business_id, ...FIRST_HALF, limit: 1000 }),
      )) {
        expect(row.conversion_rate).toBeGreaterThanOrEqual(0);
        expect(row.conversion_rate).toBeLessThanOrEqual(100);
        expect(row.reach).toBeLessThanOrEqual(Number(row.impressions));
        expect(row.unique_customers_count).toBeLessThanOrEqual(Number(row.unique_orders_count));
        expect(row.first_order_occurrences).toBe(row.new_orders_count);
      }
    }
  });
});

const FIRST_HALF = { from_date: '2026-01-01T00:00:00', to_date: '2026-06-30T23:59:59' };

/** Calls that show everything a store has. */
const WHOLE = { from_date: '2023-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };
const everything = (business_id: string, range = WHOLE) =>
  [
    ['order_statistics', {}],
    ['order_statistics_trend', { breakdown: 'week' }],
    ...LISTINGS.map((tool) => [tool, { limit: 1000 }] as const),
    ['first_purchase_cohorts', { segment_by: 'first_product', max_periods: 3 }],
    ['repeat_purchase_cycle', {}],
    ['order_distribution_statistics', { dimension: 'weekday_hour' }],
    ['product_affinity_statistics', { relation: 'next_order', min_orders: 1, limit: 1000 }],
  ].map(([tool, args]) => ({ tool: String(tool), args: { business_id, ...range, ...(args as object) } }));

/** Tools whose answers depend on how long customers were observed. */
const OBSERVING = ['first_purchase_cohorts', 'repeat_purchase_cycle'];

async function load(store: Store): Promise<Business> {
  const { timezone, primary_currency } = store.business;
  const business = await test.createBusiness({
    timezone: String(timezone),
    currency: String(primary_currency),
  });
  await test.importStore(business, store);
  return business;
}

const stores = (timezone: string) => randomStores(timezone).filter(({ orders }) => orders.length > 3);

/** Invariant 12 for one month; gives how many customers there were. */
async function expectSameReturns(business_id: string, month: string): Promise<number> {
  const range = {
    business_id,
    from_date: `${month}-01T00:00:00`,
    to_date: `${month}-${new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).getUTCDate()}T23:59:59`,
  };
  const cycle = await ask('repeat_purchase_cycle', range);
  const [cohort] = rowsOf(await ask('first_purchase_cohorts', range)) as unknown as {
    customers_count: number;
    repeat_customers_count: number;
    retention: Numbers[];
  }[];
  expect(cycle.eligible_customers_count).toBe(cohort?.customers_count ?? 0);
  expect(cycle.returned_customers_count).toBe(cohort?.repeat_customers_count ?? 0);
  const within = cycle.within as Numbers[];
  for (const { days, returned_customers_count, retention_rate } of cohort?.retention ?? []) {
    const same = within.find((row) => row.days === days);
    if (same === undefined) continue;
    expect(same, `${month} ${days}`).toMatchObject({ returned_customers_count, return_rate: retention_rate });
  }
  for (const [index, row] of within.entries()) {
    expect(row.returned_customers_count).toBeGreaterThanOrEqual(
      Number(within[index - 1]?.returned_customers_count ?? 0),
    );
  }
  expect(within.at(-1)?.returned_customers_count).toBeLessThanOrEqual(Number(cycle.returned_customers_count));
  expect(sum(cycle.histogram as Numbers[], 'customers_count')).toBe(cycle.returned_customers_count);
  return Number(cycle.eligible_customers_count);
}

/** Invariant 13. */
async function expectSymmetricAffinity(args: object): Promise<void> {
  const answer = await ask('product_affinity_statistics', { min_orders: 1, ...args, limit: 1000 });
  const pairs = answer.pairs as (Numbers & { antecedent: never; consequent: never })[];
  const of = (antecedent: string, consequent: string) =>
    pairs.find((pair) => pair.antecedent === antecedent && pair.consequent === consequent);
  // Asked for by its first item, a pair is the same from the other side.
  const [first] = pairs;
  if (first !== undefined) {
    const turned = await ask('product_affinity_statistics', {
      ...{ min_orders: 1, ...args, limit: 1000 },
      filter_antecedents: [first.consequent],
    });
    const other = (turned.pairs as typeof pairs).find(({ consequent }) => consequent === first.antecedent);
    if (Number(turned.total_count) <= 1000) expect(other).toBeDefined();
    for (const key of ['support', 'lift', 'pair_orders_count', 'pair_revenue'])
      if (other !== undefined) expect(other[key]).toBe(first[key]);
  }
  for (const pair of pairs) {
    expect(of(pair.consequent, pair.antecedent)).toBeUndefined();
    expect(pair.antecedent_orders_count).toBeLessThanOrEqual(Number(pair.consequent_orders_count));
    const baskets = Number(answer.baskets_count);
    const shareOfAntecedent = (100 * Number(pair.antecedent_orders_count)) / baskets;
    expect(pair.confidence).toBeCloseTo((100 * Number(pair.support)) / shareOfAntecedent, 1);
    expect(pair.confidence).toBeLessThanOrEqual(100);
    expect(pair.pair_orders_count).toBeLessThanOrEqual(Number(pair.consequent_orders_count));
  }
}

describe('invariants of random stores', () => {
  it('12 and 13: returns are those of cohorts, affinity is symmetric', async () => {
    await fc.assert(
      fc.asyncProperty(stores('Europe/Prague'), async (store) => {
        const { business_id } = await load(store);
        let customers = 0;
        for (const month of ['2024-01', '2024-02', '2024-03', '2024-10']) {
          customers += await expectSameReturns(business_id, month);
        }
        await expectSymmetricAffinity({ business_id, ...WHOLE, level: 'product' });
        await expectSymmetricAffinity({ business_id, ...WHOLE, level: 'category' });
        // A store in which nobody came in these months says nothing: another one is tried.
        fc.pre(customers > 0);
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  it('16: money times k multiplies all money by k, and no rate or count', async () => {
    const money = new Set(CATALOGUE.flatMap(({ fields }) => moneyFields(fields)));
    expect(money.size).toBeGreaterThan(15);
    await fc.assert(
      fc.asyncProperty(stores('Europe/Prague'), async (store) => {
        const times = (value: string | undefined) =>
          value && String(Math.round(Number(value) * 40_000) / 10_000);
        const multiplied: Store = {
          ...store,
          orders: store.orders.map((row) => ({ ...row, total: times(row.total), tax: times(row.tax) })),
          order_items: store.order_items.map((row) => ({
            ...row,
            unit_price: times(row.unit_price),
            unit_cost: times(row.unit_cost),
          })),
          refunds: store.refunds.map((row) => ({ ...row, amount: times(row.amount) })),
          refund_lines: store.refund_lines.map((row) => ({ ...row, amount: times(row.amount) })),
          products: store.products.map((row) => ({
            ...row,
            price: times(row.price),
            purchase_price: times(row.purchase_price),
          })),
          product_prices: store.product_prices.map((row) => ({
            ...row,
            price: times(row.price),
            purchase_price: times(row.purchase_price),
          })),
        };
        const [one, four] = [await load(store), await load(multiplied)];
        for (const { tool, args } of everything('')) {
          const before = await ask(tool, { ...args, business_id: one.business_id });
          const after = await ask(tool, { ...args, business_id: four.business_id });
          compare(before, after, (key, a, b) => {
            // Each amount was rounded to four decimals, so four times it may be off by some of them.
            if (money.has(key)) expect(Math.abs(b - 4 * a), `${tool} ${key}`).toBeLessThan(0.02);
            // A margin of a thousandth of a crown is one of rounded amounts.
            else expect(Math.abs(b - a), `${tool} ${key}`).toBeLessThan(Math.max(0.05, Math.abs(a) / 1000));
          });
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  it('16: shifting all times by whole weeks shifts the dates and nothing else', async () => {
    // The shift goes to the past: what is after today is not observed yet.
    const shift = (moment: string | undefined) => {
      const [, date = '', rest = ''] = /^(\d{4}-\d{2}-\d{2})(.*)$/.exec(moment ?? '') ?? [];
      if (date === '') return moment;
      return `${new Date(Date.parse(date) - 7 * 100 * 86_400_000).toISOString().slice(0, 10)}${rest}`;
    };
    await fc.assert(
      fc.asyncProperty(stores('UTC'), async (store) => {
        const shifted: Store = {
          ...store,
          orders: store.orders.map((row) => ({ ...row, ordered_at: shift(row.ordered_at) })),
          refunds: store.refunds.map((row) => ({ ...row, refunded_at: shift(row.refunded_at) })),
          product_prices: store.product_prices.map((row) => ({ ...row, valid_from: shift(row.valid_from) })),
          product_events: store.product_events.map((row) => ({ ...row, at: shift(row.at) })),
          fx_rates: store.fx_rates.map((row) => ({ ...row, date: shift(row.date) })),
        };
        const [now, earlier] = [await load(store), await load(shifted)];
        const range = { from_date: String(shift(WHOLE.from_date)), to_date: String(shift(WHOLE.to_date)) };
        const calls = everything('').filter(({ tool }) => !OBSERVING.includes(tool));
        for (const { tool, args } of calls) {
          const before = await ask(tool, { ...args, business_id: now.business_id });
          const after = await ask(tool, { ...args, ...range, business_id: earlier.business_id });
          compare(before, after, (key, a, b) => expect(b, `${tool} ${key}`).toBe(a));
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  it('another business never changes an answer', async () => {
    const calls = everything(demo.business_id);
    const answers = () => Promise.all(calls.map(({ tool, args }) => test.ask(ofAnybody(tool), args)));
    const before = JSON.stringify(await answers());
    await fc.assert(
      fc.asyncProperty(stores('Europe/Prague'), async (store) => {
        await load(store);
        expect(JSON.stringify(await answers())).toBe(before);
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });
});

/** The names of the fields whose definition says that they are money. */
function moneyFields(fields: readonly Field[]): string[] {
  return fields.flatMap(({ key, unit, fields: inner = [], either = [] }) => [
    ...(unit === 'money' ? [key] : []),
    ...[inner, ...either].flatMap(moneyFields),
  ]);
}

/** Walks two answers of one shape and compares their numbers. */
function compare(
  before: unknown,
  after: unknown,
  numbers: (key: string, before: number, after: number) => void,
  key = '',
): void {
  if (typeof before === 'number' && typeof after === 'number') numbers(key, before, after);
  if (typeof before !== 'object' || before === null) return;
  expect(Object.keys(after as object)).toEqual(Object.keys(before));
  for (const [name, value] of Object.entries(before)) {
    compare(value, (after as Record<string, unknown>)[name], numbers, Array.isArray(before) ? key : name);
  }
}
