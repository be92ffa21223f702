import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { campaignResults, campaignTrend } from '../oracle/campaign-results.ts';
import { type Breakdown, periodOf } from '../oracle/periods.ts';
import { popupResults } from '../oracle/popups.ts';
import { randomPopups } from '../support/random-popups.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Random stores with messages and popups: the answers are those of plain loops over the raw rows, and fit
 * together.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const EVER = { from_date: '2023-01-01T00:00:00', to_date: '2025-12-31T23:59:59' };
/** As many as a trend by day can have. */
const FEW_DAYS = { from_date: '2024-02-20T00:00:00', to_date: '2024-04-02T00:00:00' };
const ranges = fc.constantFrom(
  EVER,
  { from_date: '2024-02-29T08:00:00', to_date: '2024-03-31T08:00:00' },
  { from_date: '2024-02-23T08:00:00', to_date: '2024-02-29T07:59:59' },
);
const MESSAGING = ['e1', 'e2', 's1', 's2'];
const CAMPAIGNS = [...MESSAGING, 'p1', 'p2'];

type Numbers = Record<string, number>;
type Result = Numbers & { steps: Numbers[]; channel: string; email: Numbers; sms: Numbers; popup: Numbers };

it('the tools about campaigns answer as the oracle does, whatever the store', async () => {
  const stores = fc.constantFrom('Europe/Prague', 'America/New_York', 'UTC').chain(randomPopups);
  const breakdowns = fc.constantFrom<Breakdown[]>('day', 'week', 'month');
  await fc.assert(
    fc.asyncProperty(stores, ranges, breakdowns, async (store, range, breakdown) => {
      const timezone = store.business.timezone ?? 'UTC';
      const business = await test.createBusiness({ timezone, currency: 'CZK', link: 'https://www.shop.cz/' });
      await test.importStore(business, store);
      const { business_id } = business;
      const ask = (tool: string, args: object) => test.ask(tool, { business_id, ...args });
      const resultOf = async (campaign_id: string, span: object) =>
        (await ask('get_campaign_statistics', { campaign_id, ...span })) as Result;

      const results = new Map<string, Result>();
      for (const campaign_id of CAMPAIGNS) {
        const result = await resultOf(campaign_id, range);
        results.set(campaign_id, result);
        expect(result, campaign_id).toMatchObject(campaignResults(store, campaign_id, range));
        expectWhole(result);
        expectSteps(result);
      }

      // Invariant 7.
      for (const channel of ['email', 'sms']) {
        const { campaigns } = (await ask(`${channel}_campaign_statistics`, { ...range, limit: 1000 })) as {
          campaigns: (Numbers & { campaign_id: string })[];
        };
        for (const { campaign_id, attributed_revenue, ...listed } of campaigns) {
          const result = results.get(campaign_id) as Result;
          expect(result.attributed_revenue_cents).toBe(cents(Number(attributed_revenue)));
          const { conversion_rate, is_mature, first_sent_at, last_sent_at } = listed;
          expect(result).toMatchObject({ conversion_rate, is_mature, first_sent_at, last_sent_at });
          expect(listed).toMatchObject(result.email ?? result.sms);
        }
      }

      const days = breakdown === 'day' ? FEW_DAYS : range;
      const call = { ...days, breakdown, campaign_ids: [...CAMPAIGNS, 'unknown', 'e1'] };
      const { periods } = (await ask('campaign_statistics_trend', call)) as { periods: Numbers[] };
      const expected = campaignTrend(store, CAMPAIGNS, { ...days, breakdown });
      expect(periods.map(({ is_mature: _, ...row }) => row)).toEqual(
        CAMPAIGNS.flatMap((id) => expected.filter(({ campaign_id }) => campaign_id === id)),
      );
      const widened = widen(periods, breakdown);
      for (const campaign_id of CAMPAIGNS) {
        const own = periods.filter((row) => String(row.campaign_id) === campaign_id);
        expectSums(await resultOf(campaign_id, widened), own);
      }

      const listing = await ask('popup_campaign_statistics', { ...range, limit: 1000 });
      const { campaigns, total_count } = listing as {
        campaigns: (Numbers & { campaign_id: string })[];
        total_count: number;
      };
      const seen = ['p1', 'p2'].filter((id) => popupResults(store, id, range).activity.devices.length > 0);
      expect(campaigns.map(({ campaign_id }) => campaign_id).sort()).toEqual(seen);
      expect(total_count).toBe(seen.length);
      for (const { campaign_id, ...row } of campaigns) {
        expect(row).toMatchObject(popupResults(store, campaign_id, range).activity);
      }
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});

/** An amount with four decimals times 100 would not be exact. */
const cents = (amount: number) => Math.round(Math.round(amount * 10_000) / 100);

/** Exactly one channel; what clicks and opens are credited with is all that messages are. */
function expectWhole(result: Result): void {
  const { channel, attributed_revenue_cents: attributed = 0 } = result;
  const blocks = { email: result.email, sms: result.sms, popup: result.popup };
  expect(Object.entries(blocks).flatMap(([name, block]) => (block === null ? [] : [name]))).toEqual([
    channel,
  ]);
  const byTouch =
    Number(result.click_attributed_revenue_cents) + Number(result.open_attributed_revenue_cents);
  expect(byTouch).toBe(channel === 'popup' ? 0 : attributed);
  if (channel !== 'email') expect(result.open_attributed_revenue_cents).toBe(0);
  for (const rate of Object.values(blocks).flatMap((block) => Object.entries(block ?? {}))) {
    if (rate[0].endsWith('_rate') && rate[1] !== null) {
      expect(rate[1]).toBeGreaterThanOrEqual(0);
      expect(rate[1]).toBeLessThanOrEqual(100);
    }
  }
}

function expectSteps({ channel, steps, email, sms, attributed_revenue_cents = 0 }: Result): void {
  const sum = (key: string) => steps.reduce((total, step) => total + Number(step[key]), 0);
  expect(steps.length > 0).toBe(channel !== 'popup');
  expect(sum('delivered_count')).toBe((email ?? sms)?.delivered_count ?? 0);
  // Each is rounded to cents by itself.
  const rounding = Math.abs(
    sum('attributed_revenue_cents') - (channel === 'popup' ? 0 : attributed_revenue_cents),
  );
  expect(rounding).toBeLessThanOrEqual(steps.length / 2);
}

function widen(periods: readonly Numbers[], breakdown: Breakdown) {
  const { lastDay } = periodOf(String(periods.at(-1)?.period_start), breakdown);
  return { from_date: `${periods[0]?.period_start}T00:00:00`, to_date: `${lastDay}T23:59:59` };
}

const ADDITIVE = {
  email: ['sent_count', 'delivered_count', 'unique_opens_count', 'unique_clicks_count', 'unsubscribes_count'],
  sms: ['sent_count', 'delivered_count', 'unique_clicks_count'],
  popup: ['displays_count', 'submissions_count'],
};

function expectSums(result: Result, rows: readonly Numbers[]): void {
  const sum = (key: string) =>
    rows.reduce((total, row) => total + Math.round(Number(row[key]) * 10_000), 0) / 10_000;
  expect(sum('attributed_orders_count')).toBe(result.attributed_orders_count);
  expect(cents(sum('attributed_revenue'))).toBe(result.attributed_revenue_cents);
  const channel = result.channel as keyof typeof ADDITIVE;
  for (const key of ADDITIVE[channel]) expect(sum(key), key).toBe(result[channel][key]);
}
