import { afterAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { importFiles } from '../../src/import/run.ts';
import type { Settings } from '../../src/sources/source.ts';
import { type Files, storedRows, writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { translateFiles } from './translated.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

const euro = () => test.createBusiness({ currency: 'EUR', timezone: 'Europe/Prague' });

function importing(business: Business, files: Files, settings: Settings = {}) {
  return importFiles(test.instance, business, [writeFiles(test, files)], { settings });
}

const PRODUCTS = `Handle,Title,Variant SKU,Variant Price,Variant Compare At Price,Cost per item,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Vendor,Type,Status
mug,Mug,MUG,10,12,4,shopify,7,deny,Acme,Kitchen,active
hat,Hat,HAT,20,,9,shopify,0,deny,Acme,Clothes,archived
`;
const FEED = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>
<item><g:id>MUG</g:id><title>Mug of today</title><g:price>11 EUR</g:price><g:gtin>8591234567890</g:gtin></item>
<item><g:id>HAT</g:id><title>Hat</title><g:price>20 EUR</g:price><g:availability>in stock</g:availability></item>
<item><g:id>NEW</g:id><title>New</title><g:price>5 EUR</g:price></item>
</channel></rss>`;
const HEUREKA = `<SHOP><SHOPITEM><ITEM_ID>MUG</ITEM_ID><PRODUCTNAME>Mug</PRODUCTNAME><PRICE_VAT>11</PRICE_VAT><DELIVERY_DATE>7</DELIVERY_DATE></SHOPITEM></SHOP>`;

const KNOWN =
  'external_product_id, name, price, original_price, purchase_price, stock_quantity, in_stock, discontinued, brand, ean';

const IN_TEXT = KNOWN.replace(
  'price, original_price, purchase_price, stock_quantity',
  ['price', 'original_price', 'purchase_price', 'stock_quantity']
    .map((name) => `cast(cast(${name} as double) as bigint)::varchar as ${name}`)
    .join(', '),
);

describe('a feed after the export of the shop', () => {
  it('takes away nothing of what it does not know, in another import', async () => {
    const business = await euro();
    await importing(business, { 'products.csv': PRODUCTS });
    await importing(business, { 'feed.xml': FEED });
    expect(await storedRows(test, business, 'products', IN_TEXT)).toEqual([
      ['HAT', 'Hat', '20', '20', '9', '0', true, true, 'Acme', null],
      ['MUG', 'Mug of today', '11', '11', '4', '7', true, false, 'Acme', '8591234567890'],
      ['NEW', 'New', '5', '5', null, null, null, false, null, null],
    ]);
    await importing(business, { 'products.csv': PRODUCTS.replace('10,12,4', '10,,4') });
    // An empty cell of the export is an answer: no sale any more.
    expect(await storedRows(test, business, 'products', 'original_price')).toEqual([
      ['5.0000'],
      [null],
      [null],
    ]);
  });

  it("keeps the export's values in the same import, too", () =>
    translateFiles({ 'feed.xml': FEED, 'products.csv': PRODUCTS }, async ({ rows, counts }) => {
      expect(await rows('products', KNOWN)).toEqual([
        ['HAT', 'Hat', 20, 20, 9, 0, true, true, 'Acme', null],
        ['MUG', 'Mug of today', 11, 11, 4, 7, true, false, 'Acme', '8591234567890'],
        ['NEW', 'New', 5, 5, null, null, null, false, null, null],
      ]);
      expect(counts.products).toMatchObject({ read: 5, loaded: 3, replaced: 2 });
    }));

  it('a stock that a feed of Heureka leaves open is open', () =>
    translateFiles(
      { 'feed.xml': HEUREKA, 'products.csv': PRODUCTS },
      async ({ rows }) => {
        expect((await rows('products', KNOWN)).at(-1)).toEqual([
          'MUG',
          'Mug',
          11,
          12,
          4,
          7,
          null,
          false,
          'Acme',
          null,
        ]);
      },
      { currency: 'EUR' },
    ));
});
