import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NO_SAMPLES, samples } from './samples.ts';
import { refusalOf, translatedOnce, translateFiles } from './translated.ts';

const meta = (key: string, value: string) => ({ id: 1, key, value });

/**
 * Two mugs in blue for 40.00 less 4.00, both with 21 % tax; a plate that was deleted since; shipping and a
 * fee.
 */
const ORDER = {
  ...{
    id: 900,
    number: '1900',
    status: 'completed',
    currency: 'EUR',
    currency_symbol: '€',
    prices_include_tax: false,
  },
  ...{
    date_created: '2026-03-29T03:30:00',
    date_created_gmt: '2026-03-29T01:30:00',
    date_modified_gmt: '2026-04-01T00:00:00',
  },
  ...{
    discount_total: '4.00',
    discount_tax: '0.84',
    shipping_total: '5.00',
    shipping_tax: '1.05',
    total_tax: '10.71',
    total: '61.71',
  },
  ...{ customer_id: 7, payment_method: 'cod', payment_method_title: 'Cash on delivery' },
  billing: { first_name: 'Ann', email: 'ann@example.com', phone: '+420601234567', country: 'CZ' },
  shipping: { country: 'DE' },
  meta_data: [
    meta('_wc_order_attribution_source_type', 'utm'),
    meta('_wc_order_attribution_utm_source', 'news'),
    meta('_wc_order_attribution_utm_medium', 'email'),
    meta('_wc_order_attribution_utm_campaign', 'spring'),
    meta('_wc_order_attribution_referrer', 'https://mail.example/inbox'),
    meta('_wc_order_attribution_session_entry', 'https://shop.example/mugs?email=ann%40example.com'),
    meta('_wc_order_attribution_session_pages', '4'),
    meta('_wc_order_attribution_device_type', 'Mobile'),
  ],
  line_items: [
    {
      id: 1,
      name: 'Mug - Blue',
      product_id: 16,
      variation_id: 17,
      quantity: 2,
      sku: 'MUG',
      subtotal: '40.00',
      total: '36.00',
      total_tax: '7.56',
      meta_data: [],
    },
    {
      id: 2,
      name: 'Plate',
      product_id: 0,
      variation_id: 0,
      quantity: 1,
      sku: '',
      subtotal: '10.00',
      total: '9.00',
      total_tax: '1.89',
      meta_data: [],
    },
  ],
  shipping_lines: [{ id: 3, method_title: 'DHL', total: '5.00', total_tax: '1.05' }],
  fee_lines: [{ id: 4, name: 'Cash on delivery', total: '1.00', total_tax: '0.21' }],
  coupon_lines: [
    { id: 5, code: 'ten', discount: '4.00' },
    { id: 6, code: 'hello', discount: '0' },
  ],
  refunds: [{ id: 950, reason: 'broken', total: '-21.78' }],
};

const REFUND = {
  ...{
    id: 950,
    date_created: '2026-04-05T12:00:00',
    date_created_gmt: '2026-04-05T10:00:00',
    amount: '21.78',
    refunded_by: 1,
  },
  line_items: [
    {
      id: 12,
      name: 'Mug - Blue',
      product_id: 16,
      variation_id: 17,
      quantity: -1,
      total: '-18.00',
      total_tax: '-3.78',
      sku: 'MUG',
      meta_data: [meta('_refunded_item_id', '1')],
    },
  ],
};

const SELECTED = `order_id, number, cast(ordered_at as varchar), email_hash is not null, external_customer_id, status, is_test, currency,
  total, tax, shipping, payment_fee, discount, coupon_codes, payment_method, shipping_method, country, utm_source, utm_medium, utm_campaign, session_id`;
const LINE = 'line_no, kind, external_product_id, name, quantity, unit_price';
const REFUNDED = 'refund_id, order_id, cast(refunded_at as varchar), amount';

const json = (...documents: object[]) =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');

describe('the cost of a payment', () => {
  const of = (id: number, ...notes: (readonly [key: string, value: string])[]) => ({
    ...ORDER,
    ...{ id, refunds: [], meta_data: notes.map(([key, value]) => meta(key, value)) },
  });
  const translated = translatedOnce({
    'costs.json': json(
      of(1),
      of(2, ['_stripe_fee', '1.23'], ['_stripe_currency', 'eur']),
      of(3, ['_stripe_fee', '30.5'], ['_stripe_currency', 'CZK']),
      of(4, ['_wcpay_transaction_fee', '2.1']),
      of(5, ['_wcpay_transaction_fee', '2.1'], ['_wcpay_multi_currency_stripe_exchange_rate', '0.04']),
      of(6, ['PayPal Transaction Fee', '0']),
    ),
  });

  it('is what plugins of payments note in the money of the order, and else not known', async () => {
    const { rows } = translated();
    expect(await rows('orders', 'order_id, payment_cost')).toEqual([
      ['1', null],
      ['2', 1.23],
      ['3', null],
      ['4', 2.1],
      ['5', null],
      ['6', 0],
    ]);
  });
});

describe('an order comes out the same', () => {
  const CASES: readonly (readonly [name: string, text: string])[] = [
    ['as an answer', JSON.stringify([ORDER], null, 2)],
    ['under `data`', JSON.stringify({ data: ORDER })],
    ['as a list under `data`', JSON.stringify({ data: [ORDER] })],
    ['as a webhook a line', json(ORDER)],
    ['with ids as texts', json({ ...ORDER, id: '900', customer_id: '7' })],
    [
      'twice: the last change counts',
      json(ORDER, { ...ORDER, total: '1.00', date_modified_gmt: '2026-03-30T00:00:00' }),
    ],
  ];
  /**
   * The order of a case, and its refund, get ids of their own: 900 and 950 in the first, 901 and 951 in the
   * second.
   */
  const withIds = (text: string, index: number) =>
    text.replaceAll('900', `${900 + index}`).replaceAll('950', `${950 + index}`);
  const translated = translatedOnce(
    Object.fromEntries(CASES.map(([, text], index) => [`orders-${index}.json`, withIds(text, index)])),
  );

  it.each(CASES.map(([name], index) => [name, index] as const))('%s', async (_, index) => {
    const { rows, rejects } = translated();
    const id = `${900 + index}`;
    const ofCase = `order_id = '${id}'`;
    expect(rejects.filter(({ file }) => file === `orders-${index}.json`)).toEqual([]);
    expect(await rows('orders', SELECTED, ofCase)).toEqual([
      [
        ...[id, `1${id}`, '2026-03-29 01:30:00', true, '7', 'fulfilled', false],
        ...['EUR', 61.71, 10.71, 6.05, 1.21, 4.84],
        ...[['ten', 'hello'], 'Cash on delivery', 'DHL', 'DE', 'news', 'email', 'spring'],
        `woocommerce order ${id}`,
      ],
    ]);
    expect(await rows('order_items', LINE, ofCase)).toEqual([
      [1, 'product', '17', 'Mug - Blue', 2, 21.78],
      [2, 'product', 'name:Plate', 'Plate', 1, 10.89],
    ]);
    expect(
      await rows(
        'sessions',
        'source, medium, campaign, referrer_host, landing_path, device, page_views',
        `session_id = 'woocommerce order ${id}'`,
      ),
    ).toEqual([['news', 'email', 'spring', 'mail.example', '/mugs', 'mobile', 4]]);
    // Its order has no date of it.
    expect(await rows('refunds', REFUNDED, ofCase)).toEqual([
      [`${950 + index}`, id, '2026-03-29 01:30:00', 21.78],
    ]);
  });

  it('and nothing else comes out', () => {
    expect(translated().counts).toMatchObject({
      orders: { loaded: CASES.length },
      order_items: { loaded: 2 * CASES.length },
      sessions: { loaded: CASES.length },
      refunds: { loaded: CASES.length },
    });
  });
});

describe('refunds', () => {
  it('have the date and the lines of their own body', () =>
    translateFiles(
      { 'orders.json': json(ORDER), 'refunds.json': JSON.stringify({ data: [REFUND] }) },
      async ({ rows }) => {
        expect(await rows('refunds', REFUNDED)).toEqual([['950', '900', '2026-04-05 10:00:00', 21.78]]);
        expect(
          await rows('refund_lines', 'refund_id, order_id, line_no, external_product_id, quantity, amount'),
        ).toEqual([['950', '900', 1, '17', 1, 21.78]]);
      },
    ));

  it('say so when their order is missing', () =>
    translateFiles(
      { 'refunds.json': JSON.stringify({ data: [REFUND, { ...REFUND, id: 951, parent_id: 8 }] }) },
      async ({ rows, rejects }) => {
        expect(await rows('refunds', REFUNDED)).toEqual([['951', '8', '2026-04-05 10:00:00', 21.78]]);
        expect(rejects.map(({ reason }) => reason)).toEqual([
          'is a refund that does not say of which order: import it together with its order',
        ]);
      },
    ));
});

describe('statuses', () => {
  const STATUSES = [
    ['processing', 'paid'],
    ['on-hold', 'pending'],
    ['pending', 'cancelled'],
    ['failed', 'cancelled'],
    ['refunded', 'paid'],
    ['wc-completed', 'fulfilled'],
  ] as const;
  const GONE = ['trash', 'checkout-draft', 'auto-draft'];
  const translated = translatedOnce({
    'orders.json': json(
      ...[...STATUSES.map(([status]) => status), ...GONE].map((status, index) => ({
        ...{ ...ORDER, id: 1000 + index, status, refunds: [{ id: 2000 + index, total: '-1.00' }] },
      })),
    ),
  });

  it.each(STATUSES.map(([status, ours], index) => [status, ours, index] as const))(
    '%s is %s',
    async (_, ours, index) =>
      expect(await translated().rows('orders', 'status', `order_id = '${1000 + index}'`)).toEqual([[ours]]),
  );

  it.each(GONE)('%s takes the order away', async (status) => {
    const { rows, counts } = translated();
    const id = String(1000 + STATUSES.length + GONE.indexOf(status));
    for (const table of ['orders', 'order_items', 'refunds'])
      expect(await rows(table, 'order_id', `order_id = '${id}'`), table).toEqual([]);
    expect(await rows('sessions', 'session_id', `session_id = 'woocommerce order ${id}'`)).toEqual([]);
    const kept = STATUSES.length;
    expect(counts).toMatchObject({
      orders: { read: kept + GONE.length, loaded: kept, deleted: GONE.length },
      order_items: { read: 2 * kept },
      refunds: { read: kept },
      sessions: { read: kept },
    });
  });

  it('are asked about when a plugin has made them', async () => {
    const text = JSON.stringify({ data: [ORDER, { ...ORDER, id: 901, status: 'packed' }] });
    expect(await refusalOf({ 'orders.json': text })).toContain(
      'a status that WooCommerce does not have by itself: 1 row, the first is orders.json line 1. Say --status "wc-packed=paid"',
    );
    await translateFiles(
      { 'orders.json': text },
      async ({ rows }) => expect(await rows('orders', 'status')).toEqual([['fulfilled'], ['paid']]),
      { status: 'wc-packed=paid' },
    );
  });
});

it('times of the shop without an offset are asked for', async () => {
  const { date_created_gmt: _, ...old } = ORDER;
  expect(await refusalOf({ 'order.json': json(old) })).toContain(
    '--timezone Europe/Prague for the timezone of the shop',
  );
  await translateFiles(
    { 'order.json': json({ ...old, date_created: '2026-03-28T03:30:00' }) },
    async ({ rows }) =>
      expect(await rows('orders', 'cast(ordered_at as varchar)')).toEqual([['2026-03-28 02:30:00']]),
    { timezone: 'Europe/Prague' },
  );
});

it('times in UTC may have a Z, as programs write them', () =>
  translateFiles(
    { 'a.json': JSON.stringify([{ ...ORDER, date_created_gmt: '2026-03-29T01:30:00Z' }]) },
    async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'cast(ordered_at as varchar)')).toEqual([['2026-03-29 01:30:00']]);
    },
  ));

it('a document of another kind is rejected', () =>
  translateFiles(
    { 'orders.json': `${json(ORDER)}{"id": 1, "line_items"\n${json({ code: 'rest_forbidden' })}` },
    async ({ rows, rejects }) => {
      expect(await rows('orders', 'order_id')).toEqual([['900']]);
      expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
        [2, 'is no JSON document'],
        [3, 'is no order, refund, product or customer of WooCommerce'],
      ]);
    },
  ));

it('products are what is sold: variations under their product, and products without any', () => {
  const product = {
    ...{
      id: 16,
      name: 'Mug',
      type: 'variable',
      status: 'publish',
      sku: 'MUG',
      price: '20',
      regular_price: '',
      stock_status: 'instock',
    },
    ...{
      permalink: 'https://shop.example/mug',
      description: '<p>Big</p>',
      categories: [{ name: 'Kitchen' }],
      brands: [{ name: 'Us' }],
    },
    ...{ images: [{ src: 'https://shop.example/mug.png' }], variations: [17], meta_data: [] },
  };
  const variation = {
    ...{
      id: 17,
      sku: 'MUG',
      price: '20',
      regular_price: '25',
      stock_status: 'instock',
      manage_stock: true,
      stock_quantity: 3,
    },
    ...{
      attributes: [
        { name: 'Color', option: 'Blue' },
        { name: 'Size', option: 'L' },
      ],
      meta_data: [meta('_wc_cog_cost', '8.5')],
    },
  };
  const bowl = {
    ...product,
    id: 30,
    name: 'Bowl',
    type: 'simple',
    sku: '',
    variations: [],
    status: 'private',
    stock_status: 'outofstock',
  };
  return translateFiles({ 'products.json': JSON.stringify([product, variation, bowl]) }, async ({ rows }) => {
    expect(
      await rows(
        'products',
        'external_product_id, external_master_product_id, name, sku, brand, categories, price, original_price, purchase_price, stock_quantity, in_stock, discontinued, description',
      ),
    ).toEqual([
      ['17', '16', 'Mug - Blue, L', 'MUG', 'Us', ['Kitchen'], 20, 25, 8.5, 3, true, false, 'Big'],
      ['30', null, 'Bowl', null, 'Us', ['Kitchen'], 20, null, null, null, false, true, 'Big'],
    ]);
  });
});

const bodies = samples('woocommerce-rest').filter(({ name }) => /^(order|refunds)/.test(name));

describe.skipIf(bodies.length === 0)(`official bodies (skipped ${NO_SAMPLES})`, () => {
  interface Line {
    readonly quantity: number;
    readonly total: string;
    readonly total_tax: string;
  }
  interface Body {
    readonly id: number;
    readonly status?: string;
    readonly total?: string;
    readonly date_modified_gmt?: string;
    readonly line_items: readonly Line[];
  }

  it('come in with what a plain count finds in them', () => {
    const all = bodies.flatMap(
      ({ path }) => (JSON.parse(readFileSync(path, 'utf8')) as { data: Body | Body[] }).data,
    );
    const orders = new Map<number, Body>();
    for (const body of all.filter(({ total }) => total !== undefined)) {
      const known = orders.get(body.id);
      if ((known?.date_modified_gmt ?? '') <= (body.date_modified_gmt ?? '')) orders.set(body.id, body);
    }
    const counted = [...orders.values()].filter(({ status }) => status !== 'draft');
    const sum = (numbers: readonly number[]) =>
      Math.round(100 * numbers.reduce((total, number) => total + number, 0)) / 100;
    return translateFiles(
      Object.fromEntries(bodies.map(({ name, path }) => [name, readFileSync(path, 'utf8')])),
      async ({ rows }) => {
        expect(counted.length).toBeGreaterThan(4);
        expect(await rows('orders', 'count(*), sum(total)')).toEqual([
          [counted.length, sum(counted.map(({ total }) => Number(total)))],
        ]);
        const lines = counted
          .flatMap(({ line_items }) => line_items)
          .filter(({ quantity }) => quantity !== 0);
        const [row] = await rows(
          'order_items',
          'sum(quantity), round(sum(cast(quantity as double) * unit_price), 2)',
        );
        expect(row).toEqual([
          sum(lines.map(({ quantity }) => quantity)),
          sum(lines.map(({ total, total_tax }) => Number(total) + Number(total_tax))),
        ]);
      },
      { status: 'none=paid' },
    );
  });
});
