import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { drawsOf } from '../../../../tests/statistics/made-days.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** Days with and without stock, and what was not sold, against loops over the rows that were loaded. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const FIRST = '2024-01-01';
const DAYS = 170;
/** The last whole day: of the day after it the first half is loaded. */
const LAST = dayAt(DAYS - 1);
const RANGE = { from_date: dayAt(100), to_date: dayAt(DAYS + 20) };

function dayAt(place: number): string {
  return new Date(Date.parse(FIRST) + place * 86_400_000).toISOString().slice(0, 10);
}

interface Product {
  readonly external_product_id: string;
  readonly name: string | null;
  readonly in_stock: boolean | null;
  readonly stock_quantity: number | null;
  readonly pieces_per_day: number | null;
  readonly cover_days: number | null;
  readonly cover_days_low: number | null;
  readonly days_with_stock: number;
  readonly days_without_stock: number;
  readonly days_not_known: number;
  readonly lost_pieces: number | null;
  readonly lost_pieces_low: number | null;
  readonly lost_pieces_high: number | null;
  readonly lost_revenue: number | null;
}

interface Covered {
  readonly from_date: string | null;
  readonly to_date: string | null;
  readonly total: Record<string, number | null>;
  readonly products: readonly Product[];
}

async function ask(store: Store, more: object = {}) {
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await test.importStore(business, store);
  return async (args: object = {}) => {
    const asked = { business_id: business.business_id, ...RANGE, limit: 1000, ...more, ...args };
    const { result, notes = [] } = await test.run('stock_cover', asked);
    return { ...(result as unknown as Covered), notes };
  };
}

interface Made {
  readonly seed: number;
  readonly products: number;
  /** Whether the stock of a product is read on a day. */
  readonly isRead: (day: number, random: () => number) => boolean;
}

/** What was wanted of each product on each day, also where there was none. */
type Wanted = ReadonlyMap<string, readonly number[]>;

/**
 * Products that run out and come again. Demand follows the day of the week and a slow season, and is known.
 */
function madeStore({ seed, products, isRead }: Made): { store: Store; wanted: Wanted } {
  const random = drawsOf(seed);
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  const wanted = new Map<string, number[]>();
  const level = Array.from({ length: DAYS }, (_, day) => (1 + day / 200) * (day % 7 > 4 ? 1.5 : 0.8));
  for (let number = 0; number < products; number += 1) {
    const id = `p${String(number).padStart(3, '0')}`;
    const rate = 0.1 + 1.4 * random() ** 2;
    const demand: number[] = [];
    let stock = Math.floor(random() * 20);
    store.products.push({
      ...{ external_product_id: id, name: `Thing ${id}`, price: String(10 + number) },
      discontinued: String(number % 17 === 16),
    });
    for (let day = 0; day < DAYS; day += 1) {
      const missing = stock === 0 && random() < 0.15;
      if (missing) stock = 5 + Math.floor(random() * 40);
      if (number % 13 !== 12 && isRead(day, random))
        store.stock_readings.push({
          ...{ external_product_id: id, read_on: dayAt(day), read_at: `${dayAt(day)}T04:00:00Z` },
          ...{ in_stock: String(stock > 0), stock_quantity: String(stock) },
        });
      const came = poisson(rate * (level[day] as number), random);
      demand.push(came);
      const sold = Math.min(stock, came);
      stock -= sold;
      for (let piece = 0; piece < sold; piece += 1)
        addOrder(store, `${id}-${day}-${piece}`, day, id, 10 + number);
    }
    wanted.set(id, demand);
  }
  addOrder(store, 'last', DAYS, 'p000', 10);
  return { store, wanted };
}

function addOrder(store: Store, order_id: string, day: number, external_product_id: string, price: number) {
  const total = String(price);
  store.orders.push({ order_id, ordered_at: `${dayAt(day)}T10:00:00Z`, total, status: 'paid' });
  store.order_items.push({
    ...{ order_id, line_no: '1', kind: 'product', external_product_id, quantity: '1', unit_price: total },
  });
}

function poisson(mean: number, random: () => number): number {
  let [count, product] = [0, random()];
  while (product > Math.exp(-mean)) {
    count += 1;
    product *= random();
  }
  return count;
}

/**
 * The stock of a product on a day of the loaded rows: what was read last, as long as the store was read
 * within 7 days.
 */
function stockOf({ stock_readings }: Store): (id: string, day: string) => boolean | null {
  const read = new Set(stock_readings.map(({ read_on }) => read_on));
  const byProduct = Map.groupBy(
    stock_readings.toSorted((one, other) => (one.read_on ?? '').localeCompare(other.read_on ?? '')),
    ({ external_product_id }) => external_product_id,
  );
  return (id, day) => {
    const isHeld = Array.from({ length: 8 }, (_, before) => before).some((before) =>
      read.has(new Date(Date.parse(day) - before * 86_400_000).toISOString().slice(0, 10)),
    );
    const last = (byProduct.get(id) ?? []).findLast(({ read_on = '' }) => read_on <= day);
    return !isHeld || last === undefined ? null : last.in_stock === 'true';
  };
}

/** Day by day, as the decision 0232 says it. */
function expected(store: Store, stock: ReturnType<typeof stockOf>, id: string, from: string) {
  const dayOf = new Map(
    store.orders.map(({ order_id, ordered_at = '' }) => [order_id, ordered_at.slice(0, 10)]),
  );
  const soldOf = (wanted: (of: string | undefined) => boolean) => {
    const pieces = new Map<string, number>();
    for (const { order_id, external_product_id } of store.order_items)
      if (wanted(external_product_id)) {
        const day = dayOf.get(order_id) ?? '';
        pieces.set(day, (pieces.get(day) ?? 0) + 1);
      }
    return (day: string) => pieces.get(day) ?? 0;
  };
  const [own, others] = [soldOf((of) => of === id), soldOf((of) => of !== id)];
  const first = Math.max(0, (Date.parse(from) - Date.parse(FIRST)) / 86_400_000 - 56);
  const days = Array.from({ length: DAYS - first }, (_, place) => dayAt(first + place));
  const known = days.filter((day) => stock('p000', day) !== null);
  const inStock = days.filter((day) => stock(id, day) === true);
  const out = days.filter((day) => day >= from && stock(id, day) === false && own(day) === 0);
  const mean = (of: (day: string) => number, some: readonly string[]) =>
    some.reduce((sum, day) => sum + of(day), 0) / some.length;
  const all = (day: string) => own(day) + others(day);
  const variance =
    mean((day) => (all(day) - mean(all, known)) ** 2, known) * (known.length / (known.length - 1));
  // Each order has one piece, so that chance is twice the mean.
  const believed = Math.max(0, 1 - (2 * mean(all, known)) / variance);
  const level = believed * (mean(others, out) / mean(others, inStock)) + 1 - believed;
  return {
    days_with_stock: inStock.filter((day) => day >= from).length,
    days_without_stock: out.length,
    lost: out.length === 0 ? 0 : mean(own, inStock) * out.length * level,
    learned: inStock.length,
  };
}

const daily = madeStore({ seed: 7, products: 40, isRead: () => true });

describe.each([
  ['read every day', daily.store],
  [
    'read seldom, with holes',
    madeStore({
      seed: 11,
      products: 15,
      isRead: (day, random) => (day < 118 || day > 135) && day % 3 === 0 && random() < 0.9,
    }).store,
  ],
])('a store %s', (_, store) => {
  it('has the days and the lost sales that loops over its rows find', async () => {
    const { products, from_date, to_date } = await (await ask(store))();
    expect([from_date, to_date]).toEqual([RANGE.from_date, LAST]);
    const wanted = store.products.filter(
      ({ discontinued, external_product_id }) =>
        discontinued !== 'true' &&
        store.stock_readings.some((read) => read.external_product_id === external_product_id),
    );
    expect(products.map((one) => one.external_product_id).toSorted()).toEqual(
      wanted.map((one) => one.external_product_id).toSorted(),
    );
    expect(products.filter((one) => one.days_without_stock > 0).length).toBeGreaterThan(4);
    const stock = stockOf(store);
    for (const product of products) {
      const truth = expected(store, stock, product.external_product_id, RANGE.from_date);
      const { days_with_stock, days_without_stock, days_not_known } = product;
      expect({ days_with_stock, days_without_stock }).toEqual({
        days_with_stock: truth.days_with_stock,
        days_without_stock: truth.days_without_stock,
      });
      expect(days_with_stock + days_without_stock + days_not_known).toBe(DAYS - 100);
      if (truth.learned < 14 && days_without_stock > 0) expect(product.lost_pieces).toBeNull();
      else expect(product.lost_pieces).toBeCloseTo(truth.lost, 3);
    }
  });
});

describe('lost sales', () => {
  it('hold the pieces that were really lost within their interval, and all together within that of the total', async () => {
    const { products, total } = await (await ask(daily.store))();
    const stock = stockOf(daily.store);
    const lost = products
      .filter((one) => one.days_without_stock > 0 && one.lost_pieces !== null)
      .map((one) => {
        const demand = daily.wanted.get(one.external_product_id) ?? [];
        const truth = demand.reduce(
          (sum, pieces, day) =>
            dayAt(day) >= RANGE.from_date && stock(one.external_product_id, dayAt(day)) === false
              ? sum + pieces
              : sum,
          0,
        );
        const price = 10 + Number(one.external_product_id.slice(1));
        return {
          ...one,
          truth,
          price,
          isWithin: Number(one.lost_pieces_low) <= truth && truth <= Number(one.lost_pieces_high),
        };
      });
    expect(lost.length).toBeGreaterThan(20);
    expect(lost.filter(({ isWithin }) => isWithin).length / lost.length).toBeGreaterThanOrEqual(0.9);
    const truth = lost.reduce((sum, one) => sum + one.truth * one.price, 0);
    expect(truth).toBeGreaterThan(Number(total.lost_revenue_low));
    expect(truth).toBeLessThan(Number(total.lost_revenue_high));
  });
});

/**
 * One product of 10 pieces that sells one a day, out of stock from the 151st day on, and one that is always
 * there.
 */
function plainStore(days = DAYS): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  for (const id of ['mug', 'cup'])
    store.products.push({
      external_product_id: id,
      name: id,
      brand: 'Acme',
      categories: 'Dishes',
      price: '10',
    });
  for (let day = 0; day < days; day += 1) {
    const isOut = day >= 150;
    for (const [id, quantity] of [
      ['mug', isOut ? 0 : 10],
      ['cup', 30],
    ] as const)
      store.stock_readings.push({
        ...{ external_product_id: id, read_on: dayAt(day), read_at: `${dayAt(day)}T00:00:00Z` },
        ...{ in_stock: String(quantity > 0), stock_quantity: String(quantity) },
      });
    for (let cup = 0; cup < 3; cup += 1) addOrder(store, `cup-${day}-${cup}`, day, 'cup', 20);
    if (!isOut) addOrder(store, `mug-${day}`, day, 'mug', 10);
  }
  addOrder(store, 'last', days, 'cup', 20);
  return store;
}

describe('an answer by hand', () => {
  it('has cover, days and lost sales, and the products that run out first stand first when asked', async () => {
    const answer = await ask(plainStore());
    const { products, total, notes } = await answer();
    expect(products).toMatchObject(
      [
        {
          external_product_id: 'mug',
          ...{ in_stock: false, stock_quantity: 0, pieces_per_day: 1, cover_days: 0 },
          // It had stock on 50 days of the range, and nothing was there on the other 20.
          ...{ days_with_stock: 50, days_without_stock: 20, days_not_known: 0 },
          ...{ lost_pieces: 20, lost_revenue: 200 },
        },
        {
          external_product_id: 'cup',
          // 30 pieces were read on the last day, 3 were sold on it, and one since.
          ...{ in_stock: true, stock_quantity: 30, pieces_per_day: 3, cover_days: 26 / 3 },
          ...{ days_with_stock: 70, days_without_stock: 0, lost_pieces: 0, lost_revenue: 0 },
        },
      ].map((row) =>
        row.cover_days === 0 ? row : { ...row, cover_days: expect.closeTo(row.cover_days, 3) },
      ),
    );
    expect(total).toMatchObject({
      products_count: 2,
      without_stock_count: 1,
      days_without_stock: 20,
      lost_revenue: 200,
    });
    expect(products[0]?.lost_pieces_low).toBeLessThan(20);
    expect(products[0]?.lost_pieces_high).toBeGreaterThan(20);
    expect(products[1]?.cover_days_low).toBeLessThan(Number(products[1]?.cover_days));
    expect(notes.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^Lost sales are what such days with stock sold: some customers bought another product/,
      ),
      `Days after ${LAST} are not told: no orders are loaded to their end.`,
    ]);
    const sortedBy = (await answer({ sort_by: 'cover_days' })).products.map((one) => one.external_product_id);
    expect(sortedBy).toEqual(['mug', 'cup']);
    expect((await answer({ limit: 1 })).notes).toContain('Listed are 1 of 2 products; total is of all.');
  });

  it('is of the named products, and says which of them do not exist', async () => {
    const answer = await ask(plainStore());
    const { products, notes } = await answer({ filter_external_product_ids: ['cup', 'jug'] });
    expect(products.map((one) => one.external_product_id)).toEqual(['cup']);
    expect(notes.join(' ')).toContain('jug');
    expect((await answer({ filter_brands: ['Acme'] })).products).toHaveLength(2);
    expect((await answer({ filter_categories: ['Pots'] })).products).toEqual([]);
  });

  it('has no cover for an older range, and no lost sales for a product that was hardly ever there', async () => {
    const store = plainStore();
    for (const read of store.stock_readings)
      if (read.external_product_id === 'mug' && String(read.read_on) >= dayAt(10)) read.in_stock = 'false';
    const { products, total, notes } = await (await ask(store))({ from_date: dayAt(20), to_date: dayAt(60) });
    // It was sold on each of these days: no reading is right then.
    expect(products.find((one) => one.external_product_id === 'mug')).toMatchObject({
      ...{ days_with_stock: 0, days_without_stock: 0, days_not_known: 41, cover_days: null },
      ...{ pieces_per_day: null, lost_pieces: 0 },
    });
    expect(total.lost_revenue).toBe(0);
    expect(notes).toContainEqual(
      expect.stringMatching(/^cover_days is null: the range ends more than 28 days/),
    );
    expect(notes).toContain(
      '1 product sold 41 pieces on 41 days that a reading calls without stock: these are no days without stock, and nothing is learned from them.',
    );
    const late = await (await ask(store))({ from_date: dayAt(155), to_date: dayAt(165) });
    expect(late.products.find((one) => one.external_product_id === 'mug')).toMatchObject({
      ...{ days_without_stock: 11, lost_pieces: null, lost_revenue: null },
    });
    expect(late.total).toMatchObject({ days_without_stock: 11, lost_revenue: null });
    expect(late.notes).toContainEqual(
      expect.stringMatching(/^The total is without 1 product: fewer than 14 days/),
    );
  });
});

/**
 * A tent that sold three a day at a reduced price until the 141st day, and one in four days at its full one
 * since. It was missing from the 97th to the 103rd day, and from the 120th to the 124th, when one was sold.
 * A lamp is reduced for ever, as some shops have it.
 */
function reducedStore(): Store {
  const store = plainStore();
  for (const [id, price] of [
    ['tent', '8'],
    ['lamp', '5'],
  ] as const) {
    store.products.push({ external_product_id: id, name: id, brand: 'Acme', price });
    store.product_prices.push({
      ...{ external_product_id: id, valid_from: `${dayAt(id === 'tent' ? 40 : 0)}T00:00:00Z` },
      ...{ price, original_price: '10' },
    });
  }
  store.product_prices.push({
    ...{ external_product_id: 'tent', valid_from: `${dayAt(142)}T00:00:00Z`, price: '10' },
  });
  for (let day = 0; day < DAYS; day += 1) {
    const isOut = (day >= 97 && day <= 103) || (day >= 120 && day <= 124);
    for (const [id, quantity] of [
      ['tent', isOut ? 0 : 50],
      ['lamp', 50],
    ] as const)
      store.stock_readings.push({
        ...{ external_product_id: id, read_on: dayAt(day), read_at: `${dayAt(day)}T00:00:00Z` },
        ...{ in_stock: String(quantity > 0), stock_quantity: String(quantity) },
      });
    const tents = isOut ? (day === 122 ? 1 : 0) : day < 142 ? 3 : day % 4 === 2 ? 1 : 0;
    for (let tent = 0; tent < tents; tent += 1) addOrder(store, `tent-${day}-${tent}`, day, 'tent', 8);
    addOrder(store, `lamp-${day}`, day, 'lamp', 5);
  }
  return store;
}

describe('notes of the pace', () => {
  it('name what was reduced, what the last 28 days say otherwise, and when there was no stock', async () => {
    const { products, notes } = await (await ask(reducedStore()))();
    const tent = products.find((one) => one.external_product_id === 'tent');
    // The pace is of the 44th to the 169th day without 12 days out: 126 - 12, of which 98 - 12 at 8.
    expect(notes[0]).toMatch(
      /^At a reduced price .* on most days that pieces_per_day is of: "tent" 86 of 114 days\. /,
    );
    // Seven were sold in the last 28 days: 50 / (7 / 28).
    expect(notes[1]).toMatch(
      new RegExp(`they differ: "tent" ${Math.round(10 * Number(tent?.cover_days)) / 10}, or 200\\. `),
    );
    expect(Number(tent?.cover_days)).toBeLessThan(40);
    expect(notes).toContain(
      `Without stock, the longest times of the listed products: "mug" ${dayAt(150)} to ${LAST} (20 days), ` +
        `"tent" ${dayAt(100)} to ${dayAt(103)} (4 days), "tent" ${dayAt(120)} to ${dayAt(124)} (4 days).`,
    );
    expect(tent?.days_without_stock).toBe(8);
  });

  it('name a price that is still reduced, after days without stock at the full one', async () => {
    const store = reducedStore();
    const price = { external_product_id: 'tent', original_price: '10' };
    store.product_prices = [
      { ...price, valid_from: `${dayAt(40)}T00:00:00Z`, price: '10' },
      { ...price, valid_from: `${dayAt(105)}T00:00:00Z`, price: '8' },
    ];
    const { notes } = await (await ask(store))();
    // 60 of the 114 days with stock are from the 105th to the 169th: 65 without the 5 days out.
    expect(notes[0]).toMatch(/^At a reduced price .*: "tent" 60 of 114 days\. /);
  });

  it('are not there for products that are not listed, nor where nothing differs', async () => {
    const answer = await ask(reducedStore());
    const ofLamp = (await answer({ filter_external_product_ids: ['lamp'] })).notes.join(' ');
    expect(ofLamp).not.toMatch(/reduced price|they differ|longest times/);
    const first = (await answer({ limit: 1 })).notes.join(' ');
    expect(first).toContain('"mug"');
    expect(first).not.toContain('"tent"');
  });
});

describe('stock_cover answers nothing', () => {
  it('a stock that was never read has no rows, and a note says what would be enough', async () => {
    const { products, total, notes } = await (await ask({ ...plainStore(30), stock_readings: [] }))();
    expect(products).toEqual([]);
    expect(total).toMatchObject({
      products_count: 0,
      without_stock_count: null,
      days_without_stock: null,
      lost_revenue: null,
    });
    expect(notes.join(' ')).toContain('import stock_readings of the past');
  });

  it('days without readings or orders have no rows', async () => {
    const store = plainStore();
    const early = store.stock_readings.filter(({ read_on = '' }) => read_on < dayAt(60));
    const answer = await ask({ ...store, stock_readings: early });
    const { products, total, notes } = await answer();
    const unknown = { days_not_known: 70, lost_pieces: null, lost_revenue: null };
    expect(products).toMatchObject([unknown, unknown]);
    expect(total).toMatchObject({
      products_count: 2,
      without_stock_count: null,
      days_without_stock: null,
      lost_pieces: null,
      lost_revenue: null,
    });
    expect(notes[0]).toMatch(/^Nothing is known of stock on these days/);
    expect((await answer({ from_date: '2025-06-01', to_date: '2025-06-30' })).notes).toEqual([
      `Nothing is told: no whole day of the range has loaded orders, which end on ${dayAt(DAYS)}.`,
    ]);
    const empty = await test.createBusiness();
    const none = await test.run('stock_cover', { business_id: empty.business_id, ...RANGE });
    expect(none.notes?.join(' ')).toMatch(/^Nothing is known of stock: it was never read/);
  });

  it('more than 366 days are refused', async () => {
    const answer = await ask(plainStore(30));
    await expect(answer({ from_date: '2024-01-01', to_date: '2025-12-31' })).rejects.toThrow(
      'stock is told of at most 366 days; 2024-01-01 to 2025-12-31 are more',
    );
  });
});
