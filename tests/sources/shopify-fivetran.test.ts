import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shopifyFivetran } from '../../src/sources/fivetran/shopify.ts';
import { fivetranTable } from '../../src/sources/fivetran/table-names.ts';
import { isQuick } from '../support/runs.ts';
import { asJson, asTables, everythingOf, filesOf, shops, type Tables } from './fivetran-shop.ts';
import { refusalOf, translateFiles } from './translated.ts';

const sampled = fc.sample(shops, { numRuns: 40, seed: 1 });
const [shop = { orders: [], products: [] }] = sampled.filter(
  ({ orders, products }) =>
    orders.length > 4 && products.length > 2 && orders.some((order) => order.refunded),
);

it('a shop in its tables is the one that its API answers', async () => {
  const truth = await everythingOf({ 'shop.ndjson': asJson(shop) });
  expect(truth.refund_lines).not.toEqual([]);
  expect(await everythingOf(filesOf(asTables(shop, 'rest')))).toEqual(truth);
});

const REST: Tables = asTables(
  {
    orders: [1, 2, 3].map((customer) => ({
      lines: [
        { quantity: 2, price: 1000, sku: 'MUG', off: 0 },
        { quantity: 1, price: 500, sku: 'PLATE', off: 0 },
      ],
      ...{
        shipping: 300,
        tax: 0,
        isTaxIncluded: true,
        status: 'paid',
        isFulfilled: true,
        isCancelled: false,
      },
      ...{ isTest: false, codes: [], customer, refunded: 400, isLate: false },
    })),
    products: [
      { sku: 'MUG', price: 1000, stock: 1, isArchived: false },
      { sku: 'PLATE', price: 500, stock: 1, isArchived: false },
      { sku: 'PLATE', price: 600, stock: 1, isArchived: false },
    ],
  },
  'rest',
);

const changed = (
  table: string,
  change: (row: Readonly<Record<string, string>>, index: number) => object,
) => ({
  ...REST,
  [table]: (REST[table] ?? []).map((row, index) => ({ ...row, ...change(row, index) })),
});
it('rows that were deleted in the shop go, with all that is theirs, unless they were landed again', () => {
  const deleted = (table: string, ...places: readonly number[]) =>
    changed(table, (_, index) => (places.includes(index) ? { _fivetran_deleted: 'TRUE' } : {}))[table] ?? [];
  const again = (REST.order ?? [])
    .slice(2)
    .map((row) => ({ ...row, total_price: '30.00', _fivetran_synced: '2026-04-02 00:00:00' }));
  const files = filesOf({
    ...REST,
    order: deleted('order', 1, 2),
    order_line: deleted('order_line', 0),
    refund: deleted('refund', 2),
    customer: deleted('customer', 0),
    // Another variant has its SKU.
    product_variant: deleted('product_variant', 0, 1),
  });
  return translateFiles(
    { ...files, 'order-2.csv': filesOf({ order: again })['order.csv'] ?? '' },
    async ({ rows, rejects, counts, sources }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'order_id, total')).toEqual([
        ['5000000000001', 28],
        ['5000000000003', 30],
      ]);
      expect(await rows('order_items', 'order_id, name')).toEqual([
        ['5000000000001', 'Thing 1'],
        ['5000000000003', 'Thing 0'],
        ['5000000000003', 'Thing 1'],
      ]);
      expect(await rows('refunds', 'refund_id')).toEqual([['8001']]);
      expect(await rows('profiles', 'profile_id')).toEqual([['72']]);
      expect(await rows('products', 'external_product_id, price')).toEqual([['PLATE', 6]]);
      expect(counts).toMatchObject({
        orders: { deleted: 1 },
        profiles: { deleted: 1 },
        products: { deleted: 1 },
      });
      expect(sources[0]?.assumptions).toContain(
        '1 order was deleted (_fivetran_deleted), and so they are here',
      );
    },
  );
});

it.skipIf(isQuick)(
  'a product that lives has the id that its order lines have, whoever had its name before',
  () => {
    const { product = [], product_variant = [] } = REST;
    const row = (rows: typeof product, changes: object, place: number) => ({ ...rows[place], ...changes });
    const tables = (dead: object): Tables => ({
      product: [
        row(product, { title: 'Mug', handle: 'mug', ...dead }, 0),
        row(product, { title: 'Mug', handle: 'mug-1' }, 1),
      ],
      product_variant: [row(product_variant, { sku: '' }, 0), row(product_variant, { sku: '' }, 1)],
    });
    const look = (files: Tables, ids: readonly string[]) =>
      translateFiles(filesOf(files), async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('products', 'external_product_id')).toEqual(ids.map((id) => [id]));
      });
    return look(tables({}), ['mug', 'mug-1']).then(() =>
      look(tables({ _fivetran_deleted: 'true' }), ['name:Mug']),
    );
  },
);

describe('a refund that was paid in the currency of a buyer abroad', () => {
  const abroad = (more: Tables): Tables => ({
    ...REST,
    transaction: (REST.transaction ?? []).map((row) => ({
      ...row,
      ...(row.kind === 'refund' ? { amount: '99.00', currency: 'CZK' } : { currency: 'EUR' }),
    })),
    ...more,
  });
  const adjustments = (...refunds: readonly string[]) => ({
    order_adjustment: ['1', ...refunds].map((refund_id, index) => ({
      ...{ id: String(index), order_id: '1', refund_id, amount: '-3.00' },
      ...{ _fivetran_synced: '2026-04-01 05:00:00', _fivetran_deleted: 'false' },
    })),
  });

  it('is what its lines say in that of the shop, where nothing else was paid back', () =>
    translateFiles(filesOf(abroad(adjustments('8002'))), async ({ rows, rejects }) => {
      expect(await rows('refunds', 'refund_id, amount')).toEqual([
        ['8001', 4],
        ['8003', 4],
      ]);
      expect(rejects).toMatchObject([
        { file: 'refund.csv', line: 3, reason: expect.stringContaining('in another currency') },
      ]);
    }));

  it.skipIf(isQuick)('is rejected where nobody knows whether something else was', () =>
    translateFiles(filesOf(abroad({})), async ({ rows, rejects }) => {
      expect(rejects).toHaveLength(3);
      expect(await rows('orders', 'count(*)::integer')).toEqual([[3]]);
    }),
  );
});

describe('a row that cannot be understood', () => {
  it('is rejected: an id without its digits would be another one', () => {
    const wrong = [
      ['order', 'id', '5E+12'],
      ['order_line', 'order_id', '5.0E+12'],
      ['refund', 'order_id', ''],
      ['order_line_refund', 'order_line_id', 'x1'],
      ['transaction', 'refund_id', '8E+3'],
    ] as const;
    const tables = Object.fromEntries(
      wrong.map(([table, name, value]) => [
        table,
        (REST[table] ?? []).map((row, index) => (index === 0 ? { ...row, [name]: value } : row)),
      ]),
    );
    return translateFiles(filesOf(tables), ({ rejects }) => {
      for (const [table, name] of wrong)
        expect(rejects).toContainEqual({
          file: `${table}.csv`,
          line: 2,
          reason: `has no id in its "${name}" (a spreadsheet writes 6.14E+12, by which digits are lost): export it again`,
        });
    });
  });

  it('is refused with its file: a column or a table is missing without which rows mean nothing', async () => {
    const without = (table: string, name: string) =>
      filesOf(REST, (each, columns) => columns.filter((column) => each !== table || column !== name));
    expect(await refusalOf(without('order', 'total_price'))).toContain(
      'order.csv (Shopify, Fivetran\'s tables) lacks "total_price" (revenue)',
    );
    expect(await refusalOf(without('order_line', 'price'))).toContain('lacks "price" (what a line costs)');
    const { order: _, ...others } = REST;
    expect(await refusalOf(filesOf(others))).toContain('means nothing without the table order');
  });

  it('is asked about for its status', async () =>
    expect(await refusalOf(filesOf(changed('order', () => ({ financial_status: 'on_hold' }))))).toContain(
      'a financial status that Shopify does not document: 3 rows, the first is order.csv line 2. Say --status',
    ));
});

it('says which tables and columns there are not, and what that costs; hashed contacts are none', () => {
  const hash = 'd41d8cd98f00b204e9800998ecf8427e';
  const { order = [] } = changed('order', () => ({ email: hash, billing_address_phone: hash }));
  return translateFiles(
    filesOf({ order, refund: REST.refund ?? [] }, (_, columns) =>
      columns.filter((column) => !['cancelled_at', 'total_shipping_price_set'].includes(column)),
    ),
    async ({ sources, rows }) => {
      expect(sources[0]?.assumptions).toEqual(
        expect.arrayContaining([
          'no column "cancelled_at" in the table "order": cancelled orders count',
          'no table "order_line": no product sales',
          '3 refunds are not read: nothing in the files says what was paid back',
          '3 orders have no lines in the files',
          'nothing says what shipping costs (the table "order_shipping_line"): none is kept, and edited orders are not found',
          "3 orders have no e-mail address but what Fivetran hashed: their customers are known by the shop's id alone",
        ]),
      );
      expect(
        await rows('orders', 'sum(total), count(email_hash)::integer, count(phone_hash)::integer'),
      ).toEqual([[84, 0, 0]]);
    },
  );
});

it('a file is told by its name and its columns', () => {
  const told = (name: string, ...header: readonly string[]) => {
    const found = fivetranTable(name, [...header, '_fivetran_synced'], [shopifyFivetran]);
    return found === null || found === 'unread' ? found : found.table;
  };
  const line = ['id', 'order_id', 'product_id', 'price', 'quantity'];
  for (const name of [
    'order_line.csv',
    'SHOPIFY.ORDER_LINE_0.parquet',
    'a.zip/shopify_gql_order_line_data.csv',
    'order_line/part-1.csv',
  ])
    expect(told(name, ...line), name).toBe('order_line');
  expect(told('order_line_tax_line.csv', 'order_line_id', 'index')).toBe('unread');
  expect(told('customer_export/order.csv', 'id', 'financial_status', 'total_price')).toBe('order');
  // The tables of Stripe, which Fivetran lands too.
  expect(told('customer.csv', 'id', 'email', 'created')).toBe('unread');
  expect(told('data.csv', ...line)).toBe('unread');
  expect(() => told('order_line.csv', ...line, '_fivetran_active')).toThrow('history mode');
  expect(fivetranTable('order_line.csv', line, [shopifyFivetran])).toBe(null);
});

it('a mapping of the merchant comes before', () => {
  const mapping = `name: x
title: our costs
recognise: [day, spend, _fivetran_synced]
tables:
  ad_costs: { day: day, source: { constant: google }, medium: { constant: cpc }, cost: spend }
`;
  const files = {
    'tender_transaction.csv': 'day,spend,_fivetran_synced\n2026-03-01,5,2026-03-02 00:00:00\n',
  };
  return translateFiles(
    files,
    async ({ sources, rows, warnings }) => {
      expect(sources.map(({ source }) => source)).toEqual(['x']);
      expect(warnings).toEqual([]);
      expect(await rows('ad_costs', 'cost')).toEqual([[5]]);
    },
    { currency: 'EUR' },
    mapping,
  );
});
