import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';
import { setBusinessSettings } from '../../../control/businesses/business-settings.ts';

let test: TestInstance;
let shop: Business;
let empty: Business;

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK', link: 'https://shop.cz' });
  // Prices without VAT, so that what is left is plain.
  await setBusinessSettings(test.instance.control, shop.business_id, { vat_rate: 0 });
  await test.importStore(shop, twoChannels());
  empty = await test.createBusiness({ timezone: 'Europe/Prague' });
});

afterAll(() => test[Symbol.asyncDispose]());

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

type Fields = Record<string, unknown>;
type Answer = Fields & { campaigns: Fields[]; types: Fields[]; periods: Fields[] };

const ask = async (tool: string, args: object = {}, business = shop) =>
  (await test.ask(tool, { business_id: business.business_id, ...MAY, ...args })) as Answer;

const PHONES: Readonly<Record<string, string>> = {
  ...{ ann: '+420777000001', bob: '+420777000002', cyd: '+420777000003', dan: '+421905000004' },
  ...{ eve: '+420777000005', fay: '+420777000006', gus: '+420777000007', ivy: '+420777000009' },
  ...{ jan: '+420777000010', kim: '+420777000011' },
};
const PEOPLE = [...Object.keys(PHONES), 'hal'];

/** One-off and automated SMS beside e-mails that compete with them. */
function twoChannels(): Store {
  const sms = (person: string, message_id: string, more: Row<'sends'> = {}): Row<'sends'> => ({
    ...{ send_id: `sms-${person}`, message_id, profile_id: `p-${person}`, outcome: 'delivered' },
    ...{ sent_at: '2024-05-10T08:00:00Z', delivered_at: '2024-05-10T08:01:00Z' },
    ...more,
  });
  const mail = (person: string): Row<'sends'> => ({
    ...{
      send_id: `mail-${person}`,
      message_id: 'mail',
      email: `${person}@x.cz`,
      sent_at: '2024-05-10T07:00:00Z',
    },
  });
  const event = (
    send_id: string,
    kind: string,
    time: string,
    more: Row<'message_events'> = {},
  ): Row<'message_events'> => ({
    ...{ event_id: `${send_id}-${kind}-${time}`, send_id, kind, at: `2024-05-10T${time}Z` },
    ...more,
  });
  const order = (person: string, total: string): Row<'orders'> => ({
    ...{ order_id: person, ordered_at: '2024-05-10T12:00:00Z', total, email: `${person}@x.cz` },
  });
  const campaign = (campaign_id: string, campaign_type: string, trigger?: string): Row<'campaigns'> => ({
    ...{ campaign_id, campaign_type, name: `The ${campaign_id}`, state: 'active', trigger },
    created_at: '2024-01-01T00:00:00Z',
  });
  const session = (person: string, source: string, medium: string): Row<'sessions'> => ({
    ...{ session_id: `v-${person}`, visitor_id: `v-${person}`, email: `${person}@x.cz`, source, medium },
    started_at: '2024-05-10T11:30:00Z',
  });
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    profiles: PEOPLE.map((person) => ({
      ...{ profile_id: `p-${person}`, email: `${person}@x.cz`, phone: PHONES[person] },
    })),
    campaigns: [
      campaign('promo', 'targeted-sms'),
      campaign('cart', 'incremental-sms', '{"type":"cart_abandoned"}'),
      campaign('long', 'targeted-sms'),
      campaign('news', 'targeted-emailing'),
    ],
    messages: [
      // 161 units, since the euro counts twice: two parts. The last one is 600: four.
      { message_id: 'p1', campaign_id: 'promo', channel: 'sms', position: '2', text: `${'a'.repeat(159)}€` },
      { message_id: 'p2', campaign_id: 'promo', channel: 'sms', position: '1', text: `${'č'.repeat(71)}` },
      { message_id: 'p3', campaign_id: 'cart', channel: 'sms', text: `${'b'.repeat(68)}😀` },
      { message_id: 'p4', campaign_id: 'long', channel: 'sms', text: 'x'.repeat(600) },
      { message_id: 'mail', campaign_id: 'news', channel: 'email', subject: 'News' },
    ],
    sends: [
      sms('ann', 'p1', { cost: '1.5' }),
      // Whoever opts out got the message, whatever the gateway says.
      sms('bob', 'p1', { cost: '1', outcome: 'pending' }),
      sms('cyd', 'p2', { outcome: 'failed', failure_reason: 'Unknown Subscriber', delivered_at: '' }),
      sms('dan', 'p2', { outcome: 'hard', failure_reason: 'Spam filter', delivered_at: '' }),
      sms('eve', 'p3', { cost: '0.5' }),
      ...['fay', 'gus', 'hal'].map((person) => sms(person, 'p1')),
      sms('ivy', 'p3'),
      sms('jan', 'p3', { outcome: '', delivered_at: '', sms_country: 'de' }),
      sms('kim', 'p4', { sent_at: '2024-05-12T21:59:59Z', delivered_at: '' }),
      ...['fay', 'gus'].map(mail),
      // Later than the SMS, so that only the kind of touch decides.
      { ...mail('hal'), sent_at: '2024-05-10T09:00:00Z' },
    ],
    message_events: [
      event('sms-ann', 'click', '10:30:00'),
      event('mail-fay', 'click', '10:00:00'),
      event('sms-fay', 'click', '11:00:00'),
      event('sms-gus', 'click', '10:00:00'),
      event('mail-gus', 'open', '11:00:00'),
      event('sms-hal', 'click', '11:00:00'),
      event('mail-hal', 'open', '11:00:00'),
      event('sms-ivy', 'click', '09:00:00', { is_bot: 'true' }),
    ],
    consent_events: [
      // Exactly 72 hours after, and a second later; the third withdraws what is no SMS.
      { phone: '+420777000002', channel: 'sms', at: '2024-05-13T08:00:00Z', state: 'unsubscribed' },
      { profile_id: 'p-ivy', channel: 'sms', at: '2024-05-13T08:00:01Z', state: 'unsubscribed' },
      { profile_id: 'p-ann', channel: 'email', at: '2024-05-11T08:00:00Z', state: 'unsubscribed' },
    ],
    orders: [
      order('ann', '100'),
      order('eve', '40'),
      order('fay', '7'),
      order('gus', '3'),
      order('hal', '20'),
    ],
    sessions: [
      session('ann', 'sms', 'sms'),
      session('fay', 'news', 'email'),
      session('gus', '', ''),
      session('hal', 'x', ''),
    ],
    products: [{ external_product_id: 'P', name: 'P', price: '60', purchase_price: '20' }],
    order_items: [
      { order_id: 'ann', line_no: '1', external_product_id: 'P', quantity: '1', unit_price: '60' },
    ],
  };
}

describe('two channels that claim one order', () => {
  it('get it once: the later touch, a click before an open of the same moment', async () => {
    const sms = await ask('sms_revenue_statistics');
    expect(sms).toMatchObject({
      ...{ attribution_open_window_h: 0, attribution_click_window_h: 168, basis: 'order_date' },
      ...{ total_orders_count: 5, total_revenue: 170 },
      // Ann, Fay and Hal.
      ...{ attributed_orders_count: 3, attributed_revenue: 127, click_attributed_revenue: 127 },
      ...{ targeted_revenue: 127, incremental_revenue: 0, attributed_revenue_share: 74.7059 },
      ...{ last_click_orders_count: 1, last_click_revenue: 100 },
      // Fay came by the e-mail last; where Hal came from is not known.
      contested_revenue: 7,
      ...{ cost: 3, return_on_spend: 42.3333, gross_profit_after_cost: 37 },
      attribution_scenarios: [
        { scenario: 'click_24h', orders_count: 4, revenue: 130 },
        { scenario: 'configured', orders_count: 3, revenue: 127 },
        { scenario: 'configured_with_delivery_12h', orders_count: 4, revenue: 167 },
      ],
    });
    expect(await ask('email_revenue_statistics')).toMatchObject({
      ...{
        total_revenue: 170,
        attributed_orders_count: 1,
        attributed_revenue: 3,
        click_attributed_revenue: 0,
      },
      ...{ last_click_revenue: 7, contested_revenue: 0 },
      attribution_scenarios: [
        { scenario: 'click_24h', orders_count: 0, revenue: 0 },
        { scenario: 'click_configured', orders_count: 0, revenue: 0 },
        { scenario: 'configured', orders_count: 1, revenue: 3 },
        { scenario: 'configured_with_machine_opens', orders_count: 1, revenue: 3 },
      ],
    });
  });

  it('have periods that are whole, with zeros where nothing was ordered', async () => {
    const day = { from_date: '2024-05-09T12:00:00', to_date: '2024-05-10T12:00:00', breakdown: 'day' };
    expect(await ask('sms_revenue_statistics', day)).toMatchObject({
      attributed_revenue: 0,
      periods: [
        {
          ...{
            period: '2024-05-09',
            period_start: '2024-05-09',
            attributed_orders_count: 0,
            total_revenue: 0,
          },
          ...{ attributed_revenue: 0, attributed_revenue_share: null, last_click_revenue: 0 },
        },
        {
          ...{
            period: '2024-05-10',
            attributed_orders_count: 3,
            attributed_revenue: 127,
            total_revenue: 170,
          },
          ...{ attributed_revenue_share: 74.7059, last_click_revenue: 100 },
        },
      ],
    });
  });
});

describe('the activity of SMS', () => {
  it('is counted in parts, reports and withdrawals', async () => {
    expect(await ask('sms_channel_statistics', { breakdown: 'week' })).toMatchObject({
      ...{ basis: 'send', data_until: '2024-05-13T08:00:00Z', sent_count: 11, unique_recipients_count: 11 },
      ...{ segments_count: 21, unicode_messages_count: 5, campaigns_count: 3, avg_messages_per_recipient: 1 },
      ...{ delivered_count: 8, failed_count: 2, pending_count: 1 },
      ...{ clicks_count: 4, unique_clicks_count: 4, bot_clicks_count: 1, opt_outs_count: 1, cost: 3 },
      ...{ delivery_rate: 72.7273, click_rate: 50, opt_out_rate: 12.5, failure_rate: 18.1818 },
      ...{ avg_segments_per_message: 1.9091, cost_per_delivered: 0.375 },
      failures: [
        { reason: 'blocked', failed_count: 1, share: 50 },
        { reason: 'invalid_number', failed_count: 1, share: 50 },
      ],
      // What was sent where, and what it cost, is the shop's bill, also of one message.
      countries: [
        { country: 'CZ', sent_count: 8, delivery_rate: 87.5, segments_count: 16, cost: 3 },
        { country: '(not set)', sent_count: 1, delivery_rate: 100, segments_count: 2, cost: null },
        { country: 'DE', sent_count: 1, delivery_rate: 0, segments_count: 1, cost: null },
        { country: 'SK', sent_count: 1, delivery_rate: 0, segments_count: 2, cost: null },
      ],
      periods: [
        { period: '2024-W18', sent_count: 0, cost: null },
        { period: '2024-W19', sent_count: 11 },
        { period: '2024-W20', sent_count: 0, delivery_rate: null },
        { period: '2024-W21', sent_count: 0 },
        { period: '2024-W22', sent_count: 0 },
      ],
    });
    expect(await ask('sms_channel_statistics', { filter_campaign_types: ['incremental-sms'] })).toMatchObject(
      {
        ...{ sent_count: 3, campaigns_count: 1, cost: 0.5, failures: [] },
      },
    );
  });

  it('is ranked by campaign', async () => {
    const { campaigns, total_count } = await ask('sms_campaign_statistics');
    expect(total_count).toBe(3);
    expect(campaigns).toMatchObject([
      {
        ...{ campaign_id: 'promo', name: 'The promo', text: 'č'.repeat(71), campaign_category: 'promotion' },
        ...{
          sent_count: 7,
          attributed_revenue: 127,
          attributed_orders_count: 3,
          cost: 2.5,
          return_on_spend: 50.8,
        },
        ...{ conversion_rate: 60, is_low_volume: true, is_mature: false, refunded_revenue: null },
      },
      { campaign_id: 'cart', campaign_category: 'abandoned_cart', attributed_revenue: 0, return_on_spend: 0 },
      { campaign_id: 'long', text: 'x'.repeat(500), cost: null, return_on_spend: null, conversion_rate: 0 },
    ]);
    const sorted = async (args: object) =>
      (await ask('sms_campaign_statistics', args)).campaigns.map(({ campaign_id }) => campaign_id);
    expect(await sorted({ sort_by: 'cost', sort_order: 'asc' })).toEqual(['cart', 'promo', 'long']);
    expect(await sorted({ sort_by: 'failure_rate', limit: 1 })).toEqual(['promo']);
    expect(
      await sorted({ min_delivered: 2, filter_campaign_categories: ['abandoned_cart', 'promotion'] }),
    ).toEqual(['promo', 'cart']);
  });

  it('is put together by type', async () => {
    const { types } = await ask('sms_campaign_type_statistics', { group_by: 'campaign_type' });
    expect(types).toMatchObject([
      { campaign_type: 'targeted-sms', campaigns_count: 2, sent_share: 72.7273, revenue_share: 100 },
      { campaign_type: 'incremental-sms', campaign_category: 'abandoned_cart', return_on_spend: 0 },
    ]);
  });
});

it('an empty shop has nothing', async () => {
  expect(await ask('sms_revenue_statistics', {}, empty)).toMatchObject({
    ...{
      data_until: null,
      total_revenue: 0,
      attributed_revenue_share: null,
      cost: null,
      return_on_spend: null,
    },
    ...{ gross_profit_after_cost: null, average_order_value: null },
  });
  expect(await ask('sms_channel_statistics', {}, empty)).toMatchObject({
    sent_count: 0,
    cost: null,
    countries: [],
  });
  expect(await ask('sms_campaign_statistics', {}, empty)).toMatchObject({ total_count: 0, campaigns: [] });
  expect(await ask('sms_campaign_type_statistics', {}, empty)).toMatchObject({ types: [] });
});

it('a gateway without a route refuses a message; only a phone that is off or away is unreachable', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const reasons = [
    ['no_route_to_operator', 'No Route', 'network unavailable', 'message rejected', 'operator not supported'],
    ['absent_subscriber', 'switched off', 'UNDELIVERABLE'],
    ['something else'],
  ];
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: [
      {
        campaign_id: 'c',
        campaign_type: 'targeted-sms',
        name: 'c',
        state: 'active',
        created_at: '2024-01-01T00:00:00Z',
      },
    ],
    messages: [{ message_id: 'm', campaign_id: 'c', channel: 'sms', text: 'x' }],
    sends: reasons.flat().map((failure_reason, index) => ({
      send_id: `s${index}`,
      message_id: 'm',
      phone: `+42077700000${index}`,
      sent_at: '2024-05-10T08:00:00Z',
      outcome: 'failed',
      failure_reason,
    })),
  });
  const { failures } = await ask('sms_channel_statistics', {}, business);
  expect(failures).toEqual([
    { reason: 'rejected', failed_count: 5, share: 55.5556 },
    { reason: 'unreachable', failed_count: 3, share: 33.3333 },
    { reason: 'unknown', failed_count: 1, share: 11.1111 },
  ]);
});

it.each([
  ['sms_revenue_statistics', { breakdown: 'year' }, /^breakdown must be one of day, week, month$/],
  [
    'sms_campaign_type_statistics',
    { group_by: 'type' },
    /^group_by must be one of campaign_type, campaign_category$/,
  ],
  [
    'sms_campaign_statistics',
    { sort_by: 'open_rate' },
    /^sort_by must be one of sent_count, delivered_count, click/,
  ],
])('%s refuses %o', async (tool, args, message) => {
  await expect(ask(tool, args)).rejects.toThrow(message);
});
