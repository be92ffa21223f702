import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays } from '../../../../tests/oracle/periods.ts';
import { anomalous } from '../../../../tests/oracle/session-statistics.ts';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

let test: TestInstance;
let business: Business;

/**
 * Sessions of each day from 2024-03-01 on: usually 2 or 3, on Mondays 36 to 38, with a peak, a hole and an
 * end.
 */
const perDay = new Map<string, number>();
for (let date = '2024-03-01'; date <= '2024-05-20'; date = addDays(date, 1)) {
  const index = perDay.size;
  const isMonday = new Date(date).getUTCDay() === 1;
  perDay.set(date, isMonday ? 36 + (index % 3) : 2 + (index % 2));
}
perDay.set('2024-05-07', 50);
// A Wednesday of 6 where 2 or 3 are usual is chance.
perDay.set('2024-05-08', 6);
perDay.set('2024-05-13', 0);

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    sessions: [...perDay].flatMap(([date, sessions]) =>
      Array.from({ length: sessions }, (_, index) => ({
        // The first one of a day at its first minute, which is still the day before in UTC.
        ...{ session_id: `${date} ${index}`, visitor_id: `v${index}` },
        started_at: `${date}T${String(Math.floor(index / 3)).padStart(2, '0')}:${20 * (index % 3) || '00'}:00`,
        source: index === 0 ? 'news' : 'google',
        medium: index === 0 ? 'email' : 'organic',
        device: 'mobile',
      })),
    ),
  });
});

afterAll(() => test[Symbol.asyncDispose]());

interface Bucket {
  readonly period: string;
  readonly period_start: string;
  readonly sessions_count: number;
  readonly new_visitors_count: number;
  readonly is_anomalous: boolean;
}

async function ask(args: object): Promise<Bucket[]> {
  const call = { business_id: business.business_id, breakdown: 'day', ...args };
  return ((await test.ask('session_statistics_trend', call)) as { periods: Bucket[] }).periods;
}

const ALL = { from_date: '2024-02-25T00:00:00', to_date: '2024-05-25T23:59:59' };

it('marks the days that are far off their weekday in the eight weeks before', async () => {
  const days = await ask(ALL);
  expect(days.map(({ period_start, sessions_count }) => [period_start, sessions_count])).toEqual(
    days.map(({ period_start }) => [period_start, perDay.get(period_start) ?? 0]),
  );
  const countOf = (day: string) => perDay.get(day) ?? 0;
  const marked = days.filter(({ is_anomalous }) => is_anomalous).map(({ period }) => period);
  const loaded = days.filter(({ period }) => period >= '2024-03-01' && period <= '2024-05-20');
  expect(marked).toEqual(
    loaded.map(({ period }) => period).filter((day) => anomalous(day, countOf, '2024-03-01')),
  );
  // The peak of a Tuesday and the hole of a Monday. The 6 of a Wednesday, beside eight counts of 2 or 3, are
  // no further than chance takes them.
  expect(marked).toEqual(['2024-05-07', '2024-05-13']);
});

it('looks at the weeks before the range, and never judges weeks, months or days that are not loaded', async () => {
  const [day] = await ask({ from_date: '2024-05-07T00:00:00', to_date: '2024-05-07T00:00:00' });
  expect(day).toMatchObject({ period: '2024-05-07', sessions_count: 50, is_anomalous: true });
  const later = await ask({ from_date: '2024-05-21T00:00:00', to_date: '2024-05-30T00:00:00' });
  for (const bucket of [
    ...later,
    ...(await ask({ ...ALL, breakdown: 'week' })),
    ...(await ask({ ...ALL, breakdown: 'month' })),
  ]) {
    expect(bucket.is_anomalous).toBe(false);
  }
});

it('judges what passes the filters', async () => {
  const [day] = await ask({
    ...{ from_date: '2024-05-07T00:00:00', to_date: '2024-05-07T23:59:59' },
    filter_channels: ['Email'],
  });
  expect(day).toMatchObject({ sessions_count: 1, is_anomalous: false });
});

it('fills empty periods and counts a new visitor in the first only', async () => {
  const months = await ask({ ...ALL, breakdown: 'month' });
  expect(months.map(({ period, new_visitors_count }) => [period, new_visitors_count])).toEqual([
    ['2024-02', 0],
    ['2024-03', 38],
    ['2024-04', 0],
    // Only the peak has more visitors than Mondays.
    ['2024-05', 12],
  ]);
});

it('refuses what does not fit', async () => {
  await expect(ask({ ...ALL, breakdown: 'year' })).rejects.toThrow(
    'breakdown must be one of day, week, month',
  );
  await expect(ask({ from_date: '2000-01-01T00:00:00', to_date: '2024-01-01T00:00:00' })).rejects.toThrow(
    'the range gives more than 5000 rows; use a coarser breakdown',
  );
});
