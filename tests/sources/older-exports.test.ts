import { afterAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { importFiles } from '../../src/sources/import-files.ts';
import { type Files, storedRows, writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';

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
