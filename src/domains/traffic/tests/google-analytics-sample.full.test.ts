import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofAnybody } from '../../../../tests/support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** One day of the Google Merchandise Store: 2,556 sessions of 2,293 visitors on 2017-08-01 in Los Angeles. */
const SAMPLE = fileURLToPath(new URL('../../../../../shared/data/ga/ga_sample.parquet', import.meta.url));

interface Rows {
  readonly totals: Record<string, number | null>;
  readonly sessions: ({ key: string } & Record<string, number | null>)[];
  readonly untracked_orders_count: number;
  readonly untracked_revenue: number;
}

describe.skipIf(!existsSync(SAMPLE))(
  'Google Analytics (skipped where the file is not beside the repository)',
  () => {
    let test: TestInstance;
    let raw: DuckDBConnection;
    let asSessions: string;
    let asHits: string;

    beforeAll(async () => {
      test = await createTestInstance();
      raw = await (await DuckDBInstance.create(':memory:')).connect();
      await raw.run(
        `create view visits as select *, fullVisitorId || '-' || visitId as session_id from '${SAMPLE}'`,
      );
      // A hit of the sample stands for what happened when its page was left; of one order there may be
      // several.
      await raw.run(`create table hits as select session_id, fullVisitorId as visitor_id, h.hitNumber as number, h,
      to_timestamp(visitStartTime) + to_milliseconds(h.time) as happened_at from (select *, unnest(hits) as h from visits)`);
      await write(
        'sessions',
        'sessions',
        `
      select session_id, fullVisitorId as visitor_id, to_timestamp(visitStartTime) as started_at,
        to_timestamp(visitStartTime + coalesce(totals.timeOnSite, 0)) as ended_at, trafficSource.source as source,
        trafficSource.medium as medium, trafficSource.campaign as campaign, device.deviceCategory as device,
        geoNetwork.country as country, coalesce(totals.pageviews, 0) as page_views, totals.timeOnSite as engagement_s
      from visits`,
      );
      const orders = `
      select h.transaction.transactionId as order_id, min(happened_at) as ordered_at, any_value(visitor_id) as visitor_id,
        max(coalesce(h.transaction.transactionRevenue, 0)) / 1e6 as total
      from hits where h.transaction.transactionId is not null group by 1`;
      await write('sessions', 'orders', orders);
      await write('hits', 'orders', orders);
      await write(
        'hits',
        'product_events',
        `
      select session_id || ' ' || number as event_id, visitor_id, session_id, 'page' as external_product_id,
        'view' as kind, happened_at as "at"
      from hits where h.type = 'PAGE'`,
      );
      [asSessions = '', asHits = ''] = await Promise.all(['sessions', 'hits'].map(load));
    });

    afterAll(() => test[Symbol.asyncDispose]());

    async function write(store: string, table: string, select: string): Promise<void> {
      mkdirSync(join(test.folder, store), { recursive: true });
      await raw.run(`copy (${select}) to '${join(test.folder, store, table)}.parquet'`);
    }

    async function load(store: string): Promise<string> {
      const business = await test.createBusiness({ timezone: 'America/Los_Angeles', currency: 'USD' });
      await test.importFolder(business, join(test.folder, store));
      return business.business_id;
    }

    const DAY = { from_date: '2017-08-01T00:00:00', to_date: '2017-08-01T23:59:59' };
    const ask = async (business_id: string, args: object = {}) =>
      (await test.ask('session_statistics', { business_id, ...DAY, limit: 1000, ...args })) as Rows;
    const rows = async (query: string) => (await raw.runAndReadAll(query)).getRowObjectsJson();

    it('has the sessions, visitors, page views, orders and revenue that Google counted', async () => {
      const { totals, untracked_orders_count } = await ask(asSessions);
      expect(totals).toMatchObject({
        ...{ sessions_count: 2556, visitors_count: 2293, page_views_count: 10_939 },
        ...{ converting_sessions_count: 43, orders_count: 43 },
      });
      expect(untracked_orders_count).toBe(0);
      const [money] =
        await rows(`select sum(revenue) as revenue from (select max(h.transaction.transactionRevenue) / 1e6 as revenue
      from hits where h.transaction.transactionId is not null group by h.transaction.transactionId)`);
      expect(totals.last_click_revenue).toBeCloseTo(Number(money?.revenue), 4);
    });

    it.each([
      [
        'source_medium',
        "case when trafficSource.source = '(direct)' then '(direct)' else trafficSource.source || ' / ' || trafficSource.medium end",
      ],
      ['device', 'device.deviceCategory'],
      ['country', 'geoNetwork.country'],
      ['campaign', 'trafficSource.campaign'],
    ])('has them by %s as plain SQL has', async (group_by, key) => {
      const expected = await rows(`
      select ${key} as key, count(*) as sessions, count(distinct fullVisitorId) as visitors, sum(totals.pageviews) as views,
        count(*) filter (where totals.pageviews >= 2 or totals.timeOnSite > 10 or totals.transactions > 0) as engaged,
        count(*) filter (where totals.transactions > 0) as converting
      from visits group by 1`);
      const answer = await ask(asSessions, { group_by });
      const found = answer.sessions.map((row) => [
        row.key,
        [
          row.sessions_count,
          row.visitors_count,
          row.page_views_count,
          row.engaged_sessions_count,
          row.converting_sessions_count,
        ],
      ]);
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(
          expected.map((row) => [
            row.key,
            ['sessions', 'visitors', 'views', 'engaged', 'converting'].map((name) => {
              const count = Number(row[name] ?? 0);
              // How many people they were is not told of one to four.
              return name === 'visitors' && count >= 1 && count <= 4 ? null : count;
            }),
          ]),
        ),
      );
    });

    it('puts into channels what Google put there, where its rules are the same', async () => {
      const { sessions } = await ask(asSessions, { group_by: 'source' });
      const channelOf = new Map(sessions.map((row) => [row.key, String(row.channel)]));
      // Google's groups of 2017 had one Social and knew no video.
      expect(
        Object.fromEntries(
          [
            'baidu',
            'bing',
            'yahoo',
            'Partners',
            'blog.golang.org',
            'reddit.com',
            'm.facebook.com',
            'youtube.com',
            'dfa',
          ].map((name) => [name, channelOf.get(name)]),
        ),
      ).toEqual({
        ...{
          baidu: 'Organic Search',
          bing: 'Organic Search',
          yahoo: 'Organic Search',
          Partners: 'Affiliates',
        },
        ...{
          'blog.golang.org': 'Referral',
          'reddit.com': 'Organic Social',
          'm.facebook.com': 'Organic Social',
        },
        ...{ 'youtube.com': 'Organic Video', dfa: 'Display' },
      });
    });

    it('makes the same sessions of the hits alone, without sources, and suspects the one that reads too fast', async () => {
      const { totals, sessions } = await ask(asHits, { include_suspected_bots: true });
      const [counted] =
        await rows(`select count(distinct session_id) as sessions, count(distinct visitor_id) as visitors,
      count(*) as views from hits where h.type = 'PAGE'`);
      const [fast] = await rows(`select count(*) as sessions from (
        select session_id, median(gap_ms) as gap_ms, count(*) as views
        from (select session_id, h.time - lag(h.time) over (partition by session_id order by h.time, number) as gap_ms
          from hits where h.type = 'PAGE')
        group by 1) where views > 100 and gap_ms < 1000`);
      expect(Number(fast?.sessions)).toBe(1);
      expect(totals).toMatchObject({
        sessions_count: Number(counted?.sessions),
        visitors_count: Number(counted?.visitors),
        page_views_count: Number(counted?.views),
        suspected_bot_sessions_count: 1,
        orders_count: 43,
      });
      expect(sessions.map(({ key, channel }) => [key, channel])).toEqual([['(not set)', 'Unassigned']]);
    });

    it('8: rows add up to the totals, totals and untracked to the orders, first clicks to last clicks', async () => {
      const call = { business_id: asSessions, ...DAY };
      const orders = (await test.ask('order_statistics', call)) as {
        orders_count: number;
        orders_revenues: number;
      };
      for (const group_by of ['source_medium', 'channel', 'landing_page', 'device', 'country', 'none']) {
        const { totals, sessions, untracked_orders_count, untracked_revenue } = await ask(asSessions, {
          group_by,
        });
        const sum = (field: string) =>
          sessions.reduce((total, row) => total + Math.round(Number(row[field]) * 10_000), 0) / 10_000;
        for (const field of [
          'sessions_count',
          'page_views_count',
          'engaged_sessions_count',
          'converting_sessions_count',
          'orders_count',
          'last_click_revenue',
          'first_click_revenue',
        ]) {
          expect(sum(field), `${group_by} ${field}`).toBe(totals[field]);
        }
        expect(totals.first_click_revenue).toBe(totals.last_click_revenue);
        expect(Number(totals.last_click_revenue) + untracked_revenue).toBeCloseTo(orders.orders_revenues, 4);
        expect(Number(totals.orders_count) + untracked_orders_count).toBe(orders.orders_count);
      }
    });

    it('9: probabilities of each state sum to 100, Markov revenue to that of the journeys', async () => {
      const call = { business_id: asSessions, ...DAY };
      const matrix = (await test.ask(ofAnybody('channel_transition_matrix'), call)) as {
        journeys_count: number;
        transitions: { from: string; probability: number }[];
        channels: { markov_revenue: number; last_click_revenue: number }[];
      };
      for (const [from, steps] of Map.groupBy(matrix.transitions, (step) => step.from)) {
        expect(
          steps.reduce((sum, { probability }) => sum + probability, 0),
          from,
        ).toBeCloseTo(100, 2);
      }
      const journeys = (await test.ask(ofAnybody('journey_statistics'), { ...call, outcome: 'all' })) as {
        journeys_count: number;
        revenue: number;
      };
      expect(matrix.journeys_count).toBe(journeys.journeys_count);
      const sum = (field: 'markov_revenue' | 'last_click_revenue') =>
        matrix.channels.reduce((total, channel) => total + channel[field], 0);
      expect(sum('markov_revenue')).toBeCloseTo(journeys.revenue, 2);
      expect(sum('last_click_revenue')).toBeCloseTo(
        Number((await ask(asSessions)).totals.last_click_revenue),
        4,
      );
    });
  },
);
