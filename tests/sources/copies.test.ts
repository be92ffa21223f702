import { expect, it } from 'vitest';
import { inOrderOfCopies } from '../../src/sources/files/copies.ts';

const ordered = (...names: readonly string[]) =>
  inOrderOfCopies([...names].sort().map((name) => ({ name }))).map(({ name }) => name);

it.each([
  [['a.csv', 'orders.csv', 'orders (1).csv', 'orders (2).csv', 'orders (10).csv', 'z.csv']],
  [['orders.csv', 'orders(1).csv', 'orders(2).csv']],
  [['orders.csv', 'orders - Copy.csv', 'orders - Copy (2).csv']],
  [['orders.csv', 'orders copy.csv', 'orders copy 2.csv']],
  [['orders.csv.gz', 'orders (1).csv.gz']],
  [['orders.csv', 'orders-1.csv', 'orders-2.csv', 'orders-10.csv']],
  [['in/orders.csv', 'in/orders (1).csv', 'out/orders.csv']],
])('downloads of one name come in the order in which they were made: %j', (names) =>
  expect(ordered(...names)).toEqual(names),
);

it('other names keep their order', () => {
  expect(ordered('orders-10.csv', 'orders-2.csv', 'orders_1.csv')).toEqual([
    'orders-10.csv',
    'orders-2.csv',
    'orders_1.csv',
  ]);
  const given = ['b.csv', 'a (1).csv', 'c.csv'].map((name) => ({ name }));
  expect(inOrderOfCopies(given)).toEqual(given);
});
