import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance();
  business = await test.createBusiness({ timezone: 'Pacific/Auckland', currency: 'NZD' });
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesUntil(
  to_date: string,
  tool = 'order_statistics',
  more = {},
): Promise<readonly string[] | undefined> {
  const range = { business_id: business.business_id, from_date: '2024-01-01T00:00:00', to_date, ...more };
  return (await test.run(tool, range)).notes;
}

const PARTLY = 'Orders are loaded from 2024-01-31 on, within the range: of the days before nothing is known.';
const SHIFTED = expect.stringMatching(/^The range is not of whole days of the store/);

it('says where the loaded orders end, by the days of the business, when a range goes beyond', async () => {
  expect(await notesUntil('2024-01-31T23:59:59')).toEqual(['No orders are loaded for this business yet.']);
  // 09:00 on 31 January in Auckland, still 30 January in UTC.
  const order = { order_id: 'a', profile_id: 'p', ordered_at: '2024-01-30T20:00:00Z', total: '1' };
  await test.importStore(business, {
    ...emptyStore({ timezone: business.timezone, primary_currency: 'NZD' }),
    orders: [order],
  });
  expect(await notesUntil('2024-01-31T23:59:59')).toEqual([PARTLY]);
  expect(await notesUntil('2024-01-31T10:59:59Z')).toEqual([PARTLY]);
  const note = [
    PARTLY,
    expect.stringMatching(/^Orders are loaded from 2024-01-30T20:00:00Z to 2024-01-30T20:00:00Z; /),
  ];
  expect(await notesUntil('2024-02-01T00:00:01')).toEqual(note);
  expect(await notesUntil('2024-01-31T11:00:01Z')).toEqual([SHIFTED, ...note]);
});

it('says that nothing is known of a range before the first loaded order', async () => {
  const note =
    "Orders are loaded from 2024-01-30T20:00:00Z on; the range ends before that, and nothing is known of it: its zeros are not the store's.";
  expect(await notesUntil('2024-01-30T23:59:59')).toEqual([note]);
  expect(await notesUntil('2024-01-30T23:59:59', 'product_statistics')).toContain(note);
  expect(await notesUntil('2024-01-30T23:59:59', 'email_revenue_statistics')).toContain(note);
});

it('says that a range begins before the first loaded order, whatever the fields and the tool', async () => {
  const until = '2024-01-31T23:59:59';
  for (const [tool, more] of [
    ['order_statistics', {}],
    ['order_statistics_trend', { breakdown: 'month', fields: ['orders_count'] }],
    ['order_statistics_trend', { breakdown: 'week' }],
    ['order_distribution_statistics', { dimension: 'weekday' }],
    ['product_affinity_statistics', {}],
    ['product_statistics', {}],
    ['brand_statistics', {}],
    ['category_statistics', {}],
    ['master_product_statistics', {}],
    ['first_purchase_cohorts', {}],
  ] as const)
    expect(await notesUntil(until, tool, more), tool).toContain(PARTLY);
  // A range that begins with the data does not have the note either.
  const notes = await notesUntil(until, 'order_statistics', { from_date: '2024-01-31' });
  expect(notes).not.toContain(PARTLY);
  // The first partial period of a trend is named, too.
  const trend = await notesUntil(until, 'order_statistics_trend', {
    breakdown: 'month',
    fields: ['orders_count'],
  });
  expect(trend?.join()).toContain('The month from 2024-01-01 holds 1 of 31 days of orders');
});

it('is about the data that a tool reads, and no other', async () => {
  const beyond = '2024-03-31T23:59:59';
  const orders = expect.stringMatching(/^Orders are loaded from /);
  expect(await notesUntil(beyond)).toEqual([PARTLY, orders]);
  expect(await notesUntil(beyond, 'session_statistics')).toEqual([
    PARTLY,
    orders,
    "No sessions are loaded, so nothing is known of visits and last clicks: their zeros are not the store's.",
  ]);
  expect(await notesUntil(beyond, 'email_channel_statistics')).toContain(
    'No messages are loaded for this business yet.',
  );
  expect((await notesUntil(beyond, 'email_channel_statistics'))?.join()).not.toContain('Orders are loaded');
  // What orders, visits and messages say together is not known without one of them.
  const visits = expect.stringMatching(/^No sessions are loaded/);
  const views = expect.stringMatching(/^No product events are loaded/);
  expect(await notesUntil(beyond, 'email_revenue_statistics')).toContainEqual(visits);
  expect(await notesUntil(beyond, 'product_statistics')).toContainEqual(views);
  // Whoever ordered lately is active.
  expect(await notesUntil(beyond, 'subscriber_statistics')).toContainEqual(orders);
});

it('says that a day whose first second is the end is not in the range, by the clock of the business', async () => {
  const note =
    'to_date is 2024-01-31 at 00:00:00: that day is not included beyond its first second. For the whole day ask until 2024-01-31T23:59:59.';
  expect(await notesUntil('2024-01-31T00:00:00')).toEqual([PARTLY, note]);
  // An offset has a note of its own: see offset-notes.test.ts.
  expect(await notesUntil('2024-01-30T11:00:00Z')).toEqual([SHIFTED, PARTLY]);
  expect(await notesUntil('2024-01-31T00:00:00Z')).toEqual([SHIFTED, PARTLY]);
  expect(await notesUntil('2024-01-31T00:00:00', 'order_statistics_trend', { breakdown: 'day' })).toEqual([
    PARTLY,
    'to_date is 2024-01-31 at 00:00:00; the whole period of that day is included.',
    '2024-01-31 may not be whole: on it, orders until 09:00 are loaded. Do not compare it with whole days.',
  ]);
});

it('says within which part of the range what rates divide by is loaded, where they do', async () => {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  const other = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  for (const month of ['01', '02', '03', '04', '05', '06']) {
    const ordered_at = `2026-${month}-10T10:00:00`;
    store.orders.push({ order_id: month, email: `${month}@example.com`, ordered_at, total: '10' });
    if (month < '03' || month > '04') continue;
    store.sessions.push({ session_id: month, visitor_id: month, started_at: ordered_at });
    store.product_events.push({
      ...{ event_id: month, visitor_id: month, kind: 'view', external_product_id: 'A', at: ordered_at },
    });
  }
  store.orders.push({
    order_id: 'last',
    email: 'a@example.com',
    ordered_at: '2026-06-30T12:00:00',
    total: '10',
  });
  await test.importStore(other, store);
  const notesOf = async (tool: string, from_date: string, to_date: string, more = {}) =>
    (
      (await test.run(tool, { business_id: other.business_id, from_date, to_date, ...more })).notes ?? []
    ).filter((note) => note.includes('within the range: what'));
  const note = (what: string, known: string) =>
    `${what} are loaded ${known}, within the range: what is divided by them is of that part of it, so divide no number of the whole range by them.`;

  const half = ['2026-01-01', '2026-06-30'] as const;
  const whole = 'from 2026-03-10 on and until 2026-04-10';
  expect(await notesOf('session_statistics', ...half)).toEqual([note('Sessions', whole)]);
  expect(await notesOf('session_statistics_trend', ...half, { breakdown: 'month' })).toEqual([
    note('Sessions', whole),
  ]);
  expect(await notesOf('product_statistics', ...half)).toEqual([note('Views of products', whole)]);
  expect(await notesOf('brand_statistics', '2026-01-01', '2026-03-31')).toEqual([
    note('Views of products', 'from 2026-03-10 on'),
  ]);
  expect(await notesOf('session_statistics', '2026-04-01', '2026-04-30')).toEqual([
    note('Sessions', 'until 2026-04-10'),
  ]);
  // Where it is loaded all the time, and where nothing divides by it.
  expect(await notesOf('session_statistics', '2026-03-10', '2026-04-10')).toEqual([]);
  expect(await notesOf('order_statistics', ...half)).toEqual([]);
});

it('says first that nothing is known of a range before the first visit, message, popup or view', async () => {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const at = '2026-03-10T10:00:00Z';
  await test.importStore(shop, {
    ...emptyStore({ timezone: shop.timezone, primary_currency: 'CZK' }),
    orders: [
      { order_id: 'a', email: 'a@example.com', ordered_at: '2026-01-10T10:00:00Z', total: '10' },
      { order_id: 'b', email: 'a@example.com', ordered_at: '2026-04-10T10:00:00Z', total: '10' },
    ],
    sessions: [{ session_id: '1', visitor_id: 'v', started_at: at }],
    product_events: [{ event_id: '1', visitor_id: 'v', kind: 'view', external_product_id: 'A', at }],
    campaigns: [
      { campaign_id: 'c', name: 'C', campaign_type: 'targeted-emailing', state: 'sent', created_at: at },
    ],
    messages: [{ message_id: 'm', campaign_id: 'c', channel: 'email', subject: 'Hi' }],
    sends: [{ send_id: 's', message_id: 'm', email: 'a@example.com', sent_at: at, outcome: 'delivered' }],
  });
  const notesOf = async (tool: string, from_date: string, to_date: string) =>
    (await test.run(tool, { business_id: shop.business_id, from_date, to_date })).notes ?? [];
  const before = (what: string) =>
    `${what} are loaded from ${at} on; the range ends before that, and nothing is known of it: its zeros are not the store's.`;
  const february = ['2026-02-01', '2026-02-28'] as const;
  expect((await notesOf('session_statistics', ...february))[0]).toBe(before('Sessions'));
  expect((await notesOf('email_channel_statistics', ...february))[0]).toBe(before('Messages'));
  expect(await notesOf('product_statistics', ...february)).toContain(before('Views of products'));
  // Orders have been known since January.
  expect((await notesOf('session_statistics', '2025-02-01', '2025-02-28')).slice(0, 2)).toEqual([
    "Orders are loaded from 2026-01-10T10:00:00Z on; the range ends before that, and nothing is known of it: its zeros are not the store's.",
    before('Sessions'),
  ]);
  for (const note of await notesOf('session_statistics', '2026-03-01', '2026-03-31'))
    expect(note).not.toContain('the range ends before that');
});

it('says which week or month of a trend the data begin or end in', async () => {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const on = (order_id: string, day: string) => ({ order_id, ordered_at: `${day}T10:00:00Z`, total: '1' });
  await test.importStore(shop, {
    ...emptyStore({ timezone: shop.timezone, primary_currency: 'CZK' }),
    // A Tuesday, and a Wednesday.
    orders: [on('a', '2026-08-11'), on('b', '2026-09-30')],
  });
  const notesOf = async (from_date: string, to_date: string, breakdown: string) => {
    const { notes = [] } = await test.run('order_statistics_trend', {
      ...{ business_id: shop.business_id, from_date, to_date, breakdown, fields: ['orders_count'] },
    });
    return notes.filter((note) => note.startsWith('The '));
  };
  const lastWeek =
    'The week from 2026-09-28 holds 3 of 7 days of orders, which are loaded until 2026-09-30: do not compare it with whole ones.';
  // The note is the same where the range itself ends before the data do.
  for (const to_date of ['2026-09-29', '2026-09-30', '2026-10-31'])
    expect(await notesOf('2026-09-01', to_date, 'week')).toEqual([lastWeek]);
  expect(await notesOf('2026-08-01', '2026-09-30', 'week')).toEqual([
    'The week from 2026-08-10 holds 6 of 7 days of orders, which are loaded from 2026-08-11 on: do not compare it with whole ones.',
    lastWeek,
  ]);
  // September is whole.
  expect(await notesOf('2026-08-01', '2026-09-30', 'month')).toEqual([
    'The month from 2026-08-01 holds 21 of 31 days of orders, which are loaded from 2026-08-11 on: do not compare it with whole ones.',
  ]);
  expect(await notesOf('2026-09-01', '2026-09-27', 'week')).toEqual([]);
  expect(await notesOf('2026-08-01', '2026-09-30', 'day')).toEqual([]);
});

it.each([
  ['sessions', 'session_statistics_trend'],
  ['messages', 'email_channel_statistics'],
  ['messages and popup displays', 'campaign_statistics_trend'],
  ['views of products', 'product_statistics_trend'],
])('says which week of a trend the %s begin and end in', async (what, tool) => {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  // A Tuesday, and a Wednesday.
  const days = ['2026-08-11', '2026-09-30'].map((day) => `${day}T10:00:00Z`);
  const created_at = '2026-08-01T10:00:00Z';
  const campaign = (campaign_id: string, campaign_type: string) => ({
    ...{ campaign_id, name: campaign_id, campaign_type, state: 'sent', created_at },
  });
  await test.importStore(shop, {
    ...emptyStore({ timezone: shop.timezone, primary_currency: 'CZK' }),
    // Known before and after, by whole weeks.
    orders: ['2026-07-06T10:00:00Z', '2026-10-25T10:00:00Z'].map((ordered_at) => ({
      ...{ order_id: ordered_at, email: 'a@example.com', ordered_at, total: '10' },
    })),
    products: [{ external_product_id: 'A', name: 'A', price: '1' }],
    sessions: days.map((at) => ({ session_id: at, visitor_id: at, started_at: at })),
    product_events: days.map((at) => ({
      ...{ event_id: at, visitor_id: at, kind: 'view', external_product_id: 'A', at },
    })),
    campaigns: [campaign('c', 'targeted-emailing'), campaign('p', 'popup')],
    messages: [{ message_id: 'm', campaign_id: 'c', channel: 'email', subject: 'Hi' }],
    sends: days.map((at) => ({
      ...{ send_id: at, message_id: 'm', email: 'a@example.com', sent_at: at, outcome: 'delivered' },
    })),
    popup_events: days.map((at) => ({
      ...{ event_id: at, campaign_id: 'p', visitor_id: at, at, kind: 'display' },
    })),
  });
  const more = {
    campaign_statistics_trend: { campaign_ids: ['p'] },
    product_statistics_trend: { external_product_ids: ['A'] },
  };
  const { notes = [] } = await test.run(tool, {
    ...{ business_id: shop.business_id, from_date: '2026-08-01', to_date: '2026-09-30', breakdown: 'week' },
    ...(more as Readonly<Record<string, object>>)[tool],
  });
  const note = (week: string, known: string) =>
    `The week from ${week} holds ${known}: do not compare it with whole ones.`;
  expect(notes.filter((one) => one.includes(` days of ${what}`))).toEqual([
    note('2026-08-10', `6 of 7 days of ${what}, which are loaded from 2026-08-11 on`),
    note('2026-09-28', `3 of 7 days of ${what}, which are loaded until 2026-09-30`),
  ]);
});

it('says which refunds are on credit notes, which are in no revenue, as counted over the raw rows', async () => {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  const other = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  for (const [order_id, status] of [
    ['sold', 'paid'],
    ['note', 'credit_note'],
    ['cancelled', 'cancelled'],
  ] as const) {
    store.orders.push({
      ...{
        order_id,
        status,
        email: `${order_id}@example.com`,
        ordered_at: '2026-01-10T10:00:00',
        total: status === 'credit_note' ? '0' : '100',
      },
    });
    store.refunds.push({ refund_id: order_id, order_id, refunded_at: '2026-01-12T10:00:00', amount: '40' });
  }
  await test.importStore(other, store);
  const notesOf = async (tool: string, from_date: string, more = {}) =>
    (
      (await test.run(tool, { business_id: other.business_id, from_date, to_date: '2026-01-31', ...more }))
        .notes ?? []
    ).filter((note) => note.includes('are on credit notes'));
  const left = store.refunds.filter(({ order_id }) => order_id === 'note');
  const sum = left.reduce((all, { amount }) => all + Number(amount), 0);
  const note = expect.stringMatching(new RegExp(`^${left.length} refund of ${sum} CZK in these days`));
  for (const [tool, more] of [
    ['order_statistics', {}],
    ['order_statistics_trend', { breakdown: 'day' }],
    ['product_statistics', {}],
    ['brand_statistics', {}],
    ['category_statistics', {}],
    ['master_product_statistics', {}],
    ['order_distribution_statistics', { dimension: 'weekday' }],
  ] as const)
    expect(await notesOf(tool, '2026-01-01', more), tool).toEqual([note]);
  expect(await notesOf('order_statistics', '2026-01-13')).toEqual([]);
  // It names what the answer has, and where else to look.
  const saying = (names: string, holder: string) => [
    expect.stringMatching(new RegExp(`in no revenue: ${names} leaves? them out, .* ${holder} has them\\.$`)),
  ];
  const byDate = 'refunded_revenue_by_refund_date';
  expect(await notesOf('order_statistics', '2026-01-01')).toEqual(
    saying('refunded_revenue and revenue_after_refunds', byDate),
  );
  expect(await notesOf('brand_statistics', '2026-01-01')).toEqual(
    saying('refunded_revenue, refunded_quantity and return_rate', byDate),
  );
  expect(await notesOf('email_revenue_statistics', '2026-01-01')).toEqual(
    saying('refunded_revenue and net_attributed_revenue', `${byDate} of order_statistics`),
  );
  // A refund of a customer counts whenever it came: this one came two days after the range.
  const ofCustomers = { business_id: other.business_id, from_date: '2026-01-10', to_date: '2026-01-10' };
  expect((await test.run('customer_value', ofCustomers)).notes).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `^1 refund of ${sum} CZK since the first of these days, .* after_refunds_per_customer leaves`,
      ),
    ),
  );
  // Customers return there, and nothing is refunded.
  expect(await notesOf('repeat_purchase_cycle', '2026-01-01')).toEqual([]);
  const metricNotes = async (...metrics: string[]) =>
    (
      (
        await test.run('query_metrics', {
          ...{ business_ids: [other.business_id], from_date: '2026-01-01', to_date: '2026-01-31', metrics },
        })
      ).notes ?? []
    ).filter((one) => one.includes('are on credit notes'));
  expect(await metricNotes('revenue_after_refunds')).toEqual(
    saying('revenue_after_refunds', `${byDate} of order_statistics`),
  );
  expect(await metricNotes('refunded_revenue', byDate)).toEqual(saying('refunded_revenue', byDate));
  expect(await metricNotes('revenue')).toEqual([]);
});

it('says until when the window of RFM segments is not full', async () => {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  const other = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  for (const at of ['2024-10-01', '2026-06-30'])
    store.orders.push({ order_id: at, email: 'a@example.com', ordered_at: `${at}T10:00:00`, total: '1' });
  await test.importStore(other, store);
  const notesOf = async (tool: string, more: object) =>
    ((await test.run(tool, { business_id: other.business_id, ...more })).notes ?? []).filter((note) =>
      note.startsWith(
        'Orders are loaded from 2024-10-01 on, and the window is 365 days: until 2025-10-01 it is not full. ',
      ),
    );
  const range = (from_date: string) => ({ from_date, to_date: '2026-03-31' });
  const trend = (from_date: string) => ({ ...range(from_date), breakdown: 'month' });
  expect(await notesOf('rfm_segment_statistics', { as_of: '2025-09-30' })).toHaveLength(1);
  expect(await notesOf('rfm_segment_statistics', { as_of: '2025-10-01' })).toEqual([]);
  expect(await notesOf('rfm_segment_statistics_trend', trend('2025-08-01'))).toHaveLength(1);
  expect(await notesOf('rfm_segment_statistics_trend', trend('2025-10-01'))).toEqual([]);
  expect(await notesOf('rfm_segment_transitions', range('2025-10-01'))).toHaveLength(1);
  expect(await notesOf('rfm_segment_transitions', range('2025-10-02'))).toEqual([]);
});

it('says that nothing is known of products where orders have no lines, and divides no pieces by orders', async () => {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, {
    ...emptyStore({ timezone: shop.timezone, primary_currency: 'CZK' }),
    orders: [{ order_id: '1', email: 'a@example.com', ordered_at: '2026-09-02T10:00:00Z', total: '10' }],
    products: [{ external_product_id: 'A', name: 'A', price: '1' }],
  });
  const args = { business_id: shop.business_id, from_date: '2026-09-01', to_date: '2026-09-30' };
  const { notes = [] } = await test.run('product_statistics', args);
  expect(notes[0]).toBe(
    "No order lines are loaded, so nothing is known of which products were ordered: zeros of their sales are not the store's.",
  );
  const byCountry = { ...args, dimension: 'country' };
  const { rows } = (await test.ask('order_distribution_statistics', byCountry)) as { rows: object[] };
  expect(rows).toMatchObject([{ orders_count: 1, avg_items_per_order: null }]);
});

it('says that nothing is known of opens and credit where sends have no events', async () => {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, {
    ...emptyStore({ timezone: shop.timezone, primary_currency: 'CZK' }),
    campaigns: [
      {
        ...{ campaign_id: 'c', name: 'c', campaign_type: 'targeted-emailing', state: 'sent' },
        created_at: '2026-09-01T10:00:00Z',
      },
    ],
    messages: [{ message_id: 'm', campaign_id: 'c', channel: 'email', subject: 'Hi' }],
    sends: [
      {
        ...{ send_id: '1', message_id: 'm', email: 'a@example.com', sent_at: '2026-09-02T10:00:00Z' },
        outcome: 'delivered',
      },
    ],
  });
  const range = { business_id: shop.business_id, from_date: '2026-09-01', to_date: '2026-09-30' };
  for (const tool of ['email_channel_statistics', 'email_revenue_statistics', 'email_campaign_statistics']) {
    const { notes = [] } = await test.run(tool, range);
    expect(notes, tool).toContainEqual(
      expect.stringMatching(/^No opens and clicks of messages are loaded, so nothing is known of them/),
    );
  }
});

it('knows no sales after stock was read where orders have no lines', async () => {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, {
    ...emptyStore({ timezone: shop.timezone, primary_currency: 'CZK' }),
    orders: [{ order_id: '1', email: 'a@example.com', ordered_at: '2026-09-20T10:00:00Z', total: '10' }],
    products: [{ external_product_id: 'A', name: 'A', price: '1' }],
    stock_readings: [
      {
        external_product_id: 'A',
        read_on: '2026-09-02',
        read_at: '2026-09-02T10:00:00Z',
        stock_quantity: '5',
      },
    ],
  });
  const { business_id } = shop;
  const { product } = (await test.ask('get_product', { business_id, external_product_id: 'A' })) as {
    product: object;
  };
  expect(product).toMatchObject({ stock_quantity: 5, sold_since_stock_as_of: null });
  const range = { business_id, from_date: '2026-09-01', to_date: '2026-09-30' };
  const { notes = [] } = await test.run('stock_cover', range);
  expect(notes).toContain('Nothing is told: no order lines are loaded.');
});
