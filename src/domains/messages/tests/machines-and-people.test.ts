import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** What messages tell of people: counted over the rows below in plain TypeScript. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

async function load(more: Partial<Store>): Promise<string> {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    ...more,
  });
  return shop.business_id;
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index);
const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

const campaign = (campaign_id: string, category: string, type = 'incremental-emailing') => ({
  ...{ campaign_id, name: campaign_id, campaign_type: type, category, state: 'active' },
  created_at: '2024-01-01T00:00:00',
});
const message = (campaign_id: string, channel = 'email') => ({
  message_id: `m-${campaign_id}`,
  campaign_id,
  channel,
});

it('a provider whose opens are machines is not watched for the opens of people, and complaints have their counts', async () => {
  const sends: Row<'sends'>[] = [];
  const message_events: Row<'message_events'>[] = [];
  /** Each has 300. */
  const provider = (domain: string, people: number, machines: number) => {
    for (const index of many(300)) {
      const send_id = `${domain}-${index}`;
      sends.push({
        ...{ send_id, message_id: 'm-news', email: `p${index}@${domain}`, outcome: 'delivered' },
        sent_at: '2024-05-10T08:00:00',
      });
      const open = { send_id, kind: 'open', at: '2024-05-10T12:00:00', event_id: `o-${send_id}` };
      if (index < people) message_events.push(open);
      else if (index < people + machines) message_events.push({ ...open, is_machine: 'true' });
    }
  };
  provider('seznam.cz', 200, 0);
  provider('gmail.com', 150, 0);
  provider('icloud.com', 10, 250);
  provider('centrum.cz', 20, 0);
  // A fifth of what is opened is opened by machines alone: opens still tell of people.
  provider('yahoo.com', 40, 10);
  message_events.push({
    ...{ send_id: 'seznam.cz-0', kind: 'complaint', at: '2024-05-10T13:00:00', event_id: 'c' },
  });
  const business_id = await load({
    campaigns: [campaign('news', 'newsletter', 'targeted-emailing')],
    messages: [message('news')],
    ...{ sends, message_events },
  });
  const answer = (await test.ask('email_deliverability_statistics', {
    ...{ business_id, ...MAY, breakdown: 'month' },
  })) as Record<'rows' | 'periods', { key: string; status: string; spam_complaints_count: number }[]>;
  const expected = {
    seznam: ['bad', 1],
    gmail: ['ok', 0],
    apple: ['ok', 0],
    centrum: ['watch', 0],
    yahoo: ['watch', 0],
  };
  for (const list of [answer.rows, answer.periods.filter(({ key }) => key !== '(all)')]) {
    expect(Object.fromEntries(list.map((row) => [row.key, [row.status, row.spam_complaints_count]]))).toEqual(
      expected,
    );
  }
});

it('transactional and double opt-in messages get credit for clicks alone, and revenue is told per message and per person', async () => {
  const categories = ['transactional', 'double_opt_in', 'welcome'];
  const kinds = ['open', 'click'];
  const people = categories.flatMap((category) =>
    kinds.map((kind) => ({ category, kind, who: `${category}-${kind}` })),
  );
  const business_id = await load({
    campaigns: categories.map((category) => campaign(category, category)),
    messages: categories.map((category) => message(category)),
    // Everybody gets two e-mails of the campaign, opens or clicks the second one, and orders an hour later.
    sends: people.flatMap(({ category, who }) =>
      ['1', '2'].map((number) => ({
        ...{ send_id: `${who}-${number}`, message_id: `m-${category}`, email: `${who}@x.cz` },
        ...{ sent_at: `2024-05-1${number}T08:00:00`, outcome: 'delivered' },
      })),
    ),
    message_events: people.map(({ kind, who }) => ({
      ...{ send_id: `${who}-2`, kind, at: '2024-05-12T09:00:00', event_id: who },
    })),
    orders: people.map(({ who }) => ({
      ...{ order_id: who, email: `${who}@x.cz`, ordered_at: '2024-05-12T10:00:00', total: '100' },
    })),
  });
  const { campaigns } = (await test.ask('email_campaign_statistics', { business_id, ...MAY })) as {
    campaigns: Record<string, unknown>[];
  };
  const of = (id: string) => campaigns.find(({ campaign_id }) => campaign_id === id);
  for (const category of ['transactional', 'double_opt_in']) {
    expect(of(category), category).toMatchObject({
      ...{ delivered_count: 4, unique_recipients_count: 2 },
      ...{ attributed_revenue: 100, click_attributed_revenue: 100 },
      ...{ revenue_per_recipient: 25, revenue_per_person: 50 },
    });
  }
  expect(of('welcome')).toMatchObject({
    ...{ attributed_revenue: 200, click_attributed_revenue: 100 },
    ...{ revenue_per_recipient: 50, revenue_per_person: 100 },
  });
});

it('an SMS that tells of an order gets no credit for its delivery', async () => {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const categories = ['transactional', 'winback'];
  await test.importStore(shop, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: categories.map((category) => campaign(category, category, 'incremental-sms')),
    messages: categories.map((category) => message(category, 'sms')),
    sends: categories.map((category, index) => ({
      ...{ send_id: category, message_id: `m-${category}`, phone: `+42077700011${index}` },
      ...{ sent_at: '2024-05-11T08:00:00', outcome: 'delivered' },
    })),
    orders: categories.map((category, index) => ({
      ...{
        order_id: category,
        phone: `+42077700011${index}`,
        ordered_at: '2024-05-11T10:00:00',
        total: '100',
      },
    })),
  });
  const { attribution_scenarios } = (await test.ask('sms_revenue_statistics', {
    business_id: shop.business_id,
    ...MAY,
  })) as {
    attribution_scenarios: { scenario: string; orders_count: number }[];
  };
  expect(attribution_scenarios).toContainEqual(
    expect.objectContaining({ scenario: 'configured_with_delivery_12h', orders_count: 1 }),
  );
});

it('unsubscribes by what a person got in the days before each message', async () => {
  /**
   * Days of May on which each person got an e-mail, that of the last day was unsubscribed; negative: of
   * April, 0 is 30 April.
   */
  const got: Record<string, number[]> = {
    ...Object.fromEntries(many(5).map((index) => [`once${index}`, [10]])),
    daily: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    weekly: [-10, -3, 4, 11, 18],
    // The 30 days before 10 May begin on 10 April, to the second.
    edge: [-20, 10],
    outside: [-21, 10],
  };
  const at = (day: number) =>
    day > 0
      ? `2024-05-${String(day).padStart(2, '0')}T08:00:00`
      : `2024-04-${String(30 + day).padStart(2, '0')}T08:00:00`;
  const messages = Object.entries(got).flatMap(([who, days]) =>
    days.map((day, place) => ({ who, day, isLast: place === days.length - 1 })),
  );
  const business_id = await load({
    campaigns: [campaign('news', 'newsletter', 'targeted-emailing')],
    messages: [message('news')],
    sends: messages.map(({ who, day }) => ({
      ...{ send_id: `${who}${day}`, message_id: 'm-news', email: `${who}@x.cz` },
      ...{ sent_at: at(day), outcome: who === 'daily' && day === 3 ? 'soft' : 'delivered' },
    })),
    message_events: messages
      .filter(({ isLast }) => isLast)
      .map(({ who, day }) => ({
        ...{ send_id: `${who}${day}`, kind: 'unsubscribe', event_id: who, at: at(day).replace('T08', 'T09') },
      })),
  });
  const bucketOf = (count: number) =>
    count <= 1 ? String(count) : count <= 3 ? '2-3' : count <= 6 ? '4-6' : count <= 12 ? '7-12' : '13+';
  const isBounced = ({ who, day }: { who: string; day: number }) => who === 'daily' && day === 3;
  const expected = [7, 30].flatMap((days) =>
    ['0', '1', '2-3', '4-6', '7-12', '13+'].map((messages_before) => {
      const own = messages.filter(
        (one) =>
          one.day > 0 &&
          bucketOf(
            messages.filter(
              (other) =>
                other.who === one.who &&
                other.day < one.day &&
                other.day >= one.day - days &&
                !isBounced(other),
            ).length,
          ) === messages_before,
      );
      const delivered = own.filter((one) => !isBounced(one)).length;
      const left = own.filter(({ isLast }) => isLast).length;
      return {
        ...{ days, messages_before, sent_count: own.length, delivered_count: delivered },
        unsubscribes_count: left,
        unsubscribe_rate: delivered === 0 ? null : Math.round((1_000_000 * left) / delivered) / 10_000,
      };
    }),
  );
  const { result, notes = [] } = await test.run('email_channel_statistics', { business_id, ...MAY });
  const { frequency_before } = result as { frequency_before: unknown[] };
  expect(expected.filter(({ sent_count }) => sent_count > 0).length).toBeGreaterThan(6);
  expect(frequency_before).toEqual(expected);
  const fair =
    /^Who unsubscribes gets no more messages, so frequency makes many messages look harmless: .* frequency_before\.$/;
  expect(notes.filter((note) => fair.test(note))).toHaveLength(1);
  // Nobody left by one of these: there is nothing to judge.
  const early = { from_date: '2024-05-01', to_date: '2024-05-08' };
  const { notes: ofEarly = [] } = await test.run('email_channel_statistics', { business_id, ...early });
  expect(ofEarly.filter((note) => fair.test(note))).toEqual([]);
});
