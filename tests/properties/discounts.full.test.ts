import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Charges } from '../oracle/charges.ts';
import { amount } from '../oracle/decimals.ts';
import {
  chargeFields,
  chargesByCoupon,
  chargesIn,
  customerDeciles,
  goodsValue,
  productDeciles,
} from '../oracle/discounts.ts';
import { revenueOf } from '../oracle/order-statistics.ts';
import { shopOf } from '../oracle/shop.ts';
import { randomDiscounts } from '../support/random-discounts.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Discounts, shipping, values of goods and deciles of random orders, against plain loops over their rows. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

interface Row extends Record<string, unknown> {
  readonly key: string;
  readonly orders_count: number;
}

const ranges = fc.constantFrom(
  { from_date: '2024-01-01T00:00:00', to_date: '2025-12-31T23:59:59' },
  { from_date: '2024-02-29T00:00:00', to_date: '2024-10-27T23:59:59' },
);

it('orders tell what they were reduced by and what shipping cost, whatever is said of it', async () => {
  const stores = fc.constantFrom('Europe/Prague', 'America/New_York').chain(randomDiscounts);
  await fc.assert(
    fc.asyncProperty(stores, ranges, async (store, range) => {
      const business = await test.createBusiness({
        timezone: store.business.timezone ?? 'UTC',
        currency: 'CZK',
      });
      await test.importStore(business, store);
      const { business_id } = business;
      const ask = async (dimension: string, args: object = {}) =>
        (await test.ask('order_distribution_statistics', {
          ...{ business_id, dimension, limit: 1000, ...range, ...args },
        })) as { rows: Row[] };
      const charges = chargesIn(store, { business_id, ...range });
      const shop = shopOf(store);

      for (const dimension of ['country', 'coupon', 'status', 'hour', 'items_count', 'order_value']) {
        expect(await ask(dimension), dimension).toMatchObject(chargeFields(charges));
      }
      const byStatus = await ask('status');
      for (const { key, valid, ...row } of byStatus.rows) {
        if (valid !== true) continue;
        const own = charges.filter((one) => (one.row.status ?? 'paid') === key);
        expect(row, key).toMatchObject(chargeFields(own));
      }
      // Those of few people are no rows.
      const coupons = chargesByCoupon(charges);
      for (const { key, ...row } of (await ask('coupon')).rows) {
        if (key.startsWith('(')) continue;
        expect(row, key).toMatchObject(chargeFields(coupons.get(key) ?? []));
      }
      for (const { from_value, to_value, ...row } of (await ask('goods_value', { bin_size: 50 })).rows) {
        const inBin = ({ value }: { value: number }) =>
          (from_value === null || value >= Number(from_value)) &&
          (to_value === null || value < Number(to_value));
        const own = charges.filter((one) => inBin({ value: amount(goodsValue(one)) }));
        expect(row, row.key).toMatchObject(sums(own));
      }

      const byCustomer = customerDeciles(charges, shop);
      const { rows } = await ask('customer_value_decile');
      expect(rows.map(({ key }) => key)).toEqual([...byCustomer.keys()]);
      for (const row of rows) expect(row, row.key).toMatchObject(sums(byCustomer.get(row.key) ?? []));
      const byProduct = await ask('product_revenue_decile');
      expect(byProduct.rows).toMatchObject(productDeciles(charges, shop));
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});

function sums(charges: Charges[]): object {
  const orders = charges.map(({ order }) => order);
  return { orders_count: orders.length, revenue: amount(revenueOf(orders)), ...chargeFields(charges) };
}
