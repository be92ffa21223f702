import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { messageShop, PEOPLE, totalOf } from '../../../../tests/support/message-shop.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

let test: TestInstance;
let shop: Business;
let several: Business;
let empty: Business;

beforeAll(async () => {
  test = await createTestInstance();
  [shop, several] = [await load(messageShop()), await load(severalCampaigns())];
  empty = await test.createBusiness({ timezone: 'Europe/Prague' });
});

afterAll(() => test[Symbol.asyncDispose]());

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

async function load(store: Partial<Store>): Promise<Business> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const whole = { ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }), ...store };
  await test.importStore(business, whole);
  return business;
}

type Answer = Record<string, unknown> & { campaigns: Fields[]; types: Fields[]; periods: Fields[] };
type Fields = Record<string, unknown>;

const ask = async (tool: string, business: Business, args: object = {}) =>
  (await test.ask(tool, { business_id: business.business_id, ...MAY, ...args })) as Answer;

/** Newsletters in an A/B test, a welcome automation, and a campaign that says its category. */
function severalCampaigns(): Store {
  const sends: Row<'sends'>[] = [];
  const sent = (message_id: string, sent_at: string, ...people: string[]) => {
    for (const person of people) {
      const send_id = `${message_id}-${person}-${sent_at}`;
      sends.push({ send_id, message_id, email: `${person}@x.cz`, sent_at });
    }
  };
  sent('ab-a', '2024-05-06T08:00:00Z', 'ann', 'bob');
  sent('ab-b', '2024-05-06T08:00:00Z', 'cyd', 'dan');
  sent('hello', '2024-04-30T21:59:59.9Z', 'ann');
  sent('hello', '2024-04-30T22:00:00Z', 'bob');
  sent('again', '2024-05-31T21:59:59.9Z', 'bob');
  sent('sale', '2024-05-20T08:00:00Z', 'Ann', 'cyd', 'dan');
  const campaign = (
    campaign_id: string,
    campaign_type: string,
    more: Row<'campaigns'>,
  ): Row<'campaigns'> => ({
    ...{ campaign_id, campaign_type, name: campaign_id.toUpperCase(), state: 'active' },
    ...{ created_at: '2024-01-01T00:00:00Z', ...more },
  });
  const message = (message_id: string, campaign_id: string): Row<'messages'> => ({
    ...{ message_id, campaign_id, channel: 'email', subject: `Subject of ${message_id}` },
  });
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: [
      campaign('ab', 'targeted-emailing-ab', {}),
      campaign('welcome', 'incremental-emailing', { trigger: '{"type":"Sign-up"}', labels: 'blue|Welcome' }),
      campaign('sale', 'targeted-emailing', { category: 'Sale' }),
      campaign('never-sent', 'targeted-emailing', {}),
    ],
    messages: [message('ab-a', 'ab'), message('ab-b', 'ab'), message('hello', 'welcome')].concat(
      message('again', 'welcome'),
      message('sale', 'sale'),
    ),
    sends,
    profiles: [
      { profile_id: 'ann-1', email: 'ann@x.cz' },
      { profile_id: 'ann-2', email: ' ANN@x.cz' },
    ],
    message_events: [
      { event_id: '1', send_id: 'sale-Ann-2024-05-20T08:00:00Z', kind: 'click', at: '2024-05-20T09:00:00Z' },
      { event_id: '2', send_id: 'ab-a-ann-2024-05-06T08:00:00Z', kind: 'click', at: '2024-05-20T09:00:00Z' },
      { event_id: '3', send_id: 'ab-b-cyd-2024-05-06T08:00:00Z', kind: 'open', at: '2024-06-06T09:00:00Z' },
      { event_id: '4', send_id: 'hello-bob-2024-04-30T22:00:00Z', kind: 'click', at: '2024-05-06T09:00:00Z' },
    ],
    orders: [
      // Clicks of one moment: the later message.
      { order_id: '1', ordered_at: '2024-05-21T09:00:00Z', total: '100', profile_id: 'ann-2' },
      { order_id: '2', ordered_at: '2024-05-22T09:00:00Z', total: '40', email: 'ann@x.cz' },
      { order_id: '3', ordered_at: '2024-06-06T10:00:00Z', total: '7', email: 'cyd@x.cz' },
      { order_id: '4', ordered_at: '2024-05-06T10:00:00Z', total: '1', email: 'bob@x.cz' },
    ],
    refunds: [{ refund_id: 'r', order_id: '2', refunded_at: '2024-07-01T00:00:00Z', amount: '15' }],
  };
}

describe('the activity of a newsletter with every trap', () => {
  const people = Object.keys(PEOPLE).length;

  it('tells people from machines', async () => {
    const answer = await ask('email_channel_statistics', shop);
    expect(answer).toMatchObject({
      ...{ basis: 'send', data_until: '2024-05-11T11:00:00Z', sent_count: people },
      ...{ unique_recipients_count: people, campaigns_count: 1, avg_messages_per_recipient: 1 },
      // Who clicks a message got it, whatever its bounce says.
      ...{ hard_bounces_count: 1, soft_bounces_count: 3, delivered_count: people - 4 },
      // Two of opensADayBefore, the early one, two of opensAtOnceAndAgain, one of complains.
      opens_count: 6,
      machine_opens_count: 3,
      unique_machine_only_opens_count: 1,
      // clicks 2, a week before 1 + 1, fastReader 3, cancels, tests, ordersBefore 1 each, bouncesButClicks 1.
      clicks_count: 11,
      unique_clicks_count: 8,
      // The burst without its unsubscribe link, and two of clicksAtOnce.
      bot_clicks_count: 5,
      // Opened by 4 and clicked by 8, and by who unsubscribes.
      unique_opens_count: 13,
      ...{ unsubscribes_count: 1, spam_complaints_count: 1 },
      delivery_rate: 80,
      bounce_rate: 20,
      open_rate: 81.25,
      raw_open_rate: 87.5,
      click_rate: 50,
      click_to_open_rate: 61.5385,
      unsubscribe_rate: 6.25,
      spam_complaint_rate: 6.25,
      periods: null,
      clients: [
        { client: 'apple_mail', opens_count: 5, machine_opens_count: 3 },
        { client: 'gmail', opens_count: 1, machine_opens_count: 0 },
      ],
    });
    expect(people).toBe(20);
  });

  it('earned what its orders are', async () => {
    const { campaigns, ...rest } = await ask('email_campaign_statistics', shop);
    const revenue = totalOf(
      ...(['clicks', 'opensADayBefore', 'clicksAWeekBefore', 'opensAtOnceAndAgain', 'fastReader'] as const),
      'bouncesButClicks',
    );
    expect(rest).toMatchObject({ total_count: 1, basis: 'send', attribution_open_window_h: 24 });
    expect(campaigns).toMatchObject([
      {
        ...{
          campaign_id: 'news',
          name: 'May news',
          subject: 'It is May',
          campaign_type: 'targeted-emailing',
        },
        ...{ campaign_category: 'newsletter', messages_count: 1, sent_count: 20 },
        ...{ first_sent_at: '2024-05-10T10:00:00Z', last_sent_at: '2024-05-10T10:00:00Z' },
        ...{ attributed_orders_count: 6, attributed_revenue: revenue, conversion_rate: 37.5 },
        revenue_per_recipient: revenue / 16,
        ...{ refunded_revenue: null, is_low_volume: true, is_mature: false },
        // Eight of sixteen.
        ...{ click_rate: 50, click_rate_low: 27.9996, click_rate_high: 72.0004 },
      },
    ]);
  });
});

describe('campaigns', () => {
  const keys = async (args: object) =>
    (await ask('email_campaign_statistics', several, args)).campaigns.map(({ campaign_id }) => campaign_id);

  it('have the orders of the messages that they sent in the range, whenever placed', async () => {
    const { campaigns, total_count } = await ask('email_campaign_statistics', several);
    expect(total_count).toBe(3);
    expect(campaigns).toMatchObject([
      {
        ...{
          campaign_id: 'sale',
          campaign_category: 'sale',
          attributed_revenue: 140,
          attributed_orders_count: 2,
        },
        ...{ sent_count: 3, conversion_rate: 33.3333, refunded_revenue: 15, is_mature: true },
        ...{ unique_recipients_count: 3, click_attributed_revenue: 140, average_order_value: 70 },
      },
      {
        ...{ campaign_id: 'ab', campaign_category: 'newsletter', attributed_revenue: 7, messages_count: 2 },
        ...{ sent_count: 4, click_attributed_revenue: 0, subject: 'Subject of ab-a', refunded_revenue: 0 },
      },
      {
        ...{ campaign_id: 'welcome', campaign_category: 'welcome', attributed_revenue: 1, sent_count: 2 },
        ...{ subject: 'Subject of again', first_sent_at: '2024-04-30T22:00:00Z', is_mature: false },
        last_sent_at: '2024-05-31T21:59:59.9Z',
      },
    ]);
  });

  it('are sorted with ties by id and nulls last, filtered and cut', async () => {
    expect(await keys({ sort_by: 'click_to_open_rate', sort_order: 'asc' })).toEqual([
      'ab',
      'sale',
      'welcome',
    ]);
    expect(await keys({ sort_by: 'bounce_rate' })).toEqual(['ab', 'sale', 'welcome']);
    expect(await keys({ limit: 1, offset: 1 })).toEqual(['ab']);
    expect(await keys({ min_delivered: 3 })).toEqual(['sale', 'ab']);
    expect(
      await ask('email_campaign_statistics', several, { min_delivered: 4, limit: 1, offset: 5 }),
    ).toMatchObject({
      ...{ total_count: 1, campaigns: [] },
    });
    expect(await keys({ filter_campaign_ids: ['ab', 'sale'], filter_campaign_categories: ['sale'] })).toEqual(
      ['sale'],
    );
    expect(await keys({ filter_campaign_types: ['incremental-emailing'] })).toEqual(['welcome']);
    expect(await keys({ filter_campaign_ids: [], filter_campaign_types: null })).toHaveLength(3);
  });

  it('are named in a note when they do not exist', async () => {
    const { notes } = await test.run('email_campaign_statistics', {
      ...{ business_id: several.business_id, ...MAY },
      filter_campaign_ids: ['never-sent', 'news', "'; drop table sends; --"],
      filter_campaign_types: ['targeted-sms'],
      filter_campaign_categories: ['Sale', 'sale'],
    });
    expect(notes).toEqual([
      `Unknown in filter_campaign_ids, so without rows: ["news","'; drop table sends; --"]`,
      'Unknown in filter_campaign_types, so without rows: ["targeted-sms"]',
      'Unknown in filter_campaign_categories, so without rows: ["Sale"]',
    ]);
  });

  it('are put together by type and by category, the most sent first', async () => {
    const byType = await ask('email_campaign_type_statistics', several, { group_by: 'campaign_type' });
    expect(byType.types).toMatchObject([
      { campaign_type: 'targeted-emailing-ab', campaign_category: 'newsletter', sent_share: 44.4444 },
      { campaign_type: 'targeted-emailing', revenue_share: 94.5946, campaigns_count: 1, is_mature: true },
      { campaign_type: 'incremental-emailing', sent_count: 2, revenue_share: 0.6757, is_mature: false },
    ]);
    const byCategory = await ask('email_campaign_type_statistics', several);
    expect(byCategory.types.map((row) => row.campaign_category)).toEqual(['newsletter', 'sale', 'welcome']);
  });
});

describe('periods', () => {
  it('are whole ones, also without messages; frequency is of the exact range', async () => {
    const answer = await ask('email_channel_statistics', several, { breakdown: 'week' });
    expect(
      answer.periods.map(({ period, sent_count, open_rate }) => [period, sent_count, open_rate]),
    ).toEqual([
      ['2024-W18', 2, 50],
      ['2024-W19', 4, 50],
      ['2024-W20', 0, null],
      ['2024-W21', 3, 33.3333],
      ['2024-W22', 1, 0],
    ]);
    expect(answer).toMatchObject({
      sent_count: 9,
      unique_recipients_count: 4,
      avg_messages_per_recipient: 2.25,
      frequency: [
        { messages: '1', recipients_count: 0, open_rate: null, unsubscribe_rate: null },
        { messages: '2-3', recipients_count: 4, open_rate: 44.4444, unsubscribe_rate: 0 },
        { messages: '4-6', recipients_count: 0 },
        { messages: '7-12', recipients_count: 0 },
        { messages: '13+', recipients_count: 0 },
      ],
    });
  });

  it('are empty in an empty shop', async () => {
    expect(await ask('email_channel_statistics', empty, { breakdown: 'month' })).toMatchObject({
      ...{ data_until: null, sent_count: 0, open_rate: null, campaigns_count: 0, clients: [] },
      avg_messages_per_recipient: null,
      periods: [{ period: '2024-05', period_start: '2024-05-01', sent_count: 0, click_rate: null }],
    });
    expect(await ask('email_campaign_statistics', empty)).toMatchObject({ total_count: 0, campaigns: [] });
    expect(await ask('email_campaign_type_statistics', empty)).toMatchObject({ types: [] });
  });
});

it.each([
  ['email_channel_statistics', { breakdown: 'year' }, /^breakdown must be one of day, week, month$/],
  [
    'email_campaign_type_statistics',
    { group_by: 'type' },
    /^group_by must be one of campaign_type, campaign_cat/,
  ],
  [
    'email_campaign_statistics',
    { sort_by: 'opens_count' },
    /^sort_by must be one of sent_count, delivered_count/,
  ],
  ['email_campaign_statistics', { limit: 1001 }, /^limit must be between 1 and 1000$/],
  ['email_campaign_statistics', { offset: -1 }, /^offset must be at least 0$/],
  ['email_campaign_statistics', { min_delivered: -1 }, /^min_delivered must be at least 0$/],
  ['email_campaign_statistics', { min_delivered: 0.5 }, /^min_delivered must be a whole number$/],
])('%s refuses %o', async (tool, args, message) => {
  await expect(ask(tool, empty, args)).rejects.toThrow(message);
});
