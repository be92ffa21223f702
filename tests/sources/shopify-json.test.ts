import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NO_SAMPLES, samples } from './samples.ts';
import { csvOf, refusalOf, translatedOnce, translateFiles } from './translated.ts';

/** An order of two mugs and a plate, 5.00 off the order, shipping 4.00, one mug sent back. */
const REST = {
  id: 1001,
  name: '#1',
  created_at: '2026-03-29T03:30:00+02:00',
  processed_at: '2026-03-29T01:30:00+01:00',
  updated_at: '2026-04-01T00:00:00+02:00',
  cancelled_at: null,
  financial_status: 'partially_refunded',
  fulfillment_status: 'fulfilled',
  test: false,
  email: 'ann@example.com',
  phone: null,
  currency: 'EUR',
  total_price: '49.00',
  subtotal_price: '45.00',
  total_tax: '7.82',
  taxes_included: true,
  total_discounts: '5.00',
  total_shipping_price_set: { shop_money: { amount: '4.00' }, presentment_money: { amount: '99.00' } },
  discount_codes: [{ code: 'FIVE', amount: '5.00' }, { code: 'HELLO' }],
  payment_gateway_names: ['stripe', 'gift_card'],
  shipping_lines: [{ title: 'DHL', price: '4.00' }],
  shipping_address: { country_code: 'DE', name: 'Ann Example', phone: '+420601234567' },
  landing_site: '/mugs?utm_source=news&utm_medium=email&utm_campaign=spring+sale&email=ann%40example.com',
  customer: { id: 77, phone: null },
  line_items: [
    {
      ...{ id: 11, sku: 'MUG', name: 'Mug - Blue', quantity: 2, price: '20.00', vendor: 'Us' },
      ...{ discount_allocations: [{ amount: '4.00' }] },
    },
    {
      ...{ id: 12, sku: '', name: 'Plate', quantity: 1, price: '10.00', vendor: 'Us' },
      ...{ discount_allocations: [{ amount: '1.00' }] },
    },
  ],
  refunds: [
    {
      ...{ id: 501, created_at: '2026-04-01T00:00:00+02:00' },
      transactions: [
        { kind: 'refund', status: 'success', amount: '18.00' },
        { kind: 'refund', status: 'failure', amount: '18.00' },
      ],
      refund_line_items: [{ line_item_id: 11, quantity: 1, subtotal: '18.00', total_tax: '2.87' }],
    },
  ],
};

const amount = (value: string) => ({ shopMoney: { amount: value }, presentmentMoney: { amount: '1.00' } });

const GRAPHQL_LINES = [
  {
    ...{ id: 'gid://shopify/LineItem/11', sku: 'MUG', name: 'Mug - Blue', quantity: 2, vendor: 'Us' },
    ...{ originalUnitPriceSet: amount('20.0'), discountAllocations: [{ allocatedAmountSet: amount('4.0') }] },
  },
  {
    ...{
      id: 'gid://shopify/LineItem/12',
      sku: null,
      title: 'Plate',
      variantTitle: null,
      quantity: 1,
      vendor: 'Us',
    },
    ...{ originalUnitPriceSet: amount('10.0'), discountedUnitPriceAfterAllDiscountsSet: amount('9.0') },
  },
];

const GRAPHQL = {
  id: 'gid://shopify/Order/1001?key=1',
  name: '#1',
  processedAt: '2026-03-29T00:30:00Z',
  updatedAt: '2026-03-31T22:00:00Z',
  cancelledAt: null,
  displayFinancialStatus: 'PARTIALLY_REFUNDED',
  displayFulfillmentStatus: 'FULFILLED',
  test: false,
  email: 'ann@example.com',
  currencyCode: 'EUR',
  totalPriceSet: amount('49.0'),
  subtotalPriceSet: amount('45.0'),
  totalTaxSet: amount('7.82'),
  totalDiscountsSet: amount('5.0'),
  totalShippingPriceSet: amount('4.0'),
  discountCodes: ['FIVE', 'HELLO'],
  paymentGatewayNames: ['stripe', 'gift_card'],
  shippingLine: { title: 'DHL' },
  shippingAddress: { countryCodeV2: 'DE' },
  customer: { id: 'gid://shopify/Customer/77' },
  refunds: [
    {
      ...{
        id: 'gid://shopify/Refund/501',
        createdAt: '2026-03-31T22:00:00Z',
        totalRefundedSet: amount('18.0'),
      },
      refundLineItems: {
        edges: [
          {
            node: { lineItem: { id: 'gid://shopify/LineItem/11' }, quantity: 1, subtotalSet: amount('18.0') },
          },
        ],
      },
    },
  ],
};

const ORDER = `order_id, number, cast(ordered_at as varchar), email_hash is not null, external_customer_id, status, is_test,
  currency, total, subtotal, tax, shipping, discount, coupon_codes, payment_method, shipping_method, country`;
const LINE = 'order_id, line_no, kind, external_product_id, name, quantity, unit_price';
const REFUND = 'refund_id, order_id, cast(refunded_at as varchar), amount';

const EXPECTED = {
  orders: [
    [
      ...['1001', '#1', '2026-03-29 00:30:00', true, '77', 'fulfilled', false, 'EUR', 49, 45, 7.82, 4, 5],
      ...[['FIVE', 'HELLO'], 'stripe + gift_card', 'DHL', 'DE'],
    ],
  ],
  lines: [
    ['1001', 1, 'product', 'MUG', 'Mug - Blue', 2, 18],
    ['1001', 2, 'product', 'name:Plate', 'Plate', 1, 9],
  ],
  refunds: [['501', '1001', '2026-03-31 22:00:00', 18]],
  refundLines: [['501', '1001', 1, 'MUG', 1, 18]],
};

const ndjson = (...documents: object[]) =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');

it('knows test orders, of REST and of GraphQL', () =>
  translateFiles(
    {
      'rest.json': JSON.stringify({ orders: [REST, { ...REST, id: 1002, test: true }] }),
      'graphql.ndjson': ndjson(
        ...[{ id: 'gid://shopify/Order/1003' }, { id: 'gid://shopify/Order/1004', test: true }].map(
          (told) => ({
            ...GRAPHQL,
            ...told,
            lineItems: { nodes: [] },
          }),
        ),
      ),
    },
    async ({ rows }) =>
      expect(await rows('orders', 'order_id, is_test')).toEqual([
        ['1001', false],
        ['1002', true],
        ['1003', false],
        ['1004', true],
      ]),
  ));

describe('an order comes out the same', () => {
  const bulk = GRAPHQL_LINES.map((line) => ({ ...line, __parentId: 'gid://shopify/Order/1001?key=1' }));
  const CASES: readonly (readonly [name: string, text: string])[] = [
    ['in an answer of REST', JSON.stringify({ orders: [REST] }, null, 2)],
    ['as one order of REST', JSON.stringify({ order: REST })],
    ['as a list', JSON.stringify([REST])],
    ['as a webhook a line', ndjson(REST)],
    [
      'twice, the last change counts',
      ndjson(REST, { ...REST, total_price: '1.00', updated_at: '2026-03-30T00:00:00Z' }),
    ],
    ['with lines inside, of GraphQL', ndjson({ ...GRAPHQL, lineItems: { nodes: GRAPHQL_LINES } })],
    [
      'in an answer of GraphQL',
      JSON.stringify({
        data: { orders: { edges: [{ node: { ...GRAPHQL, lineItems: { nodes: GRAPHQL_LINES } } }] } },
      }),
    ],
    ['with edges', ndjson({ ...GRAPHQL, lineItems: { edges: GRAPHQL_LINES.map((node) => ({ node })) } })],
    ['with lines after it, of a bulk operation', ndjson(GRAPHQL, ...bulk)],
    ['with lines before it', ndjson(...bulk, GRAPHQL)],
    [
      'with other objects of the bulk operation',
      ndjson({ ...GRAPHQL, id: 'gid://shopify/Order/1001' }, ...bulk, {
        id: 'gid://shopify/Metafield/3',
        __parentId: 'gid://shopify/Order/1001',
      }),
    ],
  ];
  /**
   * The order of a case, and its refund, get ids of their own: 1001 and 501 in the first, 1002 and 502 in the
   * second.
   */
  const withIds = (text: string, index: number) =>
    text.replaceAll('1001', `${1001 + index}`).replaceAll('501', `${501 + index}`);
  const translated = translatedOnce(
    Object.fromEntries(CASES.map(([, text], index) => [`export-${index}.json`, withIds(text, index)])),
  );

  it.each(CASES.map(([name], index) => [name, index] as const))('%s', async (_, index) => {
    const { rows, rejects } = translated();
    const ofCase = `order_id = '${1001 + index}'`;
    const expected = JSON.parse(withIds(JSON.stringify(EXPECTED), index));
    expect(rejects.filter(({ file }) => file === `export-${index}.json`)).toEqual([]);
    expect(await rows('orders', ORDER, ofCase)).toEqual(expected.orders);
    expect(await rows('order_items', LINE, ofCase)).toEqual(expected.lines);
    expect(await rows('refunds', REFUND, ofCase)).toEqual(expected.refunds);
    expect(
      await rows(
        'refund_lines',
        'refund_id, order_id, line_no, external_product_id, quantity, amount',
        ofCase,
      ),
    ).toEqual(expected.refundLines);
  });

  it('and nothing else comes out', () => {
    const { counts } = translated();
    expect(counts).toMatchObject({
      orders: { loaded: CASES.length },
      order_items: { loaded: 2 * CASES.length },
      refunds: { loaded: CASES.length },
      refund_lines: { loaded: CASES.length },
    });
  });
});

describe('the origin of an order', () => {
  const NAMES = ['%FF', '%E9t%E9', '%F0%9F'];
  const lastVisit = {
    ...{
      landingPage: 'https://shop.example/mugs?utm_source=x&email=ann%40example.com',
      occurredAt: '2026-03-28T20:00:00Z',
    },
    ...{
      referrerUrl: 'https://www.google.com/search?q=mug',
      utmParameters: { source: 'google', medium: 'cpc', campaign: 'mugs' },
    },
  };
  const translated = translatedOnce({
    'order.json': ndjson(
      REST,
      { ...GRAPHQL, id: 'gid://shopify/Order/2000', customerJourneySummary: { lastVisit } },
      ...NAMES.map((name, index) => ({ ...REST, id: index, landing_site: `/?utm_source=${name}` })),
    ),
  });

  it('is in the query of its landing page, of which nothing else is kept', async () => {
    expect(
      await translated().rows(
        'orders',
        'utm_source, utm_medium, utm_campaign, session_id, visitor_id',
        "order_id = '1001'",
      ),
    ).toEqual([['news', 'email', 'spring sale', null, 'shopify customer 77']]);
  });

  it.each(NAMES)('is as it stands there where %s is no UTF-8', async (name) =>
    expect(await translated().rows('orders', 'utm_source', `order_id = '${NAMES.indexOf(name)}'`)).toEqual([
      [name],
    ]),
  );

  it('is the last visit before it, which is a session', async () => {
    const { rows } = translated();
    expect(
      await rows('orders', 'utm_source, utm_medium, utm_campaign, session_id', "order_id = '2000'"),
    ).toEqual([['google', 'cpc', 'mugs', 'shopify order 2000']]);
    // The only one: landing pages make none.
    expect(
      await rows(
        'sessions',
        'session_id, visitor_id, cast(started_at as varchar), source, medium, campaign, referrer_host, landing_path',
      ),
    ).toEqual([
      [
        'shopify order 2000',
        'shopify customer 77',
        '2026-03-28 20:00:00',
        'google',
        'cpc',
        'mugs',
        'www.google.com',
        '/mugs',
      ],
    ]);
  });
});

describe('statuses', () => {
  it('are ours, by what was paid, sent and cancelled', () => {
    const changes: [object, string][] = [
      [{ financial_status: 'paid', fulfillment_status: null }, 'paid'],
      [{ financial_status: 'pending' }, 'pending'],
      [{ financial_status: 'refunded', fulfillment_status: null }, 'paid'],
      [{ financial_status: 'voided' }, 'cancelled'],
      [{ cancelled_at: '2026-04-02T00:00:00Z' }, 'cancelled'],
    ];
    const orders = changes.map(([change], index) => ({ ...REST, ...change, id: index + 1, refunds: [] }));
    return translateFiles({ 'orders.json': ndjson(...orders) }, async ({ rows }) => {
      expect(await rows('orders', 'order_id, status')).toEqual(
        changes.map(([, status], index) => [String(index + 1), status]),
      );
    });
  });

  it('are asked about when they are not known', async () => {
    const text = ndjson({ ...REST, financial_status: 'on_hold' });
    expect(await refusalOf({ 'order.json': text })).toContain(
      'a financial status that Shopify does not document: 1 row, the first is order.json line 1. Say --status',
    );
    await translateFiles(
      { 'order.json': text },
      async ({ rows }) => expect(await rows('orders', 'status')).toEqual([['pending']]),
      { status: 'on_hold=pending' },
    );
  });
});

it('a document of another kind is rejected, and drafts and checkouts are no orders', () =>
  translateFiles(
    {
      'orders.json': `${ndjson(REST, { id: 5, name: '#D1', total_price: '1.00', line_items: [], status: 'open' }, { id: 6, total_price: '1.00', line_items: [], completed_at: null })}{"id": 7, "line_items"\n${ndjson(
        { id: 'gid://shopify/LineItem/9', __parentId: 'gid://shopify/Order/404' },
        { message: 'throttled' },
      )}`,
    },
    async ({ rows, rejects }) => {
      expect(await rows('orders', 'order_id')).toEqual([['1001']]);
      expect(rejects.map(({ line, reason }) => [line, String(reason).split(':')[0]])).toEqual([
        [2, 'is no order, refund, product or customer of Shopify'],
        [3, 'is no order, refund, product or customer of Shopify'],
        [4, 'is no JSON document'],
        [5, 'is a line of an order that is not in the files'],
        [6, 'is no order, refund, product or customer of Shopify'],
      ]);
    },
  ));

it("a discount that the lines do not name is shared out by their value, as in the admin's export", () =>
  translateFiles(
    {
      'order.json': ndjson({
        ...REST,
        line_items: REST.line_items.map(({ discount_allocations: _, ...line }) => line),
      }),
    },
    async ({ rows }) => {
      expect(await rows('order_items', 'external_product_id, unit_price')).toEqual([
        ['MUG', 18],
        ['name:Plate', 9],
      ]);
    },
  ));

it("its refunds take the place of the one that the admin's export has", () => {
  const csv = csvOf(
    ['Id', 'Name', 'Created at', 'Total', 'Currency', 'Financial Status', 'Refunded Amount', 'Lineitem name'],
    [
      {
        ...{
          Id: '1001',
          Name: '#1',
          'Created at': '2026-03-29 01:30:00 +0100',
          Total: '49.00',
          Currency: 'EUR',
        },
        ...{
          'Financial Status': 'partially_refunded',
          'Refunded Amount': '18.00',
          'Lineitem name': 'Mug - Blue',
        },
      },
    ],
  );
  return translateFiles(
    { 'orders_export.csv': csv, 'order.json': ndjson(REST) },
    async ({ rows, sources }) => {
      expect(sources.map(({ source }) => source)).toEqual(['shopify-orders-csv', 'shopify-json']);
      expect(await rows('refunds', 'refund_id, amount')).toContainEqual(['501', 18]);
      expect(await rows('refunds', 'refund_id, amount')).not.toContainEqual(['1001_refunds', 18]);
    },
  );
});

describe('a refund that was paid in the currency of a buyer abroad', () => {
  const abroad = (more: object) => ({
    ...{ id: 501, created_at: '2026-04-01T00:00:00+02:00', order_adjustments: [] },
    transactions: [{ kind: 'refund', status: 'success', amount: '450.00', currency: 'CZK' }],
    refund_line_items: [{ line_item_id: 11, quantity: 1, subtotal: '18.00', total_tax: '2.87' }],
    ...more,
  });
  const CASES: readonly (readonly [expected: number | null, refund: object, order: object])[] = [
    // The tax is in the prices of this order.
    [18, {}, {}],
    [20.87, {}, { taxes_included: false }],
    [null, {}, { taxes_included: undefined }],
    [450, { transactions: [{ kind: 'refund', amount: '450.00', currency: 'EUR' }] }, {}],
    [null, { refund_line_items: [] }, {}],
    [null, { order_adjustments: [{ kind: 'shipping_refund', amount: '-3.00' }] }, {}],
    [null, { order_adjustments: undefined }, {}],
  ];
  const translated = translatedOnce({
    'order.json': ndjson(
      ...CASES.map(([, more, order], id) => ({ ...REST, ...order, id, refunds: [abroad({ ...more, id })] })),
    ),
  });

  it.each(CASES.map(([expected, more, order], id) => [expected, more, order, id] as const))(
    'is %s: %j %j',
    async (expected, _more, _order, id) => {
      const { rows, rejects } = translated();
      expect(await rows('refunds', 'amount', `order_id = '${id}'`)).toEqual(
        expected === null ? [] : [[expected]],
      );
      expect(rejects.filter(({ line }) => line === id + 1).map(({ reason }) => reason)).toEqual(
        expected === null ? [expect.stringContaining('in another currency than its order')] : [],
      );
    },
  );
});

const ALONE = {
  ...{ id: 502, order_id: 9, created_at: '2026-04-03T00:00:00Z', transactions: [] },
  refund_line_items: [
    {
      line_item_id: 99,
      line_item: { sku: 'BOWL', name: 'Bowl' },
      quantity: 2,
      subtotal: '7.00',
      total_tax: '0.00',
    },
  ],
};

describe('a refund that comes', () => {
  const own = (index: number) => ({ ...ALONE, id: 502 + index });
  const TEXTS = {
    'by itself': ndjson(REST, own(0)),
    'as an answer': ndjson(REST, { refund: own(1) }),
    'in a list': ndjson({ refunds: [own(2)] }, REST),
  };
  const translated = translatedOnce(
    Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [`${name}.json`, text])),
  );

  it.each(Object.keys(TEXTS).map((name, index) => [name, `${502 + index}`] as const))(
    '%s names its products',
    async (_, id) => {
      const { rows } = translated();
      expect(await rows('refunds', REFUND)).toContainEqual([id, '9', '2026-04-03 00:00:00', 7]);
      expect(
        await rows('refund_lines', 'refund_id, line_no, external_product_id, quantity, amount'),
      ).toContainEqual([id, null, 'BOWL', 2, 7]);
    },
  );
});

const PRODUCT = {
  ...{
    id: 632,
    title: 'Mug',
    handle: 'mug',
    vendor: 'Us',
    product_type: 'Kitchen',
    status: 'active',
    body_html: '<p>Big &amp; blue</p>',
  },
  images: [{ src: 'https://cdn.example/mug.png' }],
  variants: [
    {
      ...{ id: 1, title: 'Blue / L', sku: 'MUG', price: '20.00', compare_at_price: '25.00', barcode: '859' },
      ...{ inventory_quantity: 3, inventory_policy: 'deny', inventory_management: 'shopify' },
    },
    { id: 2, title: 'Red', sku: null, price: '21.00', inventory_quantity: 0, inventory_management: null },
  ],
};
const VARIANT =
  'external_product_id, external_master_product_id, name, sku, brand, price, original_price, purchase_price, in_stock, stock_quantity';

describe('products', () => {
  const translated = translatedOnce({
    'product.json': JSON.stringify({ product: PRODUCT }),
    'bulk.jsonl': ndjson(
      {
        ...{ id: 'gid://shopify/ProductVariant/4', __parentId: 'gid://shopify/Product/633' },
        ...{ title: 'Blue / L', sku: 'CUP', price: '20.00' },
        ...{ compareAtPrice: null, inventoryQuantity: 3, inventoryPolicy: 'DENY' },
        inventoryItem: { tracked: true, unitCost: { amount: '8.5' } },
      },
      {
        ...{ id: 'gid://shopify/Product/633', title: 'Cup', handle: 'cup' },
        ...{ vendor: 'Us', productType: 'Kitchen', status: 'ARCHIVED' },
      },
    ),
    'halves.jsonl': ndjson(
      { id: 'gid://shopify/Product/1', title: 'Bowl', productType: '', variants: { nodes: [] } },
      { id: 'gid://shopify/ProductVariant/3', __parentId: 'gid://shopify/Product/2', price: '20.00' },
    ),
  });

  it('have a row for each variant, under the ids that lines have', async () => {
    expect(await translated().rows('products', VARIANT, "external_master_product_id = 'mug'")).toEqual([
      ['MUG', 'mug', 'Mug - Blue / L', 'MUG', 'Us', 20, 25, null, true, 3],
      ['name:Mug - Red', 'mug', 'Mug - Red', null, 'Us', 21, null, null, null, null],
    ]);
  });

  it('are told when they have no variants, and so are variants without products', async () => {
    const { rows, sources } = translated();
    expect(await rows('products', 'count(*)')).toEqual([[3]]);
    expect(sources[0]?.assumptions.join()).toContain('1 product is without variants');
    expect(sources[0]?.assumptions.join()).toContain('1 variant is of a product that the files do not have');
  });

  it('have purchase prices in a bulk operation', async () => {
    expect(
      await translated().rows('products', `${VARIANT}, discontinued`, "external_master_product_id = 'cup'"),
    ).toEqual([['CUP', 'cup', 'Cup - Blue / L', 'CUP', 'Us', 20, null, 8.5, true, 3, true]]);
  });
});

describe('customers', () => {
  const CUSTOMERS = {
    REST: {
      ...{
        id: 77,
        email: 'ann@example.com',
        phone: '+420601234567',
        orders_count: 2,
        tags: 'vip, wholesale',
      },
      default_address: { country_code: 'CZ', name: 'Ann Example' },
      email_marketing_consent: { state: 'subscribed', consent_updated_at: '2026-01-02T03:04:05Z' },
      sms_marketing_consent: { state: 'not_subscribed', consent_updated_at: null },
    },
    GraphQL: {
      ...{ id: 'gid://shopify/Customer/78', email: 'bob@example.com', phone: '+420601234568' },
      tags: ['vip', 'wholesale'],
      defaultAddress: { countryCodeV2: 'CZ' },
      emailMarketingConsent: { marketingState: 'SUBSCRIBED', consentUpdatedAt: '2026-01-02T03:04:05Z' },
      smsMarketingConsent: { marketingState: 'NOT_SUBSCRIBED', consentUpdatedAt: null },
    },
  };
  const translated = translatedOnce({ 'customers.json': ndjson(...Object.values(CUSTOMERS)) });

  it.each([
    ['REST', '77'],
    ['GraphQL', '78'],
  ])('have their consents with the moment of each in %s', async (_, id) => {
    const { rows } = translated();
    const ofCase = `profile_id = '${id}'`;
    expect(
      await rows(
        'profiles',
        'profile_id, email_hash is not null, external_customer_id, country, tags',
        ofCase,
      ),
    ).toEqual([[id, true, id, 'CZ', ['vip', 'wholesale']]]);
    expect(
      await rows('consent_events', 'profile_id, channel, cast("at" as varchar), state, source', ofCase),
    ).toEqual([[id, 'email', '2026-01-02 03:04:05', 'subscribed', 'import']]);
  });
});

const bodies = samples('shopify-rest').filter(({ name }) => /^(order|product|customer)/.test(name));

describe.skipIf(bodies.length === 0)(`official bodies (skipped ${NO_SAMPLES})`, () => {
  interface Body {
    readonly id: number;
    readonly total_price?: string;
    readonly line_items?: readonly { readonly quantity: number }[];
    readonly variants?: readonly { readonly sku: string; readonly price: string }[];
  }
  const all = bodies.flatMap(({ path }) => {
    const [content] = Object.values(JSON.parse(readFileSync(path, 'utf8'))) as [Body | Body[]];
    return content;
  });
  const withLinesLast = all.toSorted(
    (one, other) => Number('line_items' in one) - Number('line_items' in other),
  );
  const last = [...new Map(withLinesLast.map((body) => [body.id, body])).values()];

  it('come in with what a plain count finds in them', () =>
    translateFiles(
      Object.fromEntries(bodies.map(({ name, path }) => [name, readFileSync(path, 'utf8')])),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        const count = (list: readonly unknown[]) => list.length;
        const variants = last.flatMap(({ variants = [] }) => variants);
        const prices = [...new Map(variants.map(({ sku, price }) => [sku, Number(price)])).values()];
        expect(await rows('products', 'count(*), sum(price)')).toEqual([
          [prices.length, prices.reduce((sum, price) => sum + price, 0)],
        ]);
        const orders = last.filter(({ line_items, total_price }) => line_items || total_price);
        expect(count(orders)).toBeGreaterThan(0);
        expect(await rows('orders', 'count(*)')).toEqual([[count(orders)]]);
        expect(Number((await rows('order_items', 'sum(quantity)'))[0]?.[0])).toBe(
          orders
            .flatMap(({ line_items = [] }) => line_items)
            .reduce((sum, { quantity }) => sum + quantity, 0),
        );
      },
    ));
});
