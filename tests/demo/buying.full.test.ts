import { beforeAll, describe, expect, test } from 'vitest';
import type { OrderRow } from '../../tools/made-shop/generator/tables.ts';
import {
  customerOf,
  daysBetween,
  localDate,
  middle,
  moment,
  validOrders,
  type WrittenShop,
  writeAndReadShop,
} from './written-shop.ts';

let shop: WrittenShop;
let valid: OrderRow[];
let byCustomer: OrderRow[][];
let productsOf: Map<string, Set<string>>;

beforeAll(async () => {
  shop = await writeAndReadShop(0.3);
  valid = validOrders(shop);
  // Orders that name nobody have no customer.
  const known = Map.groupBy(valid, customerOf(shop));
  byCustomer = [...known].flatMap(([customer, orders]) => (customer.startsWith('order ') ? [] : [orders]));
  productsOf = new Map(
    [...Map.groupBy(shop.items, (row) => row.order_id)].map(([order_id, rows]) => [
      order_id,
      new Set(rows.flatMap((row) => row.external_product_id ?? [])),
    ]),
  );
});

const has = (order: OrderRow, product: string) => productsOf.get(order.order_id)?.has(product) ?? false;
const days = (from: OrderRow, to: OrderRow) =>
  daysBetween(localDate(from.ordered_at), localDate(to.ordered_at));

describe('truths of buying', () => {
  test('busiest hour and most used way to pay', () => {
    const { busiest_hour, most_used_payment_method } = shop.truth.buying;
    const largest = (keys: readonly string[]) =>
      [...Map.groupBy(keys, (key) => key)]
        .map(([key, same]) => [key, same.length] as const)
        .sort(([, a], [, b]) => b - a)[0];
    expect(largest(valid.map((row) => row.ordered_at.slice(11, 13)))).toEqual([
      String(busiest_hour.hour),
      busiest_hour.orders_count,
    ]);
    expect(largest(valid.map((row) => row.payment_method))).toEqual([
      most_used_payment_method.payment_method,
      most_used_payment_method.orders_count,
    ]);
  });

  test('hold from the first order to the second', () => {
    const gaps = byCustomer.flatMap(([first, second]) =>
      first !== undefined && second !== undefined ? [days(first, second)] : [],
    );
    expect(shop.truth.buying.first_repurchase).toEqual({
      eligible_customers_count: byCustomer.length,
      returned_customers_count: gaps.length,
      median_days: middle(gaps),
    });
  });

  test('two products of different categories that are bought together', () => {
    const { external_product_ids, orders_counts, pair_orders_count, baskets_count } =
      shop.truth.buying.bought_together;
    const [one, other] = external_product_ids;
    const withOne = valid.filter((order) => has(order, one));
    const withBoth = withOne.filter((order) => has(order, other));
    expect(baskets_count).toBe(
      valid.filter((order) => (productsOf.get(order.order_id)?.size ?? 0) > 0).length,
    );
    expect(orders_counts).toEqual([withOne.length, valid.filter((order) => has(order, other)).length]);
    expect(pair_orders_count).toBe(withBoth.length);
    expect((pair_orders_count * baskets_count) / (orders_counts[0] * orders_counts[1])).toBeGreaterThan(3);
    const [a, b] = [one, other].map((id) => shop.products.find((row) => row.external_product_id === id));
    expect(a?.external_master_product_id).toBeNull();
    expect(b?.external_master_product_id).toBeNull();
    expect(a?.categories.filter((category) => b?.categories.includes(category))).toEqual([]);

    const pairs = new Map<string, number>();
    for (const order of valid) {
      const ids = [...(productsOf.get(order.order_id) ?? [])].sort();
      for (const first of ids) {
        for (const second of ids) {
          if (first < second) pairs.set(`${first} ${second}`, (pairs.get(`${first} ${second}`) ?? 0) + 1);
        }
      }
    }
    const [best, next] = [...pairs].sort(([, x], [, y]) => y - x);
    expect(best).toEqual([[one, other].sort().join(' '), pair_orders_count]);
    expect(pair_orders_count).toBeGreaterThan(2 * (next?.[1] ?? 0));
  });

  test('a product that the same customers buy again and again', () => {
    const { external_product_id, rebuying_orders_count, median_days } = shop.truth.buying.replenished_product;
    const gaps = byCustomer.flatMap((orders) =>
      orders.flatMap((order, index) => {
        const next = orders[index + 1];
        const isRebought =
          next !== undefined && has(order, external_product_id) && has(next, external_product_id);
        return isRebought ? [days(order, next)] : [];
      }),
    );
    expect(gaps.length).toBe(rebuying_orders_count);
    expect(middle(gaps)).toBe(median_days);
    expect(gaps.length).toBeGreaterThan(100);
    expect(gaps.filter((gap) => gap >= 25 && gap <= 65).length).toBeGreaterThan(gaps.length * 0.8);
  });

  test('a category that is sold for the first time', () => {
    const { category, first_month, orders_count } = shop.truth.buying.new_category;
    const ids = shop.products.filter((row) => row.categories.includes(category));
    expect(ids.length).toBe(2);
    const orders = valid.filter((order) => ids.some((row) => has(order, row.external_product_id)));
    expect(orders.length).toBe(orders_count);
    expect(orders[0]?.ordered_at.slice(0, 7)).toBe(first_month);
    expect(ids.every((row) => row.created_at.startsWith(first_month))).toBe(true);
  });

  test('hold for the best customers of the winter, of whom some stay away', () => {
    const { from_date, to_date, champions_count, lapsed_count } = shop.truth.buying.lapsed_champions;
    const at = (date: string) => {
      const ages = byCustomer.map((orders) =>
        orders
          .map((order) => (moment(date) - moment(order.ordered_at)) / 86_400_000)
          .filter((age) => age >= 0 && age <= 365),
      );
      return ages.map((ofCustomer) => ({
        days: Math.floor(Math.min(...ofCustomer)),
        orders: ofCustomer.length,
      }));
    };
    const [start, end] = [at(from_date), at(to_date)];
    const champions = start.flatMap((now, index) => (now.orders >= 5 && now.days <= 30 ? [index] : []));
    expect(champions.length).toBe(champions_count);
    const lapsed = champions.filter((index) => {
      const later = end[index];
      return later !== undefined && later.orders > 0 && later.days > 180;
    });
    expect(lapsed.length).toBe(lapsed_count);
    expect(lapsed_count).toBeGreaterThan(0.08 * champions_count);
  });

  test('the catalogue', () => {
    expect(shop.truth.catalogue).toEqual({
      products_count: shop.products.length,
      discontinued_count: shop.products.filter((row) => row.discontinued).length,
      out_of_stock_count: shop.products.filter((row) => !row.in_stock).length,
      categories_count: new Set(shop.products.flatMap((row) => row.categories)).size,
      brands_count: new Set(shop.products.map((row) => row.brand ?? '')).size,
    });
  });
});

describe('consents', () => {
  test('are of seven in ten profiles for e-mail, of some for SMS, and refer to these', () => {
    const ids = new Set(shop.profiles.map((row) => row.profile_id));
    expect(shop.consents.filter((row) => !ids.has(row.profile_id))).toEqual([]);
    const share = (channel: string) => {
      const asked = shop.consents.filter((row) => row.channel === channel).map((row) => row.profile_id);
      return (100 * new Set(asked).size) / ids.size;
    };
    expect(Math.abs(share('email') - 75)).toBeLessThan(6);
    expect(Math.abs(share('sms') - 18)).toBeLessThan(6);
    const sources = new Set(shop.consents.map((row) => row.source));
    expect([...sources].sort()).toEqual(['checkout', 'import', 'popup', 'registration', null].sort());
    const keys = shop.consents.map((row) => `${row.profile_id}/${row.channel}/${row.at}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(shop.consents.filter((row) => moment(row.at) > Date.parse('2026-09-30T23:59:59+02:00'))).toEqual(
      [],
    );
  });

  test('tell stories that can happen', () => {
    const follows: Record<string, string[]> = {
      '': ['pending', 'subscribed'],
      pending: ['subscribed'],
      subscribed: ['unsubscribed', 'bounced', 'complained', 'suppressed'],
      unsubscribed: ['subscribed'],
    };
    const histories = Map.groupBy(shop.consents, (row) => `${row.profile_id}/${row.channel}`);
    for (const [name, rows] of histories) {
      const states = rows.map((row) => row.state);
      for (const [index, state] of states.entries()) {
        expect(follows[states[index - 1] ?? ''], `${name}: ${states}`).toContain(state);
      }
      // A double opt-in is asked for by the pop-up alone.
      expect(states[0] === 'pending', name).toBe(rows[0]?.source === 'popup');
    }
  });

  test('truth: subscribers by state', () => {
    for (const channel of ['email', 'sms'] as const) {
      const rows = shop.consents.filter((row) => row.channel === channel);
      rows.sort((a, b) => moment(a.at) - moment(b.at));
      const last = new Map(rows.map((row) => [row.profile_id, row.state]));
      const counts = [...Map.groupBy(last.values(), (state) => state)].map(([state, same]) => [
        state,
        same.length,
      ]);
      expect(shop.truth.subscribers[channel]).toEqual(Object.fromEntries(counts));
    }
    expect(shop.truth.subscribers.email.pending).toBeGreaterThan(10);
    expect(shop.truth.subscribers.email.bounced).toBeGreaterThan(5);
  });
});
