import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Forecasts of stores whose future is known: they were made by a rule, and the tool is asked in their midst.
 * Also what the seasonal-naive error of a season's hold-out is, by a plain loop.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

interface Metric {
  readonly metric: string;
  readonly method: string;
  readonly season_periods: number;
  readonly holdout_periods: number;
  readonly error: number;
  readonly seasonal_naive_error: number;
  readonly periods: readonly {
    period: string;
    period_start: string;
    value: number;
    low: number;
    high: number;
  }[];
}

interface Forecast {
  readonly refused_because: string | null;
  readonly trained_from: string | null;
  readonly trained_to: string | null;
  readonly metrics: readonly Metric[];
}

const zone = 'Europe/Prague';
const FIRST = Temporal.PlainDate.from('2021-01-01');

/** A store with the number of orders on each day that the rule gives, each order of 100. */
function storeOf(days: number, ordersOn: (day: number) => number): Store {
  const store = emptyStore({ timezone: zone, primary_currency: 'CZK' });
  for (let day = 0; day < days; day += 1) {
    const date = FIRST.add({ days: day });
    for (let number = 0; number < ordersOn(day); number += 1) {
      store.orders.push({
        ...{ order_id: `${day}-${number}`, ordered_at: `${date}T12:00:00`, total: '100' },
        email: `c${number}@example.com`,
      });
    }
  }
  return store;
}

async function load(store: Store): Promise<string> {
  const business = await test.createBusiness({ timezone: zone, currency: 'CZK' });
  await test.importStore(business, store);
  return business.business_id;
}

async function forecast(business_id: string, breakdown: string, end: string, forecast_periods = 12) {
  const answer = await test.ask('order_statistics_trend', {
    ...{ business_id, breakdown, forecast_periods },
    from_date: `${Temporal.PlainDate.from(end).subtract({ days: 20 })}T00:00:00`,
    to_date: `${end}T23:59:59`,
  });
  return (answer as { forecast: Forecast }).forecast;
}

const metricOf = ({ metrics }: Forecast, name: string) => {
  const metric = metrics.find((one) => one.metric === name);
  if (metric === undefined) throw new Error(`no forecast of ${name}`);
  return metric;
};

/** Numbers of a generator that is the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('months that repeat every year', () => {
  const pattern = [3, 2, 4, 4, 5, 3, 2, 2, 4, 6, 9, 12];
  const store = storeOf(4 * 365 + 1, (day) => {
    const date = FIRST.add({ days: day });
    return date.day === 1 ? (pattern[date.month - 1] ?? 0) : 0;
  });
  // The last order is on the first of December; this one makes the month whole.
  store.orders.push({
    order_id: 'last',
    ordered_at: '2025-01-01T12:00:00',
    total: '100',
    email: 'x@example.com',
  });

  it('go on as they were', async () => {
    const answer = await forecast(await load(store), 'month', '2024-12-31');
    expect(answer).toMatchObject({ refused_because: null, trained_from: '2021-01', trained_to: '2024-12' });
    const orders = metricOf(answer, 'orders_count');
    expect(orders).toMatchObject({
      season_periods: 12,
      holdout_periods: 12,
      seasonal_naive_error: 0,
    });
    expect(orders.error).toBeLessThan(30);
    expect(orders.periods.map(({ period }) => period)).toEqual(
      pattern.map((_, month) => `2025-${String(month + 1).padStart(2, '0')}`),
    );
    for (const [month, { value, low, high }] of orders.periods.entries()) {
      // A season that was seen three times is believed in part.
      expect(Math.abs(value - (pattern[month] ?? 0))).toBeLessThan(Math.max(1, 0.25 * (pattern[month] ?? 0)));
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
    }
    const revenue = metricOf(answer, 'orders_revenues');
    for (const [month, { value }] of revenue.periods.entries()) {
      expect(Math.abs(value / 100 - (pattern[month] ?? 0))).toBeLessThan(
        Math.max(1, 0.25 * (pattern[month] ?? 0)),
      );
    }
  });

  it('are refused before two whole years are known', async () => {
    const business_id = await load(store);
    expect(await forecast(business_id, 'month', '2022-11-30')).toMatchObject({
      refused_because: expect.any(String),
      metrics: [],
    });
    expect(await forecast(business_id, 'month', '2022-12-31')).toMatchObject({
      refused_because: null,
      trained_to: '2022-12',
    });
    // A range whose last month is not whole learns until the month before.
    expect(await forecast(business_id, 'month', '2025-01-01')).toMatchObject({ trained_to: '2024-12' });
  });
});

it('months that grow: the error of last year again is that of plain loops, and the method does no worse', async () => {
  const noise = random(7);
  const counts = Array.from({ length: 48 }, (_, month) =>
    Math.round((10 + month / 2) * (1 + Math.sin((2 * Math.PI * month) / 12) / 3) + 3 * noise()),
  );
  const store = storeOf(48 * 31, (day) => {
    const date = FIRST.add({ days: day });
    if (date.day !== 1) return 0;
    return counts[(date.year - FIRST.year) * 12 + date.month - 1] ?? 1;
  });
  const answer = await forecast(await load(store), 'month', '2024-12-31');
  const orders = metricOf(answer, 'orders_count');
  const heldOut = counts.slice(36);
  // Each month of the last year is forecast from every month before it since the year began: the n-th of them
  // n times.
  const weighted = (values: number[]) => values.reduce((sum, value, month) => sum + value * (month + 1), 0);
  const errors = heldOut.map((count, month) => Math.abs(count - (counts[24 + month] ?? 0)));
  expect(orders.seasonal_naive_error).toBeCloseTo((100 * weighted(errors)) / weighted(heldOut), 3);
  expect(orders.error).toBeLessThanOrEqual(orders.seasonal_naive_error);
  // The next year is that rule's too.
  for (const [index, { value }] of orders.periods.entries()) {
    const month = 48 + index;
    const expected = (10 + month / 2) * (1 + Math.sin((2 * Math.PI * month) / 12) / 3) + 1.5;
    expect(Math.abs(value - expected) / expected, `${index}: ${value} for ${expected}`).toBeLessThan(0.2);
  }
});

it('the intervals of forecasts hold about 80 of 100 days', async () => {
  const noise = random(11);
  const days = 700;
  // Weekends bring half; what chance adds is independent of the day before.
  const counts = Array.from({ length: days }, (_, day) => {
    const mean = FIRST.add({ days: day }).dayOfWeek > 5 ? 6 : 12;
    return Array.from({ length: 2 * mean }, noise).filter((draw) => draw < 0.5).length;
  });
  const business_id = await load(storeOf(days, (day) => counts[day] ?? 0));
  let [inside, all] = [0, 0];
  for (let end = 420; end < days - 15; end += 13) {
    const last = FIRST.add({ days: end }).toString();
    const answer = await forecast(business_id, 'day', last);
    expect(answer).toMatchObject({ refused_because: null, trained_to: last });
    for (const { period, low, high } of metricOf(answer, 'orders_count').periods) {
      const actual = counts[FIRST.until(period, { largestUnit: 'day' }).days] ?? 0;
      expect(low).toBeGreaterThanOrEqual(0);
      all += 1;
      if (low <= actual && actual <= high) inside += 1;
    }
  }
  expect(all).toBeGreaterThan(200);
  expect((100 * inside) / all).toBeGreaterThan(70);
  expect((100 * inside) / all).toBeLessThan(92);
});

it('days are refused before eight weeks are known', async () => {
  const business_id = await load(storeOf(80, () => 2));
  const after = (days: number) => FIRST.add({ days: days - 1 }).toString();
  expect(await forecast(business_id, 'day', after(55))).toMatchObject({
    refused_because: expect.any(String),
  });
  const answer = await forecast(business_id, 'day', after(56));
  expect(answer).toMatchObject({ refused_because: null, trained_from: '2021-01-01', trained_to: after(56) });
  expect(metricOf(answer, 'orders_count')).toMatchObject({ season_periods: 7, holdout_periods: 28 });
  for (const { value } of metricOf(answer, 'orders_count').periods) expect(value).toBeCloseTo(2, 2);
});
