import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * A gift box is in "Gifts" and in "Boxes", so that whoever buys it has both categories in one order. Nobody
 * buys it together with another gift more often than by chance.
 */
let test: TestInstance;
let business_id: string;

/** What each of sixty orders holds, told by loops and not by the tool. */
const BASKETS = Array.from({ length: 60 }, (_, place) => [
  ...(place % 4 === 0 ? ['gift-box'] : []),
  ...(place % 4 === 0 && place % 12 === 0 ? ['card'] : []),
  ...(place % 4 === 0 ? [] : ['rope']),
  ...(place % 3 === 0 ? ['tent', 'peg'] : []),
]);
const CATEGORIES: Readonly<Record<string, string>> = {
  'gift-box': 'Gifts|Boxes',
  card: 'Gifts',
  rope: 'Ropes',
  tent: 'Tents',
  peg: 'Pegs',
};

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  business_id = business.business_id;
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
    orders: BASKETS.map((_, place) => ({
      ...{ order_id: `${place}`, external_customer_id: `${place}` },
      ...{ ordered_at: '2026-01-10T12:00:00', total: '10' },
    })),
    order_items: BASKETS.flatMap((basket, place) =>
      basket.map((external_product_id) => ({
        ...{ order_id: `${place}`, external_product_id, quantity: '1', unit_price: '10' },
      })),
    ),
    products: Object.entries(CATEGORIES).map(([name, categories]) => ({
      ...{ external_product_id: name, name, categories, price: '10' },
    })),
  });
});

afterAll(() => test[Symbol.asyncDispose]());

async function ask(args: object) {
  const range = { from_date: '2026-01-01T00:00:00', to_date: '2026-01-31T23:59:59' };
  const { result, notes } = await test.run(ofAnybody('product_affinity_statistics'), {
    ...{ business_id, ...range, ...args },
  });
  return { pairs: (result as { pairs: Record<string, unknown>[] }).pairs, notes: notes ?? [] };
}

it('says first which pair of categories is one product in both', async () => {
  const { pairs, notes } = await ask({ level: 'category' });
  const boxes = BASKETS.filter((basket) => basket.includes('gift-box'));
  const alone = boxes.filter((basket) => !basket.includes('card'));
  // The contract counts an order with both categories, whichever products make them.
  expect(pairs).toContainEqual(
    expect.objectContaining({ antecedent: 'Boxes', consequent: 'Gifts', pair_orders_count: boxes.length }),
  );
  expect(notes[0]).toBe(
    `1 pair of those shown is partly of a product that is in both categories, bought without another of them: ["Boxes + Gifts (${alone.length} of ${boxes.length})"]. ` +
      'That is nothing bought together, and lift and confidence count it.',
  );
});

it('does not call that pair more than chance, and still finds the pair of two products', async () => {
  const { notes } = await ask({ level: 'category' });
  const chance = notes.find((note) => note.includes('chance would bring'));
  expect(chance).toMatch(/only 1 is more than chance/);
  expect(chance).toContain('["Pegs + Tents"]');
});

it.each(['product', 'master_product', 'brand'])('says nothing of it by %s', async (level) => {
  expect((await ask({ level })).notes.join()).not.toContain('in both categories');
});
