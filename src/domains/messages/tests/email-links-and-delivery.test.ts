import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row, Store } from '../../../../tests/oracle/store.ts';
import { messageShop, SENT, totalOf } from '../../../../tests/support/message-shop.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

let test: TestInstance;
let shop: Business;
let providers: Business;
let empty: Business;

beforeAll(async () => {
  test = await createTestInstance();
  [shop, providers] = [await load(messageShop()), await load(manyProviders())];
  empty = await test.createBusiness({ timezone: 'Europe/Prague' });
});

afterAll(() => test[Symbol.asyncDispose]());

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

async function load(store: Store): Promise<Business> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, store);
  return business;
}

type Fields = Record<string, unknown>;
type Answer = Fields & { links: Fields[]; rows: Fields[]; totals: Fields };

const asking =
  (tool: string) =>
  async (business: Business, args: object = {}): Promise<Answer> =>
    (await test.ask(tool, { business_id: business.business_id, ...MAY, ...args })) as Answer;
const askLinks = asking('email_link_statistics');
const askDelivery = asking('email_deliverability_statistics');

/**
 * Enough messages to several providers, all opened but at wp.pl, with bounces and complaints at the
 * thresholds.
 */
function manyProviders(): Store {
  const sends: Row<'sends'>[] = [];
  const message_events: Row<'message_events'>[] = [];
  const send = (domain: string, count: number, bounces: number, complaints: number, opens = count) => {
    for (let index = 0; index < count; index++) {
      const send_id = `${domain}-${index}`;
      const outcome = index < bounces ? 'hard' : 'delivered';
      sends.push({
        ...{ send_id, message_id: 'm-news', email: `${index}@${domain}`, sent_at: SENT, outcome },
        ...{ sending_domain: index % 2 ? 'A.shop.cz' : 'b.shop.cz', smtp_code: `5.1.${index % 7}` },
      });
      const event = { send_id, at: '2024-05-10T12:00:00Z' };
      if (index >= count - opens && outcome === 'delivered') {
        message_events.push({ ...event, event_id: `o-${send_id}`, kind: 'open' });
      }
      if (index >= count - complaints) {
        message_events.push({ ...event, event_id: `c-${send_id}`, kind: 'complaint' });
      }
    }
  };
  send('me.com', 300, 3, 0);
  send('seznam.cz', 200, 4, 0);
  send('hotmail.co.uk', 200, 10, 0);
  send('yahoo.fr', 1000, 0, 3);
  send('centrum.cz', 1000, 0, 1);
  send('wp.pl', 200, 0, 0, 95);
  send('own.example', 199, 199, 0);
  return {
    ...messageShop(),
    ...{ sends, message_events, orders: [] },
    sending_domains: [
      {
        ...{ domain: 'a.shop.cz', spf: 'pass', dkim: 'fail', dmarc: 'reject', one_click_unsubscribe: 'true' },
        external_spam_rate: '0.12',
      },
      { domain: 'idle.shop.cz', spf: 'none' },
    ],
  };
}

describe('links', () => {
  it('are one row per address, whatever its campaign parameters', async () => {
    const { links, ...rest } = await askLinks(shop);
    expect(rest).toMatchObject({ delivered_count: 16, total_count: 4, group_by: 'url', basis: 'send' });
    const common = { campaigns_count: 1, delivered_count: 16, position: null };
    expect(links).toEqual([
      {
        ...{
          key: 'https://shop.cz/a?id=1',
          url: 'https://shop.cz/a?id=1',
          label: null,
          link_type: 'product',
        },
        ...{ ...common, clicks_count: 9, unique_clicks_count: 7, bot_clicks_count: 5 },
        ...{ click_rate: 43.75, click_share: 81.8182, attributed_orders_count: 2 },
        attributed_revenue: totalOf('clicks', 'clicksAWeekBefore'),
      },
      {
        ...{
          key: 'https://shop.cz/personal',
          url: 'https://shop.cz/personal',
          label: null,
          link_type: 'other',
        },
        ...{ ...common, clicks_count: 1, unique_clicks_count: 1, bot_clicks_count: 0 },
        ...{ click_rate: 6.25, click_share: 9.0909, attributed_orders_count: 1 },
        attributed_revenue: totalOf('bouncesButClicks'),
      },
      {
        // The one link that is no click on content.
        ...{ key: 'https://shop.cz/unsubscribe', url: 'https://shop.cz/unsubscribe', label: null },
        ...{
          ...common,
          link_type: 'unsubscribe',
          clicks_count: 1,
          unique_clicks_count: 1,
          bot_clicks_count: 1,
        },
        ...{ click_rate: 6.25, click_share: null, attributed_orders_count: 0, attributed_revenue: 0 },
      },
      {
        ...{ key: 'https://www.facebook.com/shop', url: 'https://www.facebook.com/shop', label: null },
        ...{ ...common, link_type: 'social', clicks_count: 1, unique_clicks_count: 1, bot_clicks_count: 0 },
        ...{ click_rate: 6.25, click_share: 9.0909, attributed_orders_count: 1 },
        attributed_revenue: totalOf('fastReader'),
      },
    ]);
  });

  it('are told apart by their place, or put together by domain and type', async () => {
    const rows = async (group_by: string, ...fields: string[]) =>
      (await askLinks(shop, { group_by, sort_by: 'clicks_count' })).links.map((row) =>
        fields.map((name) => row[name]),
      );
    expect(await rows('link', 'key', 'position', 'label', 'clicks_count', 'bot_clicks_count')).toEqual([
      ['L1', 1, 'A', 7, 4],
      ['L2', 2, 'Also A', 2, 1],
      ['L3', 3, null, 1, 0],
      ['LU', 4, null, 1, 1],
      ['m-news https://shop.cz/personal?utm_source=x', null, null, 1, 0],
    ]);
    // All that was clicked on shop.cz, and which share of the clicks on content that is.
    expect(
      await rows('domain', 'key', 'url', 'link_type', 'clicks_count', 'unique_clicks_count', 'click_share'),
    ).toEqual([
      ['shop.cz', null, 'other', 11, 9, 90.9091],
      ['facebook.com', null, 'social', 1, 1, 9.0909],
    ]);
    expect(await rows('link_type', 'key', 'clicks_count', 'click_share', 'attributed_revenue')).toEqual([
      ['product', 9, 81.8182, 9],
      ['other', 1, 9.0909, 16384],
      ['social', 1, 9.0909, 256],
      ['unsubscribe', 1, null, 0],
    ]);
  });

  it('are sorted with nulls last, cut and filtered; those that nobody clicked are there too', async () => {
    const keys = async (business: Business, args: object) =>
      (await askLinks(business, { group_by: 'link', ...args })).links.map(({ key }) => key);
    expect(await keys(shop, { sort_by: 'click_share', sort_order: 'asc', offset: 3 })).toEqual(['L1', 'LU']);
    expect(await keys(shop, { limit: 2, offset: 1, sort_by: 'attributed_revenue' })).toEqual(['L3', 'L1']);
    expect(await keys(providers, {})).toEqual(['L1', 'L2', 'L3', 'LU']);
    expect(await keys(shop, { filter_campaign_types: ['incremental-emailing'] })).toEqual([]);
    expect(await askLinks(providers)).toMatchObject({ total_count: 3, delivered_count: 2883 });
  });
});

describe('delivery', () => {
  it('is told by bounces, with their reasons', async () => {
    const answer = await askDelivery(shop);
    const row = {
      ...{ sent_count: 20, hard_bounces_count: 1, soft_bounces_count: 3, block_bounces_count: 1 },
      ...{ mailbox_full_count: 1, machine_open_share: 7.1429, complaints_available: false },
      ...{ external_spam_rate: null, status: 'not_enough_data', delivery_rate: 80 },
      top_reasons: [
        { bounce_class: 'invalid_address', smtp_code: '5.1.1', count: 1, sample: null },
        { bounce_class: 'soft', smtp_code: '4.2.2', count: 1, sample: 'mailbox is full' },
        { bounce_class: 'soft', smtp_code: null, count: 1, sample: null },
        { bounce_class: 'spam_block', smtp_code: '5.7.1', count: 1, sample: null },
      ],
    };
    expect(answer).toMatchObject({
      total_count: 1,
      totals: { key: '(all)', ...row },
      rows: [{ key: 'gmail', ...row }],
    });
    const byReason = await askDelivery(shop, { group_by: 'bounce_reason' });
    expect(byReason).toMatchObject({ total_count: 3, totals: { sent_count: 20 } });
    expect(byReason.rows.map(({ key, sent_count, open_rate }) => [key, sent_count, open_rate])).toEqual([
      ['soft', 2, null],
      ['invalid_address', 1, null],
      ['spam_block', 1, null],
    ]);
  });

  it('is judged by the rules of providers for senders', async () => {
    const { rows, totals, total_count } = await askDelivery(providers);
    expect(rows.map(({ key, status, complaints_available }) => [key, status, complaints_available])).toEqual([
      ['centrum', 'watch', true],
      ['yahoo', 'bad', true],
      ['apple', 'ok', false],
      ['microsoft', 'bad', true],
      ['seznam', 'watch', true],
      ['wp', 'watch', true],
      ['other', 'not_enough_data', true],
    ]);
    expect(total_count).toBe(7);
    expect(totals).toMatchObject({ sent_count: 3099, hard_bounces_count: 216, status: 'bad' });
    expect(totals.top_reasons).toHaveLength(5);
  });

  it('is told by domain, with what is known of those of the sender', async () => {
    const domains = await askDelivery(providers, { group_by: 'sending_domain' });
    expect(domains.rows).toMatchObject([
      { key: 'b.shop.cz', sent_count: 1550, external_spam_rate: null },
      { key: 'a.shop.cz', sent_count: 1549, external_spam_rate: 0.12 },
    ]);
    const unknown = { spf: null, dkim: null, dmarc: null, one_click_unsubscribe: null };
    expect(domains.sending_domains).toEqual([
      { domain: 'a.shop.cz', spf: 'pass', dkim: 'fail', dmarc: 'reject', one_click_unsubscribe: true },
      { domain: 'b.shop.cz', ...unknown },
      { domain: 'idle.shop.cz', ...unknown, spf: 'none' },
    ]);
    const page = { group_by: 'recipient_domain', sort_by: 'bounce_rate', limit: 2, offset: 1 };
    const { rows, total_count } = await askDelivery(providers, page);
    expect(total_count).toBe(7);
    expect(rows).toMatchObject([
      { key: 'hotmail.co.uk', bounce_rate: 5, top_reasons: { length: 5 } },
      { key: 'seznam.cz', bounce_rate: 2, top_reasons: { length: 4 } },
    ]);
  });

  it('is nothing where nothing was sent', async () => {
    expect(await askDelivery(empty)).toMatchObject({
      ...{ data_until: null, total_count: 0, rows: [], sending_domains: [] },
      totals: { sent_count: 0, bounce_rate: null, status: 'not_enough_data', top_reasons: [] },
    });
    expect(await askLinks(empty)).toMatchObject({ total_count: 0, delivered_count: 0, links: [] });
  });
});

it.each([
  [askLinks, { group_by: 'label' }, /^group_by must be one of url, link, domain, link_type$/],
  [askLinks, { sort_by: 'key' }, /^sort_by must be one of clicks_count, unique_clicks_count/],
  [
    askDelivery,
    { group_by: 'ip' },
    /^group_by must be one of mailbox_provider, recipient_domain, sending_domain/,
  ],
  [askDelivery, { sort_by: 'key' }, /^sort_by must be one of sent_count, delivery_rate/],
])('%o refuses %o', async (ask, args, message) => {
  await expect(ask(empty, args)).rejects.toThrow(message);
});

it('names what is unknown, as text', async () => {
  const args = { business_id: shop.business_id, ...MAY, filter_campaign_ids: ["'; drop table links; --"] };
  for (const tool of ['email_link_statistics', 'email_deliverability_statistics']) {
    const { notes } = await test.run(tool, args);
    expect(notes?.[0]).toBe(`Unknown in filter_campaign_ids, so without rows: ["'; drop table links; --"]`);
  }
});
