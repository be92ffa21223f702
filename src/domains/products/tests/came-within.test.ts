import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

/** Which products of a listing had fewer days than the others. Dates worked out by hand. */

let test: TestInstance;
let shop: Business;

const RANGE = { from_date: '2024-04-01', to_date: '2024-06-30' };

/**
 * The shop sells since January. `new` came to it in May, at 1 o'clock of its own time; `moved` is called new
 * since the catalogue moved, and was sold before; `old` and `undated` tell of no day in the range.
 */
const products = [
  { id: 'new', master: 'tent', brand: 'Acme', created_at: '2024-04-30T23:00:00Z', sold: ['2024-05-03'] },
  { id: 'unsold', master: 'hat', brand: 'Acme', created_at: '2024-06-01T10:00:00Z', sold: [] },
  {
    id: 'moved',
    master: 'cup',
    brand: 'Cup',
    created_at: '2024-05-05T10:00:00Z',
    sold: ['2024-02-01', '2024-05-06'],
  },
  {
    id: 'old',
    master: 'tent',
    brand: 'Tent',
    created_at: '2024-01-01T10:00:00Z',
    sold: ['2024-02-02', '2024-05-07'],
  },
  { id: 'later', master: 'late', brand: 'Late', created_at: '2024-07-01T10:00:00Z', sold: [] },
  { id: 'undated', master: 'hat', brand: 'Hat', created_at: '', sold: ['2024-06-02'] },
];

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const lines = products.flatMap(({ id, sold }) =>
    sold.map((day) => ({ id, day, order_id: `${id}-${day}` })),
  );
  await test.importStore(shop, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: lines.map(({ order_id, day }) => ({
      order_id,
      ordered_at: `${day}T10:00:00Z`,
      total: '10',
      status: 'paid',
    })),
    order_items: lines.map(({ order_id, id }) => ({
      ...{
        order_id,
        line_no: '1',
        kind: 'product',
        external_product_id: id,
        quantity: '1',
        unit_price: '10',
      },
    })),
    products: products.map(({ id, master, brand, created_at }) => ({
      ...{ external_product_id: id, external_master_product_id: master, name: id, price: '10' },
      ...{ brand, categories: `["${brand}"]`, created_at },
    })),
  });
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesOf(tool: string, args: object = {}): Promise<string[]> {
  const { notes = [] } = await test.run(tool, { business_id: shop.business_id, ...RANGE, ...args });
  return [...notes].filter((note) => note.includes('came during'));
}

describe('products that came during the range', () => {
  it('are counted and named first, with their dates in the time of the store', async () => {
    const { notes = [] } = await test.run('product_statistics', { business_id: shop.business_id, ...RANGE });
    expect(notes[0]).toBe(
      '2 products of this list came during the range (created_at) and had fewer days to sell: "new" on 2024-05-01, "unsold" on 2024-06-01.',
    );
  });

  it('are those of the page alone', async () => {
    expect(await notesOf('product_statistics', { filter_external_product_ids: ['new', 'old'] })).toEqual([
      '1 product of this list came during the range (created_at) and had fewer days to sell: "new" on 2024-05-01.',
    ]);
    expect(
      await notesOf('product_statistics', { filter_external_product_ids: ['moved', 'undated'] }),
    ).toEqual([]);
    const whole = { from_date: '2024-05-01', to_date: '2024-05-31' };
    expect(await notesOf('product_statistics', whole)).toEqual([]);
  });

  it('are a group that came, and not one that had something before or is not dated', async () => {
    expect(await notesOf('master_product_statistics')).toEqual([]);
    expect(await notesOf('brand_statistics')).toEqual([
      '1 brand of this list came during the range (created_at) and had fewer days to sell: "Acme" on 2024-05-01.',
    ]);
    expect(await notesOf('category_statistics')).toEqual([
      '1 category of this list came during the range (created_at) and had fewer days to sell: "Acme" on 2024-05-01.',
    ]);
  });
});
