import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * Shops of independent purchases, one for each year; and one, in 2024, in which some things are bought
 * together.
 */
const INDEPENDENT = Array.from({ length: 40 }, (_, seed) => 1984 + seed);
const PLANTED = 2024;
const ITEMS = Array.from('ABCDEFGHIJKL');
const LEAST_ORDERS = 5;

let test: TestInstance;
let business_id: string;

type Basket = ReadonlySet<string>;
/** The orders of each customer of a year, two each, in their order. */
type Customers = readonly (readonly [Basket, Basket])[];

/** M. O'Neill's PCG would do as well: any numbers without a pattern (S. Vigna's splitmix32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

function customersOf(year: number): Customers {
  const random = randomOf(year);
  const basket = () => new Set(ITEMS.filter((_, place) => random() < 0.04 + 0.03 * place));
  return Array.from({ length: 75 }, () => {
    const [first, second] = [basket(), basket()];
    if (year === PLANTED) {
      // B beside A often, D beside C now and then; after an order with L comes one with A.
      if (first.has('A') || random() < 0.1) for (const item of ['A', 'B']) first.add(item);
      if (second.has('C') && random() < 0.3) second.add('D');
      if (first.has('L') && random() < 0.6) second.add('A');
    }
    return [first, second] as const;
  });
}

function rowsOf(year: number): Pick<Store, 'orders' | 'order_items'> {
  const orders = customersOf(year).flatMap((baskets, customer) =>
    baskets.map((basket, place) => ({
      basket,
      order: {
        order_id: `${year}-${customer}-${place}`,
        external_customer_id: `${year}-${customer}`,
        ordered_at: `${year}-0${1 + place}-10T12:00:00`,
        total: '10',
      },
    })),
  );
  return {
    orders: orders.map(({ order }) => order),
    order_items: orders.flatMap(({ basket, order: { order_id } }) =>
      [...basket].map((external_product_id) => ({
        ...{ order_id, external_product_id, quantity: '1', unit_price: '10' },
      })),
    ),
  };
}

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  business_id = business.business_id;
  const rows = [...INDEPENDENT, PLANTED].map(rowsOf);
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
    orders: rows.flatMap(({ orders }) => orders),
    order_items: rows.flatMap(({ order_items }) => order_items),
    products: ITEMS.map((name) => ({ external_product_id: name, name, price: '10' })),
  });
});

afterAll(() => test[Symbol.asyncDispose]());

interface Answer {
  readonly total_count: number;
  readonly pairs: readonly { readonly antecedent: string; readonly consequent: string }[];
}

async function ask(year: number, args: object) {
  const range = { from_date: `${year}-01-01T00:00:00`, to_date: `${year}-12-31T23:59:59` };
  const asked = { business_id, ...range, level: 'product', min_orders: LEAST_ORDERS, ...args };
  const { result, notes = [] } = await test.run(ofAnybody('product_affinity_statistics'), asked);
  return { ...(result as Answer), note: notes.find((one) => one.includes('chance would bring')) };
}

it('calls no pair of independent purchases real in 95 % of shops', async () => {
  const none: boolean[] = [];
  for (const year of INDEPENDENT) {
    const { total_count, note } = await ask(year, { limit: 100 });
    expect(total_count).toBeGreaterThan(20);
    none.push(note?.startsWith(`None of the ${total_count} pairs shown is more than chance`) === true);
  }
  expect(none.filter((one) => one).length).toBeGreaterThanOrEqual(0.95 * none.length);
});

/** The names in a note are of what is chance, or of what alone is not. */
function chanceOn({ pairs, note }: Awaited<ReturnType<typeof ask>>): readonly string[] {
  const all = pairs.map(({ antecedent, consequent }) => `${antecedent} + ${consequent}`);
  if (note === undefined) return [];
  if (/^(None|The one pair)/.test(note)) return all;
  const names = JSON.parse(note.slice(note.indexOf('['), note.indexOf(']') + 1)) as string[];
  const counted = Number(/, (?:only )?(\d+) (?:is|are)/.exec(note)?.[1]);
  expect(names).toHaveLength(counted);
  return note.includes('only') ? all.filter((one) => !names.includes(one)) : names;
}

async function chanceOfAllPages(args: object) {
  const { total_count } = await ask(PLANTED, args);
  const offsets = Array.from({ length: Math.ceil(total_count / 10) }, (_, page) => 10 * page);
  const pages = [];
  for (const offset of offsets) pages.push(await ask(PLANTED, { ...args, offset, limit: 10 }));
  return {
    all: pages.flatMap(({ pairs }) =>
      pairs.map(({ antecedent, consequent }) => `${antecedent} + ${consequent}`),
    ),
    byChance: pages.flatMap(chanceOn),
    notes: pages.flatMap(({ note }) => note ?? []),
  };
}

/**
 * Sums of the hypergeometric distribution, each of its terms by logarithms of factorials that are added up.
 */
function upperTail(all: number, first: number, second: number, both: number): number {
  const logs = [0];
  for (let n = 1; n <= all; n += 1) logs.push((logs[n - 1] as number) + Math.log(n));
  const choose = (n: number, k: number) =>
    (logs[n] as number) - (logs[k] as number) - (logs[n - k] as number);
  let sum = 0;
  for (let k = both; k <= Math.min(first, second); k += 1)
    sum += Math.exp(choose(first, k) + choose(all - first, second - k) - choose(all, second));
  return sum;
}

/** Each pair of enough baskets with its place and chance, over the baskets themselves. */
function expectedOf(baskets: readonly (readonly [Basket, Basket])[], isOneOrder: boolean) {
  const count = (holds: (basket: readonly [Basket, Basket]) => boolean) => baskets.filter(holds).length;
  const firsts = ITEMS.filter((item) => count(([left]) => left.has(item)) >= LEAST_ORDERS);
  const seconds = ITEMS.filter((item) => count(([, right]) => right.has(item)) >= LEAST_ORDERS);
  const possible = isOneOrder ? (firsts.length * (firsts.length - 1)) / 2 : firsts.length * seconds.length;
  const pairs = firsts.flatMap((one) =>
    seconds.flatMap((other) => {
      const both = count(([left, right]) => left.has(one) && right.has(other));
      if (both < LEAST_ORDERS || (isOneOrder && one >= other)) return [];
      const [first, second] = [count(([left]) => left.has(one)), count(([, right]) => right.has(other))];
      return [{ name: `${one} + ${other}`, chance: upperTail(baskets.length, first, second, both) }];
    }),
  );
  const sorted = pairs.toSorted((one, other) => one.chance - other.chance);
  const foundAt = (rate: number) => {
    const last = sorted.findLastIndex(({ chance }, place) => chance <= ((place + 1) * rate) / possible);
    return new Set(sorted.slice(0, last + 1).map(({ name }) => name));
  };
  return { possible, pairs, found: foundAt(0.05), surelyFound: foundAt(0.04) };
}

const sortedName = (name: string) => name.split(' + ').toSorted().join(' + ');

it.each(['same_order', 'next_order'] as const)(
  'marks what chance would bring as the exact test does: %s',
  async (relation) => {
    const customers = customersOf(PLANTED);
    const isOneOrder = relation === 'same_order';
    const baskets = isOneOrder
      ? customers.flatMap((orders) => orders.map((basket) => [basket, basket] as const))
      : customers;
    const nonEmpty = baskets.filter(([left]) => left.size > 0);
    const { possible, pairs, found, surelyFound } = expectedOf(nonEmpty, isOneOrder);
    const { all, byChance, notes } = await chanceOfAllPages({ relation });
    const nameOf = isOneOrder ? sortedName : (name: string) => name;
    expect(new Set(all.map(nameOf))).toEqual(new Set(pairs.map(({ name }) => name)));
    const beyond = all.filter((name) => !byChance.includes(name)).map(nameOf);
    // The tail is rounded up by a little: what is found is found by the exact test, and what that finds
    // easily is found.
    expect(beyond.filter((name) => !found.has(name))).toEqual([]);
    expect([...surelyFound].filter((name) => !beyond.includes(name))).toEqual([]);
    expect(beyond).toContain(isOneOrder ? 'A + B' : 'L + A');
    expect(beyond.length).toBeLessThan(all.length / 2);
    for (const note of notes) expect(note).toContain(`among ${possible} pairs`);
  },
);

it('looks at fewer pairs where few are asked for, and says nothing where all are more than chance', async () => {
  const asked = await ask(PLANTED, { filter_antecedents: ['A'], limit: 100 });
  expect(asked.note).toContain(`among ${ITEMS.length - 1} pairs`);
  expect(chanceOn(asked)).not.toContain('A + B');
  const alone = await ask(PLANTED, { filter_antecedents: ['A'], sort_by: 'lift', limit: 1 });
  expect(alone).toMatchObject({ pairs: [{ antecedent: 'A', consequent: 'B' }] });
  expect(alone.note).toBeUndefined();
});
