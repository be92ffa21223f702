import * as fc from 'fast-check';
import type { Store } from '../oracle/store.ts';
import { randomStores } from './random-stores.ts';

const maybe = (...values: string[]) => fc.constantFrom(undefined, ...values);

const line = fc.record({
  order: fc.nat(1000),
  kind: fc.constantFrom('discount', 'discount', 'shipping'),
  quantity: fc.constantFrom('1', '2', '0.5'),
  unit_price: fc.constantFrom('-10', '-0.01', '0', '49', '99.9'),
});

/**
 * Random stores whose orders say what they were reduced by and what shipping cost: themselves, in lines, or
 * not at all.
 */
export function randomDiscounts(timezone: string): fc.Arbitrary<Store> {
  return fc
    .record({
      store: randomStores(timezone),
      told: fc.array(
        fc.record({
          discount: maybe('0', '10', '33.3333', '-1'),
          shipping: maybe('0', '0', '99', '0.5'),
        }),
        { minLength: 25, maxLength: 25 },
      ),
      lines: fc.array(line, { maxLength: 12 }),
      isKnown: fc.constantFrom(true, true, true, false),
    })
    .map(({ store, told, lines, isKnown }) => {
      if (!isKnown || store.orders.length === 0) return store;
      return {
        ...store,
        orders: store.orders.map((row, index) => ({ ...row, ...told[index] })),
        order_items: [
          ...store.order_items,
          ...lines.map(({ order, ...row }, index) => ({
            ...row,
            order_id: `o${order % store.orders.length}`,
            line_no: String(1000 + index),
          })),
        ],
      };
    });
}
