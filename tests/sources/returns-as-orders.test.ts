// Some systems book a return as an order with a number of its own and a negative total.
import { afterAll, expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import { writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { csvOf, type Translated, translateFiles } from './translated.ts';

const test = await createTestInstance();
afterAll(() => test[Symbol.asyncDispose]());

const COLUMNS = [
  'Name',
  'Email',
  'Financial Status',
  'Currency',
  'Total',
  'Created at',
  'Id',
  'Refunded Amount',
];
const LINES = ['Lineitem quantity', 'Lineitem name', 'Lineitem price', 'Lineitem sku'];

function orderOf(
  number: string,
  total: string,
  [quantity = '1', price = total] = ['1', total],
  refunded = '0',
) {
  return {
    ...{
      Name: `#${number}`,
      Email: 'a@example.com',
      'Financial Status': 'paid',
      Currency: 'EUR',
      Total: total,
    },
    ...{ 'Created at': '2026-03-01 10:00:00 +0100', Id: `60${number}`, 'Refunded Amount': refunded },
    ...{
      'Lineitem quantity': quantity,
      'Lineitem name': 'Cap',
      'Lineitem price': price,
      'Lineitem sku': 'CAP',
    },
  };
}

const SHOPIFY = csvOf(
  [...COLUMNS, ...LINES],
  [
    orderOf('1001', '50.00', ['2', '25.00'], '5.00'),
    // Whoever wrote it said of the return that it is refunded, too.
    orderOf('1002', '-25.00', ['-1', '25.00'], '25.00'),
    { ...orderOf('1003', '-7.00', ['-1', '7.00']), 'Financial Status': 'voided' },
  ],
);

const TABLE = `Numer zamówienia;Data zamówienia;Status;Wartość zamówienia;E-mail
Z1;2026-03-05 10:00;Zrealizowane;100,00;a@example.com
Z2;2026-03-06 10:00;Zrealizowane;-50,00;a@example.com
Z3;2026-03-07 10:00;Anulowane;-30,00;b@example.com
`;

const MAPPING = (more: readonly string[] = []) =>
  [
    'name: pos',
    'title: Orders of a till',
    'recognise: [Numer zamówienia, Data zamówienia]',
    'tables:',
    '  orders:',
    '    order_id: Numer zamówienia',
    '    ordered_at: Data zamówienia',
    '    total: { number: Wartość zamówienia, decimal: comma }',
    '    email: E-mail',
    '    currency: { constant: PLN }',
    ...more,
  ].join('\n');

const STATUS = '    status: { map: Status, values: { Zrealizowane: fulfilled, Anulowane: cancelled } }';
const WARSAW = { timezone: 'Europe/Warsaw' };

const refundsOf = ({ rows }: Translated) =>
  rows('refunds', 'refund_id, order_id, amount, cast(refunded_at as varchar)');

it('a return that Shopify has as an order is a refund of its day, and no order', () =>
  translateFiles({ 'orders_export.csv': SHOPIFY }, async (translated) => {
    expect(translated.rejects).toEqual([]);
    expect(await translated.rows('orders', 'order_id, status, total')).toEqual([
      ['601001', 'paid', 50],
      ['601002', 'credit_note', 0],
      // What was cancelled is neither.
      ['601003', 'cancelled', -7],
    ]);
    const refunds = await translated.rows('refunds', 'order_id, amount, cast(refunded_at as varchar)');
    expect(refunds).toEqual([
      ['601001', 5, '2026-03-01 09:00:00'],
      ['601002', 25, '2026-03-01 09:00:00'],
    ]);
    expect(translated.sources[0]?.assumptions).toContain(
      '1 order has a negative total: it is a return, and counts as a refund of its day and as no order',
    );
  }));

it('a mapping that says nothing of refunds has them', () =>
  translateFiles(
    { 'orders.csv': TABLE },
    async (translated) => {
      expect(await translated.rows('orders', 'order_id, status, total')).toEqual([
        ['Z1', 'fulfilled', 100],
        ['Z2', 'credit_note', 0],
        ['Z3', 'cancelled', -30],
      ]);
      expect(await refundsOf(translated)).toEqual([['Z2', 'Z2', 50, '2026-03-06 09:00:00']]);
    },
    WARSAW,
    MAPPING([STATUS]),
  ));

it('everything negative is a return where no status is told', () =>
  translateFiles(
    { 'orders.csv': TABLE },
    async (translated) => {
      expect(await translated.rows('orders', 'order_id, status')).toEqual([
        ['Z1', 'paid'],
        ['Z2', 'credit_note'],
        ['Z3', 'credit_note'],
      ]);
      expect((await refundsOf(translated)).map(([id]) => id)).toEqual(['Z2', 'Z3']);
    },
    WARSAW,
    MAPPING(),
  ));

it('an import reconciles them, tools answer without them, and the same file again changes nothing', async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
  const folder = writeFiles(test, { 'orders_export.csv': SHOPIFY });
  const { reconciliation } = await importFiles(test.instance, business, [folder]);
  expect(reconciliation).toMatchObject([
    {
      orders: { in_file: 3, stored: 3, valid: 1 },
      gross: { in_file: 43, stored: 43, revenue: 50 },
      refunds: { in_file: 30, stored: 30 },
      differences: [
        { reason: 'cancelled', orders: 1, amount: -7, is_counted: false },
        { reason: 'return', orders: 1, amount: 25, is_counted: false },
      ],
    },
  ]);
  const result = await test.ask('order_statistics', {
    ...{ business_id: business.business_id, from_date: '2026-03-01', to_date: '2026-03-31' },
  });
  expect(result).toMatchObject({
    ...{ orders_count: 1, orders_revenues: 50, average_order_value: 50, unique_customers_count: 1 },
    ...{ refunded_revenue: 5, refunded_revenue_by_refund_date: 30 },
  });
  const again = await importFiles(test.instance, business, [folder]);
  expect(Object.values(again.changes).map(({ added, changed }) => [added, changed])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});
