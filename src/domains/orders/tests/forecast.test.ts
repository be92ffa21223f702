import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * Ten weeks of orders from Monday, 1 January 2024 on: one on Mondays, two on Tuesdays, … seven on Sundays.
 */
const DAYS = 70;
const days = Array.from({ length: DAYS }, (_, index) => new Date(Date.UTC(2024, 0, 1 + index)));
const orders = days.flatMap((day, index) =>
  Array.from({ length: 1 + (index % 7) }, (_, place) => ({
    order_id: `o${index}-${place}`,
    ordered_at: `${day.toISOString().slice(0, 10)}T1${place}:00:00`,
    email: `c${place}@example.com`,
    total: '10',
  })),
);
const sessions = orders.map((order, index) => ({
  session_id: `s${index}`,
  visitor_id: `v${index}`,
  started_at: order.ordered_at,
  source: 'google',
  medium: 'organic',
}));

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  business_id = business.business_id;
  const empty = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  await test.importStore(business, { ...empty, orders, sessions });
});

afterAll(() => test[Symbol.asyncDispose]());

/** The last loaded day, Sunday, 10 March, goes on: the forecast begins with it. */
const LAST_WEEK = {
  from_date: '2024-03-04T00:00:00',
  to_date: '2024-03-31T23:59:59',
  breakdown: 'day',
  forecast_periods: 3,
};
const ask = (tool: string, args: object) => test.ask(tool, { business_id, ...args });

it('begins after the last whole day of data, and is computed from days before the range, too', async () => {
  expect(await ask('order_statistics_trend', LAST_WEEK)).toMatchObject({
    forecast: {
      refused_because: null,
      trained_from: '2024-01-01',
      trained_to: '2024-03-09',
      metrics: [
        {
          metric: 'orders_count',
          season_periods: 7,
          holdout_periods: 41,
          seasonal_naive_error: 0,
          periods: [
            { period: '2024-03-10', value: expect.closeTo(7, 0) },
            { period: '2024-03-11', value: expect.closeTo(1, 0) },
            { period: '2024-03-12', value: expect.closeTo(2, 0) },
          ],
        },
        {
          metric: 'average_order_value',
          periods: [{ value: 10 }, { value: 10 }, { value: 10 }],
          total: null,
        },
        {
          metric: 'orders_revenues',
          method: 'orders_x_average_value',
          periods: [
            { value: expect.closeTo(70, -1) },
            { value: expect.closeTo(10, -1) },
            { value: expect.closeTo(20, -1) },
          ],
        },
      ],
      unusual_periods: [],
    },
  });
});

// Orders with a known visit are some of the orders: a forecast of them would contradict that of all.
it('begins after the range where that ends before the data', async () => {
  const to_date = '2024-03-06T23:59:59';
  expect(await ask('session_statistics_trend', { ...LAST_WEEK, to_date })).toMatchObject({
    forecast: {
      trained_to: '2024-03-06',
      metrics: [
        {
          metric: 'sessions_count',
          periods: [
            { period: '2024-03-07', value: expect.closeTo(4, 0) },
            { value: expect.closeTo(5, 0) },
            { value: expect.closeTo(6, 0) },
          ],
        },
      ],
    },
  });
});

it('is refused where less than two seasons are loaded, and is null where nobody asked for it', async () => {
  expect(await ask('order_statistics_trend', { ...LAST_WEEK, breakdown: 'month' })).toMatchObject({
    forecast: {
      refused_because:
        'it needs 24 whole months, and 2 are loaded up to the end of the range; weeks need 104, days 56 (they reach 12 days and know no season of the year)',
      metrics: [],
    },
  });
  expect(await ask('order_statistics_trend', { ...LAST_WEEK, forecast_periods: null })).toMatchObject({
    forecast: null,
  });
});

it('counts the last loaded day as whole where orders reach its evening, by days and weeks alike', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const empty = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  const evening = { ...orders[0], order_id: 'evening', ordered_at: '2024-03-10T22:30:00' };
  await test.importStore(business, { ...empty, orders: [...orders, evening] });
  const ends = async (breakdown: string) =>
    (await test.ask('order_statistics_trend', {
      ...LAST_WEEK,
      ...{ business_id: business.business_id, breakdown },
    })) as { forecast: { trained_to: string } };
  expect((await ends('day')).forecast.trained_to).toBe('2024-03-10');
  expect((await ends('week')).forecast.trained_to).toBe('2024-W10');
  // The order of the evening is missing, so the same Sunday goes on, and so does its week.
  expect(await ask('order_statistics_trend', { ...LAST_WEEK, breakdown: 'week' })).toMatchObject({
    forecast: { trained_to: '2024-W09' },
  });
});

it('says of forecasts that were nearly always too low that they were, and by how much', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  // Ever more of them, faster and faster: what goes on as before falls behind.
  const counts = days.map((_, index) => 1 + Math.floor(index ** 3 / 20_000));
  const growing = counts.flatMap((count, index) =>
    Array.from({ length: count }, (_, place) => ({
      ...{ order_id: `g${index}-${place}`, email: `g${place}@example.com`, total: '10' },
      ordered_at: `${days[index]?.toISOString().slice(0, 10)}T${10 + (place % 12)}:00:00`,
    })),
  );
  const empty = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  await test.importStore(business, { ...empty, orders: growing });
  const args = { ...LAST_WEEK, forecast_periods: 12, business_id: business.business_id };
  const { result, notes } = await test.run('order_statistics_trend', args);
  const { forecast } = result as { forecast: { metrics: { error: number; bias: number }[] } };
  const [orders, value] = forecast.metrics;
  expect(orders?.bias).toBeLessThan(-10);
  expect(orders?.bias).toBeGreaterThanOrEqual(-(orders?.error ?? 0));
  expect(value?.bias).toBe(0);
  const low = Math.abs(Math.round(orders?.bias ?? 0));
  expect(notes).toContain(
    `Forecasts of the periods held out missed mostly on one side (bias): orders_count ${low} % too low, orders_revenues ${low} % too low in sum. This one may, too.`,
  );
});
