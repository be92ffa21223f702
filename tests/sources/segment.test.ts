import { afterAll, describe, expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import { storedRows, writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { countSegment } from './count-segment.ts';
import { type Call, call, momentAt, ndjson, pageOf, track } from './segment-calls.ts';
import { refusalOf, translateFiles } from './translated.ts';

const MUG = { product_id: '507f1f77bcf86cd799439011', sku: 'MUG', name: 'Mug', price: 10, quantity: 2 };
const PERSON = {
  email: 'Ann@example.com',
  phone: '+420601234567',
  firstName: 'Ann',
  address: { street: 'Long 1' },
};
const CAMPAIGN = { source: 'news', medium: 'email', name: 'spring', content: 'top', term: 'mugs' };

const CALLS: readonly Call[] = [
  call('page', 0, {
    context: pageOf('/mugs?utm_source=other&email=ann%40example.com&gclid=abc', {
      campaign: CAMPAIGN,
      page: {
        url: 'https://shop.example/mugs?gclid=abc&q=ann%40example.com',
        path: '/mugs',
        referrer: 'https://mail.example/in?x',
      },
    }),
  }),
  track('Product Viewed', 10, MUG),
  track('product added', 20, MUG),
  call('identify', 25, { userId: '7', traits: PERSON }),
  track('Checkout Started', 30, { order_id: '1001' }, { userId: '7' }),
  track(
    'Order Completed',
    40,
    { order_id: '1001', total: 25, currency: 'EUR', products: [MUG] },
    { userId: '7' },
  ),
  // The page of thanks is loaded again, an hour later; with that a visit without any source begins.
  call('page', 3640, { context: pageOf('/thanks') }),
  track('Order Completed', 3641, { order_id: '1001', total: 25 }),
  // The page was seen by another visitor, on a phone, by the parameters of the page.
  call('page', 50, {
    anonymousId: 'bob-2',
    context: pageOf('/?utm_source=google&utm_medium=cpc', {
      userAgent: 'Mozilla/5.0 (Linux; Android 13) Mobile Safari',
    }),
  }),
  track('Product Added to Wishlist', 60, { sku: 'HAT' }, { anonymousId: 'bob-2' }),
  track('Product Viewed', 70, { name: 'No id' }, { anonymousId: 'bob-2' }),
  // These calls are of servers.
  track('Order Refunded', 90, { order_id: '1001', total: 25 }, { context: {} }),
  track('Email Opened', 95, { email_id: 'E' }, { anonymousId: undefined, userId: '7', context: {} }),
  track('Product Viewed', 99, MUG, { anonymousId: null, userId: '8', context: {} }),
];

const SESSION =
  'session_id, source, medium, campaign, content, term, click_id_kind, referrer_host, landing_path, device, page_views, cart, checkout, profile_id';
const [ANNA, BOB] = [`anna-1.${Date.parse(momentAt(0))}`, `bob-2.${Date.parse(momentAt(50))}`];

describe('calls', () => {
  it.each([
    ['a line each', ndjson(CALLS)],
    ['after a byte order mark, with blank lines', `\uFEFF${ndjson(CALLS).replaceAll('\n', '\r\n\r\n')}`],
    ['as a list', JSON.stringify(CALLS, null, 2)],
    ['as a batch', JSON.stringify({ batch: CALLS })],
    [
      'as the body of a request, with fields beside the batch,',
      JSON.stringify({ batch: CALLS, sentAt: momentAt(9000), writeKey: 'key', context: { library: {} } }),
    ],
    [
      'as bodies of requests, a line each,',
      CALLS.map((one) => `${JSON.stringify({ sentAt: momentAt(9000), batch: [one] })}\n`).join(''),
    ],
    ['backwards', ndjson(CALLS.toReversed())],
    ['twice', ndjson([...CALLS, ...CALLS])],
  ])('%s are visits, events of products and the visit of an order', (name, text) =>
    translateFiles({ 'calls.json': text }, async ({ rows, rejects, sources }) => {
      expect(rejects).toEqual([]);
      expect(await rows('sessions', SESSION)).toEqual([
        [
          ANNA,
          ...Object.values(CAMPAIGN),
          'gclid',
          'mail.example',
          '/mugs',
          'desktop',
          1,
          true,
          true,
          '~segment user 7',
        ],
        [
          `anna-1.${Date.parse(momentAt(3640))}`,
          ...Array(7).fill(null),
          '/thanks',
          'desktop',
          1,
          false,
          true,
          null,
        ],
        [BOB, 'google', 'cpc', null, null, null, null, null, '/', 'mobile', 1, false, false, null],
      ]);
      expect(await rows('product_events', 'kind, visitor_id, session_id, external_product_id')).toEqual([
        ['add_to_cart', 'anna-1', ANNA, MUG.product_id],
        ['view', 'anna-1', ANNA, MUG.product_id],
        ['wishlist', 'bob-2', BOB, 'HAT'],
      ]);
      expect(await rows('order_visits', 'reference, visitor_id, session_id, cast("at" as varchar)')).toEqual([
        ['1001', 'anna-1', ANNA, '2026-03-05 10:00:40'],
      ]);
      expect(await rows('profiles', 'profile_id, external_customer_id, email_domain, phone_country')).toEqual(
        [
          ['~segment user 7', '7', 'example.com', 'CZ'],
          ['~segment user 8', '8', null, null],
        ],
      );
      const said = sources[0]?.assumptions.join('; ') ?? '';
      for (const text of [
        '2 calls have no anonymousId',
        '1 event of a product has no product_id and no sku',
        '1 call tells of changes, refunds and cancellations',
        '1 call tells of e-mails',
        'orders are not made of calls',
      ])
        expect(said).toContain(text);
      expect(said.includes('repeat a messageId')).toBe(name === 'twice');
      expect(sources[0]).toMatchObject({ source: 'segment-json', makes_orders: false });
      const tables = ['sessions', 'product_events', 'order_visits', 'profiles'];
      const stored = JSON.stringify(await Promise.all(tables.map((table) => rows(table, '*'))));
      for (const text of ['ann@', 'Ann@', '601234567', 'Long 1', '8.8.8.8', 'Macintosh', 'q=ann'])
        expect(stored).not.toContain(text);
    }),
  );

  it('happened when Segment says, which is put right by the clock of the device', () => {
    const { timestamp: _, ...late } = call('page', 0, { anonymousId: 'late' });
    const clock = (original: number, sent: number, received: number) => ({
      ...{ originalTimestamp: momentAt(original), sentAt: momentAt(sent), receivedAt: momentAt(received) },
    });
    return translateFiles(
      {
        'calls.json': ndjson([
          // Its clock is an hour ahead, and it was sent ten seconds after it happened.
          { ...late, ...clock(3600, 3610, 12) },
          { ...late, anonymousId: 'raw', messageId: 'raw', originalTimestamp: momentAt(5) },
          call('page', 7, { anonymousId: 'told', messageId: 'told', ...clock(3600, 3610, 3610) }),
        ]),
      },
      async ({ rows }) =>
        expect(await rows('sessions', 'visitor_id, cast(started_at as varchar)')).toEqual([
          ['late', '2026-03-05 10:00:02'],
          ['raw', '2026-03-05 10:00:05'],
          ['told', '2026-03-05 10:00:07'],
        ]),
    );
  });

  it('are asked about when they have no offset', async () => {
    const local = ndjson([call('page', 0, { timestamp: '2026-03-05T10:00:00.000' })]);
    expect(await refusalOf({ 'calls.json': local })).toContain(
      'a timestamp without an offset from UTC: 1 row, the first is calls.json line 1. Say --timezone',
    );
    await translateFiles(
      { 'calls.json': local },
      async ({ rows }) =>
        expect(await rows('sessions', 'cast(started_at as varchar)')).toEqual([['2026-03-05 09:00:00']]),
      { timezone: 'Europe/Prague' },
    );
  });

  it.each(['infinity', '294247-01-10 04:00:54.775806+00'])(
    'are rejected for the time %s, and the others read',
    (timestamp) =>
      translateFiles(
        {
          'calls.json': ndjson([
            call('page', 0),
            call('page', 0, { messageId: 'odd', timestamp, originalTimestamp: timestamp }),
          ]),
        },
        async ({ rows, rejects }) => {
          expect(await rows('sessions', 'visitor_id')).toEqual([['anna-1']]);
          expect(rejects).toMatchObject([{ line: 2, reason: 'has no timestamp' }]);
        },
      ),
  );

  it('are rejected with their lines when they are none', () =>
    translateFiles(
      {
        'calls.json': `${ndjson([call('page', 0), call('page', 1, { timestamp: 'soon' }), { anonymousId: 'x', sentAt: momentAt(2) }])}{"type": "pa\n`,
      },
      async ({ rows, rejects }) => {
        expect(await rows('sessions', 'page_views')).toEqual([[1]]);
        expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
          [2, 'has no timestamp'],
          [3, 'is no call of Segment: it has no type'],
          [4, 'is no JSON document'],
        ]);
      },
    ));

  it('have the ids that the products of the shop have, in the same files or before', () =>
    translateFiles(
      {
        'calls.json': ndjson(CALLS),
        'products.csv': 'Handle,Title,Variant SKU,Variant Price\nmug,Mug,MUG,10\n',
      },
      async ({ rows, sources }) => {
        expect(await rows('product_events', 'kind, external_product_id')).toEqual([
          ['add_to_cart', 'MUG'],
          ['view', 'MUG'],
          ['wishlist', 'HAT'],
        ]);
        expect(sources.flatMap(({ assumptions }) => assumptions).join()).toContain(
          '1 event is of a product in no catalogue',
        );
      },
    ));

  it('an independent count finds the same', () =>
    translateFiles({ 'calls.json': ndjson(CALLS) }, async ({ rows }) => {
      const truth = countSegment(CALLS);
      expect(await rows('sessions', 'count(*), cast(sum(page_views) as integer)')).toEqual([
        [truth.visits, truth.pageViews],
      ]);
      expect(truth.visits).toBe(3);
      expect(await rows('order_visits', 'count(*)')).toEqual([[truth.orders]]);
    }));
});

describe('imports', () => {
  const test = createTestInstance({ isOneEngineEnough: true });
  afterAll(async () => (await test)[Symbol.asyncDispose]());

  const LATE = 14 * 3600 - 300;

  it('day by day leave a visit over midnight one', async () => {
    const instance = await test;
    const business = await instance.createBusiness({ currency: 'EUR', timezone: 'UTC' });
    const days = [
      [call('page', LATE, { context: pageOf('/a', { campaign: CAMPAIGN }) })],
      [call('page', LATE + 600, { context: pageOf('/b') }), call('page', LATE + 20_000)],
    ];
    for (const calls of days)
      await importFiles(instance.instance, business, [writeFiles(instance, { 'calls.json': ndjson(calls) })]);
    const columns = 'session_id, source, landing_path, page_views::integer';
    expect(await storedRows(instance, business, 'sessions', columns)).toEqual([
      [`anna-1.${Date.parse(momentAt(LATE))}`, 'news', '/a', 2],
      [`anna-1.${Date.parse(momentAt(LATE + 20_000))}`, null, '/', 1],
    ]);
  });

  it('make no orders, and say in which visit the order of the shop was placed', async () => {
    const instance = await test;
    const business = await instance.createBusiness({ currency: 'EUR', timezone: 'UTC' });
    const files = {
      'calls.json': ndjson(CALLS),
      'orders.csv': `Name,Total,Currency,Created at,Lineitem name,Lineitem quantity,Lineitem price\n#1001,25,EUR,${momentAt(45)},Mug,1,25\n`,
    };
    await importFiles(instance.instance, business, [writeFiles(instance, files)]);
    const range = { from_date: '2026-03-01T00:00:00', to_date: '2026-03-31T23:59:59' };
    const asked = { business_id: business.business_id, ...range };
    expect(await instance.ask('order_statistics', asked)).toMatchObject({
      orders_count: 1,
      orders_revenues: 25,
    });
    const { sessions } = (await instance.ask('session_statistics', { ...asked, group_by: 'source' })) as {
      sessions: { key: string; orders_in_session: number }[];
    };
    expect(sessions.filter(({ orders_in_session }) => orders_in_session > 0)).toMatchObject([
      { key: 'news', orders_in_session: 1 },
    ]);
  });
});
