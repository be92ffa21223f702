import { describe, expect, test } from 'vitest';
import { categoryStatistics } from './category-statistics.ts';
import { round4 } from './decimals.ts';
import { expectedAnswers } from './expected-answers.ts';
import { firstPurchaseCohorts } from './first-purchase-cohorts.ts';
import { business_id, everything, january, march, only, prague, range, store } from './hand-made-months.ts';
import { orderStatistics, orderStatisticsTrend } from './order-statistics.ts';
import { productStatistics } from './product-statistics.ts';
import { shopOf } from './shop.ts';
import { emptyStore, type Store } from './store.ts';
import { trafficOf } from './traffic.ts';

describe('customers', () => {
  test('orders of one person are of one customer', () => {
    const known = shopOf(store).orders.filter((order) => order.customer !== null);
    const byCustomer = Map.groupBy(known, (order) => order.customer);
    const groups = [...byCustomer.values()].map((orders) => orders.map((order) => order.orderId).join(' '));
    expect(groups).toEqual([
      'O-001 O-002 O-009 O-027 O-039', // Jana: profile_id, e-mail, second profile row, identities
      'O-004 O-023 O-024', // one phone in three spellings
      'O-005 O-036 O-038',
      'O-006',
      'O-007 O-008 O-011',
      'O-10 O-9',
      'O-014',
      'O-016 O-015',
      'O-017 O-018', // e-mail of identities; profile_id wins over Lenka's e-mail
      'O-019 O-028 O-029',
      'O-020',
      'O-021',
      'O-022 O-035', // the e-mail wins over a known phone
      'O-025 O-026',
      'O-031 O-030 O-034', // the naive O-030 is in the second 02:00 hour
      'O-037',
    ]);
  });
  test('orders that name nobody are of nobody, unless their visitor is known', () => {
    const nobodys = (orders: Store) =>
      shopOf(orders).orders.flatMap((order) => (order.customer === null ? [order.orderId] : []));
    expect(nobodys(store)).toEqual(['O-003', 'O-040', 'O-032', 'O-033']);
    const identities = [...store.identities, { profile_id: 'pr-jana', kind: 'visitor', value: 'v-guest' }];
    expect(nobodys({ ...store, identities })).toEqual(['O-040', 'O-033']);
    const sessions = [
      ...[{ session_id: 's-1', visitor_id: 'v-guest', started_at: '2024-12-01T08:00:00' }],
      { session_id: 's-2', visitor_id: 'v-guest', email: 'o@example.cz', started_at: '2024-12-01T09:00:00' },
    ];
    const orders = store.orders.map((row) =>
      row.order_id === 'O-033' ? { ...row, session_id: 's-1' } : row,
    );
    expect(nobodys({ ...store, sessions, orders })).toEqual(['O-040']);
  });
});

describe('order statistics', () => {
  test('January: O-001 449.50 (new), O-002 299 (same customer), O-003 99.90 (nobody, 23:59:59.700)', () => {
    expect(orderStatistics(store, january)).toMatchObject({
      business_id,
      orders_count: 3,
      new_orders_count: 1,
      returning_orders_count: 1,
      orders_revenues: 848.4,
      new_orders_revenues: 449.5,
      returning_orders_revenues: 299,
      average_order_value: 282.8, // 848.4 / 3
      new_orders_average_order_value: 449.5,
      returning_orders_average_order_value: 299,
      unique_customers_count: 1,
      new_customers_count: 1,
      returning_customers_count: 0,
    });
  });
  test('March: cancelled and test orders do not count, a returned one does', () => {
    // New: O-008 250, O-10 100, O-014 10, O-016 40, O-017 598. Returning: O-011 299, O-9 500, O-015 20.
    expect(orderStatistics(store, march)).toMatchObject({
      orders_count: 8,
      new_orders_count: 5,
      new_orders_revenues: 998,
      returning_orders_revenues: 819,
      orders_revenues: 1817,
      unique_customers_count: 5,
      new_customers_count: 5,
      returning_customers_count: 0,
    });
  });
  test('leap day: 40 EUR × 25.345 = 1013.80 and 50 CZK', () => {
    expect(orderStatistics(store, range('2024-02-29', '2024-02-29'))).toMatchObject({
      orders_count: 2,
      orders_revenues: 1063.8,
    });
  });
  test('the repeated hour: 00:50, 00:59:59.7, 01:10 and 01:30 UTC', () => {
    const args = { business_id, from_date: '2024-10-27T02:30:00', to_date: '2024-10-27T02:30:00' };
    expect(orderStatistics(store, args)).toMatchObject({ orders_count: 4, orders_revenues: 1123 });
    const secondTime = { ...args, from_date: '2024-10-27T02:00:00+01:00' };
    expect(orderStatistics(store, secondTime)).toMatchObject({ orders_count: 2, orders_revenues: 1012 });
  });
  test('months around the empty May, widened from its edges', () => {
    const args = { ...range('2024-04-30', '2024-06-01'), breakdown: 'month' } as const;
    const { periods } = orderStatisticsTrend(store, args);
    // April: O-018 150.50 returning; O-019 299, O-020 99.90, O-021 99.90, O-022 75 USD × 23.456789 =
    // 1759.2592 new. June: O-023.
    expect(periods).toMatchObject([
      { period: '2024-04', period_start: '2024-04-01', orders_count: 5, orders_revenues: 2408.5592 },
      { period: '2024-05', period_start: '2024-05-01', orders_count: 0, average_order_value: 0 },
      { period: '2024-06', period_start: '2024-06-01', orders_count: 1, orders_revenues: 200 },
    ]);
    expect(periods[0]).toMatchObject({ new_orders_count: 4, new_orders_revenues: 2258.0592 });
    expect(periods[2]).toMatchObject({ new_customers_count: 0, returning_customers_count: 1 });
  });
  test('the ISO week of the new year: O-035 299, O-036 400, O-037 150.50', () => {
    const args = { ...range('2024-12-31', '2024-12-31'), breakdown: 'week' } as const;
    expect(only(orderStatisticsTrend(store, args).periods)).toMatchObject({
      period: '2025-W01',
      period_start: '2024-12-30',
      orders_count: 3,
      new_orders_count: 1,
      orders_revenues: 849.5,
    });
  });
});

describe('detours', () => {
  const visits = (...rows: [start: string, end: string | undefined, referrer: string][]) =>
    trafficOf({
      ...emptyStore(prague),
      sessions: rows.map(([start, end, referrer_host], index) => ({
        ...{ session_id: `s${index}`, visitor_id: 'v', started_at: `2024-03-01T${start}` },
        ...{ ended_at: end && `2024-03-01T${end}`, referrer_host, page_views: '2' },
      })),
    }).visits.map(({ parts, pageViews }) => [parts.join(' '), pageViews]);

  test('go on with the visit when somebody comes back within 30 minutes of the last hit', () => {
    expect(
      visits(
        ['08:00:00', '08:10:00', 'www.seznam.cz'],
        ['08:40:00', undefined, 'gw.gopay.com'], // 1800 s after
        ['09:09:59', undefined, 'accounts.google.com'], // after the detour before
        ['09:10:00', undefined, 'www.shop.cz'], // the shop itself is no detour
      ),
    ).toEqual([
      ['s0 s1 s2', 6],
      ['s3', 2],
    ]);
  });
  test('end the visit when somebody comes back later, or from nowhere', () => {
    const late = visits(['08:00:00', '08:10:00', 'www.seznam.cz'], ['08:40:01', undefined, 'gw.gopay.com']);
    expect(late.map(([parts]) => parts)).toEqual(['s0', 's1']);
    expect(visits(['08:00:00', undefined, 'gate.gopay.cz'])).toEqual([['s0', 2]]);
  });
});

test('an empty store answers with zeros and nulls', () => {
  const nothing: Store = emptyStore({ timezone: null, primary_currency: null });
  expect(orderStatistics(nothing, january)).toMatchObject({ orders_count: 0, average_order_value: 0 });
  expect(firstPurchaseCohorts(nothing, january)).toMatchObject({ data_until: null, cohorts: [] });
  expect(productStatistics(nothing, january).products).toEqual([]);
});

test('keys, defaults and settings that the shop does not show', () => {
  const small = emptyStore({ timezone: null, primary_currency: null });
  small.orders.push(
    { order_id: 'A', ordered_at: '2024-01-31T23:30:00', total: '1.00' }, // replaced by the row below
    { order_id: 'B', ordered_at: '2024-01-31T23:59:59.9', total: '5', email: '  ', phone: ' - ' },
    { order_id: 'A', ordered_at: '2024-01-31T23:30:00', total: '7.00', currency: 'EUR', email: 'a@b.cz' },
  );
  // Both lines are worth 6; without line_no the first in the file is line 1.
  small.order_items.push(
    { order_id: 'A', external_product_id: 'Z', quantity: '2', unit_price: '3' },
    { order_id: 'A', external_product_id: 'C', quantity: '1', unit_price: '6' },
    { order_id: 'gone', external_product_id: 'G', quantity: '1', unit_price: '6' },
  );
  small.products.push({ external_product_id: 'Z', name: 'Z', price: '3', categories: '["a|b","c"]' });
  // No timezone is UTC, no currency sums as loaded, blank contacts are none.
  expect(orderStatistics(small, january)).toMatchObject({ orders_revenues: 12, unique_customers_count: 1 });
  const byProduct = firstPurchaseCohorts(small, { ...january, segment_by: 'first_product' });
  expect(byProduct.cohorts.map((cohort) => cohort.segment)).toEqual(['C', 'Z']);
  const { categories } = categoryStatistics(small, january);
  expect(categories.map((row) => row.category)).toEqual(['(not set)', 'a|b', 'c']);
  expect(productStatistics(small, january).products.map((row) => row.external_product_id)).toEqual([
    'C',
    'Z',
  ]);
});

test('every tool echoes the business and the buckets add up to the range', () => {
  const args = { ...everything, breakdown: 'month' as const };
  const names = {
    external_product_ids: ['P1'],
    categories: ['Trička'],
    brands: ['Časoděj'],
    dimension: 'hour',
  };
  for (const answer of Object.values(expectedAnswers)) {
    expect(answer(store, { ...args, ...names, external_master_product_ids: ['M1'] })).toMatchObject({
      business_id,
    });
  }
  for (const breakdown of ['day', 'week', 'month'] as const) {
    const { periods } = orderStatisticsTrend(store, { ...everything, breakdown });
    const total = orderStatistics(store, everything);
    for (const field of ['orders_count', 'new_orders_count', 'orders_revenues'] as const) {
      const added = periods.reduce((buckets, period) => buckets + period[field], 0);
      expect(round4(added)).toBe(total[field]);
    }
  }
});
