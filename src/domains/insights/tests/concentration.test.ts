import { afterAll, beforeAll, expect, it } from 'vitest';
import { membersAt, profileOf } from '../../../../tests/oracle/rfm.ts';
import { readEverything } from '../../../../tests/oracle/segment-query.ts';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { aliveProbability } from '../../../statistics/bg-nbd.ts';

/**
 * How much of the revenue the best customers bring, and how much of that may be gone, against loops over the
 * orders.
 */
let test: TestInstance;
let shop: string;
let small: string;

const YEAR = { from_date: '2025-01-01', to_date: '2025-12-31' };
const UNTIL = '2025-12-31';
const DAY = 86_400_000;

/** Even draws, the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + Math.floor(days) * DAY).toISOString().slice(0, 10);

const log = (even: number) => -Math.log(even || 0.5) / 2;

/**
 * Customers who order every month or every third one, more or less, until some of them leave; what they spend
 * differs by far.
 */
function storeOf(people: number): Store {
  const random = randomFrom(7);
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  for (let number = 0; number < people; number += 1) {
    const [gap, size] = [20 + 100 * random(), 50 + 500 * random() ** 4];
    let day = dayAfter('2024-01-01', 500 * random());
    while (day <= UNTIL) {
      store.orders.push({
        ...{
          order_id: `o${store.orders.length}`,
          ordered_at: `${day}T12:00:00`,
          external_customer_id: `c${number}`,
        },
        ...{ total: (1 + size * (log(random()) + log(random()))).toFixed(2), status: 'paid' },
      });
      if (random() < 0.2) break;
      day = dayAfter(day, 1 - gap * Math.log(random() || 0.5));
    }
  }
  // This order names nobody, and lies on the last day.
  store.orders.push({ order_id: 'last', ordered_at: `${UNTIL}T12:00:00`, total: '500', status: 'paid' });
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const load = async (people: number) => {
    const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
    await test.importStore(business, storeOf(people));
    return business.business_id;
  };
  shop = await load(600);
  small = await load(30);
});

afterAll(() => test[Symbol.asyncDispose]());

interface Top {
  readonly top: string;
  readonly customers_count: number | null;
  readonly revenue: number | null;
  readonly revenue_share: number | null;
  readonly at_risk_revenue_share: number | null;
  readonly expected_active_share: number | null;
  readonly inactive_revenue_share: number | null;
}

async function ask(business_id: string, more: object = {}) {
  const { result, notes = [] } = await test.run('customer_value', { business_id, ...YEAR, ...more });
  const { concentration, model } = result as unknown as {
    concentration: Top[];
    model: Record<string, number>;
  };
  return { concentration, model, notes };
}

/**
 * Loops over the orders find the best of those who ordered in the year, and what each of them is expected to
 * do.
 */
function bestCustomers() {
  const store = storeOf(600);
  const { messages } = readEverything(store);
  const { shop: loaded } = messages.traffic;
  const until = BigInt(Date.parse(`${UNTIL}T12:00:00Z`)) * 1000n;
  const segments = new Map(
    membersAt(loaded, until, profileOf(store, loaded, null)).map(({ customer, segment }) => [
      customer,
      segment,
    ]),
  );
  const own = Map.groupBy(
    store.orders.filter(({ external_customer_id }) => external_customer_id !== undefined),
    ({ external_customer_id }) => external_customer_id,
  );
  const nameOf = new Map(loaded.orders.map(({ orderId, customer }) => [orderId, customer]));
  const all = [...own.values()].map((orders) => {
    const days = [...new Set(orders.map(({ ordered_at = '' }) => ordered_at.slice(0, 10)))].toSorted();
    const [first = '', last = ''] = [days[0], days.at(-1)];
    const weeks = (one: string, other: string) => (Date.parse(other) - Date.parse(one)) / DAY / 7;
    return {
      revenue: orders
        .filter(({ ordered_at = '' }) => ordered_at >= YEAR.from_date)
        .reduce((sum, { total }) => sum + Number(total), 0),
      segment: segments.get(nameOf.get(orders[0]?.order_id ?? '') ?? ''),
      history: {
        customers: 1,
        repeats: days.length - 1,
        recency: weeks(first, last),
        age: weeks(first, UNTIL),
      },
    };
  });
  const ordered = all
    .filter(({ revenue }) => revenue > 0)
    .toSorted((one, other) => other.revenue - one.revenue);
  return { ordered, revenue: ordered.reduce((sum, one) => sum + one.revenue, 500) };
}

it('the parts of the best customers bring what loops over the orders add up to, and what is at risk of it is of those whom RFM calls so', async () => {
  const { concentration, model, notes } = await ask(shop, { top_customers: 33 });
  expect(concentration.map(({ top }) => top)).toEqual(['1 %', '5 %', '10 %', '20 %', '33']);
  const { ordered, revenue } = bestCustomers();
  let told = 0;
  for (const part of concentration) {
    const best = ordered.slice(0, part.customers_count ?? 0);
    const sum = (rows: typeof best) => rows.reduce((all, one) => all + one.revenue, 0);
    expect(part.revenue, part.top).toBeCloseTo(sum(best), 2);
    expect(part.revenue_share, part.top).toBeCloseTo((100 * sum(best)) / revenue, 3);
    const risky = best.filter(({ segment = '' }) =>
      ['cant_lose', 'at_risk', 'hibernating', 'lost'].includes(segment),
    );
    if (part.at_risk_revenue_share !== null) {
      expect(part.at_risk_revenue_share, part.top).toBeCloseTo((100 * sum(risky)) / sum(best), 3);
      // The people at risk are not few, and neither are the others.
      for (const count of [risky.length, best.length - risky.length])
        expect([1, 2, 3, 4]).not.toContain(count);
      told += 1;
    }
    const { r = 0, alpha = 0, a = 0, b = 0 } = model;
    const alive = (one: (typeof best)[number]) => aliveProbability({ r, alpha, a, b }, one.history);
    const active = best.reduce((all, one) => all + alive(one), 0);
    // Bins of customers alike have means, so that little is lost.
    expect(Math.abs((part.expected_active_share ?? 0) - (100 * active) / best.length), part.top).toBeLessThan(
      3,
    );
    const gone = best.reduce((all, one) => all + (1 - alive(one)) * one.revenue, 0);
    expect(Math.abs((part.inactive_revenue_share ?? 0) - (100 * gone) / sum(best)), part.top).toBeLessThan(3);
  }
  expect(told).toBeGreaterThan(0);
  expect(notes).toContain(
    'concentration is of all customers who ordered in the range, also of those who first came before it, by their revenue in it; each part includes the smaller ones.',
  );
});

it('the parts are those of order_distribution_statistics', async () => {
  const { concentration } = await ask(shop, { top_customers: 50 });
  const { top_customers } = (await test.ask('order_distribution_statistics', {
    ...{ business_id: shop, ...YEAR, dimension: 'customer_value_decile' },
    top_customers: [1, 5, 10, 20],
  })) as { top_customers: Top[] };
  expect(
    concentration
      .slice(0, 4)
      .map(({ customers_count, revenue, revenue_share }) => [customers_count, revenue, revenue_share]),
  ).toEqual(
    top_customers.map(({ customers_count, revenue, revenue_share }) => [
      customers_count,
      revenue,
      revenue_share,
    ]),
  );
  // A range of a second tells of its days.
  const moment = { from_date: '2025-03-01T00:00:00', to_date: '2025-03-01T00:00:01' };
  const ofDay = { from_date: '2025-03-01', to_date: '2025-03-01' };
  expect((await ask(shop, moment)).concentration).toEqual((await ask(shop, ofDay)).concentration);
});

it('fewer than five customers have no numbers', async () => {
  const { concentration } = await ask(small);
  for (const { customers_count } of concentration)
    expect(customers_count === null || customers_count >= 5).toBe(true);
  const day = await ask(small, { from_date: '2025-03-01', to_date: '2025-03-02' });
  for (const { customers_count, ...numbers } of day.concentration) {
    expect(customers_count).toBeNull();
    expect(Object.values(numbers).filter((value) => typeof value === 'number')).toEqual([]);
  }
  await expect(ask(small, { top_customers: 4 })).rejects.toThrow(
    'top_customers must be between 5 and 1000000',
  );
});
