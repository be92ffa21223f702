import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDemoShop } from '../../tools/made-shop/generator/write-demo-shop.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { localDate, ordersByCustomer, readShop, type WrittenShop } from './written-shop.ts';

/** What follows from first orders, counted over the rows of the made shop by plain loops. */

const RANGE = { from_date: '2026-01-01', to_date: '2026-09-30' };

let test: TestInstance;
let business_id: string;
let shop: WrittenShop;
/** The valid orders of each customer in their order: the day, and what is in them. */
let customers: {
  day: string;
  products: Set<string>;
  categories: Set<string>;
  coupons: readonly string[];
}[][];

beforeAll(async () => {
  test = await createTestInstance();
  const folder = join(test.madeFiles, 'demo-shop');
  shop = await readShop(folder, await writeDemoShop(folder, { scale: 0.3 }));
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, folder);
  business_id = business.business_id;

  const lines = Map.groupBy(shop.items, ({ order_id }) => order_id);
  const categoriesOf = new Map(
    shop.products.map(({ external_product_id, categories }) => [external_product_id, categories]),
  );
  customers = [...ordersByCustomer(shop).values()].map((orders) =>
    orders.map(({ order_id, ordered_at, coupon_codes }) => {
      const ids = (lines.get(order_id) ?? []).flatMap(({ external_product_id }) => external_product_id ?? []);
      return {
        day: localDate(ordered_at),
        products: new Set(ids),
        categories: new Set(ids.flatMap((id) => categoriesOf.get(id) ?? [])),
        coupons: coupon_codes,
      };
    }),
  );
});

afterAll(() => test[Symbol.asyncDispose]());

const isAsked = ({ day }: { day: string }) => day >= RANGE.from_date && day <= RANGE.to_date;
const ask = async <Answer>(tool: string, args: object) =>
  (await test.ask(ofAnybody(tool), { business_id, ...RANGE, ...args })) as Answer;

describe('coming back after a tent', () => {
  const isTent = ({ categories }: { categories: Set<string> }) => categories.has('Camping > Tents');
  const cycle = (args: object) =>
    ask('repeat_purchase_cycle', { filter_categories: ['Camping > Tents'], ...args });

  it.each([1, 2])('counts when the order %i ever had it', async (number) => {
    const counted = customers.filter((orders) => {
      const order = orders[number - 1];
      return order !== undefined && isTent(order) && isAsked(order);
    });
    const returned = counted.filter((orders) => orders.length > number);
    const again = counted.filter((orders) => orders.slice(number).some(isTent));
    expect(again.length).toBeLessThan(returned.length);
    const asked = { from_order_number: number };
    expect(await cycle({ ...asked, return_with: 'anything' })).toMatchObject({
      ...{ eligible_customers_count: counted.length, returned_customers_count: returned.length },
    });
    expect(await cycle(asked)).toMatchObject({
      ...{ eligible_customers_count: counted.length, returned_customers_count: again.length },
    });
  });

  it('counts from the first order with it, whichever of their orders that was', async () => {
    const counted = customers.filter((orders) => orders.filter(isTent).slice(0, 1).some(isAsked));
    const returned = counted.filter((orders) => orders.findIndex(isTent) < orders.length - 1);
    expect(await cycle({ numbering: 'selection', return_with: 'anything' })).toMatchObject({
      ...{ eligible_customers_count: counted.length, returned_customers_count: returned.length },
    });
  });
});

describe('cohorts by what the first order had', () => {
  interface Cohort {
    readonly segment: string;
    readonly customers_count: number;
    readonly repeat_customers_count: number;
  }
  /** Customers and those who came back, over all cohorts, by segment. */
  async function sizes(segment_by: string) {
    const { cohorts } = await ask<{ cohorts: Cohort[] }>('first_purchase_cohorts', {
      ...{ segment_by, segment_limit: 50, max_periods: 1 },
    });
    const bySegment = Map.groupBy(cohorts, ({ segment }) => segment);
    const sum = (rows: Cohort[], key: 'customers_count' | 'repeat_customers_count') =>
      rows.reduce((total, row) => total + row[key], 0);
    return new Map(
      [...bySegment].map(([segment, rows]) => [
        segment,
        [sum(rows, 'customers_count'), sum(rows, 'repeat_customers_count')],
      ]),
    );
  }

  it.each(['product', 'category', 'coupon'] as const)('agree for every %s', async (kind) => {
    const valuesOf = { product: 'products', category: 'categories', coupon: 'coupons' } as const;
    const counts = new Map<string, [number, number]>();
    for (const [first, second] of customers) {
      if (first === undefined || !isAsked(first)) continue;
      for (const value of new Set(first[valuesOf[kind]])) {
        const [all, back] = counts.get(value) ?? [0, 0];
        counts.set(value, [all + 1, back + (second === undefined ? 0 : 1)]);
      }
    }
    const found = await sizes(`first_${kind}`);
    const shown = [...found].filter(([segment]) => !['(other)', '(not set)'].includes(segment));
    expect(shown.length).toBeGreaterThan(2);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(shown.map(([segment]) => [segment, counts.get(segment)])),
    );
    // The largest are shown.
    const largest = [...counts].sort(([, [a]], [, [b]]) => b - a).slice(0, 5);
    for (const [value] of largest) expect(found.has(value), value).toBe(true);
  });
});
