import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Block } from '../../../../tests/oracle/segment-query.ts';
import { emptyStore, type Row } from '../../../../tests/oracle/store.ts';
import { crowd, type Kinds, kindsIn } from '../../../../tests/support/crowds.ts';
import { exactEstimate } from '../../../../tests/support/exact-estimate.ts';
import { isQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** Each condition by hand, at its edges: which kinds of people it means. Random queries: tests/properties. */
let test: TestInstance;

beforeAll(async () => {
  // ClickHouse plans some hundred conditions for longer than all else of this file takes.
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

interface Counts {
  readonly profiles_count: number;
  readonly email_reachable_count: number;
  readonly sms_reachable_count: number;
  readonly customers_count: number;
  readonly blocks: readonly { readonly alone_count: number }[];
}

/** Loads a crowd in Prague, whose data end with a view by nobody at `asOf`. */
function crowdOf(kinds: Kinds, asOf: string, rest: Parameters<typeof crowd>[2] = {}) {
  const everybody = 5 * (2 ** Object.keys(kinds).length - 1);
  let business_id = '';
  beforeAll(async () => {
    const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    const end = { event_id: 'end', visitor_id: 'nobody', external_product_id: 'end', kind: 'view', at: asOf };
    await test.importStore(business, crowd(kinds, 'Europe/Prague', { ...rest, product_events: [end] }));
    business_id = business.business_id;
  });

  const ask = async (...blocks: readonly Block[]) => {
    const segment_query = { segments: [{ targetingBlocks: blocks }] };
    return (await test.ask(exactEstimate, { business_id, segment_query })) as Counts;
  };
  /** The kinds that a block means alone, and negated all others. */
  const means = async (...blocks: readonly Block[]) => {
    const { blocks: counts } = await ask(...blocks.flatMap((block) => [block, { ...block, negate: true }]));
    return blocks.map((block, index) => {
      const [meant = 0, others] = counts.slice(2 * index).map(({ alone_count }) => alone_count);
      expect(others, `not ${JSON.stringify(block)}`).toBe(everybody - meant);
      return kindsIn(meant, kinds);
    });
  };
  return {
    ask,
    one: async (block: Block) => (await means(block))[0],
    all: async (cases: readonly (readonly [Block, readonly string[]])[]) => {
      for (let start = 0; start < cases.length; start += 20) {
        const some = cases.slice(start, start + 20);
        const found = await means(...some.map(([block]) => block));
        expect(some.map(([block], index) => [block, found[index]])).toEqual(some);
      }
    },
  };
}

let orders = 0;
function order(who: string, ordered_at: string, total = '100', more: Row<'orders'> = {}): Row<'orders'> {
  orders += 1;
  return { order_id: `O${orders}`, email: `${who}@example.com`, ordered_at, total, ...more };
}

describe('conditions on orders', () => {
  // Noon in summer time. Ten days before it is noon in summer time too, eleven days before in winter time.
  const AS_OF = '2024-04-10T10:00:00.400Z';
  const KINDS: Kinds = {
    none: () => ({}),
    edge: (who) => ({ orders: [order(who, '2024-03-30T11:00:00Z', '100', { coupon_codes: 'SALE|VIP' })] }),
    before: (who) => ({ orders: [order(who, '2024-03-30T10:59:59.999Z')] }),
    twice: (who) => ({
      orders: [order(who, '2024-01-01T00:00:00', '50'), order(who, '2024-04-10T10:00:00.300Z', '50.01')],
    }),
    void: (who) => ({
      orders: [
        order(who, '2024-04-01T00:00:00', '100', { status: 'cancelled', coupon_codes: 'SALE' }),
        order(who, '2024-04-01T00:00:00', '100', { is_test: 'true' }),
      ],
    }),
    thirds: (who) => ({
      orders: ['33.33', '33.33', '33.34'].map((total) => order(who, '2024-02-29T23:59:59.900', total)),
    }),
  };
  const means = crowdOf(KINDS, AS_OF);
  const days = (last_days: number) => ({ period: { last_days } });
  const ago = (more_than_days_ago: number) => ({ period: { more_than_days_ago } });

  it('mean whom they say', () =>
    means.all([
      [{ type: 'order_count', operator: 'gte', value: 1, ...days(11) }, ['edge', 'twice']],
      [{ type: 'order_count', operator: 'gte', value: 1, ...days(10) }, ['twice']],
      [{ type: 'order_count', operator: 'gte', value: 1, ...days(0) }, ['twice']],
      [{ type: 'order_count', operator: 'gte', value: 1, ...ago(0) }, ['edge', 'before', 'twice', 'thirds']],
      [{ type: 'order_count', operator: 'gte', value: 1, ...ago(11) }, ['before', 'twice', 'thirds']],
      [{ type: 'order_count', operator: 'eq', value: 0, ...ago(11) }, ['none', 'edge', 'void']],
      [
        { type: 'order_count', operator: 'gte', value: 1, ...days(9e15) },
        ['edge', 'before', 'twice', 'thirds'],
      ],
      [{ type: 'order_count', operator: 'gte', value: 1, ...ago(9e15) }, []],
      [{ type: 'order_count', operator: 'gte', value: 0 }, Object.keys(KINDS)],
      [{ type: 'order_count', operator: 'eq', value: 0 }, ['none', 'void']],
      [{ type: 'order_count', operator: 'lte', value: 1 }, ['none', 'edge', 'before', 'void']],
      [{ type: 'order_count', operator: 'lte', value: -1 }, []],
      [{ type: 'order_count', operator: 'between', value: { from: 1, to: 2 } }, ['edge', 'before', 'twice']],
      [{ type: 'order_count', operator: 'between', value: { from: 2, to: 3 } }, ['twice', 'thirds']],
      [
        { type: 'order_count', operator: 'between', value: { from: 0, to: 1 } },
        ['none', 'edge', 'before', 'void'],
      ],
      [
        { type: 'order_count', operator: 'gte', value: 1, period: { from: '2024-03-30', to: '2024-03-30' } },
        ['edge', 'before'],
      ],
      [{ type: 'order_count', operator: 'gte', value: 3, period: { to: '2024-02-29' } }, ['thirds']],
      [{ type: 'order_count', operator: 'gte', value: 1, period: { to: '2024-02-29T23:59:58' } }, ['twice']],
      [{ type: 'order_count', operator: 'gte', value: 1, period: { from: '2024-04-10T12:00' } }, ['twice']],
      [{ type: 'order_count', operator: 'gte', value: 1, period: { from: '2024-04-10T12:00:01' } }, []],
      [
        {
          type: 'order_count',
          operator: 'gte',
          value: 1,
          period: { from: '2024-03-30T11:00:00Z', to: '2024-03-30T12:00:00+01:00' },
        },
        ['edge'],
      ],
      [{ type: 'order_value_total', operator: 'gte', value: 100 }, ['edge', 'before', 'twice', 'thirds']],
      [{ type: 'order_value_total', operator: 'gte', value: 100.01 }, ['twice']],
      [{ type: 'order_value_total', operator: 'lte', value: 99.9999 }, ['none', 'void']],
      [
        { type: 'order_value_total', operator: 'lte', value: 100 },
        ['none', 'edge', 'before', 'void', 'thirds'],
      ],
      [
        { type: 'order_value_total', operator: 'between', value: { from: 50.01, to: 50.01 }, ...days(1) },
        ['twice'],
      ],
      [{ type: 'order_value_total', operator: 'gte', value: -0.01 }, Object.keys(KINDS)],
      [{ type: 'average_order_value', operator: 'lte', value: 0 }, []],
      [
        { type: 'average_order_value', operator: 'lte', value: 9.9e12 },
        ['edge', 'before', 'twice', 'thirds'],
      ],
      [{ type: 'average_order_value', operator: 'gte', value: 50.005 }, ['edge', 'before', 'twice']],
      [{ type: 'average_order_value', operator: 'gte', value: 50.0051 }, ['edge', 'before']],
      // 33 1/3 is neither.
      [{ type: 'average_order_value', operator: 'lte', value: 33.3333 }, []],
      [
        { type: 'average_order_value', operator: 'between', value: { from: 33.3333, to: 33.3334 } },
        ['thirds'],
      ],
      [{ type: 'first_order_at', period: { to: '2024-01-01' } }, ['twice']],
      [{ type: 'last_order_at', period: { to: '2024-01-01' } }, []],
      [{ type: 'first_order_at', operator: 'in_period', ...days(11) }, ['edge']],
      [{ type: 'last_order_at', operator: 'in_period', ...days(11) }, ['edge', 'twice']],
      [{ type: 'coupon_used', value: ['SALE'] }, ['edge']],
      [{ type: 'coupon_used', value: ['sale', 'VIP'], ...days(11) }, ['edge']],
      [{ type: 'coupon_used', operator: 'any', value: 'SALE', ...days(10) }, []],
      [{ type: 'rfm_segment', operator: 'is', value: { segments: ['new'] } }, ['edge', 'before']],
      [
        { type: 'rfm_segment', operator: 'is_not', value: { segments: ['new', 'lost'] } },
        ['none', 'twice', 'void', 'thirds'],
      ],
      [{ type: 'rfm_segment', operator: 'is', value: { rfm_profile_id: 'gone', segments: ['new'] } }, []],
      [{ type: 'rfm_score', operator: 'gte', value: { dimension: 'frequency', score: 3 } }, ['thirds']],
      [
        {
          type: 'rfm_score',
          operator: 'lte',
          value: { rfm_profile_id: 'default', dimension: 'frequency', score: 2 },
        },
        ['edge', 'before', 'twice'],
      ],
      [{ type: 'last_activity', ...days(11) }, ['edge', 'twice']],
      [{ type: 'last_activity', ...ago(11) }, ['before', 'thirds']],
    ]));
});

let events = 0;
function event(who: string, kind: string, external_product_id: string, at: string): Row<'product_events'> {
  events += 1;
  return {
    event_id: `E${String(events).padStart(6, '0')}`,
    visitor_id: `v-${who}`,
    kind,
    external_product_id,
    at,
  };
}

describe('conditions on products', () => {
  const line = (order_id: string | undefined, external_product_id: string): Row<'order_items'> => ({
    ...{ order_id, external_product_id, quantity: '1', unit_price: '10' },
  });
  const bought = (who: string, ...products: string[]) => {
    const own = products.map(() => order(who, '2024-03-01T10:00:00'));
    return {
      orders: own,
      order_items: own.map(({ order_id }, index) => line(order_id, products[index] ?? '')),
    };
  };
  const KINDS: Kinds = {
    nothing: () => ({}),
    shirt: (who) => bought(who, 'p1'),
    both: (who) => bought(who, 'p1', 'p3', 'p3'),
    unlisted: (who) => bought(who, 'gone'),
    reader: (who) => ({
      product_events: ['p1', 'p1', 'p2'].map((id) => event(who, 'view', id, '2024-03-01T10:00:00')),
    }),
    carter: (who) => ({ product_events: [event(who, 'add_to_cart', 'p3', '2024-03-09T12:00:00')] }),
    wisher: (who) => ({ product_events: [event(who, 'wishlist', 'p1', '2024-03-01T10:00:00')] }),
    waiter: (who) => ({ product_events: [event(who, 'watchdog', 'p2', '2024-03-01T10:00:00')] }),
  };
  const products = [
    {
      external_product_id: 'p1',
      external_master_product_id: 'm',
      name: 'Shirt',
      brand: 'Acme',
      categories: 'Shirts|Sale',
      price: '10',
    },
    {
      external_product_id: 'p2',
      external_master_product_id: 'm',
      name: 'Shirt, blue',
      brand: 'Acme',
      categories: 'Shirts',
      price: '10',
    },
    { external_product_id: 'p3', name: 'Hat', categories: 'Sale', price: '10' },
  ];
  const means = crowdOf(KINDS, '2024-03-10T10:00:00', { products });

  it('mean whom they say', () =>
    means.all([
      [{ type: 'bought', of: { product: 'p1' } }, ['shirt', 'both']],
      [{ type: 'bought', operator: 'all', of: { product: ['p1', 'p1'] } }, ['shirt', 'both']],
      [{ type: 'bought', operator: 'any', of: { product: ['p3', 'gone'] } }, ['both', 'unlisted']],
      [{ type: 'bought', operator: 'all', of: { product: ['p1', 'p3'] } }, ['both']],
      [
        {
          type: 'bought',
          operator: 'all',
          of: { brand: 'Acme', category: ['Shirts', 'Sale'], master_product: 'm' },
        },
        ['shirt', 'both'],
      ],
      [{ type: 'bought', operator: 'all', of: { product: ['p1', 'unheard of'] } }, []],
      [{ type: 'bought', of: { master_product: ['gone'] } }, ['unlisted']],
      [{ type: 'bought', of: { category: 'Shirts' }, period: { last_days: 9 } }, ['shirt', 'both']],
      [{ type: 'bought', of: { category: 'Shirts' }, period: { last_days: 8 } }, []],
      [{ type: 'bought', of: { category: 'shirts', brand: 'ACME' } }, []],
      [{ type: 'viewed', of: { product: 'p1' } }, ['reader']],
      [{ type: 'viewed', of: { master_product: 'm' }, min_count: 3 }, ['reader']],
      // A view of what is in two of the named things is one view.
      [{ type: 'viewed', of: { category: ['Shirts', 'Sale'], brand: 'Acme' }, min_count: 4 }, []],
      [{ type: 'viewed', operator: 'all', of: { product: ['p1', 'p2'] } }, ['reader']],
      [{ type: 'viewed', operator: 'all', of: { product: ['p1', 'p2'] }, min_count: 2 }, []],
      [{ type: 'added_to_cart', of: { category: 'Sale' } }, ['carter']],
      [{ type: 'watched', of: { product: ['p1', 'p2'] } }, ['wisher', 'waiter']],
      [{ type: 'watched', of: { product: 'p2' } }, ['waiter']],
      [{ type: 'session', value: 1 }, ['reader', 'carter', 'wisher', 'waiter']],
    ]));
});

describe('abandoned carts', () => {
  const add = (who: string, time: string, product = 'p1') =>
    event(who, 'add_to_cart', product, `2024-03-10T${time}`);
  const remove = (who: string, time: string, product = 'p1') =>
    event(who, 'remove_from_cart', product, `2024-03-10T${time}`);
  const ordered = (who: string, time: string, more: Row<'orders'> = {}) =>
    order(who, `2024-03-10T${time}`, '10', more);
  const KINDS: Kinds = {
    anHour: (who) => ({ product_events: [add(who, '11:00:00')] }),
    lessThanAnHour: (who) => ({ product_events: [add(who, '11:00:01')] }),
    orderedInTime: (who) => ({ product_events: [add(who, '08:00:00')], orders: [ordered(who, '08:59:59')] }),
    orderedLate: (who) => ({ product_events: [add(who, '08:00:00')], orders: [ordered(who, '09:00:00')] }),
    orderedAtOnce: (who) => ({
      product_events: [add(who, '08:00:00')],
      orders: [ordered(who, '08:00:00', { status: 'cancelled' })],
    }),
    emptied: (who) => ({
      product_events: [
        add(who, '08:00:00'),
        add(who, '08:05:00', 'p2'),
        remove(who, '08:10:00'),
        remove(who, '08:20:00', 'p2'),
      ],
    }),
    halfEmptied: (who) => ({
      product_events: [
        add(who, '08:00:00'),
        add(who, '08:05:00', 'p2'),
        add(who, '08:06:00', 'p2'),
        remove(who, '08:10:00'),
      ],
    }),
    // The cart went on until just before the order.
    wentOn: (who) => ({
      product_events: [add(who, '08:00:00'), add(who, '08:50:00', 'p2')],
      orders: [ordered(who, '09:40:00')],
    }),
    again: (who) => ({
      product_events: [add(who, '08:00:00'), remove(who, '08:30:00', 'p2')],
      orders: [ordered(who, '08:01:00')],
    }),
  };
  const means = crowdOf(KINDS, '2024-03-10T12:00:00');

  it('are carts that nobody changed or ordered for an hour', async () => {
    const left = ['anHour', 'orderedLate', 'halfEmptied'];
    expect(await means.one({ type: 'cart_abandoned', period: { last_days: 1 } })).toEqual(left);
    expect(await means.one({ type: 'cart_abandoned', period: { from: '2024-03-10T11:00:00' } })).toEqual([
      'anHour',
    ]);
    expect(await means.one({ type: 'cart_abandoned', period: { to: '2024-03-10T08:10:00' } })).toEqual([
      'orderedLate',
      'halfEmptied',
    ]);
    expect(await means.one({ type: 'cart_abandoned', period: { to: '2024-03-10T08:09:59' } })).toEqual([
      'orderedLate',
    ]);
  });

  describe('in a store where only sessions are loaded', () => {
    const session = (who: string, more: Row<'sessions'>): Row<'sessions'> => ({
      ...{
        session_id: `s-${who}`,
        visitor_id: `v-${who}`,
        started_at: '2024-03-10T08:00:00',
        cart: 'true',
        ...more,
      },
    });
    const VISITORS: Kinds = {
      left: (who) => ({ sessions: [session(who, { ended_at: '2024-03-10T08:30:00' })] }),
      ordered: (who) => ({
        sessions: [session(who, { ended_at: '2024-03-10T08:30:00' })],
        orders: [ordered(who, '09:29:59')],
      }),
      withoutCart: (who) => ({ sessions: [session(who, { cart: 'false' })] }),
      bot: (who) => ({ sessions: [session(who, { suspected_bot: 'true' })] }),
    };
    const meansVisitors = crowdOf(VISITORS, '2024-03-10T12:00:00');

    it('are those of sessions', async () => {
      expect(
        await meansVisitors.one({ type: 'cart_abandoned', period: { from: '2024-03-10T08:30:00' } }),
      ).toEqual(['left']);
    });
  });
});

describe('conditions on messages', () => {
  const CAMPAIGNS = {
    campaigns: [
      { campaign_id: 'mail', campaign_type: 'targeted-emailing' },
      { campaign_id: 'other', campaign_type: 'incremental-emailing' },
      { campaign_id: 'text', campaign_type: 'targeted-sms' },
    ].map((row) => ({ ...row, name: row.campaign_id, state: 'sent', created_at: '2024-01-01T00:00:00' })),
    messages: [
      { message_id: 'm-mail', campaign_id: 'mail', channel: 'email' },
      { message_id: 'm-other', campaign_id: 'other', channel: 'email' },
      { message_id: 'm-text', campaign_id: 'text', channel: 'sms' },
    ],
    links: [
      { link_id: 'offer', message_id: 'm-mail', url: 'https://shop.cz/offer?utm_source=news' },
      { link_id: 'leave', message_id: 'm-mail', url: 'https://shop.cz/unsubscribe' },
    ],
  };
  let sent = 0;
  const send = (who: string, campaign = 'mail', sent_at = '2024-03-01T10:00:00', more: Row<'sends'> = {}) => {
    sent += 1;
    return {
      send_id: `S${sent}`,
      message_id: `m-${campaign}`,
      email: `${who}@example.com`,
      sent_at,
      ...more,
    };
  };
  const reacted = (row: Row<'sends'>, kind: string, more: Row<'message_events'> = {}) => ({
    sends: [row],
    message_events: [
      {
        event_id: `e-${row.send_id}-${kind}`,
        send_id: row.send_id,
        kind,
        at: '2024-03-05T10:00:00',
        ...more,
      },
    ],
  });
  const KINDS: Kinds = {
    nobody: () => ({}),
    silent: (who) => ({
      sends: [send(who), send(who, 'text', '2024-03-02T10:00:00', { outcome: 'delivered' })],
    }),
    opened: (who) => reacted(send(who), 'open'),
    byMachine: (who) => reacted(send(who), 'open', { is_machine: 'true' }),
    clicked: (who) => reacted(send(who), 'click', { link_id: 'offer' }),
    byBot: (who) => reacted(send(who), 'click', { link_id: 'offer', is_bot: 'true' }),
    left: (who) => reacted(send(who), 'click', { link_id: 'leave' }),
    bounced: (who) => ({ sends: [send(who, 'mail', '2024-03-01T10:00:00', { outcome: 'hard' })] }),
    buyer: (who) => ({
      ...reacted(send(who, 'other', '2024-03-04T10:00:00'), 'click', { url: 'https://shop.cz/else' }),
      orders: [order(who, '2024-03-06T10:00:00')],
    }),
  };
  const means = crowdOf(KINDS, '2024-03-10T10:00:00', CAMPAIGNS);
  const mail = { type: 'campaign', value: ['mail'] };

  it('mean whom they say', () =>
    means.all([
      [
        { ...mail, operator: 'sent' },
        ['silent', 'opened', 'byMachine', 'clicked', 'byBot', 'left', 'bounced'],
      ],
      [{ type: 'campaign', operator: 'sent', value: ['text', 'other'] }, ['silent', 'buyer']],
      [
        { type: 'campaign', operator: 'sent', value: ['mail', 'other', 'text'], period: { last_days: 8 } },
        ['silent', 'buyer'],
      ],
      // Any campaign of a type, or of several, or of these one by its id.
      [{ type: 'campaign', operator: 'sent', campaign_type: 'targeted-sms' }, ['silent']],
      [
        {
          type: 'campaign',
          operator: 'clicked',
          campaign_type: ['targeted-emailing', 'incremental-emailing'],
        },
        ['clicked', 'buyer'],
      ],
      [{ ...mail, operator: 'sent', campaign_type: 'targeted-sms' }, []],
      [{ type: 'campaign', operator: 'sent', campaign_type: 'letter' }, []],
      [{ ...mail, operator: 'opened' }, ['opened', 'clicked', 'left']],
      [
        { ...mail, operator: 'opened', period: { from: '2024-03-05', to: '2024-03-05' } },
        ['opened', 'clicked', 'left'],
      ],
      [{ ...mail, operator: 'opened', period: { to: '2024-03-04' } }, []],
      [{ ...mail, operator: 'not_opened' }, ['silent', 'byMachine', 'byBot', 'bounced']],
      // Asked of what was sent in the period, whenever it was opened.
      [
        { ...mail, operator: 'not_opened', period: { to: '2024-03-01' } },
        ['silent', 'byMachine', 'byBot', 'bounced'],
      ],
      [{ ...mail, operator: 'not_opened', period: { from: '2024-03-02' } }, []],
      [
        { type: 'campaign', operator: 'not_opened', value: ['mail', 'text'] },
        ['silent', 'byMachine', 'byBot', 'bounced'],
      ],
      [{ ...mail, operator: 'clicked' }, ['clicked']],
      [{ ...mail, operator: 'not_clicked' }, ['silent', 'opened', 'byMachine', 'byBot', 'left', 'bounced']],
      [{ ...mail, operator: 'clicked', link: 'leave' }, ['left']],
      [{ ...mail, operator: 'clicked', link: ['https://shop.cz/offer', 'unknown'] }, ['clicked']],
      [{ ...mail, operator: 'clicked', link: 'https://shop.cz/offer?utm_source=news' }, ['clicked']],
      [
        { ...mail, operator: 'not_clicked', link: 'leave' },
        ['silent', 'opened', 'byMachine', 'clicked', 'byBot', 'bounced'],
      ],
      [{ type: 'campaign', operator: 'clicked', value: ['mail', 'other'] }, ['clicked', 'buyer']],
      [{ type: 'campaign', operator: 'ordered', value: ['other'] }, ['buyer']],
      [{ type: 'campaign', operator: 'ordered', value: ['other'], period: { to: '2024-03-05' } }, []],
      [{ ...mail, operator: 'ordered' }, []],
      [
        { type: 'messages_received', operator: 'gte', value: 1, channel: 'email' },
        ['silent', 'opened', 'byMachine', 'clicked', 'byBot', 'left', 'buyer'],
      ],
      [{ type: 'messages_received', operator: 'gte', value: 2 }, ['silent']],
      [{ type: 'messages_received', operator: 'lte', value: 0 }, ['nobody', 'bounced']],
      [
        { type: 'messages_received', operator: 'gte', value: 1, period: { last_days: 8 } },
        ['silent', 'buyer'],
      ],
      [{ type: 'last_activity', period: { last_days: 5 } }, ['opened', 'clicked', 'left', 'buyer']],
    ]));
});

describe('conditions on consent and lists', () => {
  const consent = (who: string, at: string, state: string, more: Row<'consent_events'> = {}) => ({
    ...{ email: `${who}@example.com`, channel: 'email', at, state, ...more },
  });
  const onList = (who: string, at: string, kind: string, code = 'news'): Row<'interest_list_events'> => ({
    ...{ code, profile_id: who, at, kind },
  });
  const KINDS: Kinds = {
    never: (who) => ({ interest_list_events: [onList(who, '2024-02-01T00:00:00', 'unsubscribed')] }),
    reader: (who) => ({
      consent_events: [
        consent(who, '2024-02-01T00:00:00', 'subscribed', { source: 'Popup', source_detail: 'pop-1' }),
      ],
      interest_list_events: [onList(who, '2024-02-01T00:00:00', 'subscribed')],
    }),
    again: (who) => ({
      consent_events: [
        consent(who, '2024-01-01T00:00:00', 'subscribed', { source: 'checkout' }),
        consent(who, '2024-01-15T00:00:00', 'unsubscribed'),
        consent(who, '2024-03-01T00:00:00', 'subscribed', { source: 'popup' }),
      ],
      interest_list_events: [
        onList(who, '2024-01-01T00:00:00', 'subscribed'),
        onList(who, '2024-01-15T00:00:00', 'unsubscribed'),
        onList(who, '2024-03-01T00:00:00', 'subscribed'),
      ],
    }),
    bounced: (who) => ({
      consent_events: [
        consent(who, '2024-01-31T22:59:59.900Z', 'subscribed', { source: 'shop' }),
        consent(who, '2024-02-02T00:00:00', 'bounced'),
        consent(who, '2024-02-03T00:00:00', 'unsubscribed'),
      ],
      interest_list_events: [
        onList(who, '2024-02-01T00:00:00', 'subscribed', 'vip'),
        onList(who, '2024-02-01T00:00:00', 'unsubscribed', 'vip'),
      ],
    }),
    waiting: (who) => ({
      consent_events: [consent(who, '2024-02-01T00:00:00', 'pending', { source: 'form' })],
    }),
    confirmed: (who) => ({
      consent_events: [
        consent(who, '2024-02-01T00:00:00', 'pending', { source: 'popup', source_detail: 'pop-2' }),
        consent(who, '2024-02-01T10:00:00', 'subscribed'),
      ],
    }),
    texted: (who) => ({
      consent_events: [
        consent(who, '2024-02-20T00:00:00', 'subscribed', { channel: 'sms', source: 'registration' }),
        consent(who, '2024-02-21T00:00:00', 'subscribed', { source: 'import' }),
        consent(who, '2024-02-22T00:00:00', 'complained', { channel: 'sms' }),
      ],
    }),
    // At one moment the stricter state counts.
    never2: (who) => ({
      consent_events: [
        consent(who, '2024-02-01T00:00:00', 'unsubscribed', { channel: 'sms' }),
        {
          ...consent(who, '2024-02-01T00:00:00', 'subscribed', { channel: 'sms' }),
          email: undefined,
          profile_id: who,
        },
      ],
    }),
  };
  const means = crowdOf(KINDS, '2024-03-10T10:00:00', {
    interest_lists: ['news', 'vip', 'empty'].map((code) => ({ code, name: code })),
    // One subscription names a popup by its id, another by its name.
    campaigns: [
      { campaign_id: 'pop-1', name: 'Welcome' },
      { campaign_id: 'P2', name: 'pop-2' },
    ].map((row) => ({ ...row, campaign_type: 'popup', state: 'active', created_at: '2024-01-01T00:00:00' })),
  });
  const list = { type: 'interest_list' };
  const subscribed = { type: 'subscribed_at' };

  it('mean whom they say', () =>
    means.all([
      [{ ...list, operator: 'is_subscribed', value: 'news' }, ['reader', 'again']],
      [{ ...list, operator: 'is_subscribed', value: ['vip', 'news', 'unknown'] }, ['reader', 'again']],
      [{ ...list, operator: 'is_subscribed', value: ['vip', 'empty', 'unknown'] }, []],
      [
        { ...list, operator: 'is_not_subscribed', value: ['news'] },
        ['never', 'bounced', 'waiting', 'confirmed', 'texted', 'never2'],
      ],
      [{ ...list, operator: 'was_unsubscribed', value: 'news' }, ['never', 'again']],
      [{ ...list, operator: 'was_unsubscribed', value: ['news', 'vip'] }, ['never', 'again', 'bounced']],
      [
        { type: 'consent', value: { channel: 'email', state: 'subscribed' } },
        ['reader', 'again', 'confirmed', 'texted'],
      ],
      [{ type: 'consent', value: { channel: 'email', state: 'bounced' } }, ['bounced']],
      [{ type: 'consent', operator: 'is', value: { channel: 'email', state: 'unsubscribed' } }, []],
      [{ type: 'consent', value: { channel: 'email', state: 'pending' } }, ['waiting']],
      [{ type: 'consent', value: { channel: 'email', state: 'never_subscribed' } }, ['never', 'never2']],
      [{ type: 'consent', value: { channel: 'sms', state: 'complained' } }, ['texted']],
      [{ type: 'consent', value: { channel: 'sms', state: 'unsubscribed' } }, ['never2']],
      [{ type: 'suppressed', value: true }, ['bounced', 'texted']],
      [{ type: 'suppressed', value: false }, ['never', 'reader', 'again', 'waiting', 'confirmed', 'never2']],
      [{ ...subscribed, operator: 'before', value: '2024-02-01' }, ['again', 'bounced']],
      [{ ...subscribed, operator: 'before', value: '2024-02-01T00:00:01' }, ['reader', 'again', 'bounced']],
      [{ ...subscribed, operator: 'after', value: '2024-01-31' }, ['reader', 'confirmed', 'texted']],
      [{ ...subscribed, operator: 'after', value: '2024-02-01' }, ['texted']],
      [{ ...subscribed, operator: 'after', value: '2024-02-01T00:00:00' }, ['confirmed', 'texted']],
      [{ ...subscribed, operator: 'after', value: '2024-02-20T12:00:00', channel: 'sms' }, []],
      [{ ...subscribed, operator: 'after', value: '2024-02-20T12:00:00', channel: 'email' }, ['texted']],
      [{ ...subscribed, operator: 'in_period', period: { from: '2024-03-01' } }, []],
      [
        { ...subscribed, operator: 'in_period', period: { from: '2024-01-31', to: '2024-01-31' } },
        ['bounced'],
      ],
      [{ ...subscribed, operator: 'in_period', period: { last_days: 20 }, channel: 'sms' }, ['texted']],
      [{ ...subscribed, operator: 'in_period', period: { last_days: 19 }, channel: 'sms' }, []],
      [{ type: 'source', operator: 'is', value: 'popup' }, ['reader', 'confirmed']],
      [{ type: 'source', operator: 'is', value: ['pop-2', 'CHECKOUT'] }, ['again', 'confirmed']],
      [{ type: 'source', operator: 'is', value: 'pop-1' }, ['reader']],
      [{ type: 'source', operator: 'is', value: 'Welcome' }, ['reader']],
      [{ type: 'source', operator: 'is', value: ['P2'] }, ['confirmed']],
      [{ type: 'source', operator: 'is', value: 'unknown' }, ['bounced']],
      [{ type: 'source', operator: 'is', value: ['registration', 'import', 'form'] }, ['texted']],
      [
        { type: 'source', operator: 'is_not', value: ['popup', 'unknown'] },
        ['never', 'again', 'waiting', 'texted', 'never2'],
      ],
    ]));

  it('reachable are those with consent who are suppressed in no channel', async () => {
    const { email_reachable_count, sms_reachable_count, customers_count } = await means.ask();
    expect(kindsIn(email_reachable_count, KINDS)).toEqual(['reader', 'again', 'confirmed']);
    expect([sms_reachable_count, customers_count]).toEqual([0, 0]);
  });
});

describe('conditions on what is known of profiles', () => {
  const profile = (row: Row<'profiles'>) => () => ({ profiles: [row] });
  const attributes = (value: unknown) => profile({ attributes: JSON.stringify(value) });
  // The next day is 29 February.
  const KINDS: Kinds = {
    unknown: profile({}),
    czech: profile({ country: 'CZ', language: 'cs', gender: 'f', tags: 'vip|old', birthday: '1990-02-28' }),
    leap: profile({
      attributes: '{"country": "CZ", "size": 5.0, "vip": true}',
      birthday: '2000-02-29',
      tags: 'Vip',
    }),
    slovak: profile({ country: 'SK', attributes: '{"country": "CZ", "size": "5"}', birthday: '1985-03-01' }),
    eater: attributes({ tastes: ['Čaj', 'káva', 5], size: 50, city: 'Plzeň' }),
    empty: attributes({ tastes: [], size: null, city: '', more: { a: 1 } }),
    // Two rows of one person: the first that knows something tells it.
    double: (who) => ({
      profiles: [
        { profile_id: who, tags: 'old', attributes: '{"city": "Brno"}' },
        {
          profile_id: `${who}-b`,
          tags: 'vip',
          attributes: '{"city": "Praha", "size": 6}',
          birthday: '1985-02-27',
        },
      ],
    }),
  };
  const means = crowdOf(KINDS, '2024-02-28T10:00:00');
  const attribute = (operator: string, name: string, value?: unknown) => ({
    type: 'attribute',
    operator,
    value: value === undefined ? { name } : { name, value },
  });

  it('mean whom they say', () =>
    means.all([
      [attribute('eq', 'country', 'CZ'), ['czech', 'leap']],
      [attribute('eq', 'country', 'cz'), []],
      [attribute('in', 'country', ['CZ', 'SK']), ['czech', 'leap', 'slovak']],
      [attribute('in', 'country', 'SK'), ['slovak']],
      [attribute('eq', 'size', 5), ['leap', 'slovak']],
      [attribute('eq', 'size', '5'), ['leap', 'slovak']],
      [attribute('eq', 'vip', true), ['leap']],
      [attribute('eq', 'tastes', 'Čaj'), []],
      [attribute('contains', 'tastes', 'caj'), ['eater']],
      [attribute('contains', 'tastes', 5), ['eater']],
      [attribute('contains', 'size', 5), ['leap', 'slovak', 'eater']],
      [attribute('contains', 'city', 'R'), ['double']],
      [attribute('contains', 'city', '%'), []],
      [attribute('exists', 'city'), ['eater', 'double']],
      [attribute('exists', 'tastes'), ['eater']],
      [attribute('exists', 'size'), ['leap', 'slovak', 'eater', 'double']],
      [attribute('exists', 'more'), ['empty']],
      [attribute('eq', 'gender', 'f'), ['czech']],
      [attribute('eq', 'birthday', '2000-02-29'), ['leap']],
      [attribute('exists', 'birthday'), ['czech', 'leap', 'slovak', 'double']],
      [{ type: 'tag', operator: 'has', value: 'vip' }, ['czech', 'double']],
      [
        { type: 'tag', operator: 'has_not', value: { name: 'old' } },
        ['unknown', 'leap', 'slovak', 'eater', 'empty'],
      ],
      [{ type: 'birthday', operator: 'within_days', value: 0 }, ['czech']],
      [{ type: 'birthday', value: 1 }, ['czech', 'leap']],
      [{ type: 'birthday', value: 2 }, ['czech', 'leap', 'slovak']],
      [{ type: 'birthday', value: 364 }, ['czech', 'leap', 'slovak']],
      [{ type: 'birthday', value: 365 }, ['czech', 'leap', 'slovak', 'double']],
      [{ type: 'birthday', value: 9e15 }, ['czech', 'leap', 'slovak', 'double']],
      [{ type: 'segment', operator: 'not_in', value: 'gone' }, Object.keys(KINDS)],
    ]));
});

describe('a value that no profile has, or too few', () => {
  const people = (count: number, row: Row<'profiles'>, name: string) =>
    Array.from({ length: count }, (_, index) => ({ profile_id: `${name}-${index}`, ...row }));
  const UNKNOWN = /^Unknown, or of fewer than 5 profiles, so nobody has them: (.*)\. segmentation/;
  let business_id = '';
  beforeAll(async () => {
    const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await test.importStore(business, {
      ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
      profiles: [
        ...people(6, { attributes: '{"city": "Brno", "size": 5}', tags: 'vip' }, 'six'),
        ...people(4, { attributes: '{"city": "Aš", "boat": true}', tags: 'rare' }, 'four'),
      ],
      campaigns: [
        {
          campaign_id: 'P1',
          name: 'Welcome',
          campaign_type: 'popup',
          state: 'active',
          created_at: '2024-01-01T00:00:00',
        },
      ],
      consent_events: people(5, {}, 'six').map(({ profile_id }) => ({
        ...{ profile_id, channel: 'email', at: '2024-01-01T00:00:00', state: 'subscribed' },
        ...{ source: 'form', source_detail: 'footer' },
      })),
    });
    business_id = business.business_id;
  });
  const noted = async (...blocks: readonly Block[]) => {
    const segment_query = { segments: [{ targetingBlocks: blocks }] };
    const { notes } = await test.run(exactEstimate, { business_id, segment_query });
    return notes?.flatMap((note) => UNKNOWN.exec(note)?.[1] ?? []) ?? [];
  };
  const attribute = (name: string, value?: unknown, operator = 'eq') => ({
    ...{ type: 'attribute', operator, value: value === undefined ? { name } : { name, value } },
  });
  const tag = (value: string) => ({ type: 'tag', operator: 'has', value });
  const source = (...value: string[]) => ({ type: 'source', operator: 'is', value });

  it.each<[string, readonly Block[], string[]]>([
    [
      'what exists',
      [attribute('city', 'Brno'), attribute('size', 5), tag('vip'), attribute('city', 'x', 'contains')],
      [],
    ],
    [
      'an attribute that nobody has, once',
      [attribute('cty', 'Brno'), attribute('cty', undefined, 'exists')],
      ['attribute "cty"'],
    ],
    [
      'an attribute and a tag of four',
      [attribute('boat', true), tag('rare')],
      ['attribute "boat", tag "rare"'],
    ],
    [
      'values of four, and of nobody',
      [attribute('city', ['Aš', 'Brno', 'Zlín'], 'in')],
      ['attribute "city" = "Aš", attribute "city" = "Zlín"'],
    ],
    [
      'sources, by key, detail, id and name of a popup',
      [source('Popup', 'footer', 'P1', 'Welcome', 'unknown')],
      [],
    ],
    ['sources that do not exist', [source('P2', 'header')], ['source "P2", source "header"']],
    [
      'types of campaigns',
      [{ type: 'campaign', operator: 'sent', campaign_type: ['popup', 'letter'] }],
      ['campaign type "letter"'],
    ],
  ])('is noted: %s', async (_what, blocks, expected) => {
    expect(await noted(...blocks)).toEqual(expected);
  });
});

describe('birthdays of 29 February', () => {
  const KINDS: Kinds = {
    leap: () => ({ profiles: [{ birthday: '2000-02-29' }] }),
    march: () => ({ profiles: [{ birthday: '2000-03-01' }] }),
    december: () => ({ profiles: [{ birthday: '2000-12-31' }] }),
  };
  const inCommonYear = crowdOf(KINDS, '2025-02-27T23:30:00Z');

  it('are on the 28th in other years, by the calendar of the business', async () => {
    // It is the 28th in Prague already.
    expect(await inCommonYear.one({ type: 'birthday', value: 0 })).toEqual(['leap']);
    expect(await inCommonYear.one({ type: 'birthday', value: 1 })).toEqual(['leap', 'march']);
  });

  describe.skipIf(isQuick)('at the turn of the year', () => {
    const atItsEnd = crowdOf(KINDS, '2025-12-31T22:59:59Z');

    it('are found', async () => {
      expect(await atItsEnd.one({ type: 'birthday', value: 0 })).toEqual(['december']);
      expect(await atItsEnd.one({ type: 'birthday', value: 58 })).toEqual(['december']);
      expect(await atItsEnd.one({ type: 'birthday', value: 59 })).toEqual(['leap', 'december']);
      expect(await atItsEnd.one({ type: 'birthday', value: 60 })).toEqual(['leap', 'march', 'december']);
    });
  });
});

describe('conditions on sessions', () => {
  const session = (who: string, started_at: string, more: Row<'sessions'> = {}): Row<'sessions'> => ({
    ...{ session_id: `${who} ${started_at}`, visitor_id: `v-${who}`, started_at, ...more },
  });
  const KINDS: Kinds = {
    nobody: () => ({}),
    direct: (who) => ({ sessions: [session(who, '2024-03-01T10:00:00', { landing_path: '/sale?x=1' })] }),
    mailed: (who) => ({
      sessions: [
        session(who, '2024-03-01T10:00:00', { source: 'news', medium: 'email', landing_path: '/' }),
        session(who, '2024-03-05T10:00:00', { source: 'news', medium: 'email', landing_path: '/sale' }),
      ],
    }),
    bot: (who) => ({ sessions: [session(who, '2024-03-01T10:00:00', { suspected_bot: 'true' })] }),
  };
  const means = crowdOf(KINDS, '2024-03-10T10:00:00');

  it('mean whom they say', () =>
    means.all([
      [{ type: 'session' }, ['direct', 'mailed']],
      [{ type: 'session', operator: 'gte', value: 2 }, ['mailed']],
      [{ type: 'session', value: 0 }, Object.keys(KINDS)],
      [{ type: 'session', channel: 'Email' }, ['mailed']],
      [{ type: 'session', channel: ['Direct', 'Paid Search'] }, ['direct']],
      [{ type: 'session', source: ['news'], landing_page: '/sale' }, ['mailed']],
      [{ type: 'session', source: ['(direct)'] }, ['direct']],
      [{ type: 'session', landing_page: ['/sale?other=1'] }, ['direct', 'mailed']],
      [{ type: 'session', value: 2, landing_page: ['/sale'] }, []],
      [{ type: 'session', period: { last_days: 5 } }, ['mailed']],
      [{ type: 'session', period: { last_days: 4 } }, []],
      [{ type: 'last_activity', period: { more_than_days_ago: 5 } }, ['direct']],
    ]));
});
