import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { forgetSourceSettings } from '../../src/control/businesses/source-settings.ts';
import { importFiles } from '../../src/import/run.ts';
import { deletePersons } from '../../src/ingest/delete-person.ts';
import { STORE } from '../../src/sources/order-owner.ts';
import type { Settings } from '../../src/sources/source.ts';
import { type Files, writeFiles } from '../ingest/shop.ts';
import { isQuick } from '../support/runs.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { ga4Event, ndjson } from './ga4-export.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

const item = { item_id: 'MUG', item_name: 'Mug', price: 10, quantity: 2 };

/** A visit by an e-mail, and one by a search; Bob signed in. Each bought. */
const VISITS = ndjson([
  ga4Event('page_view', 0, { source: 'news', medium: 'email' }),
  ga4Event('purchase', 60, { transaction_id: '1001', value: 20, currency: 'EUR' }, { items: [item] }),
  ...['page_view', 'purchase'].map((name, index) =>
    ga4Event(
      name,
      100 + index,
      { source: 'google', medium: 'organic', transaction_id: '9002', value: 15, currency: 'EUR' },
      { user_pseudo_id: '3333333333.4444444444', user_id: '77' },
    ),
  ),
]);

const ORDERS = `Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Id
#1001,Ann@example.com,paid,EUR,20,5,0,25,2026-03-05 11:01:00 +0100,2,Mug,10,MUG,9001
#1002,bob@example.com,paid,EUR,10,0,0,10,2026-03-05 11:02:00 +0100,1,Mug,10,MUG,9002
`;

const EVENTS = [
  { type: 'metric', id: 'M', attributes: { name: 'Placed Order', integration: { name: 'Shopify' } } },
  {
    type: 'event',
    id: 'E',
    attributes: { datetime: '2026-03-05T10:00:00+00:00', event_properties: { $value: 99 } },
    relationships: { profile: { data: { id: 'P' } }, metric: { data: { id: 'M' } } },
  },
];

const range = { from_date: '2026-03-01T00:00:00', to_date: '2026-03-31T23:59:59' };

async function importing(business: Business, files: Files, settings: Settings = {}) {
  const report = await importFiles(test.instance, business, [writeFiles(test, files)], { settings });
  return report.sources.map(({ source, makes_orders }) => [source, makes_orders]);
}

async function ordersOf({ business_id }: Business) {
  const answer = (await test.ask('order_statistics', { business_id, ...range })) as Record<string, unknown>;
  return [answer.orders_count, answer.orders_revenues];
}

/** The orders that were placed in the visits of each source, and their revenue. */
async function ordersBySource({ business_id }: Business) {
  const answer = (await test.ask('session_statistics', {
    ...{ business_id, ...range, group_by: 'source' },
  })) as { sessions: { key: string; orders_in_session: number; last_click_revenue: number }[] };
  return answer.sessions.map(({ key, orders_in_session, last_click_revenue }) => [
    ...[key, orders_in_session, last_click_revenue],
  ]);
}

const SHOP = { 'orders_export.csv': ORDERS };
const ANALYTICS = { 'events.json': VISITS };

it('a store has orders of the shop alone, also where Google and Klaviyo saw purchases', async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
  expect(await importing(business, { ...ANALYTICS, ...SHOP, 'klaviyo.json': ndjson(EVENTS) })).toEqual([
    ['ga4-events', false],
    ['shopify-orders-csv', true],
    ['klaviyo-events-json', false],
  ]);
  expect(await ordersOf(business)).toEqual([2, 35]);
  await expect(importing(business, ANALYTICS, { 'orders-from': 'ga4' })).rejects.toThrow(
    'this store has orders that its shop exported',
  );
});

it('a store has purchases where somebody said so, until a shop takes over', async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
  expect(await importing(business, ANALYTICS, { 'orders-from': 'ga4' })).toEqual([['ga4-events', true]]);
  expect(await ordersOf(business)).toEqual([2, 35]);
  await expect(importing(business, SHOP)).rejects.toThrow(
    'Say --orders-from shop to take the purchases away',
  );
  expect(await importing(business, SHOP, { 'orders-from': 'shop' })).toEqual([['shopify-orders-csv', true]]);
  expect(await ordersOf(business)).toEqual([2, 35]);
});

it.skipIf(isQuick)('remembers from where its orders are, also when a shop took over', async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
  expect(await importing(business, ANALYTICS, { 'orders-from': 'ga4' })).toEqual([['ga4-events', true]]);
  expect(await ordersOf(business)).toEqual([2, 35]);
  const more = ndjson([ga4Event('purchase', 500, { transaction_id: 'T3', value: 1, currency: 'EUR' })]);
  expect(await importing(business, { 'more.json': more })).toEqual([['ga4-events', true]]);
  expect(await ordersOf(business)).toEqual([3, 36]);

  await expect(importing(business, SHOP)).rejects.toThrow(
    'Say --orders-from shop to take the purchases away',
  );
  expect(await ordersOf(business)).toEqual([3, 36]);
  // What is stored says so too, when nothing is remembered.
  await forgetSourceSettings(test.instance.control, business.business_id, STORE);
  await expect(importing(business, SHOP)).rejects.toThrow('Say --orders-from shop');
  expect(await importing(business, SHOP, { 'orders-from': 'shop' })).toEqual([['shopify-orders-csv', true]]);
  expect(await ordersOf(business)).toEqual([2, 35]);
  expect(await importing(business, ANALYTICS)).toEqual([['ga4-events', false]]);
  expect(await ordersOf(business)).toEqual([2, 35]);
});

it('reconciles purchases with what is answered', async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  const folder = writeFiles(test, {
    'a.json': ndjson([
      ga4Event(
        'purchase',
        0,
        { transaction_id: 'T1', value: 25, currency: 'EUR', shipping: 5 },
        { items: [item] },
      ),
      ga4Event('purchase', 5, { transaction_id: 'T1', value: 25, currency: 'EUR' }, { items: [item] }),
      ga4Event('purchase', 9, { value: 7, currency: 'EUR' }, { items: [] }),
      ga4Event('purchase', 20, { transaction_id: 'T2', value: 11, currency: 'EUR' }, { items: [item] }),
      ga4Event('refund', 30, { transaction_id: 'T2', value: 4 }),
    ]),
  });
  const report = await importFiles(test.instance, business, [folder], {
    settings: { 'orders-from': 'ga4' },
    isTrial: true,
  });
  expect(report.reconciliation).toMatchObject([
    {
      source: 'ga4-events',
      currency: 'EUR',
      orders: { in_file: 4, stored: 2, valid: 2 },
      gross: { in_file: 68, stored: 36, revenue: 36 },
      refunds: { in_file: 4, stored: 4 },
      differences: [
        { reason: 'duplicate', orders: 1, amount: 25 },
        { reason: 'without_id', orders: 1, amount: 7, is_counted: false },
        { reason: 'lines_do_not_add_up', orders: 1, amount: 9 },
      ],
      months: [{ month: '2026-03', orders: { in_file: 4, stored: 2, valid: 2 } }],
    },
  ]);
});

/** The full tests try all; the last one waits longest for what it needs. */
const inQuickTheLast = <T>(orders: readonly T[]) => (isQuick ? orders.slice(-1) : orders);

/** Cyd bought #1003 a year before somebody else did; Dan bought #1004, and signed in at another time. */
const MORE_ORDERS = `${ORDERS}#1003,cyd@example.com,paid,EUR,7,0,0,7,2025-03-05 11:03:00 +0100,1,Mug,7,MUG,9003
#1004,dan@example.com,paid,EUR,4,0,0,4,2026-03-05 11:04:00 +0100,1,Mug,4,MUG,9004
`;

const MORE_VISITS = `${VISITS}${ndjson([
  ...['page_view', 'purchase'].map((name, index) =>
    ga4Event(
      name,
      100 + index,
      { source: 'partner', medium: 'referral', transaction_id: '1003', value: 7, currency: 'EUR' },
      { user_pseudo_id: '5555555555.6666666666' },
    ),
  ),
  // Nothing but the customer tells whose visit it was.
  ga4Event(
    'page_view',
    0,
    { source: 'seznam', medium: 'cpc' },
    { user_pseudo_id: '7777777777.8888888888', user_id: '78' },
  ),
])}`;

const CUSTOMERS = "Customer ID,First Name,Email,Total Spent,Total Orders\n'78,Dan,dan@example.com,4,1\n";

const FILES = {
  shop: { 'orders_export.csv': MORE_ORDERS },
  customers: { 'customers.csv': CUSTOMERS },
  visits: { 'events.json': MORE_VISITS },
};

describe.each(
  inQuickTheLast<[string, (keyof typeof FILES)[][]]>([
    ['in one import', [['customers', 'shop', 'visits']]],
    ['the shop first', [['shop', 'customers'], ['visits']]],
    ['the visits first', [['visits'], ['shop', 'customers']]],
  ]),
)('a shop and its visits, %s', (_, imports) => {
  let business: Business;
  let sources: Awaited<ReturnType<typeof ordersBySource>>;
  beforeAll(async () => {
    business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
    for (const names of imports) {
      const made = await importing(business, Object.assign({}, ...names.map((name) => FILES[name])) as Files);
      expect(made).not.toContainEqual(['ga4-events', true]);
    }
    sources = await ordersBySource(business);
  });

  it('gives an order of the shop its visit, by its id or number', () => {
    expect(sources).toContainEqual(['google', 1, 10]);
    expect(sources).toContainEqual(['news', 1, 25]);
  });

  it('does not give an order the visit of one that had its number in another year', () =>
    expect(sources).toContainEqual(['partner', 0, 0]));

  // Dan's order is the visit's by last click; nobody saw in which visit it was placed.
  it('knows a person who signed in by the id that the shop has', () =>
    expect(sources).toContainEqual(['seznam', 0, 4]));

  it('forgets with a person the visits that only an order of theirs tells of', async () => {
    const { rows } = await deletePersons(test.instance, business, ['ann@example.com']);
    expect(rows).toEqual({ orders: 1, order_items: 1, sessions: 1, order_visits: 1 });
    expect(await ordersBySource(business)).toEqual(sources.filter(([source]) => source !== 'news'));
    expect(sources).toHaveLength(4);
  });
});

it.skipIf(isQuick)(
  'asks the same of orders in our own format that are told by their names alone',
  async () => {
    const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
    await importing(business, ANALYTICS, { 'orders-from': 'ga4' });
    const folder = writeFiles(test, {
      'orders.csv': 'order_id,ordered_at,total\n1001,2026-03-05T11:01:00Z,25\n',
    });
    const canonical = (settings: Settings) =>
      importFiles(test.instance, business, [folder], { settings, isCanonical: true });
    await expect(canonical({})).rejects.toThrow('each sale would count twice');
    await canonical({ 'orders-from': 'shop' });
    expect(await ordersOf(business)).toEqual([1, 25]);
    await expect(importing(business, ANALYTICS, { 'orders-from': 'ga4' })).rejects.toThrow(
      /its shop exported.* count them twice/,
    );
  },
);
