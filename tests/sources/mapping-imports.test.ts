import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSourceSettings } from '../../src/control/businesses/source-settings.ts';
import { importFiles } from '../../src/import/run.ts';
import { readMappingFile } from '../../src/sources/mapping/known-sources.ts';
import { writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { ORDER, ordersBy } from './mapped-orders.ts';
import { translateFiles } from './translated.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

describe('an import', () => {
  const FILES = { 'a.csv': `Number;Day;Total\n${ORDER}\n2;1.2.2026 10:00;5\n` };

  it('reconciles the orders, and remembers the mapping for the business alone', async () => {
    const [business, other] = [await test.createBusiness({ currency: 'CZK' }), await test.createBusiness()];
    const folder = writeFiles(test, FILES);
    const path = join(writeFiles(test, { 'mapping.yaml': ordersBy('') }), 'mapping.yaml');
    await importFiles(test.instance, business, [folder], {
      mappings: [readMappingFile(path)],
      isTrial: true,
    });
    // A trial remembers nothing.
    await expect(importFiles(test.instance, business, [folder])).rejects.toThrow('storesight source map');
    await importFiles(test.instance, business, [folder], { mappings: [readMappingFile(path)] });
    const { sources, reconciliation } = await importFiles(test.instance, business, [folder]);
    expect(sources[0]?.source).toBe('our-orders');
    expect(reconciliation).toMatchObject([
      {
        ...{ source: 'our-orders', currency: 'CZK' },
        orders: { in_file: 2, stored: 2, valid: 2 },
        gross: { in_file: 1255.5, stored: 1255.5, revenue: 1255.5 },
        differences: [],
      },
    ]);
    expect((await readSourceSettings(test.instance.control, business.business_id)).get('our-orders')).toEqual(
      {
        mapping: ordersBy(''),
      },
    );
    await expect(importFiles(test.instance, other, [folder])).rejects.toThrow(
      'nothing to import was recognised',
    );
  });

  it('compares the currency that was said of costs with that of the business', async () => {
    const business = await test.createBusiness({ currency: 'CZK' });
    const folder = writeFiles(test, { 'a.csv': 'Day,Campaign,Cost\n2026-09-01,Brand,10.50\n' });
    const settings = { currency: 'EUR' };
    await expect(importFiles(test.instance, business, [folder], { settings })).rejects.toThrow(
      'is in another currency than the business',
    );
    await importFiles(test.instance, business, [folder], { settings: { currency: 'CZK' } });
  });

  it('takes the day of an export for that import alone', async () => {
    const business = await test.createBusiness({ currency: 'CZK' });
    const file = {
      'a.csv':
        'Email,Klaviyo ID,First Name,Country,Email Marketing Consent,Profile Created On\nann@example.com,01A,Ann,,SUBSCRIBED,2025-01-05 10:00:00\n',
    };
    const settings = { timezone: 'Europe/Prague', 'exported-at': '2026-01-31' };
    await importFiles(test.instance, business, [writeFiles(test, file)], { settings });
    const remembered = await readSourceSettings(test.instance.control, business.business_id);
    expect(remembered.get('klaviyo-members')).toEqual({ timezone: 'Europe/Prague' });
    const { sources } = await importFiles(test.instance, business, [writeFiles(test, file)]);
    expect(sources[0]?.settings).toEqual({ timezone: 'Europe/Prague' });
    expect(sources[0]?.assumptions.join()).toContain('is of the day on which it was written');
  });

  it('lists orders that do not count, and lines that do not add up', async () => {
    const business = await test.createBusiness({ currency: 'CZK' });
    const folder = writeFiles(test, {
      'a.csv': `Number;Day;Total;Status;Sku;Pieces;Price
1;1.2.2026 10:00;30;Hotovo;A;1;10
1;1.2.2026 10:00;30;Hotovo;B;1;20
2;1.2.2026 10:00;30;Hotovo;A;1;10
3;1.2.2026 10:00;7;Storno;A;1;7
`,
    });
    const path = join(
      writeFiles(test, {
        'm.yaml': ordersBy(`    status: {map: Status, values: {Hotovo: fulfilled, Storno: cancelled}}
  order_items:
    order_id: Number
    external_product_id: Sku
    quantity: Pieces
    unit_price: Price`),
      }),
      'm.yaml',
    );
    const { reconciliation } = await importFiles(test.instance, business, [folder], {
      mappings: [readMappingFile(path)],
    });
    expect(reconciliation).toMatchObject([
      {
        orders: { in_file: 3, stored: 3, valid: 2 },
        gross: { in_file: 67, stored: 67, revenue: 60 },
        differences: [
          { reason: 'cancelled', orders: 1, amount: 7 },
          { reason: 'lines_do_not_add_up', orders: 1, amount: -20 },
        ],
      },
    ]);
  });

  it('goes by the mapping that is said, and says what else the file looks like', async () => {
    await translateFiles(
      { 'a.csv': 'Name,Total,Created at,Lineitem name\n#1,10,2026-01-05 10:00:00 +0000,Mug\n' },
      ({ sources }) => {
        expect(sources[0]?.source).toBe('own');
        expect(sources[0]?.assumptions.join()).toContain('it looks like Shopify orders');
      },
      {},
      'name: own\nrecognise: [Name, Lineitem name]\ntables: {orders: {order_id: Name, ordered_at: Created at, total: Total, currency: {constant: EUR}}}',
    );
    const path = join(
      writeFiles(test, {
        'm.yaml': 'name: shopify-json\ntables: {orders: {order_id: A, ordered_at: B, total: C}}',
      }),
      'm.yaml',
    );
    expect(() => readMappingFile(path)).toThrow('built in; choose another');
  });
});

it('keeps no cost and no price of another currency than that of the business', async () => {
  const business = await test.createBusiness({ currency: 'EUR' });
  const folder = writeFiles(test, {
    'costs.csv':
      'Reporting starts,Reporting ends,Campaign name,Amount spent (USD)\n2026-09-01,2026-09-01,Promo,62.10\n',
    'feed.xml':
      '<rss xmlns:g="http://base.google.com/ns/1.0"><item><g:id>1</g:id><title>Mug</title><g:price>9 CZK</g:price></item></rss>\n',
  });
  const refusal = await importFiles(test.instance, business, [folder]).catch((error: Error) => error.message);
  expect(refusal).toContain('2 of 2 rows are bad');
  expect(refusal).toContain('is in another currency than the business');
  expect(refusal).toContain('has a price in another currency than the business');
});
