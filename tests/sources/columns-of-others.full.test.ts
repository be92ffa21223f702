import { afterAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { importFiles } from '../../src/import/run.ts';
import type { Settings } from '../../src/sources/source.ts';
import { type Files, storedRows, writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { csvOf, translateFiles } from './translated.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

const euro = () => test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });

function importing(business: Business, files: Files, settings: Settings = {}) {
  return importFiles(test.instance, business, [writeFiles(test, files)], { settings });
}

const COLUMNS =
  'Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Cancelled at,Discount Code,Discount Amount,Refunded Amount,Lineitem quantity,Lineitem name,Lineitem price,Id';
const row = (number: number, status: string, cancelled: string, refunded: string) =>
  `#${number},ann@example.com,${status},EUR,10,2,0,12,2026-03-05 15:40:14 +0100,${cancelled},TEN,1,${refunded},1,Mug,11,${number}\n`;
const ORDERS = `${COLUMNS}\n${row(1, 'paid', '', '0')}${row(2, 'paid', '2026-03-06 09:00:00 +0100', '0')}${row(3, 'partially_refunded', '', '5')}`;

/** A file as a merchant cut it. */
function without(csv: string, ...names: readonly string[]): string {
  const lines = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const kept = (lines[0] ?? []).map((name) => !names.includes(name));
  return lines.map((cells) => `${cells.filter((_, place) => kept[place]).join(',')}\n`).join('');
}

const json = (id: number, rest: object) => ({
  ...{ id, name: `#${id}`, financial_status: 'paid', total_price: '12.00', currency: 'EUR', test: false },
  ...{
    processed_at: '2026-03-05T15:40:14+01:00',
    line_items: [{ id: 1, name: 'Mug', quantity: 1, price: '11' }],
  },
  ...rest,
});

describe('a file that lacks columns', () => {
  it('leaves what a whole one said of the same orders, and is compared with what it says itself', async () => {
    const business = await euro();
    await importing(business, { 'orders.csv': ORDERS });
    const cut = without(
      ORDERS,
      'Email',
      'Cancelled at',
      'Shipping',
      'Discount Code',
      'Discount Amount',
      'Refunded Amount',
    );
    const { reconciliation } = await importing(business, {
      'orders.csv': cut.replace('#1,paid', '#1,pending'),
    });
    expect(
      await storedRows(
        test,
        business,
        'orders',
        'order_id, email_hash is not null, status, cast(shipping as integer), coupon_codes[1]',
      ),
    ).toEqual([
      ['1', true, 'paid', 2, 'TEN'],
      ['2', true, 'cancelled', 2, 'TEN'],
      ['3', true, 'paid', 2, 'TEN'],
    ]);
    expect(await storedRows(test, business, 'refunds', 'refund_id')).toEqual([['3_refunds']]);
    expect(reconciliation[0]).toMatchObject({
      shipping: { in_file: 0, stored: 0 },
      discounts: { in_file: 0, stored: 0 },
      refunds: { in_file: 0, stored: 0 },
      gross: { in_file: 36, stored: 36, revenue: 24 },
    });
  });

  it('takes away nothing that its query did not ask for; null is an answer', async () => {
    const business = await euro();
    await importing(business, { 'orders.csv': ORDERS });
    await importing(business, {
      'orders.json': JSON.stringify({
        orders: [json(1, {}), json(2, {}), json(3, { email: null, cancelled_at: null })],
      }),
    });
    expect(
      await storedRows(
        test,
        business,
        'orders',
        'order_id, email_hash is not null, status, cast(discount as integer)',
      ),
    ).toEqual([
      ['1', true, 'paid', 1],
      ['2', true, 'cancelled', 1],
      ['3', false, 'paid', 1],
    ]);
    expect(await storedRows(test, business, 'refunds', 'refund_id')).toEqual([['3_refunds']]);
  });
});

describe("Fivetran's tables", () => {
  const table = (...rows: readonly Readonly<Record<string, string>>[]) =>
    csvOf(
      [...Object.keys(rows[0] ?? {}), '_fivetran_synced'],
      rows.map((one) => ({ ...one, _fivetran_synced: '2026-04-01 05:00:00' })),
    );
  const HASH = 'd41d8cd98f00b204e9800998ecf8427e';

  it('keep descriptions, pictures and costs of products that they do not have', async () => {
    const business = await euro();
    await importing(business, {
      'products.csv': csvOf(
        [
          ...['Handle', 'Title', 'Variant SKU', 'Variant Price', 'Cost per item'],
          ...['Body (HTML)', 'Image Src', 'Variant Inventory Tracker', 'Variant Inventory Qty', 'Vendor'],
        ],
        [
          {
            ...{ Handle: 'mug', Title: 'Mug', 'Variant SKU': 'MUG', 'Variant Price': '10', Vendor: 'Acme' },
            ...{ 'Cost per item': '4', 'Body (HTML)': 'Blue', 'Variant Inventory Qty': '7' },
            'Variant Inventory Tracker': 'shopify',
            'Image Src': 'https://shop.example/mug.png',
          },
        ],
      ),
    });
    await importing(business, {
      'product.csv': table({ id: '31', title: 'Mug', handle: 'mug', product_type: 'Kitchen' }),
      'product_variant.csv': table({ id: '41', product_id: '31', sku: 'MUG', title: '', price: '11' }),
    });
    const seen = `cast(price as integer), cast(purchase_price as integer), description, image_url is not null, brand, cast(stock_quantity as integer)`;
    expect(await storedRows(test, business, 'products', seen)).toEqual([[11, 4, 'Blue', true, 'Acme', 7]]);
  });

  it('keep of orders and customers what they have no column, table or hash for', async () => {
    const business = await euro();
    await importing(business, {
      'orders.csv': ORDERS,
      'customers.csv': csvOf(
        ['Customer ID', 'Email', 'Phone', 'Accepts Email Marketing', 'Tags', 'Total Spent', 'Total Orders'],
        [
          {
            ...{ 'Customer ID': '71', Email: 'ann@example.com', Phone: '+420601234567', Tags: 'VIP' },
            ...{ 'Accepts Email Marketing': 'no', 'Total Spent': '1', 'Total Orders': '1' },
          },
        ],
      ),
    });
    const landed = ['1', '2', '3'].map((id) => ({
      ...{ id, created_at: '2026-03-05 14:40:14', total_price: '12', currency: 'EUR', subtotal_price: '10' },
      ...{
        financial_status: 'paid',
        total_shipping_price_set: '{"shop_money": {"amount": "3"}}',
        email: HASH,
      },
    }));
    await importing(business, {
      'order.csv': table(...landed.map((one) => ({ ...one, total_discounts: '0' }))),
      'customer.csv': table({ id: '71', email: HASH, orders_count: '1' }),
    });
    const seen =
      'order_id, email_hash is not null, status, cast(shipping as integer), cast(discount as integer), coupon_codes[1]';
    expect(await storedRows(test, business, 'orders', seen)).toEqual([
      ['1', true, 'paid', 3, 0, 'TEN'],
      ['2', true, 'cancelled', 3, 0, 'TEN'],
      ['3', true, 'paid', 3, 0, 'TEN'],
    ]);
    const people = 'profile_id, email_hash is not null, phone_hash is not null, tags[1]';
    expect(await storedRows(test, business, 'profiles', people)).toEqual([['71', true, true, 'VIP']]);
    // An empty cell is an answer.
    await importing(business, {
      'order.csv': table(...landed.map((one) => ({ ...one, email: '', cancelled_at: '' }))),
    });
    expect(await storedRows(test, business, 'orders', seen)).toEqual([
      ['1', false, 'paid', 3, 0, 'TEN'],
      ['2', false, 'paid', 3, 0, 'TEN'],
      ['3', false, 'paid', 3, 0, 'TEN'],
    ]);
  });

  it('keep phone numbers and tags of members and persons', async () => {
    const business = await euro();
    await importing(
      business,
      {
        'subscribed.csv': csvOf(
          ['Email Address', 'Phone', 'MEMBER_RATING', 'OPTIN_TIME', 'CONFIRM_TIME', 'LEID', 'EUID', 'TAGS'],
          [
            {
              ...{ 'Email Address': 'ann@example.com', Phone: '+420601234567', EUID: 'ann', TAGS: 'VIP' },
              ...{ OPTIN_TIME: '2026-01-01 08:00:00', CONFIRM_TIME: '2026-01-01 08:00:00' },
            },
          ],
        ),
      },
      { timezone: 'UTC' },
    );
    await importing(business, {
      'member.csv': table({
        ...{ id: 'h', list_id: 'L', unique_email_id: 'ann', email_address: 'ann@example.com' },
        ...{ status: 'subscribed', last_changed: '2026-02-01 10:00:00' },
      }),
      'k.json': JSON.stringify({
        type: 'profile',
        id: 'K',
        attributes: { email: 'bob@example.com', phone_number: '+420601234568', location: { country: 'DE' } },
      }),
    });
    await importing(business, {
      'k.json': JSON.stringify({ type: 'profile', id: 'K', attributes: { email: 'bob@example.com' } }),
    });
    const seen =
      "profile_id, email_hash is not null, phone_hash is not null, tags[1], country, strftime(created_at, '%m-%d')";
    const expected = [
      ['K', true, true, null, 'DE', null],
      ['ann', true, true, 'VIP', null, '01-01'],
    ];
    expect(await storedRows(test, business, 'profiles', seen)).toEqual(expected);
    await importing(business, {
      'person.csv': table({ id: 'K', email: HASH, created: '', last_event_date: '' }),
    });
    expect(await storedRows(test, business, 'profiles', seen)).toEqual(expected);
  });

  it('say nothing in a file that lacks a column which another file of the table has', async () => {
    const business = await euro();
    await importing(business, {
      'orders.csv': ORDERS,
      'product.csv': table(
        { id: '31', title: 'Mug', handle: 'mug', vendor: 'Acme' },
        { id: '32', title: 'Hat', handle: 'hat', vendor: 'Hats' },
      ),
      'product_variant.csv': table(
        ...['MUG', 'HAT'].map((sku, index) => ({
          ...{ id: `4${index + 1}`, product_id: `3${index + 1}`, sku, title: '', price: '11' },
          ...{ inventory_management: 'shopify', inventory_quantity: '7' },
        })),
      ),
      'customer.csv': table(
        ...['71', '72'].map((id) => ({
          id,
          email: `c${id}@example.com`,
          phone: `+4206012345${id}`,
          orders_count: '1',
        })),
      ),
    });
    const landed = (id: string) => ({
      ...{ id, created_at: '2026-03-05 14:40:14', total_price: '12', currency: 'EUR', subtotal_price: '10' },
      ...{ financial_status: 'paid', total_shipping_price_set: '{"shop_money": {"amount": "3"}}' },
    });
    const variant = { title: '', price: '12' };
    const later = (csv: string) => csv.replaceAll('2026-04-01', '2026-04-02');
    await importing(business, {
      'order-1.csv': table({ ...landed('1'), cancelled_at: '2026-03-06 10:00:00' }),
      'order-2.csv': table(landed('2')),
      'product-1.csv': table({ id: '31', title: 'Old mug', handle: 'mug', vendor: 'Mugs' }),
      // Told last, and nothing of the vendor: that of the file before counts.
      'product-2.csv': later(
        table({ id: '31', title: 'Cup', handle: 'mug' }, { id: '32', title: 'Cap', handle: 'hat' }),
      ),
      'product_variant-1.csv': table({
        ...{ id: '41', product_id: '31', sku: 'MUG', ...variant },
        ...{ inventory_management: '', inventory_quantity: '3' },
      }),
      'product_variant-2.csv': table({ id: '42', product_id: '32', sku: 'HAT', ...variant }),
      'customer-1.csv': table({ id: '71', email: 'c71@example.com', phone: '', orders_count: '1' }),
      'customer-2.csv': table({ id: '72', email: 'c72@example.com', orders_count: '1' }),
    });
    expect(await storedRows(test, business, 'orders', 'order_id, status')).toEqual([
      ['1', 'cancelled'],
      ['2', 'cancelled'],
      ['3', 'paid'],
    ]);
    const product =
      'external_product_id, name, brand, cast(price as integer), cast(stock_quantity as integer)';
    expect(await storedRows(test, business, 'products', product)).toEqual([
      ['HAT', 'Cap', 'Hats', 12, 7],
      ['MUG', 'Cup', 'Mugs', 12, null],
    ]);
    expect(await storedRows(test, business, 'profiles', 'profile_id, phone_hash is not null')).toEqual([
      ['71', false],
      ['72', true],
    ]);
  });
});

describe("WooCommerce's product export", () => {
  const API = [
    {
      ...{
        id: 16,
        name: 'Mug',
        type: 'variable',
        status: 'publish',
        sku: 'MUG',
        stock_status: 'instock',
        price: '20',
        regular_price: '',
      },
      ...{
        variations: [17],
        permalink: 'https://shop.example/mug',
        brands: [{ name: 'Acme' }],
        categories: [{ name: 'Mugs' }],
      },
    },
    {
      ...{
        id: 17,
        parent_id: 16,
        status: 'publish',
        sku: 'MUG-B',
        price: '18',
        regular_price: '20',
        global_unique_id: '8591234567890',
      },
      ...{
        manage_stock: true,
        stock_quantity: 3,
        stock_status: 'instock',
        attributes: [{ option: 'Blue' }],
        cost_of_goods_sold: { total_value: 5 },
      },
    },
  ];
  const EXPORT = `ID,Type,SKU,Name,Published,In stock?,Stock,Sale price,Regular price,Parent
17,variation,MUG-B,Mug - Sky blue,-1,0,0,,21,MUG
`;
  const TOLD =
    'external_product_id, external_master_product_id, name, cast(price as integer), cast(purchase_price as integer), ean, brand, categories[1], url, in_stock, discontinued';

  it('keeps what its columns and rows do not know', async () => {
    const business = await euro();
    await importing(business, { 'products.json': JSON.stringify(API) });
    const before = [
      '17',
      '16',
      'Mug - Blue',
      18,
      5,
      '8591234567890',
      'Acme',
      'Mugs',
      'https://shop.example/mug',
      true,
      false,
    ];
    expect(await storedRows(test, business, 'products', TOLD)).toEqual([before]);
    const { sources } = await importing(business, { 'products.csv': EXPORT });
    expect(sources[0]?.assumptions.join()).toContain('1 variation names a product that is not in the files');
    expect(await storedRows(test, business, 'products', TOLD)).toEqual([
      before.with(2, 'Mug - Sky blue').with(3, 21).with(9, false).with(10, true),
    ]);
  });
});

describe('two files of one import', () => {
  const bulk = (id: number, rest: object = {}) => [
    {
      ...{ id: `gid://shopify/Order/${id}`, name: `#${id}`, displayFinancialStatus: 'PAID' },
      ...{ processedAt: '2026-03-05T14:40:14Z', updatedAt: '2026-03-06T10:00:00Z' },
      ...{ totalPriceSet: { shopMoney: { amount: '12.00', currencyCode: 'EUR' } } },
      customerJourneySummary: { lastVisit: { utmParameters: { source: 'news' }, landingPage: '/' } },
      ...rest,
    },
    {
      ...{ id: 'gid://shopify/LineItem/1', __parentId: `gid://shopify/Order/${id}` },
      ...{ name: 'Mug', quantity: 1, originalUnitPriceSet: { shopMoney: { amount: '11' } } },
    },
  ];
  const lines = (...objects: readonly object[]) => objects.map((each) => JSON.stringify(each)).join('\n');

  it('keep the visit that a bulk operation told of an order, and its lines once, when REST tells it last', () =>
    translateFiles(
      {
        'a.ndjson': lines(...bulk(1)),
        'b.json': JSON.stringify(json(1, { email: 'ann@example.com', updated_at: '2026-03-06T10:00:00Z' })),
      },
      async ({ rows, counts }) => {
        const select = 'order_id, session_id, utm_source, email_hash is not null';
        expect(await rows('orders', select)).toEqual([['1', 'shopify order 1', 'news', true]]);
        expect(await rows('sessions', 'session_id, source')).toEqual([['shopify order 1', 'news']]);
        expect(await rows('order_items', 'order_id, name, quantity')).toEqual([['1', 'Mug', 1]]);
        expect(counts.orders).toMatchObject({ read: 1, loaded: 1, rejected: 0, replaced: 0 });
      },
    ));

  it('keep lines and refunds that the newest answer was not asked for', () => {
    const refunds = [
      {
        ...{ id: 7, created_at: '2026-04-01T10:00:00Z' },
        transactions: [{ kind: 'refund', status: 'success', amount: '5' }],
      },
    ];
    const { line_items: _, ...short } = json(1, { updated_at: '2026-05-01T10:00:00Z' });
    return translateFiles(
      {
        'a.json': JSON.stringify(json(1, { refunds, updated_at: '2026-04-01T10:00:00Z' })),
        'b.json': JSON.stringify({ ...short, financial_status: 'pending', cancelled_at: null }),
      },
      async ({ rows }) => {
        expect(await rows('orders', 'order_id, status')).toEqual([['1', 'pending']]);
        expect(await rows('order_items', 'order_id, name')).toEqual([['1', 'Mug']]);
        expect(await rows('refunds', 'refund_id, cast(amount as integer)')).toContainEqual(['7', 5]);
      },
    );
  });

  it('are looked at one by one as CSV: what one lacks, the other said', () =>
    translateFiles(
      {
        'a.csv': `${COLUMNS}\n${row(1, 'paid', '2026-03-06 09:00:00 +0100', '5')}${row(2, 'paid', '', '0')}`,
        'b.csv': without(
          `${COLUMNS}\n${row(1, 'pending', '', '')}`,
          ...['Cancelled at', 'Shipping', 'Refunded Amount', 'Lineitem quantity'],
        ),
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        const select = 'order_id, status, cancelled_at is not null, cast(shipping as integer)';
        expect(await rows('orders', select)).toEqual([
          ['1', 'cancelled', true, 2],
          ['2', 'paid', false, 2],
        ]);
        expect(await rows('refunds', 'refund_id, cast(amount as integer)')).toEqual([['1_refunds', 5]]);
        expect(await rows('order_items', 'order_id, quantity')).toEqual([
          ['1', 1],
          ['2', 1],
        ]);
      },
    ));

  it('leave a stored order cancelled, of which only the one without the column tells', async () => {
    const business = await euro();
    await importing(business, { 'orders.csv': ORDERS });
    const { reconciliation } = await importing(business, {
      'a.csv': `${COLUMNS}\n${row(9, 'paid', '', '0')}`,
      'b.csv': without(`${COLUMNS}\n${row(2, 'paid', '', '0')}`, 'Cancelled at', 'Shipping'),
    });
    const stored = await storedRows(test, business, 'orders', 'order_id, status');
    expect(stored).toContainEqual(['2', 'cancelled']);
    expect(reconciliation[0]).toMatchObject({ shipping: { in_file: 2, stored: 2 } });
  });

  it('keep what the last one of Shoptet lacks', () => {
    const head =
      'code;date;email;statusName;totalPriceWithVat;currency;itemName;itemAmount;itemTotalPriceWithVat';
    const order = 'A1;2026-03-05 10:00:00;ann@example.com;Stornována;100;CZK;Mug;1;100';
    const cut = (line: string) => line.split(';').toSpliced(2, 2).join(';');
    return translateFiles(
      { 'a.csv': `${head}\n${order}\n`, 'b.csv': `${cut(head)}\n${cut(order)}\n` },
      async ({ rows }) =>
        expect(await rows('orders', 'order_id, email_hash is not null, status')).toEqual([
          ['A1', true, 'cancelled'],
        ]),
      { timezone: 'Europe/Prague' },
    );
  });

  it('keep what the last one of a mapping lacks', () => {
    const mapping = `
name: till
title: A till
recognise: [bon, wann, summe]
tables:
  orders:
    order_id: bon
    ordered_at: wann
    total: { number: summe, decimal: point }
    country: land
`;
    return translateFiles(
      {
        'a.csv': 'bon,wann,summe,land\n1,2026-03-05T10:00:00Z,5,CZ\n',
        'b.csv': 'bon,wann,summe\n1,2026-03-05T10:00:00Z,6\n',
      },
      async ({ rows }) =>
        expect(await rows('orders', 'order_id, cast(total as integer), country')).toEqual([['1', 6, 'CZ']]),
      { currency: 'EUR' },
      mapping,
    );
  });

  const product = (rest: object) =>
    JSON.stringify({
      products: [
        {
          id: 1,
          title: 'Mug',
          handle: 'mug',
          ...rest,
          variants: [
            {
              id: 11,
              title: 'Default Title',
              sku: 'MUG',
              price: '10',
              ...('vendor' in rest ? { barcode: '859' } : {}),
            },
          ],
        },
      ],
    });

  it('keep what the last answer on products and customers was not asked for', () =>
    translateFiles(
      {
        'a.json': product({ vendor: 'Acme', body_html: 'Blue' }),
        'b.json': product({ body_html: 'Red' }),
        'c.json': JSON.stringify({
          customers: [{ id: 5, orders_count: 1, email: 'ann@example.com', tags: 'vip' }],
        }),
        'd.json': JSON.stringify({ customers: [{ id: 5, orders_count: 1, tags: null }] }),
        'woo-a.json': JSON.stringify([
          {
            id: 3,
            name: 'Hat',
            price: '5',
            stock_status: 'instock',
            regular_price: '5',
            global_unique_id: '123',
          },
        ]),
        'woo-b.json': JSON.stringify([
          { id: 3, name: 'Hat of today', price: '6', stock_status: 'instock', regular_price: '6' },
        ]),
      },
      async ({ rows }) => {
        expect(await rows('products', 'external_product_id, name, brand, description, ean')).toEqual([
          ['3', 'Hat of today', null, null, '123'],
          ['MUG', 'Mug', 'Acme', 'Red', '859'],
        ]);
        expect(await rows('profiles', 'profile_id, email_hash is not null, tags')).toEqual([['5', true, []]]);
      },
    ));
});

describe('a value that nobody told', () => {
  it('is empty on the first import, and not made up', () =>
    translateFiles(
      {
        'p.json': JSON.stringify({
          ...{ id: 'gid://shopify/Product/1', title: 'Mug', handle: 'mug' },
          variants: { nodes: [{ id: 'gid://shopify/ProductVariant/11', sku: 'MUG', price: '10' }] },
        }),
      },
      async ({ rows }) => {
        expect(await rows('products', 'external_product_id, in_stock, stock_quantity, discontinued')).toEqual(
          [['MUG', null, null, false]],
        );
      },
    ));

  it('is not what a billing address told instead', () =>
    translateFiles(
      {
        'orders.csv': ORDERS.replace(COLUMNS, `${COLUMNS},Billing Phone,Billing Country`).replaceAll(
          /,([0-9])\n/g,
          ',$1,+420777123456,CZ\n',
        ),
        'customers.csv':
          'Customer ID,Email,Total Spent,Total Orders,Default Address Phone\n1,ann@example.com,1,1,+420777123456\n',
      },
      async ({ rows }) => {
        expect(await rows('orders', 'distinct phone_hash is not null, country')).toEqual([[true, 'CZ']]);
        expect(await rows('profiles', 'phone_hash is not null')).toEqual([[true]]);
      },
    ));
});

describe('refunds of an order', () => {
  const refund = (id: number, amount: string) => ({
    ...{ id, created_at: '2026-04-01T10:00:00Z', refund_line_items: [] },
    transactions: [{ kind: 'refund', status: 'success', amount }],
  });
  const told = (...refunds: readonly object[]) => ({ 'o.json': JSON.stringify(json(3, { refunds })) });
  const refundsOf = (business: Business) =>
    storedRows(
      test,
      business,
      'refunds',
      "refund_id, cast(amount as integer), strftime(refunded_at, '%m-%d')",
    );

  it('are not repeated by an export without dates after they came with dates, but what it has more is added', async () => {
    const business = await euro();
    await importing(business, { 'orders.csv': ORDERS });
    await importing(business, told(refund(31, '5')));
    expect(await refundsOf(business)).toEqual([['31', 5, '04-01']]);
    const again = await importing(business, { 'orders.csv': ORDERS });
    expect(await refundsOf(business)).toEqual([['31', 5, '04-01']]);
    expect(again.reconciliation[0]?.refunds).toEqual({ in_file: 5, stored: 5 });
    await importing(business, { 'orders.csv': ORDERS.replace('TEN,1,5,', 'TEN,1,8,') });
    expect(await refundsOf(business)).toEqual([
      ['31', 5, '04-01'],
      ['3_refunds', 3, '03-05'],
    ]);
    // A refund of 5 is no part of 3, so that an export that knows of 5 is older.
    await importing(business, { 'orders.csv': ORDERS });
    expect((await refundsOf(business)).map(([, amount]) => amount)).toEqual([5, 3]);
    const beside = await importing(business, {
      'o.ndjson': [json(4, {}), { ...refund(32, '3'), order_id: 3 }]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    });
    expect(beside.sources[0]?.assumptions).toContainEqual(expect.stringContaining('1 refund came without'));
    await importing(business, told(refund(31, '5'), refund(32, '3')));
    expect(await refundsOf(business)).toEqual([
      ['31', 5, '04-01'],
      ['32', 3, '04-01'],
    ]);
  });

  const alone = (amount: string) => ({
    'r.ndjson': [json(4, {}), { ...refund(31, amount), order_id: 3 }]
      .map((one) => JSON.stringify(one))
      .join('\n'),
  });

  it('take the place of the one without a date when they came alone and the export comes again', async () => {
    const business = await euro();
    await importing(business, { 'orders.csv': ORDERS });
    const { sources } = await importing(business, alone('5'));
    expect(sources[0]?.assumptions).toContainEqual(expect.stringContaining('both count'));
    await importing(business, { 'orders.csv': ORDERS });
    expect(await refundsOf(business)).toEqual([['31', 5, '04-01']]);
  });

  it('leave the rest of the one without a date when they came alone and may be part of it', async () => {
    const business = await euro();
    const exported = { 'orders.csv': ORDERS.replace('TEN,1,5,', 'TEN,1,8,') };
    await importing(business, exported);
    await importing(business, alone('5'));
    await importing(business, exported);
    expect((await refundsOf(business)).map(([, amount]) => amount)).toEqual([5, 3]);
  });

  it('count once when they come alone beside the export', () =>
    translateFiles(
      { 'orders.csv': ORDERS.replace('TEN,1,5,', 'TEN,1,8,'), ...alone('5') },
      async ({ rows }) =>
        expect(await rows('refunds', 'refund_id, cast(amount as integer)')).toEqual([
          ['31', 5],
          ['3_refunds', 3],
        ]),
    ));

  it('keep their dates in WooCommerce, where the order comes again without the bodies of its refunds', async () => {
    const business = await euro();
    const order = {
      ...{
        id: 9,
        number: '9',
        status: 'completed',
        currency: 'EUR',
        date_created_gmt: '2026-03-05T10:00:00',
      },
      ...{
        total: '12.00',
        total_tax: '0',
        discount_total: '0',
        line_items: [],
        refunds: [{ id: 91, total: '-4.00' }],
      },
    };
    const body = {
      id: 91,
      parent_id: 9,
      date_created_gmt: '2026-04-01T10:00:00',
      amount: '4.00',
      refunded_by: 1,
      line_items: [],
    };
    await importing(business, {
      'orders.json': JSON.stringify([order]),
      'refunds.json': JSON.stringify([body]),
    });
    await importing(business, { 'orders.json': JSON.stringify([{ ...order, number: '9a' }]) });
    expect(await refundsOf(business)).toEqual([['91', 4, '04-01']]);
  });
});
