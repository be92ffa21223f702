import { describe, expect, it } from 'vitest';
import { tableOf } from './count-fivetran.ts';
import { DELETED, fileOf, type Row } from './fivetran-rows.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { csvOf, refusalOf, translateFiles } from './translated.ts';

describe('Google Ads', () => {
  const stats = (id: string, date: string, cost_micros: string, more: Row = {}): Row => ({
    ...{
      _fivetran_id: `${id}${date}${cost_micros}`,
      customer_id: '7',
      id,
      date,
      cost_micros,
      clicks: '2',
      impressions: '10',
    },
    ...more,
  });
  const FILES = {
    'campaign_stats.csv': fileOf(
      ...[
        stats('1', '2026-03-01', '1500000'),
        stats('1', '2026-03-01', '2250000'),
        stats('1', '2026-03-02', '10000'),
      ],
      ...[stats('2', '2026-03-01', '1'), stats('2', '2026-03-02', '9000000', { _fivetran_deleted: 'true' })],
    ),
    'campaign_history.csv': csvOf(
      ['id', 'updated_at', 'name', 'customer_id', 'serving_status'],
      [
        { id: '1', updated_at: '2026-02-01T00:00:00', name: 'Mugs', customer_id: '7' },
        { id: '1', updated_at: '2026-01-01T00:00:00', name: 'Cups', customer_id: '7' },
      ],
    ),
  };

  it('costs are those of a campaign and a day', () =>
    translateFiles(
      {
        ...FILES,
        'account_history.csv': fileOf({ id: '7', updated_at: '2026-01-01', currency_code: 'CZK' }),
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'ad_costs',
            'cast(day as varchar), source, medium, campaign, cost, clicks::integer, impressions::integer',
          ),
        ).toEqual([
          ['2026-03-01', 'google', 'cpc', '2', 0, 2, 10],
          ['2026-03-01', 'google', 'cpc', 'Mugs', 3.75, 4, 20],
          ['2026-03-02', 'google', 'cpc', 'Mugs', 0.01, 2, 10],
        ]);
      },
    ));

  it('asks for a currency that no table says', async () => {
    expect(await refusalOf(FILES)).toContain(
      'costs without their currency (the table account_history has it): 5 rows',
    );
    const account = { id: '7', updated_at: '2026-01-01', currency_code: '' };
    for (const told of [account, { ...account, currency_code: 'EUR', ...DELETED }])
      expect(await refusalOf({ ...FILES, 'account_history.csv': fileOf(told) })).toContain(
        'costs without their currency (the table account_history has it): 5 rows',
      );
  });

  const files = samples('ads-google-fivetran');
  it.skipIf(files.length === 0)(
    `has the cost of the sample that a count says (${NO_SAMPLES}: nothing to count)`,
    async () => {
      const paths = files.map(({ path }) => path);
      const rows = tableOf(paths, 'campaign_stats');
      const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
      const folder = paths[0]?.replace(/[^/]*$/, '') ?? '';
      await translateFiles(
        folder,
        async (found) =>
          expect(
            await found.rows(
              'ad_costs',
              'sum(cost)::double, sum(clicks)::integer, sum(impressions)::integer, count(distinct day)::integer',
            ),
          ).toEqual([
            [
              sum('cost_micros') / 1e6,
              sum('clicks'),
              sum('impressions'),
              new Set(rows.map(({ date }) => date)).size,
            ],
          ]),
        { currency: 'CZK' },
      );
    },
  );
});

describe('Facebook Ads', () => {
  const COSTS = 'cast(day as varchar), source, medium, campaign, cost, clicks::integer, impressions::integer';
  const day = (ad_id: string, date: string, spend: string, more: Row = {}): Row => ({
    ...{ ad_id, date, spend, account_id: '17', inline_link_clicks: '2', impressions: '10' },
    ...more,
  });
  const FILES = {
    'basic_ad.csv': fileOf(
      ...[day('1', '2026-03-01', '1.5'), day('2', '2026-03-01', '2.25'), day('2', '2026-03-02', '0.01')],
      ...[day('3', '2026-03-02', '4'), day('4', '2026-03-02', '9', { _fivetran_deleted: 'true' })],
    ),
    'ad_history.csv': fileOf(
      ...[
        { id: '1', updated_time: '2026-01-01T00:00:00', campaign_id: '8', ad_set_id: '5' },
        { id: '1', updated_time: '2026-02-01T00:00:00', campaign_id: '9', ad_set_id: '5' },
        { id: '2', updated_time: '2026-01-01T00:00:00', campaign_id: '9.0', ad_set_id: '5' },
      ],
    ),
    'campaign_history.csv': fileOf(
      ...[
        { id: '9', updated_time: '2026-01-01T00:00:00', name: 'Cups', account_id: '17' },
        { id: '9', updated_time: '2026-02-01T00:00:00', name: 'Mugs', account_id: '17' },
      ],
    ),
  };

  it('costs are those of a campaign and a day, of all its advertisements', () =>
    translateFiles(
      { ...FILES, 'account_history.csv': fileOf({ id: '17', currency: 'CZK', account_status: 'ACTIVE' }) },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('ad_costs', COSTS)).toEqual([
          ['2026-03-01', 'facebook', 'cpc', 'Mugs', 3.75, 4, 20],
          ['2026-03-02', 'facebook', 'cpc', 'Mugs', 0.01, 2, 10],
          ['2026-03-02', 'facebook', 'cpc', null, 4, 2, 10],
        ]);
      },
    ));

  it('asks for a currency that no table says', async () => {
    expect(await refusalOf(FILES)).toContain(
      'costs without their currency (the table account_history has it)',
    );
  });

  const insight = (ad_id: string, date: string, spend: string, at: string, more: Row = {}): Row => ({
    ...{ ad_id, date_start: date, date_stop: date, spend, account_currency: 'CZK', campaign_name: 'Mugs' },
    ...{
      inline_link_clicks: '2',
      impressions: '10',
      _airbyte_extracted_at: at,
      _airbyte_raw_id: `${ad_id}${at}`,
    },
    ...more,
  });
  const insights = (...rows: readonly Row[]) => csvOf(Object.keys(rows[0] ?? {}), rows);

  it("counts a day of Airbyte's ads_insights as it was brought last", () =>
    translateFiles(
      {
        'ads_insights.csv': insights(
          insight('1', '2026-03-01', '1.5', '2026-03-02T00:00:00Z'),
          insight('1', '2026-03-01', '1.75', '2026-03-03T00:00:00Z'),
          insight('2', '2026-03-01', '2', '2026-03-02T00:00:00Z'),
          insight('3', '2026-03-01', '9', '2026-03-02T00:00:00Z', { date_stop: '2026-03-31' }),
        ),
      },
      async ({ rows, rejects, sources }) => {
        expect(sources[0]?.source).toBe('facebook-ads-airbyte');
        expect(await rows('ad_costs', COSTS)).toEqual([
          ['2026-03-01', 'facebook', 'cpc', 'Mugs', 3.75, 4, 20],
        ]);
        expect(rejects.map(({ reason }) => reason)).toEqual([expect.stringContaining('is of several days')]);
      },
    ));

  it.each(['age', 'country', 'publisher_platform'])(
    "does not take Airbyte's insights by %s for those of whole advertisements",
    async (breakdown) => {
      const part = (value: string) =>
        insight('1', '2026-03-01', '1.5', '2026-03-02T00:00:00Z', { [breakdown]: value });
      await translateFiles(
        {
          'ads_insights.csv': insights(insight('1', '2026-03-01', '3', '2026-03-02T00:00:00Z')),
          'ads_insights_parts.csv': insights(part('a'), part('b')),
        },
        async ({ rows, warnings }) => {
          expect(await rows('ad_costs', 'cost')).toEqual([[3]]);
          expect(warnings.join()).toContain('not read: ads_insights_parts.csv');
        },
      );
    },
  );

  it("asks for a currency that Airbyte's rows do not say", async () =>
    expect(
      await refusalOf({
        'ads_insights.csv': insights(
          insight('1', '2026-03-01', '1.5', '2026-03-02T00:00:00Z', { account_currency: '' }),
        ),
      }),
    ).toContain('costs without their currency (the column account_currency has it)'));
});
