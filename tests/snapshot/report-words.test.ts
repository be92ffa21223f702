import { expect, it } from 'vitest';
import { differenceSentence, removedPersonalData } from '../../src/snapshot/report-words.ts';

it('says of one order and of several why they differ', () => {
  const off = { reason: 'lines_do_not_add_up', orders: 1, amount: 3.85, is_counted: true } as const;
  expect(differenceSentence(off, 'EUR')).toBe(
    '1 order has lines that do not add up to its total: 3.85 EUR (counted)',
  );
  const cancelled = { reason: 'cancelled', orders: 1200, amount: 17_000, is_counted: false } as const;
  const inGroups = (value: number) => value.toLocaleString('en-GB');
  expect(differenceSentence(cancelled, null, inGroups)).toBe(
    '1,200 orders are cancelled: 17,000 (not counted)',
  );
});

it('says of copies of orders why they are left out', () => {
  const twice = { reason: 'duplicate', orders: 1, amount: 10, is_counted: false } as const;
  expect(differenceSentence(twice, 'EUR')).toBe(
    '1 copy of an order is left out, since the files or an earlier import have a newer or equal one: 10 EUR (not counted)',
  );
  expect(differenceSentence({ ...twice, orders: 3, amount: 30 }, 'EUR')).toBe(
    '3 copies of orders are left out, since the files or an earlier import have newer or equal ones: 30 EUR (not counted)',
  );
});

it('says in which cells of which table something personal stood', () => {
  const personal_data_removed = { orders: { order_id: 2, coupon_codes: 1 }, profiles: {} };
  expect(removedPersonalData({ personal_data_removed })[0]).toMatch(
    /in cells of orders: order_id 2, coupon_codes 1 \(an id is stored as its hash/,
  );
});
