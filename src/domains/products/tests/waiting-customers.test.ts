import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

/** Who waits for a product: expected numbers are counted from the raw rows, by loops. */
let test: TestInstance;
let shop: Business;

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, STORE);
});

afterAll(() => test[Symbol.asyncDispose]());

const MARCH = { from_date: '2024-03-01T00:00:00', to_date: '2024-03-31T23:59:59' };

interface Asking {
  readonly product: string;
  readonly who: string;
  readonly at: string;
  readonly kind: string;
  /** When they got it after all. */
  readonly bought?: string;
}

/**
 * The number of visitors who asked for each product. Every third asks twice; every fourth of tents buys it
 * after that or before.
 */
const ASKED: readonly Asking[] = Object.entries({ tent: 24, boots: 7, socks: 5, lamp: 4, cup: 1 }).flatMap(
  ([product, count]) =>
    Array.from({ length: count }, (_, index): Asking[] => {
      const one = { product, who: `${product}-${index}`, at: '2024-03-10T08:00:00', kind: 'watchdog' };
      const bought = ['2024-03-12T08:00:00', undefined, '2024-03-05T08:00:00', undefined][index % 4];
      return [
        product === 'tent' && bought !== undefined ? { ...one, bought } : one,
        ...(index % 3 === 0 ? [{ ...one, at: '2024-03-09T08:00:00' }] : []),
      ];
    }).flat(),
);
const OTHERS: readonly Asking[] = [
  ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((who) => [
    { product: 'cup', who, at: '2024-02-29T23:59:59', kind: 'watchdog' },
    { product: 'cup', who, at: '2024-03-10T08:00:00', kind: 'wishlist' },
  ]),
];

const STORE: Store = {
  ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
  products: ['tent', 'boots', 'socks', 'lamp', 'cup', 'rope'].map((external_product_id) => ({
    ...{ external_product_id, name: external_product_id, price: '10' },
  })),
  product_events: [...ASKED, ...OTHERS].map(
    ({ product, who, at, kind }, index): Row<'product_events'> => ({
      ...{ event_id: String(index), visitor_id: `v-${who}`, external_product_id: product, kind, at },
    }),
  ),
  orders: ASKED.flatMap(({ who, bought }) =>
    bought === undefined
      ? []
      : [
          {
            order_id: `o-${who}`,
            ordered_at: bought,
            visitor_id: `v-${who}`,
            email: `${who}@x.cz`,
            total: '10',
          },
        ],
  ),
  order_items: ASKED.flatMap(({ who, product, bought }) =>
    bought === undefined
      ? []
      : [
          {
            order_id: `o-${who}`,
            line_no: '1',
            external_product_id: product,
            quantity: '1',
            unit_price: '10',
          },
        ],
  ),
};

function waitingFor(product: string): number | null {
  const asking = ASKED.filter((one) => one.product === product);
  const stillWaits = (who: string) => {
    const last =
      asking
        .filter((one) => one.who === who)
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? '';
    const bought = asking.find((one) => one.who === who && one.bought !== undefined)?.bought;
    return bought === undefined || bought < last;
  };
  const count = [...new Set(asking.map(({ who }) => who))].filter(stillWaits).length;
  return count > 0 && count < 5 ? null : count;
}

const ask = async (args: object = {}) => {
  const asked = { business_id: shop.business_id, ...MARCH, ...args };
  const { products } = (await test.ask('product_statistics', asked)) as {
    products: readonly { external_product_id: string; waiting_count: number | null }[];
  };
  return products.map(({ external_product_id, waiting_count }) => [external_product_id, waiting_count]);
};

it('waiting customers asked in the range and have not ordered since; one to four of them are hidden', async () => {
  const expected = ['tent', 'boots', 'socks', 'rope', 'cup', 'lamp'].map((id) => [id, waitingFor(id)]);
  expect(expected).toEqual([
    ['tent', 18],
    ['boots', 7],
    ['socks', 5],
    ['rope', 0],
    ['cup', null],
    ['lamp', null],
  ]);
  expect(await ask({ sort_by: 'waiting_count' })).toEqual(expected);
  // What is hidden comes last, whichever way: its place tells nothing either.
  expect(await ask({ sort_by: 'waiting_count', sort_order: 'asc' })).toEqual(
    [3, 2, 1, 0, 4, 5].map((place) => expected[place]),
  );
});

it('waiting customers cannot be filtered by, which would tell of few people by trying', async () => {
  const filter_metrics = [{ metric: 'waiting_count', from_value: 1, to_value: 1 }];
  await expect(ask({ filter_metrics })).rejects.toThrow('unknown metric');
});
