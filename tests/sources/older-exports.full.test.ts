import { afterAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { importFiles } from '../../src/import/run.ts';
import { type Files, storedRows, writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { translateFiles } from './translated.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

const importing = (business: Business, files: Files) =>
  importFiles(test.instance, business, [writeFiles(test, files)], {});

const HEADER =
  'Name,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id,Cancelled at,Refunded Amount,Discount Amount';
const OLDER = `${HEADER}
#1,paid,EUR,10,0,0,10,2026-01-05 10:00:00 +0000,1,Mug,10,1,,0,0
#2,paid,EUR,20,0,0,20,2026-01-05 10:00:00 +0000,2,Mug,10,2,,2,0
#3,paid,EUR,20,0,0,20,2026-01-05 10:00:00 +0000,2,Mug,10,3,,0,0
`;
const NEWER = `${HEADER}
#1,voided,EUR,10,0,0,10,2026-01-05 10:00:00 +0000,1,Mug,10,1,2026-01-09 10:00:00 +0000,0,0
#2,paid,EUR,20,0,0,20,2026-01-05 10:00:00 +0000,2,Mug,10,2,,5,0
`;

it('an older export of Shopify undoes no cancellation and no refund, and the report says so', async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  await importing(business, { 'b.csv': NEWER });
  const report = await importing(business, { 'a.csv': OLDER });
  expect(await storedRows(test, business, 'orders', 'order_id, status')).toEqual([
    ['1', 'cancelled'],
    ['2', 'paid'],
    ['3', 'paid'],
  ]);
  expect(await storedRows(test, business, 'refunds', 'order_id, cast(amount as double)')).toEqual([['2', 5]]);
  expect(report.sources[0]?.assumptions.join()).toContain('2 orders stay as an earlier import left them');
  // The newer one is taken as before.
  await importing(business, { 'c.csv': NEWER.replace(',5,0', ',9,0') });
  expect(await storedRows(test, business, 'refunds', 'order_id, cast(amount as double)')).toEqual([['2', 9]]);
});

it('an import that changes totals of stored orders says which, from what to what, and by which file', async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  const file = (...totals: readonly (readonly [id: string, total: string])[]) =>
    [
      HEADER,
      ...totals.map(
        ([id, total]) =>
          `#${id},paid,EUR,${total},0,0,${total},2026-01-05 10:00:00 +0000,1,Mug,${total},${id},,0,0`,
      ),
      '',
    ].join('\n');
  const newer = file(['1', '100.50'], ['2', '20'], ['3', '30'], ['4', '40'], ['5', '50']);
  const warningsOf = async (files: Files) => (await importing(business, files)).warnings;
  expect(await warningsOf({ 'new.csv': newer })).toEqual([]);
  expect(
    await warningsOf({ 'old.csv': file(['1', '36.50'], ['2', '20']), 'x.csv': file(['3', '31']) }),
  ).toEqual([
    'old.csv changes the total of 1 order that was loaded: 1 from 100.5 to 36.5. If that file is older than what was imported before, import the newer one again',
    'x.csv changes the total of 1 order that was loaded: 3 from 30 to 31. If that file is older than what was imported before, import the newer one again',
  ]);
  // The same again changes nothing; of many, some are named; what is new has no total to change.
  expect(await warningsOf({ 'old.csv': file(['1', '36.50'], ['2', '20']) })).toEqual([]);
  expect(
    await warningsOf({
      'all.csv': file(['1', '1'], ['2', '2'], ['3', '3'], ['4', '4'], ['5', '5'], ['6', '6']),
    }),
  ).toEqual([
    'all.csv changes the total of 5 orders that were loaded: 1 from 36.5 to 1, 2 from 20 to 2, 3 from 31 to 3, and 2 others. If that file is older than what was imported before, import the newer one again',
  ]);
});

it('refunds of a plugin that come with their day replace the one that stood for all of them', async () => {
  const business = await test.createBusiness({ currency: 'GBP', timezone: 'UTC' });
  const header = 'Order Number,Order Status,Order Date,Order Total Amount,Order Refund Amount,Currency';
  const order = '501,Completed,2026-03-01 10:00:00,48.00,30.00,GBP\n';
  const refund = '501,Refunded,2026-03-05 10:00:00,-24.00,0.00,GBP\n';
  const refunds = async (...rows: readonly string[]) => {
    const folder = writeFiles(test, { 'a.csv': `${header}\n${rows.join('')}` });
    await importFiles(test.instance, business, [folder], { settings: { timezone: 'UTC' } });
    return storedRows(
      test,
      business,
      'refunds',
      'cast(amount as double), cast(refunded_at as date)::varchar',
    );
  };
  expect(await refunds(order)).toEqual([[30, '2026-03-01']]);
  const both = [
    [6, '2026-03-01'],
    [24, '2026-03-05'],
  ];
  expect(await refunds(order, refund)).toEqual(both);
  expect(await refunds(order, refund)).toEqual(both);
  expect(await refunds(order)).toEqual(both);
  expect(await refunds(order.replace('30.00', '24.00'), refund)).toEqual([[24, '2026-03-05']]);
});

it('an import that takes a cancellation back says so, where the files do not say which is older', async () => {
  const business = await test.createBusiness({ currency: 'GBP', timezone: 'UTC' });
  const file = (status: string) =>
    `Order Number,Order Status,Order Date,Order Total Amount,Currency\n501,${status},2026-03-01 10:00:00,48.00,GBP\n502,Completed,2026-03-01 10:00:00,48.00,GBP\n`;
  const warningsOf = async (status: string) => {
    const folder = writeFiles(test, { 'a.csv': file(status) });
    const { warnings } = await importFiles(test.instance, business, [folder], {
      settings: { timezone: 'UTC' },
    });
    return warnings.join('\n');
  };
  expect(await warningsOf('Cancelled')).not.toContain('cancelled');
  expect(await warningsOf('Completed')).toContain(
    '1 order that was cancelled is not cancelled in the files of woocommerce-advanced-order-export',
  );
  expect(await warningsOf('Completed')).not.toContain('cancelled');
});

it('the download of a plugin that knows of more refunds counts, with its lines', () => {
  const file = (refund: string, quantity: string) =>
    `Order Number,Order Status,Order Date,Order Total Amount,Order Refund Amount,Currency,SKU,Quantity,Item Cost\n501,Completed,2026-03-01 10:00:00,48.00,${refund},GBP,CAP,${quantity},20.00\n`;
  return translateFiles(
    { 'a.csv': file('24.00', '1'), 'b.csv': file('0.00', '2') },
    async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('refunds', 'amount')).toEqual([[24]]);
      expect(await rows('order_items', 'quantity')).toEqual([[1]]);
    },
    { timezone: 'UTC' },
  );
});

it('the later download of one name counts where nothing else tells', () =>
  translateFiles(
    {
      'orders.csv': `${HEADER}\n#1,paid,EUR,10,0,0,10,2026-01-05 10:00:00 +0000,1,Mug,10,1,,0,0\n`,
      'orders (1).csv': `${HEADER}\n#1,paid,EUR,11,0,0,11,2026-01-05 10:00:00 +0000,1,Mug,11,1,,0,0\n`,
    },
    async ({ rows }) => expect(await rows('orders', 'total')).toEqual([[11]]),
  ));

describe('the rate of a second website of Magento', () => {
  const file = (own: string) =>
    `entity_id,increment_id,status,created_at,base_grand_total,base_currency_code,base_to_global_rate
1,01,complete,2026-03-05 13:00:00,10.0000,${own},1.0000
2,02,complete,2026-03-05 13:00:00,10.0000,USD,0.9000
`;
  const rates = async (own: string) => {
    const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
    await importFiles(test.instance, business, [writeFiles(test, { 'sales_order.csv': file(own) })], {
      settings: { 'store-currency': 'keep' },
    });
    return storedRows(test, business, 'orders', 'order_id, cast(fx_rate as double)');
  };

  it('converts to the currency of the business', async () =>
    expect((await rates('EUR'))[1]).toEqual(['2', 0.9]));

  it('is none where it converts to another currency', async () =>
    expect(await rates('CHF')).toEqual([
      ['1', null],
      ['2', null],
    ]));
});
