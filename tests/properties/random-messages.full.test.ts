import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_WINDOWS } from '../../src/business/attribution-windows.ts';
import { setBusinessSettings } from '../../src/control/businesses/business-settings.ts';
import { matureResults, orderDateRevenue, sendResults } from '../oracle/messages.ts';
import type { Store } from '../oracle/store.ts';
import { randomMessages } from '../support/random-messages.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Random stores with messages: the answers are those of plain loops over the raw rows, and fit together. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const ranges = fc.constantFrom(
  { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' },
  { from_date: '2024-02-29T08:00:00', to_date: '2024-03-31T08:00:00' },
  { from_date: '2024-03-01T00:00:00', to_date: '2024-03-31T23:59:59' },
);
const CHANNELS = ['email', 'sms'] as const;

type Row = Record<string, number | string | null>;

it('the tools about messages answer as the oracle does, whatever the store', async () => {
  const stores = fc.constantFrom('Europe/Prague', 'America/New_York', 'UTC').chain(randomMessages);
  const windows = fc.constantFrom({}, { click: 30, open: 0, delivery: 20 }, { click: 0, open: 72 });
  const breakdowns = fc.constantFrom('day', 'week', 'month', null);
  await fc.assert(
    fc.asyncProperty(stores, windows, ranges, breakdowns, async (messages, hours, range, breakdown) => {
      const store = { ...messages, business: { ...messages.business, windows: hours } };
      const { business_id } = await load(store);
      const ask = (tool: string, args: object = {}) => test.ask(tool, { business_id, ...range, ...args });
      const orders = (await ask('order_statistics')) as Row;
      let attributed = 0;
      for (const channel of CHANNELS) {
        const by_campaign = breakdown !== 'month';
        const expected = orderDateRevenue(store, channel, { ...range, breakdown, by_campaign });
        const revenue = await ask(`${channel}_revenue_statistics`, { breakdown, by_campaign });
        expect(revenue).toMatchObject(expected);
        if (by_campaign) expectColumns(revenue as Row & { campaigns: Row[] });
        // Invariants 3 and 4.
        const { total_orders_count, total_revenue, attributed_orders_count } = revenue as Row;
        expect([total_orders_count, total_revenue]).toEqual([orders.orders_count, orders.orders_revenues]);
        attributed += Number(attributed_orders_count);

        const results = sendResults(store, channel, { ...range, breakdown });
        const activity = (await ask(`${channel}_channel_statistics`, { breakdown })) as Row;
        expect(activity).toMatchObject({ ...results.whole, periods: results.periods });
        expectRates(activity);

        const listing = await ask(`${channel}_campaign_statistics`, { limit: 1000 });
        const { campaigns, total_count, data_until } = listing as {
          campaigns: Row[];
          total_count: number;
          data_until: string;
        };
        const mature = matureResults(store, channel, range, data_until);
        const matureDelivered = [...mature.values()].reduce(
          (sum, one) => sum + Number(one.mature_delivered_count),
          0,
        );
        expect(total_count).toBe(results.campaigns.size);
        for (const campaign of campaigns) {
          expect(campaign).toMatchObject(results.campaigns.get(String(campaign.campaign_id)) as object);
          expect(campaign).toMatchObject(mature.get(String(campaign.campaign_id)) as object);
          // What is mature as a whole is so in all its parts.
          if (campaign.is_mature) expect(campaign.mature_delivered_count).toBe(campaign.delivered_count);
        }
        // Invariant 6.
        expectSums(activity, campaigns);
        for (const group_by of ['campaign_type', 'campaign_category']) {
          const { types } = (await ask(`${channel}_campaign_type_statistics`, { group_by })) as {
            types: Row[];
          };
          expectSums(activity, types);
          expect(types.reduce((sum, row) => sum + Number(row.mature_delivered_count), 0)).toBe(
            matureDelivered,
          );
        }
        if (channel === 'email') {
          for (const group_by of ['mailbox_provider', 'recipient_domain', 'sending_domain']) {
            const { rows } = (await ask('email_deliverability_statistics', { group_by })) as { rows: Row[] };
            expectSums(activity, rows);
          }
          const { links } = (await ask('email_link_statistics', { limit: 1000 })) as { links: Row[] };
          const shares = links.reduce((sum, { click_share }) => sum + Number(click_share), 0);
          if (links.some(({ click_share }) => Number(click_share) > 0)) expect(shares).toBeCloseTo(100, 2);
        }
      }
      expect(attributed).toBeLessThanOrEqual(Number(orders.orders_count));
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});

async function load(store: Store) {
  const business = await test.createBusiness({
    timezone: store.business.timezone ?? 'UTC',
    currency: 'CZK',
    link: 'https://www.shop.cz/',
  });
  const attribution_windows = { ...DEFAULT_WINDOWS, ...store.business.windows };
  await setBusinessSettings(test.instance.control, business.business_id, { attribution_windows });
  await test.importStore(business, store);
  return business;
}

/** What campaigns are credited with adds up to what the channel is. */
function expectColumns({ campaigns, ...whole }: Row & { campaigns: Row[] }): void {
  const keys = ['attributed_orders_count', 'attributed_revenue', 'last_click_orders_count'];
  for (const key of [...keys, 'last_click_revenue', 'contested_revenue']) {
    const sum = campaigns.reduce((total, row) => total + Math.round(Number(row[key]) * 10_000), 0);
    expect(sum / 10_000, key).toBe(whole[key]);
  }
}

/** Invariant 5. */
function expectRates(activity: Row): void {
  for (const [key, value] of Object.entries(activity)) {
    if (!key.endsWith('_rate') || value === null) continue;
    expect(value, key).toBeGreaterThanOrEqual(0);
    expect(value, key).toBeLessThanOrEqual(100);
  }
}

/** Every count of the whole is the sum over the rows, but of distinct people and of campaigns. */
function expectSums(whole: Row, rows: readonly Row[]): void {
  const counts = Object.keys(whole).filter((key) => key.endsWith('_count') && key !== 'campaigns_count');
  for (const key of counts.filter((name) => name !== 'unique_recipients_count')) {
    expect(
      rows.reduce((sum, row) => sum + Number(row[key]), 0),
      key,
    ).toBe(whole[key]);
  }
}
