import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { setBusinessSettings } from '../../src/control/businesses/business-settings.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { importFiles } from './shop.ts';

let test: TestInstance;

/** A store of CZK: its orders in EUR and USD have no rate. */
const ORDERS = [
  { id: 'A', day: '2026-01-05', who: 'ann', total: 100, currency: 'CZK', country: 'CZ', coupon: 'TEN' },
  { id: 'B', day: '2026-01-06', who: 'ann', total: 10, currency: 'EUR', country: 'SK', coupon: 'TEN' },
  { id: 'C', day: '2026-01-07', who: 'eve', total: 20, currency: 'EUR', country: 'SK', coupon: 'SK' },
  { id: 'D', day: '2026-02-07', who: 'max', total: 30, currency: 'USD', country: 'US', coupon: '' },
  { id: 'E', day: '2026-03-07', who: 'joe', total: 300, currency: '', country: 'CZ', coupon: '' },
] as const;
/** One product each, with the price of the order. */
const PRODUCT = { A: 'tent', B: 'mat', C: 'mat', D: 'rope', E: 'tent' } as const;

type Order = (typeof ORDERS)[number];
const isKnown = ({ currency }: Order) => currency === 'CZK' || currency === '';

/**
 * What an amount over orders must be: the sum of the known; null where only unknown are there, 0 where none
 * is.
 */
function truth(orders: readonly Order[]): number | null {
  const known = orders.filter(isKnown);
  return known.length === 0 && orders.length > 0 ? null : known.reduce((sum, { total }) => sum + total, 0);
}

function average(orders: readonly Order[]): number | null {
  const known = orders.filter(isKnown);
  return known.length === 0 ? null : (truth(known) ?? 0) / known.length;
}

const YEAR = { from_date: '2026-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };
let store: Business;

beforeAll(async () => {
  test = await createTestInstance();
  store = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, store, {
    'orders.csv': [
      'order_id,ordered_at,email,total,currency,country,coupon_codes,session_id,visitor_id',
      ...ORDERS.map(
        ({ id, day, who, total, currency, country, coupon }) =>
          `${id},${day}T10:00:00Z,${who}@example.com,${total},${currency},${country},${coupon},s-${id},v-${who}`,
      ),
      '',
    ].join('\n'),
    'order_items.csv': [
      'order_id,external_product_id,quantity,unit_price,unit_cost',
      ...ORDERS.map(({ id, total }) => `${id},${PRODUCT[id]},1,${total},1`),
      '',
    ].join('\n'),
    'products.csv':
      'external_product_id,name,brand,categories,price\ntent,Tent,Camp,Tents,1\nmat,Mat,Sleep,Mats,1\nrope,Rope,Climb,Ropes,1\npeg,Peg,Camp,Tents,1\n',
    'sessions.csv': [
      'session_id,visitor_id,email,started_at,source,medium',
      ...ORDERS.map(
        ({ id, who, day, currency }) =>
          `s-${id},v-${who},${who}@example.com,${day}T09:50:00Z,${currency === 'EUR' ? 'bing,cpc' : 'google,organic'}`,
      ),
      '',
    ].join('\n'),
    'refunds.csv': 'refund_id,order_id,refunded_at,amount\nR,C,2026-02-20T00:00:00Z,5\n',
    'campaigns.csv':
      'campaign_id,name,campaign_type,state,created_at\nk,Slovaks,targeted-emailing,sent,2026-01-01\nz,Czechs,targeted-emailing,sent,2026-01-01\n',
    'messages.csv': 'message_id,campaign_id,channel,subject\nm,k,email,Hi\nn,z,email,Hi\n',
    'sends.csv':
      'send_id,message_id,email,sent_at,outcome\n1,m,eve@example.com,2026-01-07T08:00:00Z,delivered\n2,m,max@example.com,2026-01-07T08:00:00Z,delivered\n3,n,ann@example.com,2026-01-05T08:00:00Z,delivered\n',
    'message_events.csv':
      'event_id,send_id,kind,at,url\n1,1,click,2026-01-07T09:00:00Z,https://s.example/a\n3,3,click,2026-01-05T09:00:00Z,https://s.example/a\n',
  });
});

afterAll(() => test[Symbol.asyncDispose]());

type Row = Readonly<Record<string, unknown>>;
const ask = async (tool: string, more: object = {}) =>
  (await test.ask(tool, { business_id: store.business_id, ...YEAR, ...more })) as Row;
const rowsOf = async (tool: string, list: string, more: object = {}) =>
  (await ask(tool, more))[list] as Row[];

it('totals are the sum of the known, averages of orders are of the known', async () => {
  expect(await ask('order_statistics')).toMatchObject({
    orders_count: 5,
    orders_revenues: truth(ORDERS),
    average_order_value: average(ORDERS),
    new_orders_revenues: truth(ORDERS.filter(({ id }) => id !== 'B')),
    // Only B is a second order.
    returning_orders_count: 1,
    returning_orders_revenues: null,
    returning_orders_average_order_value: null,
    refunded_revenue: null,
    refunded_revenue_by_refund_date: null,
  });
});

it('a period without a known order is null, one without orders 0', async () => {
  const periods = await rowsOf('order_statistics_trend', 'periods', { breakdown: 'month' });
  const months = ['2026-01', '2026-02', '2026-03', '2026-04'].map((month) => {
    const orders = ORDERS.filter(({ day }) => day.startsWith(month));
    return [month, orders.length, truth(orders), orders.length === 0 ? 0 : average(orders)];
  });
  expect(
    periods
      .slice(0, 4)
      .map((row) => [row.period, row.orders_count, row.orders_revenues, row.average_order_value]),
  ).toEqual(months);
});

describe.each([
  ['country', 'country'],
  ['coupon', 'coupon'],
  ['currency', 'currency'],
] as const)('orders by %s', (dimension, key) => {
  it('are null where no order of the row has a rate', async () => {
    const rows = await rowsOf('order_distribution_statistics', 'rows', { dimension });
    const of = ({ [key]: value }: Order) =>
      value === '' ? (key === 'currency' ? 'CZK' : '(not set)') : value;
    const groups = Map.groupBy(ORDERS, of);
    expect(
      rows.map((row) => [row.key, row.orders_count, row.revenue, row.average_order_value]).toSorted(),
    ).toEqual(
      [...groups].map(([name, orders]) => [name, orders.length, truth(orders), average(orders)]).toSorted(),
    );
  });
});

it('orders by value are those with a value', async () => {
  const answer = await ask('order_distribution_statistics', { dimension: 'order_value', bin_size: 1000 });
  expect(answer).toMatchObject({ orders_count: 5, revenue: 400, rows: [{ orders_count: 2, revenue: 400 }] });
});

it('products, brands and categories', async () => {
  const revenueOf = (rows: readonly Row[], name: string) =>
    Object.fromEntries(
      rows.map((row) => [row[name], [row.unique_orders_count, row.estimated_revenue, row.avg_order_value]]),
    );
  const sold = (...ids: string[]) => {
    const orders = ORDERS.filter(({ id }) => ids.includes(id));
    return [orders.length, truth(orders), orders.length === 0 ? 0 : average(orders)];
  };
  expect(revenueOf(await rowsOf('product_statistics', 'products'), 'external_product_id')).toEqual({
    tent: sold('A', 'E'),
    mat: sold('B', 'C'),
    rope: sold('D'),
    peg: [0, 0, 0],
  });
  expect(revenueOf(await rowsOf('brand_statistics', 'brands'), 'brand')).toEqual({
    Camp: sold('A', 'E'),
    Sleep: sold('B', 'C'),
    Climb: sold('D'),
  });
  expect(revenueOf(await rowsOf('category_statistics', 'categories'), 'category')).toMatchObject({
    Mats: sold('B', 'C'),
  });
  for (const tool of ['product_statistics', 'brand_statistics', 'category_statistics']) {
    const all = ORDERS.filter(({ id }) => 'ABCDE'.includes(id));
    expect((await ask(tool)).totals).toMatchObject({ estimated_revenue: truth(all) });
  }
  expect(await ask('product_statistics', { filter_external_product_ids: ['rope'] })).toMatchObject({
    totals: { unique_orders_count: 1, estimated_revenue: null },
  });
  const months = await rowsOf('product_statistics_trend', 'periods', {
    breakdown: 'month',
    external_product_ids: ['rope'],
  });
  expect(months.slice(0, 3).map((row) => row.estimated_revenue)).toEqual([0, null, 0]);
});

it('visits and their channels keep their orders, and lose their money', async () => {
  const rows = await rowsOf('session_statistics', 'sessions', { group_by: 'source_medium' });
  expect(
    rows
      .map((row) => [row.key, row.orders_count, row.last_click_revenue, row.first_click_revenue])
      .toSorted(),
  ).toEqual([
    ['bing / cpc', 2, null, null],
    ['google / organic', 3, 400, expect.any(Number)],
  ]);
});

it('credited revenue of e-mails and campaigns', async () => {
  expect(await ask('email_revenue_statistics')).toMatchObject({
    total_revenue: 400,
    attributed_orders_count: 3,
    // A; B is credited to the same message; C.
    attributed_revenue: 100,
    average_order_value: 100,
  });
  const campaigns = await rowsOf('email_campaign_statistics', 'campaigns');
  expect(
    campaigns
      .map((row) => [
        row.campaign_id,
        row.attributed_orders_count,
        row.attributed_revenue,
        row.average_order_value,
      ])
      .toSorted(),
  ).toEqual([
    ['k', 1, null, null],
    ['z', 2, 100, 100],
  ]);
  const asked = { business_id: store.business_id, campaign_id: 'k' };
  expect(await test.ask('get_campaign_statistics', asked)).toMatchObject({
    attributed_orders_count: 1,
    attributed_revenue_cents: null,
    click_attributed_revenue_cents: null,
    open_attributed_revenue_cents: null,
    refunded_revenue_cents: null,
    average_order_revenue_cents: null,
  });
  // Two orders are credited to the other; A alone has known money, and is the average.
  const other = { business_id: store.business_id, campaign_id: 'z' };
  expect(await test.ask('get_campaign_statistics', other)).toMatchObject({
    attributed_orders_count: 2,
    attributed_revenue_cents: 10_000,
    average_order_revenue_cents: 10_000,
  });
});

it('the average order of a popup is of those whose money is known', async () => {
  const shop = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, shop, {
    'orders.csv':
      'order_id,ordered_at,email,total,currency,visitor_id\nA,2026-01-05T10:00:00Z,a@example.com,100,CZK,v\nB,2026-01-06T10:00:00Z,a@example.com,10,EUR,v\n',
    'campaigns.csv': 'campaign_id,name,campaign_type,state,created_at\np,Popup,popup,sent,2026-01-01\n',
    'popup_events.csv':
      'event_id,campaign_id,visitor_id,email,kind,at\n1,p,v,a@example.com,display,2026-01-05T09:00:00Z\n2,p,v,a@example.com,submit,2026-01-05T09:01:00Z\n',
  });
  const asked = { business_id: shop.business_id, campaign_id: 'p' };
  expect(await test.ask('get_campaign_statistics', asked)).toMatchObject({
    attributed_orders_count: 2,
    attributed_revenue_cents: 10_000,
    average_order_revenue_cents: 10_000,
  });
});

it.each([
  ['order_statistics', {}],
  ['order_statistics_trend', { breakdown: 'month' }],
  ['order_distribution_statistics', { dimension: 'coupon' }],
  ['product_statistics', {}],
  ['product_statistics_trend', { breakdown: 'month', external_product_ids: ['mat'] }],
  ['brand_statistics', {}],
  ['category_statistics', {}],
  ['master_product_statistics', {}],
  ['first_purchase_cohorts', {}],
  ['product_affinity_statistics', {}],
  ['session_statistics', { group_by: 'channel' }],
  ['session_statistics_trend', { breakdown: 'month' }],
  ['journey_statistics', {}],
  ['channel_transition_matrix', {}],
  ['email_revenue_statistics', {}],
  ['email_campaign_statistics', {}],
  ['targeted_campaign_statistics', {}],
  ['email_link_statistics', {}],
  ['rfm_segment_statistics', {}],
  ['rfm_segment_transitions', {}],
])('%s says how much money is unknown', async (tool, more) => {
  const { notes = [] } = await test.run(tool, {
    business_id: store.business_id,
    ...argumentsOf(tool),
    ...more,
  });
  expect(notes).toContainEqual(
    expect.stringContaining('Without an exchange rate to CZK: 2 orders of 30 EUR, 1 order of 30 USD'),
  );
});

function argumentsOf(tool: string): object {
  return tool === 'rfm_segment_statistics' ? { as_of: YEAR.to_date } : YEAR;
}

it('costs of advertising and of messages count by the rate of their day, and are null and told without one', async () => {
  const business = await test.createBusiness({ currency: 'CZK', timezone: 'Europe/Prague' });
  const costs = (rates: object) => ({
    'sessions.csv':
      'session_id,visitor_id,started_at,source,medium,campaign\n1,v,2026-01-05T10:00:00Z,bing,cpc,sk\n2,w,2026-01-05T10:00:00Z,google,cpc,cz\n',
    'ad_costs.csv':
      'day,source,medium,campaign,cost,currency\n2026-01-05,bing,cpc,sk,10,EUR\n2026-01-05,google,cpc,cz,100,\n2026-01-06,google,cpc,cz,50,CZK\n',
    'campaigns.csv': 'campaign_id,name,campaign_type,state,created_at\nk,S,targeted-sms,sent,2026-01-01\n',
    'messages.csv': 'message_id,campaign_id,channel,text\nm,k,sms,Hi\n',
    'sends.csv':
      'send_id,message_id,phone,sent_at,outcome,cost,currency\n1,m,+420777222222,2026-01-07T08:00:00Z,delivered,2,CZK\n2,m,+421905222222,2026-01-07T08:00:00Z,delivered,0.1,EUR\n',
    ...rates,
  });
  const asked = { business_id: business.business_id, ...YEAR };
  const spent = async () => {
    const { result, notes } = await test.run('session_statistics', { ...asked, group_by: 'source' });
    const { sessions } = result as unknown as { sessions: Row[] };
    return { costs: Object.fromEntries(sessions.map((row) => [row.key, row.ad_cost])), notes: notes ?? [] };
  };
  await importFiles(test, business, costs({}));
  const before = await spent();
  expect(before.costs).toEqual({ bing: null, google: 150 });
  expect(before.notes).toContainEqual(expect.stringContaining('1 advertising cost of 10 EUR in this range'));
  const sms = await test.run('sms_channel_statistics', asked);
  expect(sms.result).toMatchObject({ cost: 2 });
  expect(sms.notes).toContainEqual(expect.stringContaining('1 message cost of 0.1 EUR in this range'));
  await importFiles(test, business, { 'fx_rates.csv': 'date,currency,rate\n2026-01-01,EUR,25\n' });
  const after = await spent();
  expect(after.costs).toEqual({ bing: 250, google: 150 });
  expect(after.notes).not.toContainEqual(expect.stringContaining('exchange rate'));
  expect((await test.run('sms_channel_statistics', asked)).result).toMatchObject({ cost: 4.5 });
});

it('the VAT of a store with a rate is known: what lacks an exchange rate has no note of VAT', async () => {
  const taxed = await test.createBusiness({ currency: 'CZK' });
  await setBusinessSettings(test.instance.control, taxed.business_id, { vat_rate: 21 });
  await importFiles(test, taxed, {
    'orders.csv':
      'order_id,ordered_at,total,currency\nA,2026-01-05T10:00:00Z,121,CZK\nB,2026-01-06T10:00:00Z,10,EUR\n',
    'order_items.csv':
      'order_id,external_product_id,quantity,unit_price,unit_cost\nA,tent,1,121,60\nB,tent,1,10,4\nB,mat,1,0,0\n',
  });
  const { result, notes } = await test.run('product_statistics', { business_id: taxed.business_id, ...YEAR });
  // The order in CZK has 121 / 1.21 - 60.
  expect(result).toMatchObject({
    totals: { estimated_revenue: 121, net_revenue: 100, estimated_gross_profit: 40 },
  });
  const [tent] = (result as { products: Row[] }).products;
  expect(tent).toMatchObject({
    estimated_revenue: 121,
    tax: 21,
    net_revenue: 100,
    estimated_gross_profit: 40,
  });
  expect(notes?.filter((note) => note.includes('VAT'))).toEqual([]);
});

it('thresholds of RFM part revenues that are known, and are null where none is', async () => {
  const foreign = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, foreign, {
    'orders.csv':
      'order_id,ordered_at,email,total,currency\nA,2026-01-05T10:00:00Z,a@example.com,121,EUR\nB,2026-01-06T10:00:00Z,b@example.com,10,EUR\n',
  });
  const profileOf = async ({ business_id }: Business) =>
    (await test.ask('get_rfm_profile', { business_id })) as { rfm_profile: Row };
  expect((await profileOf(foreign)).rfm_profile.monetary_thresholds).toBeNull();
  const statistics = await test.ask('rfm_segment_statistics', {
    business_id: foreign.business_id,
    as_of: '2026-01-06',
  });
  const scores = (statistics as { monetary_scores: Row[] }).monetary_scores;
  expect(scores.map(({ from_value, to_value }) => [from_value, to_value])).toEqual(
    scores.map(() => [null, null]),
  );
  // Known are 100 of ann and 300 of joe.
  expect((await profileOf(store)).rfm_profile.monetary_thresholds).toEqual([100, 110, 300, 310]);
});
