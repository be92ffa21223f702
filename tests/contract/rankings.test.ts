import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { countedBaseOf } from '../../src/answers/fields/rate-base.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Rows are sorted so that no rate of few leads, and by nothing that no row has. */

const SORTED = CATALOGUE.flatMap((tool) => {
  const sortBy = tool.input.shape.sort_by as z.ZodType | undefined;
  const list = tool.fields.find(({ key }) => key === tool.rows?.list);
  if (sortBy === undefined || list?.fields === undefined) return [];
  const row = list.fields;
  return row.flatMap(({ key, unit }) =>
    sortBy.safeParse(key).success ? [{ tool: tool.name, key, unit, base: countedBaseOf(key, row) }] : [],
  );
});

/** A rate or a mean by its unit or by its name. */
const isOfSome = ({ key, unit }: { key: string; unit: string | undefined }) =>
  unit === 'percent' || unit === 'ratio' || /^avg_|^average_|_per_/.test(key);

/** What is of the row itself, of its money or of all rows, not of those whom the row counts. */
const OF_NO_SOME: readonly string[] = [
  ...['gross_profit_margin', 'avg_gross_profit_margin', 'estimated_gross_profit_margin', 'avg_price'],
  ...['revenue_with_known_cost', 'discount_share', 'click_share', 'support'],
];

it.each(SORTED.filter((one) => isOfSome(one) && !OF_NO_SOME.includes(one.key)))(
  '$tool ranks rows by $key only where enough visitors, orders or pieces are counted',
  ({ base }) => expect(base).toMatch(/_count$|^reach$|^impressions$|^total_quantity$/),
);

it('ranking by a column that is no rate has no such limit', () => {
  const counts = SORTED.filter((one) => !isOfSome(one) && one.base !== undefined);
  expect(counts).toEqual([]);
});

describe('a ranking of three products', () => {
  let test: TestInstance;
  let business_id: string;

  /** How many visitors saw a product, and how many of them ordered it. */
  const PRODUCTS = { few: [2, 2], many: [40, 10], most: [60, 12] } as const;

  beforeAll(async () => {
    test = await createTestInstance();
    const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
    const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
    for (const [product, [visitors, buyers]] of Object.entries(PRODUCTS)) {
      for (let place = 0; place < visitors; place += 1) {
        const visitor_id = `${product}-${place}`;
        store.product_events.push({
          ...{ event_id: visitor_id, visitor_id, kind: 'view', external_product_id: product },
          at: '2024-05-01T10:00:00Z',
        });
        if (place >= buyers) continue;
        store.orders.push({
          ...{
            order_id: visitor_id,
            visitor_id,
            ordered_at: '2024-05-01T11:00:00Z',
            status: 'paid',
            total: '10',
          },
          external_customer_id: visitor_id,
        });
        store.order_items.push({
          ...{ order_id: visitor_id, line_no: '1', kind: 'product', external_product_id: product },
          ...{ quantity: '1', unit_price: '10' },
        });
      }
    }
    await test.importStore(business, store);
    business_id = business.business_id;
  });

  afterAll(() => test[Symbol.asyncDispose]());

  const ask = async (args: object) => {
    const { result, notes = [] } = await test.run('product_statistics', {
      ...{ business_id, from_date: '2024-05-01', to_date: '2024-05-01' },
      ...args,
    });
    const { products } = result as { products: { external_product_id: string }[] };
    return {
      products: products.map(({ external_product_id }) => external_product_id),
      notes: notes.filter((note) => note.startsWith('Sorted by')),
    };
  };

  it('a product whose rate is of two visitors stands after those of forty and more, in either order', async () => {
    const note =
      'Sorted by conversion_rate: rows whose reach is below 30 come after the others, since rates of few are chance.';
    expect(await ask({ sort_by: 'conversion_rate' })).toEqual({
      products: ['many', 'most', 'few'],
      notes: [note],
    });
    expect(await ask({ sort_by: 'conversion_rate', sort_order: 'asc' })).toEqual({
      products: ['most', 'many', 'few'],
      notes: [note],
    });
    expect((await ask({ sort_by: 'conversion_rate', limit: 1, offset: 2 })).products).toEqual(['few']);
    expect(await ask({ sort_by: 'reach', sort_order: 'asc' })).toEqual({
      products: ['few', 'many', 'most'],
      notes: [],
    });
  });

  it('sorting by a column that is null in all rows is refused, and the error lists the columns with values', async () => {
    await expect(ask({ sort_by: 'purchase_price' })).rejects.toThrow(
      /^sort_by is purchase_price, which is null in all rows; those with values: .*\bunique_orders_count\b/,
    );
    await expect(ask({ sort_by: 'return_rate', fields: ['brand'], format: 'table' })).rejects.toThrow(
      'sort_by is return_rate, which is null in all rows',
    );
    // There are no rows beyond the end, and who does not choose is not refused.
    expect((await ask({ sort_by: 'purchase_price', offset: 3 })).products).toEqual([]);
    expect((await ask({})).products).toHaveLength(3);
  });
});
