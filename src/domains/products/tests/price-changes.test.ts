import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { isQuick, runs } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

/** Price changes beside what was sold before and after, counted by loops over local days. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/** Day 0 is 1 May. */
const dayOf = (number: number) => new Date(Date.UTC(2024, 4, 1 + number)).toISOString().slice(0, 10);

interface Price {
  readonly product: string;
  readonly day: number;
  readonly time: string;
  readonly price: number;
  readonly original?: number | undefined;
}
interface Sale {
  readonly product: string;
  readonly day: number;
  readonly quantity: number;
}

const priceAt = (product: string, day: number, price: number, original?: number): Price => ({
  ...{ product, day, time: 'T10:00:00', price, original },
});

function storeOf(prices: readonly Price[], sales: readonly Sale[]): Store {
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    products: ['A', 'B'].map((id) => ({
      ...{ external_product_id: id, name: `Product ${id}`, price: '1', brand: id },
    })),
    product_prices: prices.map(({ product, day, time, price, original }) => ({
      ...{ external_product_id: product, valid_from: dayOf(day) + time, price: String(price) },
      original_price: original === undefined ? '' : String(original),
    })),
    orders: sales.map(({ day }, index) => ({
      ...{ order_id: `o${index}`, ordered_at: `${dayOf(day)}T23:30:00`, total: '1', email: `${index}@x.cz` },
    })),
    order_items: sales.map(({ product, quantity }, index) => ({
      ...{ order_id: `o${index}`, line_no: '1', external_product_id: product, unit_price: '10' },
      quantity: String(quantity),
    })),
  };
}

function expected(prices: readonly Price[], sales: readonly Sale[], from: number, to: number) {
  const days = sales.map(({ day }) => day);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const rows = ['A', 'B'].flatMap((product) => {
    const history = prices
      .filter((one) => one.product === product)
      .sort((a, b) => a.day - b.day || (a.time < b.time ? -1 : 1))
      .filter((one, index, all) => one.price !== all[index - 1]?.price);
    return history.flatMap((one, index) => {
      const [before, after] = [history[index - 1], history[index + 1]];
      if (before === undefined || one.day < from || one.day > to) return [];
      let compared = 0;
      const isComparable = (distance: number) =>
        [one.day - distance, one.day + distance].every((day) => day > first && day < last) &&
        one.day - distance > before.day &&
        (after === undefined || one.day + distance < after.day);
      while (compared < 28 && isComparable(compared + 1)) compared += 1;
      const sold = (isMeant: (day: number) => boolean) =>
        sales
          .filter((sale) => sale.product === product && isMeant(sale.day))
          .reduce((sum, { quantity }) => sum + quantity, 0);
      const [earlier, later] = [
        sold((day) => day < one.day && day >= one.day - compared),
        sold((day) => day > one.day && day <= one.day + compared),
      ];
      const orNull = (value: number) => (compared === 0 ? null : value);
      return {
        ...{ external_product_id: product, name: `Product ${product}` },
        changed_at: new Date(`${dayOf(one.day)}${one.time}+02:00`).toISOString().replace('.000', ''),
        ...{ price_before: before.price, price: one.price, compared_days: compared },
        ...{ quantity_before: orNull(earlier), quantity_after: orNull(later) },
        ...{ revenue_before: orNull(10 * earlier), revenue_after: orNull(10 * later) },
      };
    });
  });
  return rows.sort(
    (a, b) =>
      (a.changed_at < b.changed_at ? 1 : a.changed_at > b.changed_at ? -1 : 0) ||
      (a.external_product_id < b.external_product_id ? -1 : 1),
  );
}

let last: readonly [Store, Business] | undefined;

/** A store that is asked about again is imported once. */
async function loaded(store: Store): Promise<Business> {
  if (last?.[0] === store) return last[1];
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, store);
  last = [store, business];
  return business;
}

async function ask(store: Store, args: object = {}) {
  const business = await loaded(store);
  const call = {
    business_id: business.business_id,
    from_date: `${dayOf(0)}T00:00:00`,
    price_changes: true,
    ...args,
  };
  const { result, notes } = await test.run('product_statistics', {
    to_date: `${dayOf(60)}T23:59:59`,
    ...call,
  });
  return { notes, changes: (result as { price_changes: object[] | null }).price_changes };
}

it('a change stands beside the same number of days before and after it that have one price', async () => {
  const prices = [
    priceAt('A', -100, 10),
    priceAt('A', 20, 8),
    // Another original price is no change.
    priceAt('A', 22, 8, 12),
    priceAt('A', 40, 9),
    priceAt('B', 5, 5),
  ];
  const sales = [
    ...[0, 1, 19, 20, 21, 39, 41, 59, 60].map((day) => ({ product: 'A', day, quantity: day + 1 })),
    { product: 'B', day: 6, quantity: 100 },
  ];
  const store = storeOf(prices, sales);
  const { changes } = await ask(store);
  expect(changes).toEqual(expected(prices, sales, 0, 60));
  expect(changes).toMatchObject([
    { price_before: 8, price: 9, compared_days: 19, quantity_before: 22 + 40, quantity_after: 42 + 60 },
    { price_before: 10, price: 8, compared_days: 19, quantity_before: 2 + 20, quantity_after: 22 + 40 },
  ]);
  // A choice of fields is of the products: what changed cannot be asked for by it, and stays.
  expect((await ask(store, { fields: ['name'] })).changes).toEqual(changes);
  expect(await ask(store, { filter_brands: ['B'] })).toMatchObject({ changes: [] });
  expect(await ask(store, { price_changes: false })).toMatchObject({ changes: null });
});

it('a store without prices has no changes, and a note says so', async () => {
  const { changes, notes } = await ask(storeOf([], [{ product: 'A', day: 1, quantity: 1 }]));
  expect(changes).toEqual([]);
  expect(notes).toContain('No price history (product_prices) is loaded, so price_changes is empty.');
  const unsold = await ask(storeOf([priceAt('A', 1, 1), priceAt('A', 9, 2)], []));
  expect(unsold.changes).toMatchObject([{ compared_days: 0, quantity_before: null, revenue_after: null }]);
});

it.skipIf(isQuick)('the answer has at most 100 changes', async () => {
  const prices = Array.from({ length: 103 }, (_, index) => ({
    ...priceAt('A', Math.floor(index / 2), index + 1),
    time: index % 2 ? 'T12:00:00' : 'T01:00:00',
  }));
  const { changes, notes } = await ask(storeOf(prices, [{ product: 'A', day: 0, quantity: 1 }]));
  expect(changes).toHaveLength(100);
  expect(changes?.[0]).toMatchObject({ price: 103, price_before: 102 });
  expect(notes).toContain(
    'There are more than 100 price changes; ask for a shorter range or fewer products.',
  );
});

it('any prices and sales are compared as by loops', async () => {
  const product = fc.constantFrom('A', 'B');
  const prices = fc.uniqueArray(
    fc.record({
      product,
      day: fc.integer({ min: -5, max: 65 }),
      time: fc.constantFrom('T00:00:00', 'T01:00:00', 'T23:59:59'),
      price: fc.constantFrom(1, 2, 3),
      original: fc.constantFrom(undefined, 4),
    }),
    { maxLength: 14, selector: ({ product, day, time }) => `${product} ${day} ${time}` },
  );
  const sale = fc.record({
    product,
    day: fc.integer({ min: 0, max: 60 }),
    quantity: fc.integer({ min: 1, max: 9 }),
  });
  const sales = fc.array(sale, { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(prices, sales, async (prices, sales) => {
      const { changes } = await ask(storeOf(prices, sales));
      expect(changes).toEqual(expected(prices, sales, 0, 60));
    }),
    { numRuns: isQuick ? 1 : runs(2), endOnFailure: true },
  );
});
