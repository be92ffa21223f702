import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../ingest/staging.ts';
import { fewerInQuick, isQuick } from '../support/runs.ts';
import { countGa4 } from './count-ga4.ts';
import {
  asBqExtract,
  collected,
  type Ga4Event,
  ga4Event,
  ndjson,
  page,
  purchase,
  readParquet,
  shoes,
  socks,
  TEN,
  writeParquet,
} from './ga4-export.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { refusalOf, translatedOnce, translateFiles } from './translated.ts';

const lastClick = (source: string, medium: string, campaign_name: string) => ({
  session_traffic_source_last_click: { manual_campaign: { source, medium, campaign_name } },
});

describe('visits', () => {
  it('are those of Google: user_pseudo_id with ga_session_id', () =>
    translateFiles(
      {
        'a.json': ndjson([
          ga4Event('session_start', 0),
          ga4Event('page_view', 0, {
            ...page('/a?utm_source=x&email=ann@example.com'),
            engagement_time_msec: 1500,
          }),
          ga4Event('add_to_cart', 60),
          // The visit goes on over a break of an hour, as long as Google says so.
          ga4Event('page_view', 3660, page('/b')),
          ga4Event('begin_checkout', 3700, { engagement_time_msec: 12_000 }),
          ga4Event('page_view', 10, { ga_session_id: 2 }, { device: { category: 'smart tv' } }),
          ga4Event(
            'page_view',
            10,
            {},
            {
              user_pseudo_id: '3333333333.4444444444',
              device: { category: 'mobile' },
              geo: { country: 'Czechia' },
            },
          ),
        ]),
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'sessions',
            'session_id, started_at, ended_at, landing_path, page_views, engagement_s, cart, checkout, device, country',
          ),
        ).toEqual([
          [
            ...[
              '1111111111.2222222222.1',
              new Date('2026-03-05T10:00:00Z'),
              new Date('2026-03-05T11:01:40Z'),
            ],
            ...['/a', 2, 13.5, true, true, null, null],
          ],
          [
            ...[
              '1111111111.2222222222.2',
              new Date('2026-03-05T10:00:10Z'),
              new Date('2026-03-05T10:00:10Z'),
            ],
            ...[null, 1, 0, false, false, 'other', null],
          ],
          [
            ...[
              '3333333333.4444444444.1',
              new Date('2026-03-05T10:00:10Z'),
              new Date('2026-03-05T10:00:10Z'),
            ],
            ...[null, 1, 0, false, false, 'mobile', 'CZ'],
          ],
        ]);
      },
    ));

  describe('have a source', () => {
    const CASES: readonly (readonly [
      name: string,
      fields: Record<string, unknown>,
      expected: readonly unknown[],
    ])[] = [
      [
        'as Google attributes the visit',
        { ...lastClick('google', 'cpc', 'Brand'), ...collected('bing', 'cpc') },
        ['google', 'cpc', 'Brand'],
      ],
      [
        'of an advertisement that has no tags',
        {
          session_traffic_source_last_click: {
            google_ads_campaign: { campaign_id: '7', campaign_name: 'Shoes' },
          },
        },
        ['google', 'cpc', 'Shoes'],
      ],
      ['as the page had it', collected('bing', 'cpc'), ['bing', 'cpc', null]],
      ['by a click id alone', { collected_traffic_source: { gclid: 'abc' } }, ['google', 'cpc', null]],
      ['by the parameters of the first hit', {}, ['news', 'email', 'Spring']],
      [
        'where attribution is empty',
        { ...lastClick('(not set)', '(not set)', '(not set)'), collected_traffic_source: {} },
        ['news', 'email', 'Spring'],
      ],
      ['of a visit without one', lastClick('(direct)', '(none)', '(direct)'), [null, null, null]],
    ];
    const visit = (ga_session_id: number, fields: Record<string, unknown>) => [
      ga4Event('session_start', 0, { ga_session_id }, fields),
      ga4Event(
        'page_view',
        0,
        { ga_session_id, source: 'news', medium: 'email', campaign: 'Spring' },
        fields,
      ),
    ];
    const translated = translatedOnce({
      'a.json': ndjson([
        ...CASES.flatMap(([, fields], index) => visit(1 + index, fields)),
        ga4Event('page_view', 0, { ga_session_id: 99, ...page('/a') }),
        ga4Event(
          'page_view',
          90,
          { ga_session_id: 99, source: 'gw.gopay.com', medium: 'referral' },
          collected('gw.gopay.com', 'referral'),
        ),
      ]),
    });
    const sourceOf = (ga_session_id: number) =>
      translated().rows('sessions', 'source, medium, campaign', `session_id like '%.${ga_session_id}'`);

    it.each(CASES.map(([name, , expected], index) => [name, expected, index] as const))(
      '%s',
      async (_, expected, index) => expect(await sourceOf(1 + index)).toEqual([expected]),
    );

    it('a later hit gives no source: a person who comes back from paying came from elsewhere', async () =>
      expect(await sourceOf(99)).toEqual([[null, null, null]]));
  });

  it('count an event once that is in a file of the day and in one of the hour, and know what the former tells', async () => {
    const events = [
      ga4Event('page_view', 0, { ...page('/a'), engagement_time_msec: 1000 }),
      ga4Event('view_item', 5, {}, { items: [shoes] }),
    ];
    const daily = events.map((event) => ({ ...event, ...lastClick('google', 'organic', 'x') }));
    for (const order of fewerInQuick([
      [events, daily],
      [daily, events],
      [[...events, ...daily], []],
    ])) {
      await translateFiles(
        { 'a.json': ndjson(order[0] ?? []), 'b.json': ndjson([...(order[1] ?? []), ga4Event('scroll', 9)]) },
        async ({ rows }) => {
          expect(await rows('sessions', 'source, medium, page_views, engagement_s')).toEqual([
            ['google', 'organic', 1, 1],
          ]);
          expect(await rows('product_events', 'kind, external_product_id')).toEqual([['view', 'SHOE']]);
        },
      );
    }
  });

  it('are not made of events without a visitor, and the report says how many there are', () =>
    translateFiles(
      {
        'a.json': ndjson([
          ga4Event('page_view', 0),
          ga4Event('page_view', 1, {}, { user_pseudo_id: null }),
          ga4Event('page_view', 2, { ga_session_id: null }),
        ]),
      },
      async ({ rows, sources }) => {
        expect(await rows('sessions', 'page_views')).toEqual([[1]]);
        expect(sources[0]?.assumptions).toContain(
          '2 events have no user_pseudo_id or no ga_session_id (no consent): of no visit',
        );
      },
    ));

  it('are those of customers by user_id: an id of the shop, or an address, of which a hash is kept', () =>
    translateFiles(
      {
        'a.json': ndjson([
          ga4Event('page_view', 0),
          ga4Event('login', 5, {}, { user_id: '8137' }),
          ga4Event('page_view', 0, { ga_session_id: 2 }, { user_id: 'ann@example.com' }),
        ]),
      },
      async ({ rows }) => {
        expect(await rows('profiles', 'external_customer_id, email_hash is null, email_domain')).toEqual([
          ['8137', true, null],
          [null, false, 'example.com'],
        ]);
        expect(JSON.stringify(await rows('sessions', '*'))).not.toContain('ann@');
        expect(await rows('sessions', 'count(profile_id)')).toEqual([[2]]);
      },
    ));
});

describe('values', () => {
  const events = [
    ga4Event('page_view', 0, { session_engaged: '1' }),
    ga4Event('page_view', 1, { session_engaged: 1 }),
    purchase(10, 'T1', 65),
    purchase(20, 4711, 65.5),
    purchase(30, 'T3', 7, { ecommerce: { transaction_id: '(not set)', purchase_revenue: null } }),
    purchase(40, '(not set)', 1),
    purchase(50, 'undefined', 1),
  ];
  const expected = [
    ['4711', 65.5, 'EUR', 3.5, 5],
    ['T1', 65, 'EUR', 3.5, 5],
    ['T3', 7, 'EUR', 3.5, 5],
  ];

  it.each([
    ['JSON lines', events],
    ['JSON of bq extract: whole numbers as text, empty fields left out', events.map(asBqExtract)],
  ])('are read whatever slot they stand in: %s', (_, written) =>
    translateFiles(
      { 'a.json': ndjson(written) },
      async ({ rows, sources }) => {
        expect(await rows('orders', 'number, total, currency, tax, shipping')).toEqual(expected);
        expect(sources[0]?.assumptions).toContain('2 purchases have no transaction_id, and so no order');
      },
      { 'orders-from': 'ga4' },
    ),
  );

  it.each(
    fewerInQuick([
      ['as they are', '*'],
      [
        'as pandas writes them: columns without values as whole numbers',
        '* exclude (event_date), null::bigint as user_id, null::bigint as collected_traffic_source, null::bigint as geo',
      ],
      ['with moments as such', '* replace (make_timestamp(event_timestamp) as event_timestamp)'],
      ['in columns of other letters', 'event_name as "Event_Name", * exclude (event_name)'],
    ]),
  )('are read from Parquet %s', async (_, select) => {
    using folder = temporaryFolder();
    const files = join(folder.path, 'export');
    await writeParquet(files, 'part-0.parquet', events.slice(0, 4), select);
    await writeParquet(files, 'part-1.parquet', events.slice(4), select);
    await translateFiles(
      files,
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(sources[0]).toMatchObject({ source: 'ga4-events', rows: 7, makes_orders: true });
        expect(await rows('orders', 'number, total, currency, tax, shipping')).toEqual(expected);
        expect(await rows('sessions', 'started_at, page_views')).toEqual([[new Date(TEN / 1000), 2]]);
      },
      { 'orders-from': 'ga4' },
    );
  });

  it('have their own places in Parquet and JSON of one import', async () => {
    using folder = temporaryFolder();
    const files = join(folder.path, 'export');
    await writeParquet(files, 'b.parquet', events.slice(0, 2));
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(files, 'a.json'), ndjson(events.slice(2)));
    writeFileSync(join(files, 'c.json'), `${ndjson([events[0] as Ga4Event])}{"event_name": 1,\n`);
    await translateFiles(files, async ({ rows, rejects }) => {
      expect(await rows('sessions', 'page_views')).toEqual([[2]]);
      expect(rejects).toEqual([{ file: 'c.json', line: 2, reason: 'is no JSON document' }]);
    });
  });

  it('are refused when they are ids saved as numbers, since digits are lost', async () => {
    using folder = temporaryFolder();
    const files = join(folder.path, 'export');
    await writeParquet(files, 'a.parquet', events, '* replace (user_pseudo_id::double as user_pseudo_id)');
    expect(await refusalOf(files)).toContain('has "user_pseudo_id" as a number, by which ids lost digits');
  });
});

describe('products', () => {
  it('are seen, put into carts and taken out; without an id they are counted in the report', () =>
    translateFiles(
      {
        'a.json': ndjson([
          ga4Event('view_item', 0, {}, { items: [shoes, shoes, { item_id: '(not set)', item_name: 'x' }] }),
          ga4Event('view_item', 0, {}, { items: [socks] }),
          ga4Event('add_to_cart', 1, {}, { items: [shoes] }),
          ga4Event('remove_from_cart', 2, {}, { items: [shoes] }),
          ga4Event(
            'add_to_wishlist',
            3,
            {},
            { items: [socks, { item_id: '<Other>' }, { item_id: '(data deleted)' }] },
          ),
          ga4Event('view_item_list', 4, {}, { items: [socks] }),
        ]),
      },
      async ({ rows, sources, counts }) => {
        expect(await rows('product_events', 'kind, external_product_id, session_id')).toEqual([
          ['add_to_cart', 'SHOE', '1111111111.2222222222.1'],
          ['remove_from_cart', 'SHOE', '1111111111.2222222222.1'],
          ['view', 'SHOE', '1111111111.2222222222.1'],
          ['view', 'SOCK', '1111111111.2222222222.1'],
          ['wishlist', 'SOCK', '1111111111.2222222222.1'],
        ]);
        expect(counts.product_events?.read).toBe(5);
        expect(sources[0]?.assumptions).toContain('3 products in views and carts have no item_id: not read');
      },
    ));
});

describe('purchases', () => {
  const events = [
    ga4Event('page_view', 0),
    purchase(20, 'T1', 70),
    // The page of thanks, loaded again.
    purchase(10, 'T1', 65, { batch_event_index: 3 }),
    purchase(30, 'T2', 65),
    ga4Event('refund', 100, { transaction_id: 'T2', value: 12.5 }),
    ga4Event('refund', 200, { transaction_id: 'T1' }),
  ];

  it('are orders where that was said: of one transaction the earliest', () =>
    translateFiles(
      { 'a.json': ndjson(events) },
      async ({ rows, sources }) => {
        expect(await rows('orders', 'order_id, number, ordered_at, total, visitor_id, session_id')).toEqual([
          [
            'ga4 T1',
            'T1',
            new Date('2026-03-05T10:00:10Z'),
            65,
            '1111111111.2222222222',
            '1111111111.2222222222.1',
          ],
          [
            'ga4 T2',
            'T2',
            new Date('2026-03-05T10:00:30Z'),
            65,
            '1111111111.2222222222',
            '1111111111.2222222222.1',
          ],
        ]);
        expect(
          await rows('order_items', 'order_id, external_product_id, name, quantity, unit_price'),
        ).toEqual([
          ['ga4 T1', 'SHOE', 'Shoe', 2, 30],
          ['ga4 T1', 'SOCK', 'Sock', 1, 5],
          ['ga4 T2', 'SHOE', 'Shoe', 2, 30],
          ['ga4 T2', 'SOCK', 'Sock', 1, 5],
        ]);
        expect(await rows('refunds', 'order_id, amount')).toEqual([
          ['ga4 T1', 65],
          ['ga4 T2', 12.5],
        ]);
        expect(sources[0]?.assumptions).toContain('1 purchase repeats a transaction_id: the earliest counts');
      },
      { 'orders-from': 'ga4' },
    ));

  it('are otherwise none, but tell which visit an order of the shop was placed in', () =>
    translateFiles({ 'a.json': ndjson(events) }, async ({ rows, sources, counts }) => {
      expect(Object.keys(counts)).not.toContain('orders');
      expect(sources[0]).toMatchObject({ makes_orders: false });
      expect(await rows('order_visits', 'reference, visitor_id, session_id, "at"')).toEqual([
        ['T1', '1111111111.2222222222', '1111111111.2222222222.1', new Date('2026-03-05T10:00:10Z')],
        ['T2', '1111111111.2222222222', '1111111111.2222222222.1', new Date('2026-03-05T10:00:30Z')],
      ]);
    }));

  it.each(
    fewerInQuick([
      ['of a currency that nobody set', { currency: '(not set)' }],
      ['without a currency', {}],
    ]),
  )('%s are asked about', async (_, currency) => {
    const event = ga4Event('purchase', 0, { transaction_id: 'T1', value: 5, ...currency });
    const files = { 'a.json': ndjson([event]) };
    expect(await refusalOf(files, { 'orders-from': 'ga4' })).toContain(
      'a purchase without a currency: 1 row',
    );
    await translateFiles(
      files,
      async ({ rows }) => expect(await rows('orders', 'currency, total')).toEqual([['CZK', 5]]),
      { 'orders-from': 'ga4', currency: 'CZK' },
    );
  });
});

describe('files that cannot be read', () => {
  it.each([
    [
      'a report of the interface',
      '# ----------------------------------------\n# Pages and screens\n# Start date: 20260301\n# ----------------------------------------\nPage path,Views\n/,5\n',
    ],
    [
      'an export of Universal Analytics',
      'Default Channel Grouping,Users,Sessions,Bounce Rate\nDirect,5,5,20%\n',
    ],
    [
      'a BigQuery export of Universal Analytics',
      `${JSON.stringify({ visitId: 1, fullVisitorId: '12', hits: [] })}\n`,
    ],
  ])('are refused by name, with what to export instead: %s', async (_, text) => {
    const refusal = await refusalOf({ 'a.csv': text });
    expect(refusal).toMatch(
      /a\.csv is (a report of Google Analytics|an export of Universal Analytics), which cannot/,
    );
    expect(refusal).toContain('use the BigQuery export');
  });

  it('are refused where they are Parquet: cut off, without a column, of Universal Analytics', async () => {
    using folder = temporaryFolder();
    const whole = await writeParquet(join(folder.path, 'whole'), 'a.parquet', [ga4Event('page_view', 0)]);
    const bytes = readFileSync(whole);
    expect(await refusalOf({ 'a.parquet': bytes.subarray(0, bytes.length - 20) })).toMatch(
      /^a\.parquet cannot be read as parquet/,
    );
    const universal = join(folder.path, 'universal');
    await writeParquet(universal, 'a.parquet', [{ visitId: 1, fullVisitorId: '12', hits: [{ time: 1 }] }]);
    expect(await refusalOf(universal)).toContain('a.parquet is an export of Universal Analytics');
    const odd = join(folder.path, 'odd');
    await writeParquet(odd, 'a.parquet', [ga4Event('page_view', 0)], '* replace (1 as event_params)');
    expect(await refusalOf(odd)).toContain('lacks "event_params" (in which visit)');
  });

  it('have rows listed that are no event', () =>
    translateFiles(
      {
        'a.json': `${ndjson([ga4Event('page_view', 0), { event_name: 'x', user_pseudo_id: '1', event_params: [] }])}{"event_name": "page_v`,
      },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([
          { file: 'a.json', line: 2, reason: 'has no event_name, or no event_timestamp of our calendar' },
          { file: 'a.json', line: 3, reason: 'is no JSON document' },
        ]);
        expect(await rows('sessions', 'count(*)')).toEqual([[1]]);
        expect(sources[0]?.assumptions[0]).toContain('the last line of a.json does not end');
      },
    ));

  describe('with a year that no calendar of ours has', () => {
    const MOMENTS = ['400000000000000000', '4611686018427387905', '9223372036854775807', '-1'];
    const translated = translatedOnce({
      'a.json': ndjson([
        ga4Event('page_view', 0),
        ...MOMENTS.map((event_timestamp) => ({
          ...ga4Event('view_item', 0, {}, { items: [shoes] }),
          ...{ event_timestamp, user_pseudo_id: '1.2' },
        })),
      ]),
    });

    it.each(MOMENTS)('are rejected: of %s microseconds', async (moment) => {
      expect(translated().rejects).toContainEqual({
        ...{ file: 'a.json', line: 2 + MOMENTS.indexOf(moment) },
        reason: 'has no event_name, or no event_timestamp of our calendar',
      });
    });

    it('and leave nothing', async () => {
      const { rows, rejects } = translated();
      expect(rejects).toHaveLength(MOMENTS.length);
      expect(await rows('sessions', 'count(*)')).toEqual([[1]]);
      expect(await rows('product_events', 'count(*)')).toEqual([[0]]);
    });
  });
});

const files = samples('ga4');
it.skipIf(isQuick || files.length === 0)(
  `samples are what an independent count says (${NO_SAMPLES}: nothing to count)`,
  async () => {
    using folder = temporaryFolder();
    for (const { name, path } of files) {
      const isParquet = name.endsWith('.parquet');
      const events: Ga4Event[] = isParquet
        ? await readParquet(path)
        : readFileSync(path, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line));
      const counted = countGa4(events);
      const { copyFileSync, mkdirSync } = await import('node:fs');
      const copy = join(folder.path, name);
      mkdirSync(copy);
      copyFileSync(path, join(copy, name));
      await translateFiles(
        copy,
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          const [found] = await rows(
            'sessions',
            'count(*), cast(sum(page_views) as bigint), cast(round(sum(engagement_s) * 1000) as bigint)',
          );
          expect(found?.map(Number), name).toEqual([counted.visits, counted.pageViews, counted.engagementMs]);
          const kinds = await rows(
            'product_events',
            "count(*) filter (kind = 'view'), count(*) filter (kind = 'add_to_cart')",
          );
          expect(kinds, name).toEqual([[counted.events('view_item'), counted.events('add_to_cart')]]);
          expect(await rows('orders', 'count(*), round(sum(total) * 100)'), name).toEqual([
            [counted.transactions.length, counted.revenueCents],
          ]);
        },
        { 'orders-from': 'ga4' },
      );
    }
  },
);
