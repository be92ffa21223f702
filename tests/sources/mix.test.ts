import { afterAll, expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import { writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

const event = (id: string, metric: string, moment: string) =>
  JSON.stringify({
    type: 'event',
    id,
    attributes: { datetime: moment, event_properties: { $message: 'CAMP1', 'Campaign Name': 'Spring' } },
    relationships: { profile: { data: { id: 'K1' } }, metric: { data: { id: metric } } },
  });
const metric = (id: string, name: string) => JSON.stringify({ type: 'metric', id, attributes: { name } });

it("answers of a shop's exports and Klaviyo's events: a customer is one by e-mail, and orders are the shop's alone", async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
  const folder = writeFiles(test, {
    'orders_export.csv': `Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Id,Cancelled at
#1,Ann@example.com,paid,EUR,20,5,0,25,2026-03-05 14:00:00 +0100,2,Mug,10,MUG,9001,
#2,bob@example.com,paid,EUR,10,0,0,10,2026-03-05 15:00:00 +0100,1,Mug,10,MUG,9002,
#3,bob@example.com,voided,EUR,10,0,0,10,2026-03-05 16:00:00 +0100,1,Mug,10,MUG,9003,
`,
    'products_export.csv': 'Handle,Title,Variant SKU,Variant Price\nmug,Mug,MUG,10\n',
    'events.ndjson': [
      metric('M1', 'Received Email'),
      metric('M2', 'Clicked Email'),
      metric('M3', 'Placed Order'),
      JSON.stringify({ type: 'profile', id: 'K1', attributes: { email: 'ann@EXAMPLE.com' } }),
      event('E1', 'M1', '2026-03-05T09:00:00+00:00'),
      event('E2', 'M2', '2026-03-05T10:00:00+00:00'),
      event('E3', 'M3', '2026-03-05T13:00:00+00:00'),
    ].join('\n'),
  });
  const report = await importFiles(test.instance, business, [folder]);
  expect(report.sources.map(({ source }) => source)).toEqual([
    'shopify-orders-csv',
    'shopify-products-csv',
    'klaviyo-events-json',
  ]);
  const range = {
    business_id: business.business_id,
    from_date: '2026-03-01T00:00:00',
    to_date: '2026-03-31T23:59:59',
  };
  const [reconciliation] = report.reconciliation;
  expect(await test.ask('order_statistics', range)).toMatchObject({
    orders_count: reconciliation?.orders.valid,
    orders_revenues: reconciliation?.gross.revenue,
  });
  expect(await test.ask('email_campaign_statistics', range)).toMatchObject({
    campaigns: [{ name: 'Spring', sent_count: 1, unique_clicks_count: 1, attributed_revenue: 25 }],
  });
});

it('an order of another system with the id of a loaded one, of another year, is told of', async () => {
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });
  const orders = (...rows: string[]) =>
    writeFiles(test, { 'orders.csv': `order_id,ordered_at,total\n${rows.join('\n')}\n` });
  const moved = (report: { warnings: readonly string[] }) =>
    report.warnings.filter((warning) => warning.includes('of another day'));
  const before = await importFiles(test.instance, business, [
    orders('3,2024-03-05T14:00:00Z,121', '4,2024-03-06T14:00:00Z,10', '5,2024-03-07T14:00:00Z,10'),
  ]);
  expect(moved(before)).toEqual([]);
  // The order is the same still in another time zone, or paid a day later.
  const again = await importFiles(test.instance, business, [
    orders('4,2024-03-08T13:00:00Z,12', '6,2024-03-09T14:00:00Z,10'),
  ]);
  expect(moved(again)).toEqual([]);
  const woocommerce = {
    ...{ id: 3, status: 'completed', currency: 'EUR', total: '10.00', discount_total: '0', line_items: [] },
    ...{ order_key: 'x', date_created_gmt: '2026-03-05T13:00:00' },
  };
  const after = await importFiles(test.instance, business, [
    writeFiles(test, { 'orders.json': JSON.stringify([woocommerce]) }),
  ]);
  expect(moved(after)).toEqual([
    expect.stringMatching(
      /^orders: 1 order is of another day .* for example 3: 2024-03-05, now 2026-03-05\./,
    ),
  ]);
});
