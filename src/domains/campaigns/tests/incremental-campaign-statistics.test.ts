import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { isQuick } from '../../../../tests/support/runs.ts';
import { SideBySide } from '../../../../tests/support/side-by-side.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

let test: TestInstance;
let shop: Business;
let empty: Business;
/** Its automations stop; it is the neighbour of the shop too. */
let quiet: Business;

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, automations());
  quiet = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(quiet, quietStore());
  empty = await test.createBusiness({ timezone: 'Europe/Prague' });
});

afterAll(() => test[Symbol.asyncDispose]());

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

type Fields = Record<string, unknown>;
type Answer = Fields & { campaigns: Fields[] };

const run = (args: object = {}, business = shop) =>
  test.run('incremental_campaign_statistics', { business_id: business.business_id, ...MAY, ...args });
const ask = async (args: object = {}, business = shop) => (await run(args, business)).result as Answer;

/** Welcome and cart are full of traps. */
function automations(): Store {
  const campaign = (campaign_id: string, more: Row<'campaigns'> = {}): Row<'campaigns'> => ({
    ...{ campaign_id, campaign_type: 'incremental-emailing', name: `The ${campaign_id}`, state: 'active' },
    ...{ created_at: '2024-01-01T00:00:00Z', ...more },
  });
  const message = (message_id: string, campaign_id: string, channel = 'email'): Row<'messages'> => ({
    ...{ message_id, campaign_id, channel },
  });
  const sends: Row<'sends'>[] = [];
  const sent = (message_id: string, sent_at: string, ...people: string[]) => {
    for (const person of people) {
      const send_id = `${message_id}-${person}-${sent_at}`;
      sends.push({ send_id, message_id, email: `${person}@x.cz`, sent_at, outcome: 'delivered' });
    }
  };
  sent('welcome-1', '2024-04-30T21:59:59.999999Z', 'ann');
  sent('welcome-1', '2024-04-30T22:00:00Z', 'bob');
  sent('welcome-2', '2024-05-10T08:00:00Z', 'bob', 'cyd');
  sent('welcome-2', '2024-05-31T21:59:59.999999Z', 'dan');
  sent('welcome-2', '2024-05-31T22:00:00Z', 'eve');
  sent('cart-1', '2024-05-10T08:00:00Z', 'ann', 'bob');
  sent('cart-1', '2024-05-31T08:00:00Z', 'ann');
  sent('cart-mail', '2024-05-31T08:00:00Z', 'ann');
  sent('last-1', '2024-05-24T21:59:59.999999Z', 'ann');
  sent('first-1', '2024-04-26T22:00:00Z', 'ann');
  sent('older-1', '2024-04-26T21:59:59.999999Z', 'ann');
  sent('lately-1', '2024-05-24T22:00:00Z', 'ann');
  sent('lately-1', '2024-05-24T21:59:59Z', 'ann');
  sent('paused-1', '2024-05-20T08:00:00Z', 'ann');
  sent('again-1', '2024-05-20T08:00:00Z', 'ann');
  sent('again-1', '2024-06-01T08:00:00Z', 'ann');
  const entry = (
    campaign_id: string,
    person: string,
    entered_at: string,
    outcome: string,
    completed_at?: string,
  ): Row<'audience_members'> => ({ campaign_id, email: `${person}@x.cz`, entered_at, outcome, completed_at });
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: [
      campaign('welcome', {
        category: 'welcome',
        trigger: '{"type":"Sign up\\n"}',
        updated_at: '2024-05-05T10:00:00',
      }),
      campaign('cart', { campaign_type: 'incremental-sms', trigger: '{"type":"cart_abandoned"}' }),
      campaign('last', { category: 'winback', trigger: '[]' }),
      ...['first', 'older', 'lately', 'again'].map((id) => campaign(id)),
      campaign('paused', { state: 'paused', trigger: 'null' }),
      campaign('idle', { state: 'draft', updated_at: '2024-01-02T00:00:00Z' }),
      campaign('news', { campaign_type: 'targeted-emailing' }),
      campaign('pop', { campaign_type: 'popup' }),
    ],
    messages: [
      message('welcome-1', 'welcome'),
      message('welcome-2', 'welcome'),
      message('cart-1', 'cart', 'sms'),
      message('cart-mail', 'cart'),
      ...['last', 'first', 'older', 'lately', 'again', 'paused'].map((id) => message(`${id}-1`, id)),
    ],
    sends,
    audience_members: [
      // Ann was skipped twice, Bob once of two times, Cyd entered before, Dan on the last microsecond of the
      // range.
      entry('welcome', 'ann', '2024-05-02T08:00:00Z', 'skipped_cap'),
      entry('welcome', 'ann', '2024-05-03T08:00:00Z', 'skipped_consent'),
      entry('welcome', 'bob', '2024-05-02T08:00:00Z', 'skipped_cap'),
      entry('welcome', 'bob', '2024-05-03T08:00:00Z', 'sent', '2024-06-20T08:00:00Z'),
      entry('welcome', 'bob', '2024-05-04T08:00:00Z', 'sent', '2024-05-20T08:00:00Z'),
      entry('welcome', 'cyd', '2024-04-30T21:59:59.999999Z', 'sent', '2024-05-10T08:00:00Z'),
      entry('welcome', 'dan', '2024-05-31T21:59:59.999999Z', 'sent'),
      entry('welcome', 'eve', '2024-05-31T22:00:00Z', 'sent'),
      entry('welcome', 'fay', '2024-05-01T08:00:00Z', 'control'),
      // Nobody knows who completes this one, and nobody entered it in the range.
      entry('last', 'ann', '2024-04-01T08:00:00Z', 'sent'),
    ],
    message_events: [
      {
        ...{ event_id: '1', send_id: 'welcome-2-bob-2024-05-10T08:00:00Z', kind: 'click' },
        at: '2024-05-10T09:00:00Z',
      },
      {
        ...{ event_id: '2', send_id: 'welcome-1-ann-2024-04-30T21:59:59.999999Z', kind: 'click' },
        at: '2024-05-10T09:00:00Z',
      },
      {
        ...{ event_id: '3', send_id: 'cart-1-bob-2024-05-10T08:00:00Z', kind: 'unsubscribe' },
        at: '2024-05-10T09:00:00Z',
      },
    ],
    orders: [
      { order_id: '1', ordered_at: '2024-05-10T10:00:00Z', total: '30', email: 'bob@x.cz' },
      { order_id: '2', ordered_at: '2024-05-10T10:00:00Z', total: '1000', email: 'ann@x.cz' },
    ],
    refunds: [{ refund_id: 'r', order_id: '1', refunded_at: '2024-07-01T00:00:00Z', amount: '5' }],
  };
}

describe('incremental_campaign_statistics', () => {
  it('tells what an automation did in the range', async () => {
    const { campaigns, ...answer } = await ask();
    expect(answer).toEqual({
      ...{ business_id: shop.business_id, data_until: '2024-05-10T10:00:00Z', basis: 'send', total_count: 9 },
      attribution_model: 'last_touch',
      ...{ attribution_open_window_h: 24, attribution_click_window_h: 168 },
    });
    expect(campaigns[0]).toEqual({
      ...{ campaign_id: 'welcome', name: 'The welcome', channel: 'email', state: 'active' },
      ...{ campaign_type: 'incremental-emailing', campaign_category: 'welcome' },
      ...{ trigger: 'Sign up', updated_at: '2024-05-05T08:00:00Z' },
      // Ann, Bob, Dan, Fay; Ann and Fay got nothing; Bob completed.
      ...{ entered_count: 4, skipped_count: 2, completed_count: 1 },
      ...{ sent_count: 4, delivered_count: 4, unique_opens_count: 1, unique_clicks_count: 1 },
      ...{ unsubscribes_count: 0, open_rate: 25, click_rate: 25, unsubscribe_rate: 0 },
      // Ann's order is of the message before the range.
      ...{ attributed_orders_count: 1, attributed_revenue: 30, click_attributed_revenue: 30 },
      ...{ average_order_value: 30, conversion_rate: 25, revenue_per_recipient: 7.5 },
      // Bob, Cyd and Dan.
      revenue_per_person: 10,
      ...{ refunded_revenue: 5, is_mature: false },
      // Bob's first one alone was sent more than 7 days before the last known order.
      ...{ mature_delivered_count: 1, mature_conversion_rate: 0, mature_revenue_per_recipient: 0 },
      ...{ last_sent_at: '2024-05-31T21:59:59.999999Z', is_silent: false },
      ...{ usual_messages_per_week: null, missed_triggers_count: null, changed_then: null },
    });
  });

  it('has the numbers of the tools about the channels', async () => {
    const { campaigns } = await ask();
    for (const channel of ['email', 'sms']) {
      const call = { business_id: shop.business_id, ...MAY, limit: 1000 };
      const listing = (await test.ask(`${channel}_campaign_statistics`, call)) as Answer;
      const rows = campaigns.filter((row) => row.channel === channel && row.sent_count !== 0);
      for (const row of rows) {
        const same = listing.campaigns.find(({ campaign_id }) => campaign_id === row.campaign_id) as Fields;
        const shared = Object.keys(row).filter((key) => key in same);
        expect(shared.length).toBeGreaterThan(15);
        for (const key of shared) expect(row[key], key).toEqual(same[key]);
      }
    }
  });

  it('takes who got a message for who entered, where no audience is known', async () => {
    const { result, notes } = await run();
    const rows = (result as Answer).campaigns;
    expect(rows.find(({ campaign_id }) => campaign_id === 'cart')).toMatchObject({
      ...{ channel: 'sms', trigger: 'cart_abandoned', updated_at: null },
      // The e-mail that it sent too is in no number here.
      ...{ entered_count: 2, skipped_count: null, completed_count: null, sent_count: 3, delivered_count: 3 },
      ...{ unique_opens_count: 0, open_rate: null, unsubscribes_count: 1, unsubscribe_rate: 33.3333 },
    });
    expect(rows.find(({ campaign_id }) => campaign_id === 'last')).toMatchObject({
      ...{ entered_count: 0, skipped_count: 0, completed_count: null, sent_count: 1, trigger: null },
    });
    expect(notes).toContain(
      'Of these campaigns no audience is loaded, so only those who got a message are counted: ' +
        '["again","cart","lately","paused"]',
    );
  });

  it('shows those that did nothing, with zeros', async () => {
    const { campaigns } = await ask({ filter_states: ['draft'] });
    expect(campaigns).toEqual([
      {
        ...{ campaign_id: 'idle', name: 'The idle', channel: 'email', state: 'draft', trigger: null },
        ...{ campaign_type: 'incremental-emailing', campaign_category: 'other' },
        updated_at: '2024-01-02T00:00:00Z',
        ...{ entered_count: 0, skipped_count: 0, completed_count: null },
        ...{ sent_count: 0, delivered_count: 0, unique_opens_count: 0, unique_clicks_count: 0 },
        ...{ unsubscribes_count: 0, open_rate: null, click_rate: null, unsubscribe_rate: null },
        ...{ attributed_orders_count: 0, attributed_revenue: 0, click_attributed_revenue: 0 },
        ...{ average_order_value: null, conversion_rate: null, revenue_per_recipient: null },
        revenue_per_person: null,
        ...{ refunded_revenue: 0, is_mature: false, last_sent_at: null, is_silent: false },
        ...{ usual_messages_per_week: null, missed_triggers_count: null, changed_then: null },
        ...{ mature_delivered_count: 0, mature_conversion_rate: null, mature_revenue_per_recipient: null },
      },
    ]);
    // Results cannot grow when they have been over for longer than any window.
    const april = {
      from_date: '2024-04-01T00:00:00',
      to_date: '2024-04-30T23:59:59',
      filter_states: ['draft'],
    };
    expect((await ask(april)).campaigns).toMatchObject([{ campaign_id: 'idle', is_mature: true }]);
  });

  it.each([
    [{}, ['welcome', 'again', 'cart', 'first', 'idle', 'last', 'lately', 'older', 'paused']],
    [{ sort_by: 'entered_count', limit: 2 }, ['welcome', 'cart']],
    [{ sort_by: 'delivered_count', sort_order: 'asc', limit: 4 }, ['first', 'idle', 'older', 'again']],
    [{ sort_by: 'open_rate', limit: 1 }, ['welcome']],
    [{ sort_by: 'click_rate', sort_order: 'asc', limit: 2 }, ['again', 'cart']],
    [{ sort_by: 'revenue_per_recipient', limit: 2, offset: 1 }, ['again', 'cart']],
    [{ sort_by: 'updated_at', limit: 3 }, ['welcome', 'idle', 'again']],
    [{ sort_by: 'updated_at', sort_order: 'asc', limit: 3 }, ['idle', 'welcome', 'again']],
    [{ filter_channels: ['sms'] }, ['cart']],
    [{ filter_campaign_categories: ['winback', 'welcome'] }, ['welcome', 'last']],
    [{ filter_states: ['paused', 'draft'] }, ['idle', 'paused']],
  ])('%j', async (args, ids) => {
    const { campaigns, total_count } = await ask(args);
    expect(campaigns.map(({ campaign_id }) => campaign_id)).toEqual(ids);
    expect(total_count).toBe('limit' in args ? 9 : ids.length);
  });

  it('says which names are unknown, and has nothing of an empty shop', async () => {
    const { result, notes } = await run({ filter_states: ['asleep'] });
    expect(result).toMatchObject({ total_count: 0, campaigns: [] });
    expect(notes?.[0]).toMatch(/^Unknown in filter_states, so without rows: \["asleep"\]; there are draft, /);
    expect(await ask({}, empty)).toMatchObject({ total_count: 0, campaigns: [], data_until: null });
  });
});

describe('is_silent', () => {
  const silentOnes = async (args: object = {}) => {
    const { campaigns } = await ask({ limit: 1000, ...args }, quiet);
    return campaigns
      .filter(({ is_silent }) => is_silent)
      .map(({ campaign_id }) => campaign_id)
      .sort();
  };
  const IN_MAY = ['carts-missed', 'entered', 'eve', 'longago', 'never', 'once-more', 'ordered'];

  it.each([
    // 31 May is the last day: those of 24 May are quiet for 7 days, those of 25 May for 6.
    [{}, IN_MAY],
    // The range is shorter, or the day.
    [{ from_date: '2024-05-31T10:00:00', to_date: '2024-05-31T11:00:00' }, IN_MAY],
    // Messages are known until 1 June, when one of them sends again and the pause of another gets too long.
    [
      { to_date: '2024-06-30T23:59:59' },
      ['carts-missed', 'entered', 'eve', 'lately', 'longago', 'never', 'ordered', 'tenth'],
    ],
    [
      { to_date: '9999-12-31T23:59:59' },
      ['carts-missed', 'entered', 'eve', 'lately', 'longago', 'never', 'ordered', 'tenth'],
    ],
    // Four first subscriptions happened, and nothing else stopped for a week.
    [{ to_date: '2024-05-12T23:59:59' }, ['longago']],
    [{ from_date: '0001-01-01T00:00:00', to_date: '0001-01-02T00:00:00' }, []],
  ])('%j: %j', async (args, silent) => {
    expect(await silentOnes(args)).toEqual(silent);
  });

  /**
   * They sent on five days until 12 May. What may have triggered them happened then or later, and is searched
   * until 20 May 12:00 UTC.
   */
  const WAITING: readonly [name: string, more: Row<'campaigns'>, happened: string, isSilent: boolean][] = [
    ['a cart of an hour and a minute', { category: 'abandoned_cart' }, '2024-05-20T10:59:00Z', true],
    ['a cart of 59 minutes', { category: 'abandoned_cart' }, '2024-05-20T11:01:00Z', false],
    ['a cart with a shorter wait', cartAfter(30), '2024-05-20T11:01:00Z', false],
    ['a cart with a longer wait', cartAfter(120), '2024-05-20T10:30:00Z', false],
    ['an order of over a week', { category: 'post_purchase' }, '2024-05-13T11:59:00Z', true],
    ['an order of under a week', { category: 'post_purchase' }, '2024-05-13T12:01:00Z', false],
    ['an order without a wait', orderAfter(0), '2024-05-20T11:01:00Z', true],
  ];

  describe('waits as long as a message may:', () => {
    const cases = new SideBySide();
    const years = WAITING.map(([name, more, happened]) => cases.add(waitingRows(name, more, happened)));
    let waiting: Business;

    beforeAll(async () => {
      waiting = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
      await test.importStore(waiting, {
        ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
        ...cases.rows,
        // Messages are known for longer than any of the cases asks.
        sends: [...(cases.rows.sends ?? []), dailySend(WAITING[0]?.[0] ?? '', '2024-05-20T12:00:00Z')],
      });
    });

    it.each(WAITING.map(([name, , , isSilent], index) => [name, isSilent, index] as const))(
      '%s: %s',
      async (name, isSilent, index) => {
        const range = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-20T11:59:59Z', limit: 1000 };
        const { campaigns } = await ask(years[index]?.argumentsOf(range), waiting);
        expect(campaigns.find(({ campaign_id }) => campaign_id === name)?.is_silent).toBe(isSilent);
      },
    );
  });

  it('is told with the last message, also one before the range', async () => {
    const { campaigns } = await ask({ limit: 1000 }, quiet);
    const lastOf = (id: string) => campaigns.find(({ campaign_id }) => campaign_id === id)?.last_sent_at;
    expect(['longago', 'never', 'once-more'].map(lastOf)).toEqual([
      '2024-03-10T08:00:00Z',
      null,
      '2024-05-20T08:00:00Z',
    ]);
  });

  it('says what was usual, what was missed, and what changed when it fell silent', async () => {
    const rowsOf = async (business: Business) => (await ask({ limit: 1000 }, business)).campaigns;
    const told = (rows: Fields[], id: string) => {
      const row = rows.find(({ campaign_id }) => campaign_id === id);
      return [row?.usual_messages_per_week, row?.missed_triggers_count, row?.changed_then];
    };
    const rows = await rowsOf(quiet);
    // Eight in the 28 days until the last one; one cart since, which is told of nobody.
    expect(told(rows, 'carts-missed')).toEqual([2, null, null]);
    expect(told(rows, 'never')).toEqual([null, 6, null]);
    expect(told(rows, 'works')).toEqual([null, null, null]);
    const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await test.importStore(business, changedStore());
    const changed = await rowsOf(business);
    // Daily for 40 days: 28 of them; orders of six people since.
    expect(told(changed, 'changed')).toEqual([
      7,
      6,
      'set-up changed at 2024-05-11T07:00:00Z; first message of a template; new sending domain new.shop.cz; noted: Moved to another system',
    ]);
    expect(told(changed, 'as-it-was')).toEqual([7, 6, null]);
  });

  it.skipIf(isQuick)('is nobody where no messages are loaded', async () => {
    const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await test.importStore(business, { ...quietStore(), messages: [], sends: [] });
    const { campaigns } = await ask({ limit: 1000 }, business);
    expect(campaigns.filter(({ is_silent }) => is_silent)).toEqual([]);
  });
});

function cartAfter(minutes: number): Row<'campaigns'> {
  return { category: 'abandoned_cart', trigger: JSON.stringify({ type: 'x', delay_minutes: minutes }) };
}

function orderAfter(minutes: number): Row<'campaigns'> {
  return { ...cartAfter(minutes), category: 'post_purchase' };
}

const dailySend = (message_id: string, sent_at: string): Row<'sends'> => ({
  ...{ send_id: `${message_id} ${sent_at}`, message_id, email: 'ann@x.cz', sent_at, outcome: 'delivered' },
});

/** One that wrote daily until 12 May; somebody left a cart or ordered. */
function waitingRows(id: string, more: Row<'campaigns'>, happened: string): Partial<Store> {
  return {
    campaigns: [
      {
        ...{ campaign_id: id, campaign_type: 'incremental-emailing', name: id, state: 'active' },
        ...{ created_at: '2024-01-01T00:00:00Z', ...more },
      },
    ],
    messages: [{ message_id: id, campaign_id: id, channel: 'email' }],
    sends: ['08', '09', '10', '11', '12'].map((day) => dailySend(id, `2024-05-${day}T08:00:00Z`)),
    profiles: [{ profile_id: 'ann', email: 'ann@x.cz' }],
    identities: [{ profile_id: 'ann', kind: 'visitor', value: 'ann' }],
    product_events:
      more.category === 'abandoned_cart'
        ? [{ event_id: '1', visitor_id: 'ann', external_product_id: 'P', kind: 'add_to_cart', at: happened }]
        : [],
    orders:
      more.category === 'post_purchase'
        ? [{ order_id: '1', ordered_at: happened, total: '1', email: 'ann@x.cz' }]
        : [],
  };
}

/** Two automations that wrote daily: one stopped on 4 May, the other on 10 May, when much changed. */
function changedStore(): Store {
  const daily = (campaign_id: string, lastDay: string): Row<'sends'>[] =>
    Array.from({ length: 40 }, (_, index) => {
      const sent_at = new Date(Date.parse(`${lastDay}T08:00:00Z`) - index * 86_400_000).toISOString();
      const isChanged = index === 0 && campaign_id === 'changed';
      return {
        ...{ send_id: `${campaign_id}-${index}`, message_id: isChanged ? 'new' : campaign_id, sent_at },
        ...{ email: 'ann@x.cz', outcome: 'delivered' },
        sending_domain: isChanged ? 'new.shop.cz' : 'old.shop.cz',
      };
    });
  const automation = (campaign_id: string, updated_at: string): Row<'campaigns'> => ({
    ...{ campaign_id, campaign_type: 'incremental-emailing', name: campaign_id, state: 'active' },
    ...{ created_at: '2024-01-01T00:00:00Z', category: 'post_purchase', updated_at },
    trigger: '{"type":"order","delay_minutes":0}',
  });
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: [
      automation('changed', '2024-05-11T07:00:00Z'),
      automation('as-it-was', '2024-05-07T07:00:00Z'),
    ],
    messages: ['changed', 'new', 'as-it-was'].map((message_id) => ({
      ...{ message_id, campaign_id: message_id === 'new' ? 'changed' : message_id, channel: 'email' },
    })),
    sends: [...daily('changed', '2024-05-10'), ...daily('as-it-was', '2024-05-04')],
    calendar_events: [{ first_date: '2024-05-11', kind: 'other', name: 'Moved to another system' }],
    // The known messages end on 31 May.
    message_events: [{ event_id: 'e', send_id: 'changed-0', kind: 'open', at: '2024-05-31T08:00:00Z' }],
    orders: Array.from({ length: 6 }, (_, index) => ({
      ...{ order_id: String(index), ordered_at: `2024-05-1${index + 2}T08:00:00Z`, total: '1' },
      email: `${index}@x.cz`,
    })),
  };
}

/** Automations that mostly send daily, until they stop. */
function quietStore(): Store {
  const campaigns: Row<'campaigns'>[] = [];
  const messages: Row<'messages'>[] = [];
  const sends: Row<'sends'>[] = [];
  const automation = (campaign_id: string, moments: readonly string[], more: Row<'campaigns'> = {}) => {
    campaigns.push({
      ...{ campaign_id, campaign_type: 'incremental-emailing', name: campaign_id, state: 'active' },
      ...{ created_at: '2024-01-01T00:00:00Z', ...more },
    });
    messages.push({ message_id: campaign_id, campaign_id, channel: 'email' });
    for (const sent_at of moments) {
      const send_id = `${campaign_id} ${sent_at}`;
      sends.push({ send_id, message_id: campaign_id, email: 'ann@x.cz', sent_at, outcome: 'delivered' });
    }
  };
  /** Sends on `days` days at 8:00 UTC, `apart` days from one to the next; `day` is the last of them. */
  const until = (day: string, { days = 8, apart = 1 } = {}) =>
    Array.from({ length: days }, (_, index) => {
      const last = Date.parse(`${day}T08:00:00Z`);
      return new Date(last - (days - 1 - index) * apart * 86_400_000).toISOString().replace('.000', '');
    });
  automation('works', until('2024-05-31', { days: 40 }));
  automation('longago', until('2024-03-10'));
  // The last second of 24 May and the first of 25 May, by the clock of Prague.
  automation('eve', [...until('2024-05-23'), '2024-05-24T21:59:59.999999Z']);
  automation('lately', [...until('2024-05-24'), '2024-05-24T22:00:00Z']);
  automation('once-more', [...until('2024-05-20'), '2024-06-01T08:00:00Z']);
  automation('paused', until('2024-05-20'), { state: 'paused' });
  // Pauses of ten days: quiet for 19 days on 31 May, for 20 on 1 June.
  automation('tenth', until('2024-05-12', { apart: 10 }));
  automation('rare', until('2024-05-11', { days: 4 }));
  // Carts were left on 8, 14 and 20 May; on 14 May by somebody who did not agree, on 20 May the ninth had
  // left.
  const cart = { category: 'abandoned_cart' };
  automation('carts-missed', until('2024-05-07'), cart);
  automation('carts-none', until('2024-05-09'), cart);
  // Nobody orders after 10 May.
  automation('ordered', until('2024-05-09'), { category: 'post_purchase' });
  automation('not-ordered', until('2024-05-11'), { category: 'review_request' });
  // First subscriptions: one in January, five from 10 to 14 May.
  automation('never', [], { category: 'welcome' });
  automation('never-targeted', [], { category: 'welcome', segment_query: '{"segments":[]}' });
  automation('never-known', [], { category: 'winback' });
  // People entered on 12 May: few entered one automation, one skips them, and one writes to them four weeks
  // later.
  automation('entered-later', until('2024-05-09'), { trigger: '{"type":"x","delay_minutes":40320}' });
  automation('entered', until('2024-05-09'), { category: 'winback' });
  automation('not-entered', until('2024-05-09'), { category: 'winback' });
  automation('few-entered', until('2024-05-09'), { category: 'winback' });
  const entries = (campaign_id: string, outcome: string, people = 5): Row<'audience_members'>[] =>
    Array.from({ length: people }, (_, index) => ({
      ...{ campaign_id, email: `${index}@x.cz`, entered_at: '2024-05-12T08:00:00Z', outcome },
    }));
  automation('text-never', [], { category: 'welcome', campaign_type: 'incremental-sms' });
  const consent = (person: string, at: string, state = 'subscribed'): Row<'consent_events'> => ({
    ...{ email: `${person}@x.cz`, channel: 'email', at, state },
  });
  const added = (visitor_id: string, day: string): Row<'product_events'> => ({
    ...{ event_id: `${visitor_id} ${day}`, visitor_id, external_product_id: 'P', kind: 'add_to_cart' },
    at: `2024-05-${day}T08:00:00Z`,
  });
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    ...{ campaigns, messages, sends },
    profiles: [
      { profile_id: 'agreed', email: 'agreed@x.cz' },
      { profile_id: 'not', email: 'not@x.cz' },
    ],
    identities: [
      { profile_id: 'agreed', kind: 'visitor', value: 'agreed' },
      { profile_id: 'not', kind: 'visitor', value: 'not' },
    ],
    consent_events: [
      consent('agreed', '2024-01-01T08:00:00Z'),
      consent('agreed', '2024-05-15T08:00:00Z', 'unsubscribed'),
      ...[10, 11, 12, 13, 14].map((day) => consent(`new${day}`, `2024-05-${day}T08:00:00Z`)),
    ],
    audience_members: [
      ...entries('entered', 'sent'),
      ...entries('few-entered', 'sent', 4),
      ...entries('not-entered', 'skipped_consent'),
      ...entries('entered-later', 'sent'),
    ],
    product_events: [added('agreed', '08'), added('not', '14'), added('agreed', '20')],
    orders: [
      { order_id: '1', ordered_at: '2024-05-10T08:00:00Z', total: '1', email: 'agreed@x.cz' },
      {
        order_id: '2',
        ordered_at: '2024-05-20T08:00:00Z',
        total: '1',
        email: 'agreed@x.cz',
        status: 'cancelled',
      },
      { order_id: '3', ordered_at: '2024-05-20T08:00:00Z', total: '1' },
    ],
  };
}
