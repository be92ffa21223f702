import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { importFiles } from '../../src/import/run.ts';
import { writeFiles } from '../ingest/shop.ts';
import { isQuick } from '../support/runs.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { countShopifyOrders } from './count-shopify-orders.ts';
import { NO_SAMPLES, samples } from './samples.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

const HEADER =
  'Name,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id,Cancelled at,Refunded Amount,Discount Amount';

describe('the reconciliation of orders', () => {
  it('tells every reason for which orders do not count, or are worth a look', async () => {
    const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
    const before = await currentSnapshot(test.instance.control, business.business_id);
    const folder = writeFiles(test, {
      'a.csv': `${HEADER}
#1,paid,EUR,10,2,1,13,2026-01-31 23:30:00 +0000,1,Mug,10,1,,0,0
#2,voided,EUR,10,2,1,13,2026-01-05 10:00:00 +0000,1,Mug,10,2,,0,0
#3,pending,EUR,20,0,1,20,2026-01-05 10:00:00 +0000,2,Mug,10,3,,0,0
#4,paid,EUR,20,0,0,15.5,2026-01-05 10:00:00 +0000,1,Mug,10,4,,5.5,0
#5,paid,USD,7,0,0,7,2026-01-05 10:00:00 +0000,1,Mug,7,5,,0,0
#6,paid,EUR,oops,0,0,oops,2026-01-05 10:00:00 +0000,1,Mug,7,6,,0,0
`,
      'b.csv': `${HEADER}
#1,paid,EUR,10,2,1,13,2026-01-31 23:30:00 +0000,1,Mug,10,1,,3,0
`,
    });
    const report = await importFiles(test.instance, business, [folder], {
      maxRejects: { rows: 2 },
      isTrial: true,
    });
    const [euros, dollars] = report.reconciliation;
    expect(euros).toMatchObject({
      source: 'shopify-orders-csv',
      files: ['a.csv', 'b.csv'],
      currency: 'EUR',
      orders: { in_file: 6, stored: 4, valid: 3 },
      gross: { in_file: 74.5, stored: 61.5, revenue: 48.5 },
      refunds: { in_file: 8.5, stored: 8.5 },
      differences: [
        { reason: 'duplicate', orders: 1, amount: 13, is_counted: false },
        { reason: 'rejected', orders: 1, amount: 0, is_counted: false },
        { reason: 'cancelled', orders: 1, amount: 13, is_counted: false },
        { reason: 'unpaid', orders: 1, amount: 20, is_counted: true },
        { reason: 'edited', orders: 1, amount: -4.5, is_counted: true },
        { reason: 'lines_do_not_add_up', orders: 1, amount: -10, is_counted: true },
      ],
    });
    // The last hour of January in UTC is February in Prague.
    expect(euros?.months.map(({ month, orders, gross }) => [month, orders.in_file, gross.revenue])).toEqual([
      ['2026-01', 4, 35.5],
      ['2026-02', 2, 13],
    ]);
    expect(dollars).toMatchObject({
      currency: 'USD',
      orders: { in_file: 1, stored: 1, valid: 1 },
      gross: { in_file: 7, stored: 7, revenue: 0 },
      differences: [{ reason: 'foreign_without_rate', orders: 1, amount: 7, is_counted: false }],
    });
    // A trial serves nothing.
    expect(report.snapshot).toBeNull();
    expect(await currentSnapshot(test.instance.control, business.business_id)).toEqual(before);
  });

  it('a tip is no edit, and lines with one add up', async () => {
    const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
    const folder = writeFiles(test, {
      'a.csv': `${HEADER}
#1,paid,EUR,90,5,7,122,2026-01-31 10:00:00 +0000,1,Mug,100,1,,0,10
#1,,,,,,,2026-01-31 10:00:00 +0000,1,Tip,20,,,,
`,
    });
    const { reconciliation } = await importFiles(test.instance, business, [folder], { isTrial: true });
    expect(reconciliation[0]).toMatchObject({ orders: { valid: 1 }, differences: [] });
  });

  const files = samples('shopify-orders');
  it.skipIf(isQuick || files.length === 0)(
    `is that of an independent count, for every sample (${NO_SAMPLES}: nothing to count)`,
    async () => {
      for (const { name, path } of files) {
        const business = await test.createBusiness({ timezone: 'UTC' });
        const report = await importFiles(test.instance, business, [path], { isTrial: true });
        const counted = countShopifyOrders(readFileSync(path, 'utf8'));
        const [found] = report.reconciliation;
        const money = (cents: number) => ({ in_file: cents / 100, stored: cents / 100 });
        expect(report.reconciliation, name).toHaveLength(1);
        expect(found, name).toMatchObject({
          orders: { ...counted.orders, stored: counted.orders.in_file },
          gross: { ...money(counted.gross), revenue: counted.revenue / 100 },
          refunds: money(counted.refunds),
          discounts: money(counted.discounts),
          shipping: money(counted.shipping),
          tax: money(counted.tax),
        });
        const differences = new Map(found?.differences.map(({ reason, orders }) => [reason, orders]));
        expect([differences.get('cancelled') ?? 0, differences.get('edited') ?? 0], name).toEqual([
          counted.cancelled,
          counted.edited,
        ]);
        const months = found?.months ?? [];
        expect(
          months.reduce((sum, { orders }) => sum + orders.valid, 0),
          name,
        ).toBe(counted.orders.valid);
      }
    },
  );
});

it('remembers what was said about a source of a business, and asks again for another', async () => {
  const [business, other] = [await test.createBusiness(), await test.createBusiness()];
  const folder = writeFiles(test, {
    'a.csv': 'Name,Total,Created at,Lineitem name\n#1,10,2026-01-05 10:00:00,Mug\n',
  });
  await expect(importFiles(test.instance, business, [folder])).rejects.toThrow('--timezone Europe/Prague');
  const settings = { timezone: 'Europe/Prague', currency: 'CZK' };
  await importFiles(test.instance, business, [folder], { settings });
  const again = await importFiles(test.instance, business, [folder]);
  expect(again.sources[0]?.settings).toEqual(settings);
  await expect(importFiles(test.instance, other, [folder])).rejects.toThrow('--currency EUR');
  await expect(
    importFiles(test.instance, other, [folder], { settings: { timezone: 'Prag' } }),
  ).rejects.toThrow('--timezone Prag: it must be an IANA timezone');
});
