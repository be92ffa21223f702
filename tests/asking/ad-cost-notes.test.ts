import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let business_id: string;
const SETTINGS = { timezone: 'Europe/Prague', primary_currency: 'CZK' };

/** Each day of 2026 from the first month to the last one. */
function daysOf(first: number, last: number): string[] {
  const days = Array.from({ length: 365 }, (_, day) =>
    new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
  );
  return days.filter((day) => Number(day.slice(5, 7)) >= first && Number(day.slice(5, 7)) <= last);
}

const cost = (day: string, source: string) => ({
  day,
  source,
  medium: 'cpc',
  campaign: 'c',
  cost: '10',
  clicks: '5',
});
/** Google advertises from March to July, but for most of May; Facebook from June on. */
const COSTS = [
  ...daysOf(3, 4).map((day) => cost(day, 'google')),
  ...daysOf(6, 7).map((day) => cost(day, 'google')),
  ...['2026-05-01', '2026-05-31'].map((day) => cost(day, 'google')),
  ...daysOf(6, 6).map((day) => cost(day, 'facebook')),
];

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const store = emptyStore(SETTINGS);
  for (const day of daysOf(1, 8)) {
    const ordered_at = `${day}T12:00:00`;
    store.orders.push({
      order_id: day,
      email: `${day}@example.com`,
      ordered_at,
      total: '100',
      session_id: day,
    });
    store.sessions.push({
      ...{ session_id: day, visitor_id: day, started_at: `${day}T11:50:00`, source: 'google' },
      ...{ medium: 'cpc', campaign: 'c' },
    });
  }
  store.ad_costs.push(...COSTS);
  await test.importStore(business, store);
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

const isOfCosts = (note: string) => /dvertising costs/.test(note);

async function notesOf(from_date: string, to_date: string, tool = 'session_statistics', more: object = {}) {
  const id = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  return ((await test.run(tool, { ...id, from_date, to_date, ...more })).notes ?? []).filter(isOfCosts);
}

const LOADED = 'Advertising costs are loaded from 2026-03-01 to 2026-07-31';
const PART = `${LOADED}, which is a part of the range: costs are too low for all of it, and what they brought looks too cheap. Ask for days that have costs.`;
const HALF = ['2026-01-01', '2026-04-30'] as const;

it('says of which days costs are loaded, where a range has others, as counted over the raw rows', async () => {
  const { result } = await test.run('session_statistics', {
    ...{ business_id, from_date: HALF[0], to_date: HALF[1], group_by: 'source' },
  });
  const [google] = (result as { sessions: Record<string, number>[] }).sessions;
  const inRange = COSTS.filter(({ day }) => day >= HALF[0] && day <= HALF[1]);
  // The sales of four months, and the costs of two: twice as good as it was.
  expect(google).toMatchObject({
    ad_cost: inRange.length * 10,
    advertised_revenue: daysOf(1, 4).length * 100,
  });
  expect(daysOf(1, 4).length / inRange.length).toBeGreaterThan(1.9);
  expect(await notesOf(...HALF)).toEqual([PART]);
  expect(await notesOf('2026-07-01', '2026-08-31')).toEqual([PART]);
});

it('says it of every answer with costs, and of no other', async () => {
  for (const [tool, more] of [
    ['session_statistics', { group_by: 'channel' }],
    ['query_metrics', { metrics: ['ad_cost'] }],
    ['query_metrics', { metrics: ['revenue', 'cost_per_new_customer'] }],
    ['customer_value', { by: 'last_click_channel' }],
    ['customer_value', {}],
  ] as const)
    expect(await notesOf(...HALF, tool, more), tool).toEqual([PART]);
  for (const [tool, more] of [
    ['session_statistics', { group_by: 'device' }],
    ['session_statistics_trend', { breakdown: 'day', filter_sources: ['google'] }],
    ['query_metrics', { metrics: ['revenue'], group_by: ['channel'] }],
    ['query_metrics', { metrics: ['last_click_new_customers_count'] }],
    ['customer_value', { by: 'cohort' }],
    ['order_statistics', {}],
  ] as const)
    expect(await notesOf(...HALF, tool, more), tool).toEqual([]);
});

it('says nothing about a range that has costs on all days of which orders are known', async () => {
  expect(await notesOf('2026-03-01', '2026-04-30')).toEqual([]);
  expect(await notesOf('2026-06-01', '2026-06-30')).toEqual([]);
});

it('says that nothing is known of a range without a loaded day', async () => {
  const note = `${LOADED}, and no day of the range is among these: nothing is known of what advertising cost in it.`;
  expect(await notesOf('2026-01-01', '2026-02-28')).toEqual([note]);
  expect(await notesOf('2026-08-01', '2026-08-31')).toEqual([note]);
});

it('says how many days between the first and the last loaded day have no costs', async () => {
  expect(await notesOf('2026-04-15', '2026-05-31')).toEqual([
    'No advertising costs are loaded for 29 days of the range. If there was advertising: costs are too low for all of it, and what they brought looks too cheap. Ask for days that have costs.',
  ]);
});

it('names sources whose costs begin or end within the range', async () => {
  const note =
    'Advertising costs of some sources are loaded for a part of the range: "facebook" (until 2026-06-30). If they advertised on other days too, what they brought looks too cheap.';
  const range = ['2026-06-01', '2026-07-31'] as const;
  expect(await notesOf(...range)).toEqual([note]);
  const only = async (source: string) => [
    await notesOf(...range, 'session_statistics', { filter_sources: [source] }),
    await notesOf(...range, 'query_metrics', {
      ...{ metrics: ['ad_cost'], filters: [{ dimension: 'source', in: [source] }] },
    }),
  ];
  expect(await only('facebook')).toEqual([[note], [note]]);
  expect(await only('google')).toEqual([[], []]);
});

it('says of the compared range, too, that none of its days has costs', async () => {
  const more = { metrics: ['ad_cost'], compare: 'previous_period' };
  expect(await notesOf('2026-03-01', '2026-04-30', 'query_metrics', more)).toEqual([
    `${LOADED}, and no day of the compared range is among these: nothing is known of what advertising cost in it.`,
  ]);
  expect(await notesOf('2026-04-01', '2026-04-30', 'query_metrics', more)).toEqual([]);
});
