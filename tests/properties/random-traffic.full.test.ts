import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectedAnswers } from '../oracle/expected-answers.ts';
import {
  channelTransitionMatrix,
  type JourneyArguments,
  journeyStatistics,
  type MatrixArguments,
} from '../oracle/journeys.ts';
import type { TrendArguments } from '../oracle/order-statistics.ts';
import {
  type SessionArguments,
  sessionStatistics,
  sessionStatisticsTrend,
} from '../oracle/session-statistics.ts';
import type { Store } from '../oracle/store.ts';
import { expectAnswer } from '../support/expect-answer.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { randomTraffic } from '../support/random-traffic.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Random stores with sessions, asked by any arguments: the answers are those of plain loops over the raw
 * rows.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const names = (...values: string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values, 'unknown'), { maxLength: 3 }));
const filters = {
  filter_channels: names('Direct', 'Email', 'Paid Search', 'Internal'),
  filter_sources: names('google', '(direct)', '(not set)', 'news'),
  filter_devices: fc.option(fc.uniqueArray(fc.constantFrom('desktop', 'mobile'), { maxLength: 2 })),
  include_suspected_bots: fc.boolean(),
};
const page = {
  sort_order: fc.constantFrom('asc', 'desc'),
  limit: fc.constantFrom(1, 3, 1000),
  offset: fc.constantFrom(0, 0, 2),
};
const calls = {
  session_statistics: fc.record({
    ...filters,
    ...page,
    filter_mediums: names('cpc', '(not set)', 'email'),
    filter_campaigns: names('spring', '(not set)'),
    group_by: fc.constantFrom(
      ...['source_medium', 'channel', 'source', 'campaign', 'landing_page', 'referrer_domain'],
      ...['device', 'country', 'none'],
    ),
    sort_by: fc.constantFrom(
      ...['sessions_count', 'visitors_count', 'orders_count', 'last_click_revenue', 'first_click_revenue'],
      ...['conversion_rate', 'revenue_per_session'],
    ),
  }),
  session_statistics_trend: fc.record({ ...filters, breakdown: fc.constantFrom('day', 'week', 'month') }),
  journey_statistics: fc.record({
    ...page,
    touch: fc.constantFrom('channel', 'source_medium', 'campaign'),
    outcome: fc.constantFrom('converted', 'not_converted', 'all'),
    lookback_days: fc.constantFrom(1, 2, 30, 90),
    collapse_repeats: fc.boolean(),
    max_touches: fc.constantFrom(2, 3, 8),
    sort_by: fc.constantFrom('journeys_count', 'revenue', 'avg_days_to_conversion', 'touches_count'),
  }),
  channel_transition_matrix: fc.record({
    touch: fc.constantFrom('channel', 'source_medium'),
    lookback_days: fc.constantFrom(1, 2, 30, 90),
    include_not_converted: fc.boolean(),
  }),
};
const ranges = fc.constantFrom(
  { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' },
  { from_date: '2024-02-29T00:00:00', to_date: '2024-03-31T02:30:00' },
  { from_date: '2024-03-30T08:00:00', to_date: '2024-03-31T23:59:59' },
  { from_date: '2024-02-01T00:00:00', to_date: '2024-02-29T08:29:59' },
);

async function load(store: Store): Promise<string> {
  const business = await test.createBusiness({
    timezone: store.business.timezone ?? 'UTC',
    currency: 'CZK',
    link: 'https://www.shop.cz/',
  });
  await test.importStore(business, store);
  return business.business_id;
}

it('the traffic tools answer as the oracle does, whatever the store', async () => {
  const timezones = fc.constantFrom('Europe/Prague', 'America/New_York', 'UTC');
  await fc.assert(
    fc.asyncProperty(timezones.chain(randomTraffic), ranges, fc.record(calls), async (store, range, args) => {
      const business_id = await load(store);
      const asked = (tool: keyof typeof args) => ({ ...args[tool], ...range, business_id }) as never;
      const answer = (tool: keyof typeof args) => test.ask(ofAnybody(tool), asked(tool));

      const statistics: SessionArguments = asked('session_statistics');
      await expectAnswer(test, 'session_statistics', statistics, sessionStatistics(store, statistics));

      const trend: TrendArguments = asked('session_statistics_trend');
      expect(withoutAnomalies(await answer('session_statistics_trend'))).toEqual(
        sessionStatisticsTrend(store, trend),
      );

      const journeys: JourneyArguments = asked('journey_statistics');
      await expectAnswer(test, 'journey_statistics', journeys, journeyStatistics(store, journeys));
      await expectSameOrders({
        business_id,
        from_date: range.from_date.slice(0, 10),
        to_date: range.to_date.slice(0, 10),
      });

      const matrix: MatrixArguments = asked('channel_transition_matrix');
      expectMatrix(await answer('channel_transition_matrix'), channelTransitionMatrix(store, matrix));

      // Sessions tie visitors to customers, which the product tools count.
      const products = { ...range, business_id, limit: 1000 };
      expect(await test.ask('product_statistics', products)).toEqual(
        expectedAnswers.product_statistics(store, products as never),
      );
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});

/**
 * Journeys that end with an order have the number and worth of the orders that sessions are credited with.
 */
async function expectSameOrders(call: object): Promise<void> {
  const { totals } = (await test.ask('session_statistics', { ...call })) as {
    totals: { orders_count: number; last_click_revenue: number };
  };
  expect(await test.ask(ofAnybody('journey_statistics'), { ...call })).toMatchObject({
    converted_journeys_count: totals.orders_count,
    revenue: totals.last_click_revenue,
  });
}

function withoutAnomalies(answer: unknown): unknown {
  const { periods, ...rest } = answer as { periods: { is_anomalous: boolean }[] };
  return { ...rest, periods: periods.map(({ is_anomalous: _, ...period }) => period) };
}

/** What journeys, last and first clicks are credited with is one number. */
function expectOneTotal({ channels }: Matrix): void {
  const total = (key: 'markov_revenue' | 'last_click_revenue' | 'first_click_revenue') =>
    channels.reduce((sum, row) => sum + Math.round((row[key] ?? 0) * 10_000), 0);
  expect(total('last_click_revenue')).toBe(total('first_click_revenue'));
  const isShared = channels.some(({ markov_revenue }) => markov_revenue !== null);
  if (isShared && channels.some(({ removal_effect }) => (removal_effect ?? 0) > 0)) {
    expect(total('markov_revenue')).toBe(total('last_click_revenue'));
  }
}

type Matrix = ReturnType<typeof channelTransitionMatrix>;

/** Effects are computed in another way, so their last decimal may differ. */
function expectMatrix(answer: unknown, expected: Matrix): void {
  expectOneTotal(answer as Matrix);
  const rounded = ({ channels, ...rest }: Matrix) => ({
    ...rest,
    channels: channels.map(({ removal_effect: _, markov_revenue: __, ...counts }) => counts),
  });
  const actual = answer as Matrix;
  expect(rounded(actual)).toEqual(rounded(expected));
  for (const [index, { removal_effect, markov_revenue, channel }] of expected.channels.entries()) {
    const found = actual.channels[index];
    if (removal_effect === null) expect(found?.removal_effect).toBeNull();
    else expect(found?.removal_effect, channel).toBeCloseTo(removal_effect, 3);
    if (markov_revenue === null) expect(found?.markov_revenue).toBeNull();
    else expect(found?.markov_revenue, channel).toBeCloseTo(markov_revenue, 2);
  }
}
