import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { incrementalCampaigns, targetedCampaigns } from '../oracle/campaign-statistics.ts';
import { randomExperiments } from '../support/random-experiments.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Random stores with audiences and control groups: the answers are those of plain loops, and fit together.
 */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

const EVER = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
const ranges = fc.constantFrom(
  EVER,
  { from_date: '2024-02-29T08:00:00', to_date: '2024-03-31T08:00:00' },
  { from_date: '2024-03-01T00:00:00', to_date: '2024-04-07T23:59:59' },
);

type Row = Record<string, number | string | boolean | null>;
type Answer = { data_until: string | null; total_count: number; campaigns: Row[]; variants: Row[] };

it('campaigns answer as the oracle does, whatever the store', async () => {
  const stores = fc.constantFrom('Europe/Prague', 'America/New_York').chain(randomExperiments);
  await fc.assert(
    fc.asyncProperty(stores, ranges, async (store, range) => {
      const timezone = store.business.timezone ?? 'UTC';
      const { business_id } = await test
        .createBusiness({ timezone, currency: 'CZK' })
        .then(async (business) => {
          await test.importStore(business, store);
          return business;
        });
      const ask = async (tool: string, args: object = {}) =>
        (await test.ask(tool, { business_id, limit: 1000, ...range, ...args })) as Answer;
      const activity = await test.ask('email_channel_statistics', { business_id, ...range });
      const until = (activity as Answer).data_until ?? '';

      const targeted = await ask('targeted_campaign_statistics');
      expectRows(targeted, targetedCampaigns(store, range));
      const incremental = await ask('incremental_campaign_statistics');
      expectRows(incremental, incrementalCampaigns(store, range, until));
      for (const row of incremental.campaigns) {
        expect(Number(row.skipped_count)).toBeLessThanOrEqual(Number(row.entered_count));
        expect(Number(row.completed_count)).toBeLessThanOrEqual(Number(row.entered_count));
      }

      // Rows over all time are the whole lives of campaigns.
      const all = await ask('targeted_campaign_statistics', EVER);
      for (const [channel, types] of [
        ['email', ['targeted-emailing']],
        ['sms', ['targeted-sms']],
      ] as const) {
        const whole = await ask(`${channel}_campaign_statistics`, { ...EVER, filter_campaign_types: types });
        const own = all.campaigns.filter((row) => row.channel === channel);
        for (const key of [
          'sent_count',
          'delivered_count',
          'unique_clicks_count',
          'attributed_orders_count',
        ]) {
          expect(sum(own, key), key).toBe(sum(whole.campaigns, key));
        }
        expect(sum(own, 'attributed_revenue')).toBeCloseTo(sum(whole.campaigns, 'attributed_revenue'), 4);
        for (const row of own) {
          const same = whole.campaigns.find(({ campaign_id }) => campaign_id === row.campaign_id);
          if (row.audience_count === null) continue;
          expect(Number(row.audience_count) - Number(row.skipped_count)).toBe(same?.unique_recipients_count);
          expect(Number(row.control_group_count)).toBeLessThanOrEqual(Number(row.skipped_count));
        }
      }
      await expectVariants(business_id, all.campaigns);
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});

function expectRows({ campaigns, total_count }: Answer, expected: Map<string, object>): void {
  expect(total_count).toBe(expected.size);
  expect(campaigns.map(({ campaign_id }) => campaign_id).sort()).toEqual([...expected.keys()].sort());
  for (const row of campaigns) {
    expect(row, String(row.campaign_id)).toMatchObject(expected.get(String(row.campaign_id)) as object);
  }
}

/** Variants of a campaign whose messages all are some add up to it. */
async function expectVariants(business_id: string, campaigns: readonly Row[]): Promise<void> {
  for (const campaign of campaigns) {
    const call = { business_id, campaign_id: campaign.campaign_id, metric: 'revenue_per_recipient' };
    const { variants } = (await test.ask('campaign_variant_statistics', call)) as Answer;
    for (const key of ['sent_count', 'delivered_count', 'unique_clicks_count', 'attributed_orders_count']) {
      expect(sum(variants, key), key).toBe(campaign[key]);
    }
    for (const row of variants) {
      expect(row.metric_value).toBe(row.revenue_per_recipient);
      expect(row.p_value).toBeNull();
      if (row.difference === null || row.difference_low === null) continue;
      expect(Number(row.difference_low)).toBeLessThanOrEqual(Number(row.difference));
      expect(Number(row.difference_high)).toBeGreaterThanOrEqual(Number(row.difference));
    }
  }
}

function sum(rows: readonly Row[], key: string): number {
  return rows.reduce((total, row) => total + Number(row[key]), 0);
}
