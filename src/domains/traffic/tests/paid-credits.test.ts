import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store, writeCsv } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** Notes on what advertising brought, beside SQL that was written by hand over the imported rows. */
let test: TestInstance;
let business_id: string;
let byHand: (sql: string) => Promise<unknown[][]>;

const FACEBOOK = { source: 'facebook', medium: 'paid_social', campaign: 'prospecting' };
const INSTAGRAM = { source: 'instagram', medium: 'paid_social', campaign: 'reels' };
const BRAND = { source: 'google', medium: 'cpc', campaign: 'brand' };
const HIKING = { source: 'google', medium: 'cpc', campaign: 'hiking' };
const COMPARISON = { source: 'heureka', medium: 'cpc', campaign: 'feed' };
const NEWSLETTER = { source: 'newsletter', medium: 'email', campaign: 'june' };

/** Buyers, each with the visits before the order: the last of these is the one in which they order. */
const BUYERS = [
  // Facebook finds them, and the newsletter gets the order.
  ...Array.from({ length: 24 }, () => ({ total: 100, visits: [FACEBOOK, NEWSLETTER] })),
  ...Array.from({ length: 6 }, () => ({ total: 100, visits: [FACEBOOK] })),
  // Nobody may be told that these are three.
  ...Array.from({ length: 3 }, () => ({ total: 100, visits: [INSTAGRAM] })),
  ...Array.from({ length: 11 }, () => ({ total: 300, visits: [BRAND] })),
  ...Array.from({ length: 14 }, () => ({ total: 200, visits: [HIKING] })),
  ...Array.from({ length: 12 }, () => ({ total: 150, visits: [COMPARISON] })),
];

function shop(): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  for (const [place, { total, visits }] of BUYERS.entries()) {
    const day = `2026-06-${String(10 + (place % 15))}`;
    const [visitor_id, email] = [`v${place}`, `p${place}@example.com`];
    for (const [number, source] of visits.entries())
      store.sessions.push({
        ...{ session_id: `${place}-${number}`, visitor_id, email, ...source, page_views: '3' },
        started_at: `${day}T0${number}:${String(place % 60).padStart(2, '0')}:00`,
      });
    store.orders.push({
      ...{ order_id: `o${place}`, email, total: `${total}`, status: 'fulfilled' },
      ...{ ordered_at: `${day}T08:00:00`, session_id: `${place}-${visits.length - 1}`, visitor_id },
    });
  }
  const costs = [
    [FACEBOOK, 3000],
    [INSTAGRAM, 500],
    [BRAND, 100],
    [HIKING, 2800],
    [COMPARISON, 900],
  ] as const;
  for (const [source, cost] of costs) store.ad_costs.push({ day: '2026-06-12', ...source, cost: `${cost}` });
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  ({ business_id } = business);
  const store = shop();
  await test.importStore(business, store);
  const folder = join(test.folder, 'raw');
  writeCsv(store, folder);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const name of ['orders', 'sessions', 'ad_costs'])
    await connection.run(
      `create view ${name} as select * from read_csv('${join(folder, `${name}.csv`)}', header = true, all_varchar = true)`,
    );
  // Nobody ordered twice here, so that every order is the first of its customer.
  await connection.run(`
    create view clicks as
    select order_id, total::double as total, arg_min(s.source, s.started_at) as first_source,
      arg_max(s.source, s.started_at) as last_source, arg_max(s.campaign, s.started_at) as last_campaign
    from orders as o join sessions as s on s.visitor_id = o.visitor_id and s.started_at <= o.ordered_at
    group by all`);
  byHand = async (sql) => {
    const rows = (await connection.runAndReadAll(sql)).getRows();
    return rows.map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));
  };
});

afterAll(() => test[Symbol.asyncDispose]());

const JUNE = { from_date: '2026-06-01', to_date: '2026-06-30' };
const isOfCredit = (note: string) => /first click of|campaign "/.test(note);

async function asked(more: object): Promise<string[]> {
  const { notes = [] } = await test.run('query_metrics', { business_ids: [business_id], ...JUNE, ...more });
  return notes.filter(isOfCredit);
}

async function ofSessions(more: object): Promise<string[]> {
  const { notes = [] } = await test.run('session_statistics', { business_id, ...JUNE, ...more });
  return notes.filter(isOfCredit);
}

it('says which rows have more than twice as many new customers by one click than by the other', async () => {
  const [[first, last, cost] = []] = await byHand(`
    select count(*) filter (where first_source = 'facebook'), count(*) filter (where last_source = 'facebook'),
      (select sum(cost::double) from ad_costs where source = 'facebook') from clicks`);
  expect([first, last, cost]).toEqual([30, 6, 3000]);
  const note =
    '"facebook" is the first click of 30 new customers and the last of 6: one costs 100 CZK by first click, 500 CZK by last click. Judge by both clicks.';
  expect(await asked({ metrics: ['cost_per_new_customer'], group_by: ['source'] })).toContain(note);
  expect(await ofSessions({ group_by: 'source' })).toContain(note);
  const filters = [{ dimension: 'source', in: ['facebook'] }];
  expect(await asked({ metrics: ['return_on_ad_spend'], filters })).toEqual([
    note.replace('"facebook"', 'Advertising'),
  ]);
});

it('names rows that an answer shows, and hides counts of few people', async () => {
  const only = { metrics: ['ad_cost'], filters: [{ dimension: 'source', in: ['instagram', 'heureka'] }] };
  expect(await asked({ ...only, group_by: ['source'] })).toEqual([]);
  const first = { metrics: ['cost_per_new_customer'], group_by: ['source'], sort_by: 'source', limit: 1 };
  expect((await asked(first)).filter((note) => note.includes('first click of'))).toHaveLength(1);
  expect((await asked({ ...first, sort_order: 'desc' })).filter((note) => note.includes('click of'))).toEqual(
    [],
  );
  expect(await asked({ metrics: ['sessions_count'], group_by: ['source'] })).toEqual([]);
});

it('says which campaign makes its channel look better than the rest of it is', async () => {
  const [[share, ofCost, without, customer] = []] = await byHand(`
    with of_search as (select * from clicks where last_source = 'google'),
      cost as (select campaign, cost::double as cost from ad_costs where source = 'google')
    select round(100 * sum(total) filter (where last_campaign = 'brand') / sum(total)),
      (select round(100 * sum(cost) filter (where campaign = 'brand') / sum(cost)) from cost),
      sum(total) filter (where last_campaign = 'hiking') / (select sum(cost) from cost where campaign = 'hiking'),
      (select sum(cost) from cost where campaign = 'hiking') / count(*) filter (where last_campaign = 'hiking')
    from of_search`);
  expect([share, ofCost, without, customer]).toEqual([54, 3, 1, 200]);
  const note =
    'Of "Paid Search", campaign "brand" is 3 % of the cost and 54 % of the revenue: without it, return_on_ad_spend is 1.00, not 2.10, a new customer costs 200 CZK by last click.';
  expect(await asked({ metrics: ['return_on_ad_spend'], group_by: ['channel'] })).toContain(note);
  expect(await ofSessions({ group_by: 'channel' })).toContain(note);
  const byCampaign = await asked({ metrics: ['return_on_ad_spend'], group_by: ['channel', 'campaign'] });
  expect(byCampaign.filter((one) => one.includes('campaign "'))).toEqual([]);
});
