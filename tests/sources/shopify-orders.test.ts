import { describe, expect, it } from 'vitest';
import { COLUMNS, file, line, order } from './shopify-order-rows.ts';
import { csvOf, translateFiles } from './translated.ts';

describe('orders of several lines', () => {
  const rows = [
    order('#3', '90.00', { 'Lineitem price': '40', Email: 'ann@example.com' }),
    line('#3', 'Plate', '2', '25.00', {
      Email: 'ann@example.com',
      'Created at': '2026-03-05 15:40:14 +0100',
    }),
    order('#2', '10.00'),
    {},
    order('#3', '7.00', { Id: '700003', 'Created at': '2026-01-01 10:00:00 +0100' }),
  ];

  it('takes cells of an order out of its first row alone, and leaves blank rows out', () =>
    translateFiles(file(rows), async ({ rows, counts, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'order_id, number, total, email_domain')).toEqual([
        ['600002', '#2', 10, null],
        ['600003', '#3', 90, 'example.com'],
        // The name comes again in the life of a shop; the id does not.
        ['700003', '#3', 7, null],
      ]);
      expect(
        await rows('order_items', 'order_id, line_no, external_product_id, quantity, unit_price'),
      ).toEqual([
        ['600002', 1, 'MUG', 1, 10],
        ['600003', 1, 'MUG', 1, 40],
        ['600003', 2, 'PLATE', 2, 25],
        ['700003', 1, 'MUG', 1, 7],
      ]);
      expect(counts.orders).toMatchObject({ read: 3, loaded: 3 });
    }));

  it('knows orders by name and moment where there is no id, and products by name where there is no SKU', () =>
    translateFiles(
      file(
        rows,
        COLUMNS.filter((name) => name !== 'Id' && name !== 'Lineitem sku'),
      ),
      async ({ rows, sources }) => {
        expect(await rows('orders', 'order_id')).toEqual([
          ['#2_20260305T144014Z'],
          ['#3_20260101T090000Z'],
          ['#3_20260305T144014Z'],
        ]);
        expect(await rows('order_items', 'distinct external_product_id')).toEqual([
          ['name:Mug'],
          ['name:Plate'],
        ]);
        expect(sources[0]?.assumptions[0]).toContain('no column "id"');
      },
    ));

  it('keeps several ways of paying as they stand, and is not led astray by where an order came from or what a tax is called', () => {
    const places = ['web', 'pos', 'shopify_draft_order', 'tiktok', '580111'];
    const taxed = (name: string) => ({
      Taxes: '2.10',
      'Tax 1 Name': name,
      'Tax 1 Value': '2.10',
      'Tax 2 Value': '9',
    });
    return translateFiles(
      file(
        places.map((Source, index) =>
          order(`#${index + 1}`, '10.00', {
            ...taxed(index % 2 === 0 ? 'DPH 21%' : 'IVA 21 %'),
            ...{ Source, 'Payment Method': index === 1 ? 'Visa + Gift Card + manual' : 'Bogus, Inc.' },
          }),
        ),
        [...COLUMNS, 'Source', 'Tax 1 Name', 'Tax 1 Value', 'Tax 2 Name', 'Tax 2 Value'],
      ),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, total, tax, payment_method')).toEqual(
          places.map((_, index) => [
            ...[`60000${index + 1}`, 10, 2.1],
            index === 1 ? 'Visa + Gift Card + manual' : 'Bogus, Inc.',
          ]),
        );
        expect(await rows('order_items', 'distinct unit_price')).toEqual([[10]]);
      },
    );
  });

  it('rejects lines without the first row of their order', () =>
    translateFiles(
      file([line('#9', 'Cup', '1', '5'), order('#1', '3'), line('#2', 'Cup', '1', '5')]),
      ({ rejects }) => {
        expect(rejects).toEqual([
          { file: 'export.csv', line: 2, reason: expect.stringContaining('was the file sorted or cut?') },
          { file: 'export.csv', line: 4, reason: expect.stringContaining('was the file sorted or cut?') },
        ]);
      },
    ));

  it('rejects a file in which a tool filled the cells of orders down', () =>
    translateFiles(file([order('#1', '3'), order('#1', '3')]), ({ rejects }) => {
      expect(rejects).toEqual([
        { file: 'export.csv', line: 3, reason: expect.stringContaining('belong into its first row alone') },
      ]);
    }));

  it('knows an order whose id a tool wrote with `.0`', () =>
    translateFiles(
      {
        'a.csv': csvOf(COLUMNS, [order('#1', '10.00')]),
        'b.csv': csvOf(COLUMNS, [order('#1', '12.00', { Id: '600001.0' })]),
      },
      async ({ rows }) => expect(await rows('orders', 'order_id, total')).toEqual([['600001', 12]]),
    ));

  it('takes the last of an order that stands in several exports, with its lines alone', () =>
    translateFiles(
      {
        'a.csv': csvOf(COLUMNS, [
          order('#1', '8', { 'Lineitem price': '3' }),
          line('#1', 'Cup', '1', '5'),
          order('#2', '1'),
        ]),
        'b.csv': csvOf(COLUMNS, [order('#1', '3')]),
      },
      async ({ rows }) => {
        expect(await rows('orders', 'order_id, total')).toEqual([
          ['600001', 3],
          ['600002', 1],
        ]);
        expect(await rows('order_items', 'order_id, line_no')).toEqual([
          ['600001', 1],
          ['600002', 1],
        ]);
      },
    ));
});

it('tells refunds from cancellations, and payment still to come from both', () =>
  translateFiles(
    file([
      order('#1', '10', { 'Financial Status': 'refunded', 'Refunded Amount': '10.00' }),
      order('#2', '10', { 'Financial Status': 'voided' }),
      order('#3', '10', { 'Cancelled at': '2026-03-06 10:00:00 +0100' }),
      order('#4', '10', { 'Financial Status': 'pending' }),
      order('#5', '10', { 'Financial Status': 'expired' }),
      order('#6', '10', {
        'Financial Status': 'partially_refunded',
        'Refunded Amount': '4.00',
        'Fulfillment Status': 'fulfilled',
      }),
      order('#7', '10', { 'Financial Status': 'authorized' }),
      order('#8', '10', { 'Financial Status': 'partially_paid' }),
      order('#9', '10', { 'Paid at': '' }),
    ]),
    async ({ rows }) => {
      expect(await rows('orders', 'number, status')).toEqual([
        ['#1', 'paid'],
        ['#2', 'cancelled'],
        ['#3', 'cancelled'],
        ['#4', 'pending'],
        ['#5', 'cancelled'],
        ['#6', 'fulfilled'],
        ['#7', 'pending'],
        ['#8', 'pending'],
        ['#9', 'paid'],
      ]);
      expect(await rows('refunds', 'refund_id, order_id, amount, cast(refunded_at as varchar)')).toEqual([
        ['600001_refunds', '600001', 10, '2026-03-05 14:40:14'],
        ['600006_refunds', '600006', 4, '2026-03-05 14:40:14'],
      ]);
    },
  ));

it('parts the discount of an order among its lines, but for what was free shipping', () =>
  translateFiles(
    file([
      // 6.00 off the first line (2 pieces), and 10 % (9.40) off the rest: 15.40 in all.
      order('#1', '84.60', {
        'Discount Amount': '15.40',
        'Lineitem quantity': '2',
        'Lineitem price': '25',
        'Lineitem discount': '6.00',
        'Discount Code': 'TEN, VIP',
      }),
      line('#1', 'Plate', '1', '50', { 'Lineitem discount': '0.00' }),
      order('#2', '20', { 'Discount Amount': '5.00', 'Discount Code': 'FREESHIP' }),
    ]),
    async ({ rows }) => {
      expect(await rows('order_items', 'order_id, line_no, quantity, unit_price')).toEqual([
        ['600001', 1, 2, 19.8],
        ['600001', 2, 1, 45],
        ['600002', 1, 1, 20],
      ]);
      expect(await rows('orders', 'order_id, discount, coupon_codes')).toEqual([
        ['600001', 15.4, ['TEN', 'VIP']],
        ['600002', 5, ['FREESHIP']],
      ]);
    },
  ));

it('keeps the offset of each time, also over a change of the clocks', () =>
  translateFiles(
    file([
      order('#1', '1', { 'Created at': '2026-03-29 01:30:00 +0100' }),
      order('#2', '1', { 'Created at': '2026-03-29 03:30:00 +0200' }),
    ]),
    async ({ rows }) =>
      expect(await rows('orders', 'cast(ordered_at as varchar)')).toEqual([
        ['2026-03-29 00:30:00'],
        ['2026-03-29 01:30:00'],
      ]),
  ));

it('takes a tip for no product', () =>
  translateFiles(
    file([
      order('#1', '12', { 'Lineitem price': '10' }),
      line('#1', 'Tip', '1', '2', { Vendor: '', 'Lineitem sku': '' }),
    ]),
    async ({ rows }) => expect(await rows('order_items', 'kind')).toEqual([['payment'], ['product']]),
  ));

it('stores no name, street or note, and hashes the e-mail', () =>
  translateFiles(
    {
      'export.csv': csvOf(
        [...COLUMNS, 'Billing Name', 'Billing Street'],
        [
          order('#1', '1', {
            Email: 'Ann@Example.com',
            Notes: 'ring twice',
            'Billing Name': 'Ann Lee',
            'Billing Street': 'Elm 5',
          }),
        ],
      ),
    },
    async ({ rows }) => {
      const stored = JSON.stringify(await rows('orders', '*'));
      for (const text of ['ring', 'Lee', 'Elm', 'nn@']) expect(stored).not.toContain(text);
      expect(await rows('orders', 'length(email_hash)')).toEqual([[32]]);
    },
  ));

it('rejects a row that was cut off, and tells its line', () =>
  translateFiles(
    { 'x.csv': `${csvOf(COLUMNS, [order('#1', '1')])}#2,bob@example.com,pa` },
    ({ rejects, raw }) => {
      expect(rejects).toEqual([{ file: 'x.csv', line: 3, reason: expect.stringContaining('is malformed') }]);
      expect(raw).toEqual({ read: 1, rejected: 1 });
    },
  ));

it('reads packed files', () =>
  translateFiles({ 'orders.csv.gz': csvOf(COLUMNS, [order('#1', '1')]) }, async ({ rows }) =>
    expect(await rows('orders', 'order_id')).toEqual([['600001']]),
  ));

it('takes no discount off a tip, which is no edit', () =>
  translateFiles(
    file([
      order('#1', '122', {
        ...{ Subtotal: '90', Shipping: '5', Taxes: '7', 'Discount Amount': '10', 'Lineitem price': '100' },
      }),
      line('#1', 'Trinkgeld', '1', '20', { Vendor: '', 'Lineitem sku': '' }),
    ]),
    async ({ rows }) =>
      expect(await rows('order_items', 'kind, unit_price')).toEqual([
        ['payment', 20],
        ['product', 90],
      ]),
  ));
