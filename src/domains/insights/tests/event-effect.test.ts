import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { drawsOf } from '../../../../tests/statistics/made-days.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** What an event did, against loops over the orders that were loaded. */
let test: TestInstance;
let business_id: string;

/** Known whole from 2 January on; the last order is of the day after the event. */
const FIRST = '2024-01-01';
const EVENT = 28 + 20 * 7 + 1 + 8;
const DAYS = EVENT + 7;
const RANGE = { from_date: dayAt(EVENT), to_date: dayAt(DAYS - 1) };

function dayAt(place: number): string {
  return new Date(Date.parse(FIRST) + place * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Two brands and a seldom one. In the days of the event Acme sells half as much again, and all sell a fifth
 * more.
 */
function storeOf(): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  const draw = drawsOf(3);
  const brands = { Acme: 14, Borealis: 20, Seldom: 0.3 };
  for (const [place, brand] of Object.keys(brands).entries())
    store.products.push({ external_product_id: `p${place}`, name: brand, brand, price: '10' });
  for (let day = 0; day <= DAYS; day += 1) {
    const isEvent = day >= EVENT && day < DAYS;
    const level = (day % 7 > 4 ? 1.4 : 0.9) * (isEvent ? 1.2 : 1) * (0.85 + 0.3 * draw());
    for (const [place, [brand, usual]] of Object.entries(brands).entries()) {
      const mean = usual * level * (isEvent && brand === 'Acme' ? 1.5 : 1);
      const count = Math.floor(mean * (0.85 + 0.3 * draw()) + draw());
      for (let number = 0; number < count; number += 1) {
        const order_id = `${day}-${place}-${number}`;
        const unit_price = String(8 + Math.floor(5 * draw()));
        store.orders.push({
          ...{ order_id, ordered_at: `${dayAt(day)}T10:00:00Z`, total: unit_price, status: 'paid' },
          country: draw() < 0.3 ? 'SK' : 'CZ',
        });
        store.order_items.push({
          ...{
            order_id,
            line_no: '1',
            kind: 'product',
            external_product_id: `p${place}`,
            quantity: '1',
            unit_price,
          },
        });
      }
    }
  }
  store.calendar_events.push({ first_date: dayAt(EVENT), name: 'TV spot' });
  store.stock_readings.push({
    ...{ external_product_id: 'p0', read_on: dayAt(EVENT + 2), read_at: `${dayAt(EVENT + 2)}T10:00:00Z` },
    in_stock: 'false',
  });
  return store;
}

const store = storeOf();

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await test.importStore(business, store);
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

interface Told {
  readonly summary: string;
  readonly actual: number | null;
  readonly expected: number;
  readonly effect_percent: number;
  readonly p_value: number;
  readonly placebos_count: number;
  readonly as_far_count: number;
  readonly rest_change_percent: number;
  readonly moves_with_rest: number;
  readonly notes: readonly string[];
}

async function ask(more: object = {}): Promise<Told> {
  const asked = { business_id, dimension: 'brand', values: ['Acme'], ...RANGE, ...more };
  const { result, notes = [] } = await test.run('event_effect', asked);
  return { ...(result as unknown as Told), notes };
}

/** The revenue of each day, by loops over the rows. */
function byDay(isAffected: (product: string) => boolean): number[] {
  const days = new Map(store.orders.map(({ order_id, ordered_at }) => [order_id, ordered_at?.slice(0, 10)]));
  const sums = new Map<string, number>();
  for (const { order_id, external_product_id = '', unit_price } of store.order_items) {
    const day = days.get(order_id) ?? '';
    if (isAffected(external_product_id)) sums.set(day, (sums.get(day) ?? 0) + Number(unit_price));
  }
  // The first day is not whole.
  return Array.from({ length: DAYS - 1 }, (_, place) => sums.get(dayAt(place + 1)) ?? 0);
}

/** Decision 0233 asks for this: a line of least squares through all other windows. */
function expectedOf(affected: readonly number[], rest: readonly number[], pieces: number) {
  const end = affected.length;
  const sum = (values: readonly number[], from: number, to: number) =>
    values.slice(from, to).reduce((all, one) => all + one, 0);
  const windows = Array.from(
    { length: Math.floor((end - 7 - 28) / 7) + 1 },
    (_, back) => end - 7 - 7 * back,
  ).map((from) => {
    const move = (values: readonly number[]) =>
      Math.log(sum(values, from, from + 7) / (sum(values, from - 28, from) / 4));
    return { own: move(affected), others: move(rest), restBefore: sum(rest, from - 28, from) / 4 };
  });
  const [event, ...placebos] = windows;
  if (event === undefined) throw new Error('no window');
  const mean = (of: (one: NonNullable<typeof event>) => number) =>
    placebos.reduce((all, one) => all + of(one), 0) / placebos.length;
  const [x, y] = [mean(({ others }) => others), mean(({ own }) => own)];
  // Drawn to 1 by how far all windows, the event too, moved otherwise than the rest; and without the chance
  // in the rest.
  const all = windows.map(({ own, others }) => own - others);
  const apart = all.reduce((one, other) => one + other, 0) / all.length;
  const pull =
    all.reduce((one, other) => one + (other - apart) ** 2, 0) / all.length / 0.25 ** 2 / placebos.length;
  const piece = sum(affected, 0, end - 7) / pieces;
  const chance = windows.reduce((one, { restBefore }) => one + piece / restBefore, 0) / windows.length;
  const spread = Math.max(0, mean((one) => (one.others - x) ** 2) - chance);
  const used = Math.min(
    1,
    Math.max(0, (mean((one) => (one.others - x) * (one.own - y)) + pull) / (spread + pull)),
  );
  const before = sum(affected, end - 35, end - 7) / 4;
  return {
    placebos: placebos.length,
    slope: used,
    actual: sum(affected, end - 7, end),
    expected: before * Math.exp(y + used * (event.others - x)),
  };
}

describe('a planted event', () => {
  it('is found, and its numbers are those of loops over the rows', async () => {
    const told = await ask();
    const truth = expectedOf(
      byDay((product) => product === 'p0'),
      byDay((product) => product !== 'p0'),
      // All orders of it on the days before the event, but those of the first day.
      store.order_items.filter(
        ({ order_id = '', external_product_id }) =>
          external_product_id === 'p0' &&
          !order_id.startsWith('0-') &&
          Number(order_id.split('-')[0]) < EVENT,
      ).length,
    );
    expect(told.actual).toBeCloseTo(truth.actual, 4);
    expect(told.expected).toBeCloseTo(truth.expected, 3);
    expect(told.moves_with_rest).toBeCloseTo(truth.slope, 3);
    expect(told.placebos_count).toBe(truth.placebos);
    expect(told.placebos_count).toBeGreaterThanOrEqual(20);
    expect(told.as_far_count).toBe(0);
    expect(told.p_value).toBeCloseTo(1 / (truth.placebos + 1), 3);
    // The rise of the whole shop is taken out.
    expect(told.rest_change_percent).toBeGreaterThan(8);
    expect(told.effect_percent).toBeGreaterThan(30);
    expect(told.effect_percent).toBeLessThan(70);
    expect(told.summary).toMatch(
      /^product_revenue of brand "Acme" from .* EUR, to be expected were .* \+\d+\.\d %\. 0 of \d+ earlier dates moved as far without it \(p 0\.0\d+\)\. All others moved by \+\d+ % against the 28 days before: it may be them/,
    );
    const notes = told.notes.join(' ');
    expect(notes).toContain('No group was held out');
    expect(notes).toContain(`In the calendar of these days: "TV spot" ${dayAt(EVENT)}`);
    expect(notes).toContain('1 of the products was read without stock in these days');
    expect(notes).toMatch(/All that was not affected moved by \+\d+ %/);
  });

  it('is asked of orders by country, where nothing happened', async () => {
    const told = await ask({ metric: 'orders_count', dimension: 'country', values: ['SK'] });
    expect(told.actual).toBe(
      store.orders.filter(
        ({ country, ordered_at = '' }) =>
          country === 'SK' && ordered_at >= RANGE.from_date && ordered_at < dayAt(DAYS),
      ).length,
    );
    expect(told.p_value).toBeGreaterThan(0.05);
    expect(told.summary).toMatch(/No effect is shown: \d+ of \d+ earlier dates .* One below \d+ % could not/);
  });
});

describe('no effect is given', () => {
  const reason = async (more: object) => {
    const { summary, actual } = await ask(more);
    expect(actual).toBeNull();
    return summary;
  };

  it('days outside the data, or with too little before them, have no effect', async () => {
    expect(await reason({ from_date: '2023-06-01', to_date: '2023-06-07' })).toBe(
      'No effect is told: the event begins on 2023-06-01, and orders are known from 2024-01-02 on. It needs 168 whole days before it.',
    );
    expect(await reason({ from_date: '2025-06-01', to_date: '2025-06-07' })).toBe(
      `No effect is told: the event begins on 2025-06-01, and orders are loaded to the end of ${dayAt(DAYS - 1)} alone.`,
    );
    expect(await reason({ from_date: dayAt(EVENT - 7), to_date: dayAt(DAYS - 1) })).toBe(
      `No effect is told: 10 earlier dates can be compared, and 20 are needed. That takes 308 whole days before ${dayAt(EVENT - 7)}; known are ${EVENT - 8}. Ask with to_date ${dayAt(EVENT - 1)}, its first 7 days: that is answered.`,
    );
  });

  it('a part that does not exist, is too small, or is the whole shop has no effect', async () => {
    expect(await reason({ values: ['Nobody'] })).toBe(
      'No effect is told: before it there were no orders of brand "Nobody", and a note says which names are unknown.',
    );
    expect(await reason({ values: ['Seldom'] })).toMatch(
      /^No effect is told: about \d\.\d orders were to be expected, and 20 are needed/,
    );
    expect(await reason({ values: ['Acme', 'Borealis', 'Seldom'] })).toMatch(
      /nothing is left that was not affected/,
    );
    const both = await ask({ values: ['Acme', 'Nobody'] });
    expect(both.notes).toContain('Unknown in brand, so without rows: ["Nobody"]');
  });

  it('a store without data has no effect', async () => {
    const empty = await test.createBusiness();
    expect(await reason({ business_id: empty.business_id })).toBe('No effect is told: no orders are loaded.');
    expect(await reason({ metric: 'sessions_count', dimension: 'channel', values: ['Email'] })).toBe(
      'No effect is told: no visits are loaded.',
    );
  });

  it('a metric that the dimension does not cut, or more than 56 days, are refused', async () => {
    await expect(ask({ metric: 'revenue' })).rejects.toThrow('revenue cannot be cut by brand');
    expect(await reason({ from_date: dayAt(60), to_date: dayAt(150) })).toMatch(
      /^No effect is told: an event has at most 56 days, and .* are more\. No other to_date would be answered: /,
    );
  });

  it('a length that was refused leads to one that is answered', async () => {
    // The event and what is loaded after it are 8 days, and 8 days have not enough dates before them.
    const hint = /Ask with to_date (\S+), its first 7 days: that is answered\.$/;
    for (const to_date of [dayAt(DAYS), dayAt(DAYS + 80)]) {
      const summary = await reason({ from_date: dayAt(EVENT - 1), to_date });
      expect(summary).toMatch(hint);
      const told = await ask({ from_date: dayAt(EVENT - 1), to_date: hint.exec(summary)?.[1] });
      expect(told.actual).toBeGreaterThan(0);
    }
    // One day sells too few of them, and some days more sell enough.
    const short = await reason({ from_date: dayAt(EVENT), to_date: dayAt(EVENT) });
    expect(short).toMatch(/Ask with to_date (\S+), its first [2-7] days: that is answered\.$/);
    const to_date = /to_date (\S+),/.exec(short)?.[1];
    expect((await ask({ from_date: dayAt(EVENT), to_date })).actual).toBeGreaterThan(0);
  });
});

it('an event of four weeks after years of history is that of its own days', async () => {
  // 1,300 days with a piece each of two products; of the affected one, two on each day of the event.
  const days = 1300;
  const dateOf = (day: number) => dayAt(day - 500);
  const long = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  for (const id of ['own', 'other']) {
    long.products.push({ external_product_id: id, name: id, brand: id, price: '10' });
    for (let day = 0; day <= days; day += 1) {
      const pieces = id === 'own' && day >= days - 28 ? 2 : 1;
      const order_id = `${id}-${day}`;
      long.orders.push({ order_id, ordered_at: `${dateOf(day)}T10:00:00Z`, total: '10', status: 'paid' });
      long.order_items.push({
        ...{ order_id, line_no: '1', kind: 'product', external_product_id: id, unit_price: '10' },
        quantity: String(pieces),
      });
    }
  }
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await test.importStore(business, long);
  const range = { from_date: dateOf(days - 28), to_date: dateOf(days - 1) };
  const told = await ask({ business_id: business.business_id, values: ['own'], ...range });
  expect(told.actual).toBe(28 * 2 * 10);
  expect(told.expected).toBeCloseTo(28 * 10, 0);
});
