import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

interface Affinity {
  readonly baskets_count: number;
  readonly total_count: number;
  readonly pairs: Record<string, string | number | null>[];
}

let test: TestInstance;
let business_id: string;

const YEAR = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
const run = (args: object = {}) =>
  test.run(ofAnybody('product_affinity_statistics'), {
    business_id,
    ...YEAR,
    min_orders: 1,
    level: 'product',
    ...args,
  });
const ask = async (args: object = {}) => (await run(args)).result as Affinity;
/** Nothing can be said of so few baskets: see affinity-chance.test.ts. */
const BY_CHANCE = expect.stringMatching(/^None of the 2 pairs shown is more than chance would bring/);
const names = ({ pairs }: Affinity) =>
  pairs.map(
    ({ antecedent, consequent, pair_orders_count }) => `${antecedent} ${consequent} ${pair_orders_count}`,
  );

/** Baskets as `customer date product product …`, each product once for 10 and `2xA` two lines of it. */
function shopOf(baskets: readonly string[]): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  for (const [index, basket] of baskets.entries()) {
    const [customer, date, ...items] = basket.split(' ');
    const order_id = `o${index}`;
    store.orders.push({
      ...{ order_id, external_customer_id: customer, ordered_at: `${date}T12:00:00`, total: '1' },
      status: items.includes('cancelled') ? 'cancelled' : 'paid',
    });
    const lines = items
      .filter((item) => item !== 'cancelled')
      .flatMap((item) => (item.startsWith('2x') ? [item.slice(2), item.slice(2)] : [item]));
    for (const external_product_id of lines)
      store.order_items.push({ order_id, external_product_id, quantity: '1', unit_price: '10' });
  }
  store.products = [
    {
      external_product_id: 'A',
      external_master_product_id: 'M',
      name: 'Apple',
      brand: 'Acme',
      categories: 'Fruit|Sale',
      price: '10',
    },
    {
      external_product_id: 'B',
      external_master_product_id: 'M',
      name: 'Banana',
      brand: 'Acme',
      categories: 'Fruit',
      price: '10',
    },
    { external_product_id: 'C', external_master_product_id: 'A2', name: 'Cherry', brand: 'Bio', price: '10' },
    { external_product_id: 'A2', name: 'Apple 2', price: '10' },
  ];
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  business_id = business.business_id;
  await test.importStore(
    business,
    shopOf([
      'x 2024-01-01 2xA B',
      'y 2024-01-02 A B C',
      'z 2024-01-03 A',
      'x 2024-01-11 A C',
      'y 2024-01-05 C unknown',
      'v 2024-02-01 unknown unlisted',
      'w 2024-02-02 A B cancelled',
      'x 2025-01-01 B',
    ]),
  );
  const other = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await test.importStore(other, shopOf(['x 2024-01-01 A A2', 'x 2024-01-02 A A2']));
});

afterAll(() => test[Symbol.asyncDispose]());

it('a worked example of one order: each pair once, the rarer product first, each product once per basket, only the catalogue', async () => {
  const answer = await ask();
  // The orders of x, y, z, x, y count; that of v has nothing of the catalogue, and the cancelled one does not
  // count.
  expect(answer).toMatchObject({
    relation: 'same_order',
    level: 'product',
    baskets_count: 5,
    total_count: 3,
  });
  // B and C are in two baskets each, A in four.
  expect(names(answer)).toEqual(['B A 2', 'C A 2', 'B C 1']);
  expect(answer.pairs[0]).toMatchObject({
    ...{ antecedent: 'B', antecedent_name: 'Banana', consequent: 'A', consequent_name: 'Apple' },
    ...{ antecedent_orders_count: 2, consequent_orders_count: 4, pair_orders_count: 2 },
    // (2 x 5) / (2 x 4); two lines of A and one of B, then one of each.
    ...{ support: 40, confidence: 100, lift: 1.25, median_days_between: null, pair_revenue: 50 },
  });
  // An item that is asked for alone comes first.
  const asked = await ask({ filter_antecedents: ['A'] });
  expect(names(asked)).toEqual(['A B 2', 'A C 2']);
  expect(asked.pairs[0]).toEqual({
    ...{ antecedent: 'A', antecedent_name: 'Apple', consequent: 'B', consequent_name: 'Banana' },
    ...{ antecedent_orders_count: 4, consequent_orders_count: 2, pair_orders_count: 2 },
    ...{ support: 40, confidence: 50, lift: 1.25, median_days_between: null, pair_revenue: 50 },
    // Far too few to tell; more than all baskets of B that have A it can not be.
    ...{ lift_low: 0.6499, lift_high: 1.25 },
  });
  expect(names(await ask({ filter_antecedents: ['A', 'B'] }))).toEqual(['A C 2', 'B A 2', 'B C 1']);
});

it('the next order: from orders in the range, to the next one whenever it was, an item with itself too', async () => {
  const answer = await ask({ relation: 'next_order' });
  // x: 1 January (A B) to 11 January (A C) to 2025 (B); y: 2 January (A B C) to 5 January (C).
  expect(answer.baskets_count).toBe(3);
  expect(names(answer)).toEqual(['A C 2', 'B C 2', 'A A 1', 'A B 1', 'B A 1', 'C B 1', 'C C 1']);
  expect(answer.pairs[0]).toMatchObject({
    ...{
      antecedent_orders_count: 3,
      consequent_orders_count: 2,
      support: 66.6667,
      confidence: 66.6667,
      lift: 1,
    },
    // 10 and 3 days; two lines and one of A, one and one of C.
    ...{ median_days_between: 6.5, pair_revenue: 50 },
  });
  expect(answer.pairs[2]).toMatchObject({
    antecedent: 'A',
    consequent: 'A',
    pair_revenue: 30,
    median_days_between: 10,
  });
});

it('first_to_second pairs the first order with the second only', async () => {
  const answer = await ask({ relation: 'first_to_second' });
  expect(answer.baskets_count).toBe(2);
  expect(names(answer)).toEqual(['A C 2', 'B C 2', 'A A 1', 'B A 1', 'C C 1']);
  const later = await ask({ relation: 'first_to_second', from_date: '2024-01-11T00:00:00' });
  expect(later).toMatchObject({ baskets_count: 0, total_count: 0, pairs: [] });
});

it('master products have the name of the product of that id, never that of a variant', async () => {
  const { pairs } = await ask({ level: 'master_product' });
  expect(pairs).toMatchObject([
    { antecedent: 'A2', antecedent_name: 'Apple 2', consequent: 'M', consequent_name: null },
  ]);
});

it('categories count a product in each of its own, and one without any as (not set)', async () => {
  expect(await ask({ level: 'brand' })).toMatchObject({
    ...{ baskets_count: 5, total_count: 1 },
    pairs: [{ antecedent: 'Bio', antecedent_name: null, consequent: 'Acme' }],
  });
  const { pairs } = await ask({ level: 'category' });
  expect(pairs).toMatchObject([
    // Every order with A; its lines count for both, those of B for Fruit.
    { antecedent: 'Fruit', consequent: 'Sale', pair_orders_count: 4, pair_revenue: 120, confidence: 100 },
    // C is in no category: the second order of x and the first of y.
    { antecedent: '(not set)', consequent: 'Fruit', pair_orders_count: 2, antecedent_orders_count: 3 },
    { antecedent: '(not set)', consequent: 'Sale' },
  ]);
  const { result, notes } = await run({ level: 'category', filter_antecedents: ['(not set)'] });
  expect(names(result as Affinity)).toEqual(['(not set) Fruit 2', '(not set) Sale 2']);
  expect(notes).toEqual([BY_CHANCE]);
});

it('keeps pairs in enough orders, sorts by each column in both directions, and pages', async () => {
  expect(names(await ask({ min_orders: 2 }))).toEqual(['B A 2', 'C A 2']);
  expect((await ask({ min_orders: 3 })).pairs).toEqual([]);
  for (const sort_by of ['pair_orders_count', 'support', 'confidence', 'lift', 'pair_revenue']) {
    for (const sort_order of ['asc', 'desc']) {
      const whole = await ask({ sort_by, sort_order });
      const values = whole.pairs.map((pair) => Number(pair[sort_by]));
      const sign = sort_order === 'asc' ? 1 : -1;
      expect(values, `${sort_by} ${sort_order}`).toEqual(values.toSorted((a, b) => sign * (a - b)));
      const pages = await Promise.all([0, 2].map((offset) => ask({ sort_by, sort_order, limit: 2, offset })));
      expect(pages.flatMap(({ pairs }) => pairs)).toEqual(whole.pairs);
      expect(pages.map(({ total_count }) => total_count)).toEqual([3, 3]);
    }
  }
  expect(await ask({ limit: 4, offset: 3 })).toMatchObject({ pairs: [], total_count: 3 });
});

it('takes only some antecedents, and says which do not exist at the level', async () => {
  const filter_antecedents = ['B', 'nobody', "'; drop table orders; --", 'unknown'];
  const { result, notes } = await run({ filter_antecedents });
  expect(names(result as Affinity)).toEqual(['B A 2', 'B C 1']);
  expect(result).toMatchObject({ total_count: 2, baskets_count: 5 });
  expect(notes).toEqual([
    BY_CHANCE,
    `Unknown in filter_antecedents, so without rows: ["nobody","'; drop table orders; --","unknown"]`,
  ]);
  expect((await run({ filter_antecedents: [] })).result).toMatchObject({ total_count: 3 });
  expect((await run({ level: 'brand', filter_antecedents: ['Bio', ''] })).notes).toEqual([
    expect.stringMatching(/^The one pair shown is no more than chance would bring/),
    'Unknown in filter_antecedents, so without rows: [""]',
  ]);
});

it('has no pairs in an empty shop', async () => {
  const business = await test.createBusiness();
  for (const relation of ['same_order', 'next_order', 'first_to_second']) {
    expect(await ask({ business_id: business.business_id, relation })).toMatchObject({
      ...{ data_until: null, relation, baskets_count: 0, total_count: 0, pairs: [] },
    });
  }
});

it.each([
  [{ min_orders: 0 }, 'min_orders must be at least 1'],
  [{ min_orders: 1.5 }, 'min_orders must be at least 1'],
  [{ relation: 'any' }, 'relation must be one of same_order, next_order, first_to_second'],
  [{ level: 'shop' }, 'level must be one of product, master_product, category, brand'],
  [
    { sort_by: 'antecedent' },
    'sort_by must be one of pair_orders_count, support, confidence, lift, pair_revenue',
  ],
  [{ filter_antecedents: 'A' }, 'filter_antecedents: must be a list of texts, for example ["A", "B"]'],
])('refuses %j', async (args, message) => {
  await expect(ask(args)).rejects.toThrow(message);
});
