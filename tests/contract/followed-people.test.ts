import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field } from '../../src/answers/fields/field.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Answers that follow people from one of their acts to the next: of four of them they tell nothing, of five
 * they do, and no range within a day tells more than the day (0184).
 *
 * Everybody comes by a search and then by a letter, orders a shirt on one day, comes again, and orders a hat
 * ten days later.
 */

let test: TestInstance;
/** Stores of four people, of five, and so on. */
let four: string;
let five: string;
/** Thirty people did it, all on one day, a minute after each other. */
let busy: string;

const FIRST = '2024-03-04';
const SECOND = '2024-03-14';

beforeAll(async () => {
  test = await createTestInstance();
  [four, five, busy] = (await Promise.all([4, 5, 30].map(load))) as [string, string, string];
});

afterAll(() => test[Symbol.asyncDispose]());

async function load(people: number): Promise<string> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, storeOf(people));
  return business.business_id;
}

function storeOf(people: number): Store {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  store.products.push(
    { external_product_id: 'SHIRT', name: 'Shirt', brand: 'Acme', price: '100' },
    { external_product_id: 'HAT', name: 'Hat', brand: 'Acme', price: '50' },
  );
  for (let number = 0; number < people; number += 1) {
    const who = `p${number}`;
    const minute = String(number).padStart(2, '0');
    const visit = (day: string, hour: string, source: string, medium: string) =>
      store.sessions.push({
        session_id: `${who} ${day} ${hour}`,
        visitor_id: `v-${who}`,
        started_at: `${day}T${hour}:${minute}:00`,
        ended_at: `${day}T${hour}:${minute}:30`,
        country: 'Iceland',
        source,
        medium,
      });
    const order = (day: string, product: string, total: string) => {
      const order_id = `${who} ${day}`;
      store.orders.push({
        ...{ order_id, external_customer_id: who, visitor_id: `v-${who}`, status: 'paid', total },
        ...{
          ordered_at: `${day}T12:${minute}:05`,
          currency: 'CZK',
          country: 'Iceland',
          coupon_codes: 'WELCOME10',
        },
      });
      store.order_items.push({
        ...{ order_id, line_no: '1', kind: 'product', external_product_id: product },
        ...{ quantity: '1', unit_price: total },
      });
    };
    visit(FIRST, '09', 'google', 'organic');
    visit(FIRST, '11', 'news', 'email');
    order(FIRST, 'SHIRT', '100');
    visit(SECOND, '11', 'news', 'email');
    order(SECOND, 'HAT', '50');
  }
  return store;
}

const MONTH = { from_date: '2024-03-01', to_date: '2024-03-31' };
const DAY = { from_date: FIRST, to_date: FIRST };

/** Each tool that follows people, so asked that everybody is in one cell. */
const CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['repeat_purchase_cycle', DAY],
  ['repeat_purchase_cycle', { ...MONTH, filter_external_product_ids: ['SHIRT'], return_with: 'anything' }],
  ['first_purchase_cohorts', DAY],
  ['first_purchase_cohorts', { ...MONTH, cohort_period: 'week', segment_by: 'country' }],
  ['first_purchase_cohorts', { ...MONTH, window: 'calendar', segment_by: 'first_product' }],
  ['product_affinity_statistics', { ...DAY, relation: 'next_order', level: 'product', min_orders: 1 }],
  ['product_affinity_statistics', { ...MONTH, relation: 'first_to_second', level: 'product', min_orders: 1 }],
  ['journey_statistics', DAY],
  ['journey_statistics', { ...MONTH, outcome: 'all', touch: 'source_medium' }],
  ['channel_transition_matrix', MONTH],
  ['rfm_segment_statistics', { include_cells: true }],
  ['rfm_segment_statistics', { as_of: FIRST, include_cells: true }],
  ['rfm_segment_statistics_trend', { ...MONTH, breakdown: 'day' }],
  ['rfm_segment_transitions', { from_date: SECOND, to_date: SECOND }],
];

interface Told {
  readonly at: string;
  readonly value: unknown;
}

/** Every value that can be hidden, with its place in the answer. */
function hideableValues(fields: readonly Field[], answer: unknown, at = ''): Told[] {
  const row = (answer ?? {}) as Readonly<Record<string, unknown>>;
  return fields.flatMap((field): Told[] => {
    const value = row[field.key];
    const place = `${at}${field.key}`;
    if (field.fields !== undefined) {
      const inner = Array.isArray(value) ? value : [value];
      return inner.flatMap((one, index) => hideableValues(field.fields ?? [], one, `${place}[${index}].`));
    }
    return /hidden$/.test(field.null ?? '') ? [{ at: place, value }] : [];
  });
}

const fieldsOf = (name: string) => CATALOGUE.find((tool) => tool.name === name)?.fields ?? [];

describe.each(CALLS)('%s %j', (name, args) => {
  it('shows all numbers about five people, and none about four', async () => {
    const told = await test.ask(name, { business_id: five, ...args });
    expect(told).toEqual(await test.ask(ofAnybody(name), { business_id: five, ...args }));
    const numbers = (answer: unknown) =>
      hideableValues(fieldsOf(name), answer).filter(({ value }) => typeof value === 'number' && value !== 0);
    expect(numbers(told)).not.toEqual([]);

    const { result, notes } = await test.run(name, { business_id: four, ...args });
    expect(numbers(result)).toEqual([]);
    expect(notes).toContain('Numbers of 1 to 4 people, and what would tell of them, are null, not 0.');
    // What there is of four people is not told as nothing.
    const exact = await test.ask(ofAnybody(name), { business_id: four, ...args });
    const isThere = new Map(hideableValues(fieldsOf(name), exact).map(({ at, value }) => [at, value]));
    for (const { at, value } of hideableValues(fieldsOf(name), result)) {
      if (typeof isThere.get(at) === 'number' && isThere.get(at) !== 0)
        expect({ at, value }).toEqual({ at, value: null });
    }
  });
});

it('journeys and product pairs of four people are not named', async () => {
  expect(await test.ask('journey_statistics', { business_id: four, ...DAY })).toMatchObject({
    journeys: [{ path: ['(other)'], touches_count: null, journeys_count: null, revenue: null }],
    total_count: 1,
  });
  expect(await test.ask('journey_statistics', { business_id: five, ...DAY })).toMatchObject({
    journeys: [{ path: ['Organic Search', 'Email'], journeys_count: 5, revenue: 500 }],
  });
  const next = { relation: 'next_order', level: 'product', min_orders: 1 };
  expect(await test.ask('product_affinity_statistics', { business_id: four, ...DAY, ...next })).toMatchObject(
    { baskets_count: null, pairs: [], total_count: 0 },
  );
});

it("products bought together in one order are the shop's own book, also where one person bought them", async () => {
  const { pairs } = (await test.ask('product_affinity_statistics', {
    ...{ business_id: four, from_date: FIRST, to_date: FIRST, level: 'brand', min_orders: 1 },
  })) as { pairs: unknown[] };
  expect(pairs).toEqual([]);
  expect(
    await test.ask('product_affinity_statistics', {
      ...{ business_id: four, from_date: `${FIRST}T12:00:05`, to_date: `${FIRST}T12:00:05`, min_orders: 1 },
    }),
  ).toMatchObject({ baskets_count: 1 });
});

/** A6: a range bisected to the second of one order, and what followed it. */
describe('a range of one second with one order', () => {
  const second = { from_date: `${FIRST}T12:07:05`, to_date: `${FIRST}T12:07:05` };
  const around: Readonly<Record<string, object>> = {
    repeat_purchase_cycle: {},
    product_affinity_statistics: { relation: 'next_order', level: 'product', min_orders: 1 },
    journey_statistics: {},
    channel_transition_matrix: {},
    rfm_segment_transitions: {},
    first_purchase_cohorts: { cohort_period: 'week' },
  };

  it("shows the one order, since an order is the shop's own book", async () => {
    expect(await test.ask('order_statistics', { business_id: busy, ...second })).toMatchObject({
      orders_count: 1,
      orders_revenues: 100,
    });
  });

  it.each(Object.entries(around))('%s answers the same as for the whole day', async (tool, args) => {
    const narrow = await test.run(tool, { business_id: busy, ...args, ...second });
    const wide = await test.run(tool, { business_id: busy, ...args, ...DAY });
    expect(narrow.result).toEqual(wide.result);
    // Cohorts are of whole weeks and months, as their argument says.
    if (tool === 'first_purchase_cohorts') return;
    expect(narrow.notes?.[0]).toBe(
      `What follows people is told by whole days of the business: from ${FIRST} to ${FIRST}.`,
    );
    expect(wide.notes?.join()).not.toContain('whole days');
  });

  it.each(['order_number', 'customer_value_decile'])(
    'order_distribution_statistics by %s answers the same as for the whole day',
    async (dimension) => {
      const call = { business_id: busy, dimension };
      expect(await test.ask('order_distribution_statistics', { ...call, ...second })).toEqual(
        await test.ask('order_distribution_statistics', { ...call, ...DAY }),
      );
    },
  );

  it('a state of segments one second before the order is the same as after it', async () => {
    const at = (as_of: string) => test.ask('rfm_segment_statistics', { business_id: busy, as_of });
    expect(await at(`${FIRST}T12:07:04`)).toEqual(await at(`${FIRST}T12:07:05`));
    expect(await at(`${FIRST}T12:07:04`)).toMatchObject({ as_of: '2024-03-04T22:59:59Z' });
  });
});

it('a day on which clocks change is widened to the whole day as any other', async () => {
  const call = { business_id: busy, from_date: '2024-03-31T12:00:00', to_date: '2024-03-31T12:00:00' };
  expect((await test.run('rfm_segment_transitions', call)).result).toMatchObject({
    // The second before midnight in Prague, and the end of the data.
    from_as_of: '2024-03-14T11:29:05Z',
  });
  expect((await test.run('repeat_purchase_cycle', call)).notes?.join()).toContain(
    'from 2024-03-31 to 2024-03-31',
  );
});

it('a small part of a cohort is hidden, and so is a second part, from which the first could be computed', async () => {
  const store = storeOf(30);
  // Thirty order first: three of them come from Norway and five from Sweden.
  const countryOf = (who: string | undefined) => {
    const number = Number(who?.slice(1));
    return number < 3 ? 'Norway' : number < 8 ? 'Sweden' : 'Iceland';
  };
  const orders = store.orders.map((row) => ({ ...row, country: countryOf(row.external_customer_id) }));
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, { ...store, orders });
  const { cohorts } = (await test.ask('first_purchase_cohorts', {
    ...{ business_id: business.business_id, ...MONTH, segment_by: 'country' },
  })) as {
    cohorts: { segment: string; customers_count: number | null; first_orders_revenue: number | null }[];
  };
  expect(
    cohorts.map(({ segment, customers_count, first_orders_revenue }) => [
      segment,
      customers_count,
      first_orders_revenue,
    ]),
  ).toEqual([
    ['Iceland', 22, 2200],
    ['Sweden', null, null],
    ['Norway', null, null],
  ]);
});
