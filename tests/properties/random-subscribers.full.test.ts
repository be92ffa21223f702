import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { interestListRows } from '../oracle/interest-lists.ts';
import type { Store } from '../oracle/store.ts';
import { subscriberStatistics, subscriberStatisticsTrend } from '../oracle/subscribers.ts';
import { fivefold } from '../support/crowds.ts';
import { randomConsents } from '../support/random-consents.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Random histories of consent: the answers are those of walking through each, and fit together. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const ranges = fc.constantFrom(
  { from_date: '2023-01-01T00:00:00', to_date: '2025-12-31T23:59:59' },
  { from_date: '2024-02-29T08:00:00', to_date: '2024-03-31T08:00:00' },
  { from_date: '2024-02-29T08:00:00.500', to_date: '2024-12-31T23:59:59' },
  { from_date: '2024-02-29T00:00:00', to_date: '2024-02-29T23:59:59' },
  { from_date: '2024-03-31T08:00:00', to_date: '2024-03-31T08:00:00' },
  { from_date: '2025-01-01T00:00:00', to_date: '2026-01-01T00:00:00' },
);
const timezones = fc.constantFrom('Europe/Prague', 'America/New_York', 'UTC');
/** Some of both are left out, for the time they take. */
const GROUPINGS = {
  email: ['source', 'popup', 'country', 'state', 'rfm_segment', 'exit_reason', 'exit_campaign', 'none'],
  sms: ['popup', 'country', 'exit_campaign'],
} as const;
const COUNTS = [
  ...['subscribed_at_start_count', 'subscribed_count', 'resubscribed_count', 'unsubscribed_count'],
  ...['bounced_out_count', 'complained_count', 'removed_count', 'net_growth', 'subscribed_at_end_count'],
];

type Row = Readonly<Record<string, number>>;
interface Statistics extends Record<string, unknown> {
  readonly states: readonly { state: string; profiles_count: number }[];
  readonly rows: readonly Row[];
}

async function load(store: Store) {
  const timezone = store.business.timezone ?? 'UTC';
  const business = await test.createBusiness({ timezone, currency: 'CZK', link: 'https://www.shop.cz/' });
  await test.importStore(business, store);
  return business.business_id;
}

it('the tools about subscribers and interest lists answer as the oracle does, whatever the store', async () => {
  const breakdowns = fc.constantFrom('day', 'week', 'month');
  await fc.assert(
    fc.asyncProperty(timezones.chain(randomConsents), ranges, breakdowns, async (store, range, breakdown) => {
      // Everybody five times: no row is of few people. Who is hidden is tested by itself.
      const crowd = fivefold(store);
      const business_id = await load(crowd);
      for (const channel of ['email', 'sms'] as const) {
        for (const group_by of GROUPINGS[channel]) {
          const call = { business_id, ...range, channel, group_by };
          const { data_until: _, ...found } = (await test.ask('subscriber_statistics', call)) as Statistics;
          expect(found, JSON.stringify(call)).toEqual(subscriberStatistics(crowd, call));
          expectBalances(found as Statistics);
        }
        const days = breakdown === 'day' && range.from_date < '2024' ? 'week' : breakdown;
        const call = { business_id, ...range, channel, breakdown: days } as const;
        const { data_until: _, ...trend } = (await test.ask('subscriber_statistics_trend', call)) as {
          data_until: never;
          periods: Row[];
        };
        expect(trend, JSON.stringify(call)).toEqual(subscriberStatisticsTrend(crowd, call));
        for (const [index, period] of trend.periods.entries()) {
          expectBalance(period);
          const next = trend.periods[index + 1] ?? {
            subscribed_at_start_count: period.subscribed_at_end_count,
          };
          expect(next.subscribed_at_start_count).toBe(period.subscribed_at_end_count);
        }
      }
      const lists = await test.ask('interest_list_statistics', {
        ...{ business_id, ...range, sort_by: 'unsubscribed_count', sort_order: 'asc' },
      });
      const { interest_lists: rows } = lists as { interest_lists: Row[] };
      for (const row of rows) {
        const { subscribed_at_start_count: start, net_growth, subscribed_at_end_count } = row;
        if ([start, net_growth, subscribed_at_end_count].some((one) => typeof one !== 'number')) continue;
        expect(subscribed_at_end_count).toBe(Number(start) + Number(net_growth));
      }
      expect(rows.toSorted(byCode)).toEqual(interestListRows(crowd, range));
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});

const byCode = (a: Row, b: Row) => (String(a.code) < String(b.code) ? -1 : 1);

/** Invariant 10: of the whole and of each row; rows add up to the whole, and end where the states do. */
function expectBalances(statistics: Statistics): void {
  for (const row of [statistics as unknown as Row, ...statistics.rows]) expectBalance(row);
  for (const key of COUNTS) {
    expect(
      statistics.rows.reduce((sum, row) => sum + Number(row[key]), 0),
      key,
    ).toBe(statistics[key]);
  }
  expect(statistics.states.find(({ state }) => state === 'subscribed')?.profiles_count).toBe(
    statistics.subscribed_at_end_count,
  );
}

function expectBalance(row: Row): void {
  const of = (key: string) => Number(row[key]);
  const exits = ['unsubscribed_count', 'bounced_out_count', 'complained_count', 'removed_count'].map(of);
  const growth =
    of('subscribed_count') + of('resubscribed_count') - exits.reduce((sum, count) => sum + count, 0);
  expect(row.net_growth).toBe(growth);
  expect(row.subscribed_at_end_count).toBe(of('subscribed_at_start_count') + growth);
  expect(row.subscribed_at_end_count).toBeGreaterThanOrEqual(0);
  expect(row.early_exit_count).toBeGreaterThanOrEqual(0);
  for (const rate of [row.churn_rate, row.confirmation_rate]) {
    if (typeof rate !== 'number') continue;
    expect(rate).toBeGreaterThanOrEqual(0);
    expect(rate).toBeLessThanOrEqual(100);
  }
}
