import { expect, it } from 'vitest';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { importFolder } from '../../src/import/run.ts';
import { differencesFromWhole } from '../support/differences-from-whole.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { EVEN_IF_SMALL, linesOf, linesWithoutOrder, reportedLines } from './incremental-lines.ts';
import { type Files, importFiles, SMALL_SHOP, writeFiles } from './shop.ts';

const ORDERS = 'order_id,ordered_at,email,total';

it('counts what came back of a product as long as somebody else bought, viewed or listed it', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  const steps: Files[] = [
    {
      'orders.csv': `${ORDERS}\nR1,2024-03-01,eva@example.com,5\nR2,2024-02-01,petr@example.com,5\n`,
      'refunds.csv': 'refund_id,order_id,refunded_at,amount\nF1,R1,2024-03-05,5\n',
      'refund_lines.csv': 'refund_id,order_id,external_product_id,quantity,amount\nF1,R1,G-1,1,5\n',
    },
    { 'order_items.csv': 'order_id,line_no,external_product_id,quantity,unit_price\nR2,1,G-1,1,5\n' },
    // Eva has the refund, and the rows of others are not looked at.
    { 'orders.csv': `${ORDERS}\nR3,2024-03-02,eva@example.com,5\n` },
    { 'orders.csv': `${ORDERS},status\nR2,2024-02-01,petr@example.com,5,cancelled\n` },
    {
      'product_events.csv': 'event_id,at,visitor_id,kind,external_product_id\nE1,2024-04-02,v9,view,G-1\n',
    },
    { 'orders.csv': `${ORDERS}\nR4,2024-03-03,eva@example.com,5\n` },
    { 'product_events.csv': 'event_id,_deleted\nE1,true\n' },
    { 'products.csv': 'external_product_id,name,price\nG-1,Gone,5\n' },
    { 'products.csv': 'external_product_id,_deleted\nG-1,true\n' },
  ];
  const seen: string[] = [];
  for (const files of steps) {
    const source = writeFiles(test, files);
    const { build } = await importFolder(test.instance, business, source, { incremental: EVEN_IF_SMALL });
    const { snapshot_id } = (await currentSnapshot(test.instance.control, business.business_id)) ?? {};
    const folder = test.instance.data.snapshot(business.business_id, String(snapshot_id));
    seen.push(`${build.kind}: ${JSON.stringify(await differencesFromWhole(test, business, folder))}`);
  }
  expect(seen).toEqual(steps.map(() => 'incremental: []'));
});

it('goes on counting lines without an order while orders come and go', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  const warningsOf = (files: Files) => linesWithoutOrder(test, business, files);
  const ordersOf = (...ids: readonly string[]) => ({
    'orders.csv': `${ORDERS}\n${ids.map((id) => `${id},2024-05-01,jana@example.com,5\n`).join('')}`,
  });
  expect(await warningsOf(linesOf('B1', 'B1', 'B2'))).toEqual(reportedLines(3));
  expect(await warningsOf(linesOf('B3', 'B3', 'B1'))).toEqual(reportedLines(4));
  expect(await warningsOf(ordersOf('B1'))).toEqual(reportedLines(3));
  expect(await warningsOf({ 'orders.csv': 'order_id,_deleted\nB1,true\n' })).toEqual(reportedLines(3));
  expect(await warningsOf(ordersOf('B2', 'B3'))).toEqual([]);
});
