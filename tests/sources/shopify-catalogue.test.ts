import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, writeFiles } from '../ingest/staging.ts';
import { csvRows } from '../oracle/csv-text.ts';
import { isQuick } from '../support/runs.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { translateFiles } from './translated.ts';

describe('products', () => {
  const PRODUCTS = `Handle,Title,Body (HTML),Vendor,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Status,Cost ,Metafield: custom.x
mug,Mug,<p>A   <b>big</b> mug</p>,Acme,Kitchen,Color,Blue ,Size,L,MUG-B,shopify,3,deny, 10.00 ,12.00,'8590001,https://x.example/1.jpg,active,4.5,y
mug,,,,,,Red,,L,,shopify,0,deny,11.00,,,https://x.example/2.jpg,,,
mug,,,,,,,,,,,,,,,,https://x.example/3.jpg,,,
lamp,Lamp,,Bolt,,Title,Default Title,,,,,,,20,,,,archived,,
lamp-2,Lamp,,Bolt,,Title,Default Title,,,,shopify,0,continue,21,,,,active,,
`;

  it('makes a product of each variant, of no image alone, and tells equal names apart', () =>
    translateFiles({ 'p.csv': PRODUCTS }, async ({ rows, rejects, sources }) => {
      expect(rejects).toEqual([]);
      expect(
        await rows(
          'products',
          'external_product_id, external_master_product_id, name, sku, price, original_price, purchase_price, in_stock, discontinued',
        ),
      ).toEqual([
        ['MUG-B', 'mug', 'Mug - Blue / L', 'MUG-B', 10, 12, 4.5, true, false],
        ['lamp', 'lamp', 'Lamp', null, 20, null, null, null, true],
        ['lamp-2', 'lamp-2', 'Lamp', null, 21, null, null, true, false],
        ['name:Mug - Red / L', 'mug', 'Mug - Red / L', null, 11, null, null, false, false],
      ]);
      expect(await rows('products', 'distinct brand, description, categories')).toEqual([
        ['Acme', 'A big mug', ['Kitchen']],
        ['Bolt', null, []],
      ]);
      expect(sources[0]).toMatchObject({ source: 'shopify-products-csv', columns_ignored: 3 });
    }));

  it('rejects a price that may be another, where the others do not tell', () =>
    translateFiles(
      { 'p.csv': 'Handle,Title,Variant Price,Variant SKU\nmug,Mug,1.299,M\nlamp,Lamp,20,L\n' },
      async ({ rows, rejects }) => {
        expect(await rows('products', 'external_product_id, price')).toEqual([['L', 20]]);
        expect(rejects).toMatchObject([{ line: 2, reason: expect.stringContaining('thousandths') }]);
      },
    ));

  it('gives a variant without SKU the id that lines of orders have', () =>
    translateFiles(
      {
        'p.csv': PRODUCTS,
        'o.csv':
          'Name,Total,Currency,Created at,Lineitem name,Lineitem quantity,Lineitem price\n#1,11,EUR,2026-01-01 10:00:00 +0000,Mug - Red / L,1,11\n',
      },
      async ({ rows }) => {
        const known = await rows('products', 'external_product_id');
        expect(known).toContainEqual((await rows('order_items', 'external_product_id'))[0]);
      },
    ));

  const files = samples('shopify-products');
  it.skipIf(isQuick || files.length === 0)(
    `reads every sample, as many variants as an independent count finds (${NO_SAMPLES}: none)`,
    async () => {
      for (const { name, path } of files) {
        const [header = [], ...lines] = csvRows(readFileSync(path, 'utf8'));
        const price = header.map((cell) => cell.trim()).indexOf('Variant Price');
        const prices = lines.map((line) => line[price]?.trim() ?? '').filter((cell) => cell !== '');
        await translateFiles(path, async ({ rows, rejects, counts }) => {
          expect(rejects, name).toEqual([]);
          expect(counts.products?.read, name).toBe(prices.length);
          const stored = await rows('products', 'price');
          expect(stored.flat().sort(), name).toEqual(prices.map(Number).sort());
        });
      }
    },
  );
});

describe('customers', () => {
  const CUSTOMERS = `Customer ID,First Name,Email,Accepts Email Marketing,Default Address Country Code,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Tags
'8137,Ann,ann@example.com,yes,CZ,,'+420601234567,no,10,1,"VIP, new"
'8138,Bob,,no,SK,'+421901234567,,yes,0,0,
`;

  it('keeps ids without the apostrophe, hashes, and one consent for each channel', () =>
    translateFiles(
      { 'c.csv': CUSTOMERS },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows('profiles', 'profile_id, external_customer_id, email_domain, phone_country, tags'),
        ).toEqual([
          ['8137', '8137', 'example.com', 'CZ', ['VIP', 'new']],
          ['8138', '8138', null, 'SK', []],
        ]);
        expect(
          await rows('consent_events', 'profile_id, channel, state, source, cast("at" as varchar)'),
        ).toEqual([
          ['8137', 'email', 'subscribed', 'import', '2026-10-31 00:00:00'],
          ['8137', 'sms', 'unsubscribed', 'import', '2026-10-31 00:00:00'],
          ['8138', 'sms', 'subscribed', 'import', '2026-10-31 00:00:00'],
        ]);
        const stored = JSON.stringify([await rows('profiles', '*'), await rows('consent_events', '*')]);
        for (const text of ['Ann', 'ann@', '601234567', '901234567']) expect(stored).not.toContain(text);
      },
      { 'exported-at': '2026-10-31' },
    ));

  it('knows a customer whose numbers a tool wrote with `.0`, and takes tags apart at their commas alone', () =>
    translateFiles(
      {
        'c.csv': CUSTOMERS.replace("'8137", '8137.0')
          .replace("'+420601234567", '+420601234567.0')
          .replace('"VIP, new"', '"5"" vase,mug, a|b"'),
        'd.csv': CUSTOMERS.replace("'8137", '9').replace("'8138", '10'),
      },
      async ({ rows }) => {
        expect(await rows('profiles', 'external_customer_id, tags', "profile_id = '8137'")).toEqual([
          ['8137', ['5" vase', 'mug', 'a|b']],
        ]);
        const phones = await rows('profiles', 'distinct phone_hash', "profile_id in ('8137', '9')");
        expect(phones).toHaveLength(1);
      },
      { 'exported-at': '2026-10-31' },
    ));

  it('dates consents by when the file was written, and says so', async () => {
    using folder = temporaryFolder();
    writeFiles(folder.path, { 'c.csv': CUSTOMERS });
    utimesSync(
      join(folder.path, 'c.csv'),
      new Date('2026-05-04T10:00:00Z'),
      new Date('2026-05-04T10:00:00Z'),
    );
    await translateFiles(folder.path, async ({ rows, sources }) => {
      expect(await rows('consent_events', 'distinct cast("at" as varchar)')).toEqual([
        ['2026-05-04 10:00:00'],
      ]);
      expect(sources[0]?.assumptions.join()).toContain('on which the file was written (2026-05-04)');
    });
  });

  it('knows customers by e-mail where the old export has no id, and rejects who is nobody', () =>
    translateFiles(
      {
        'c.csv':
          'First Name,Email,Accepts Marketing,Total Spent,Total Orders\nAnn,Ann@example.com,yes,1,1\nBob,,no,1,1\n',
      },
      async ({ rows, rejects }) => {
        expect(await rows('profiles', 'length(profile_id), external_customer_id')).toEqual([[32, null]]);
        expect(rejects).toEqual([
          { file: 'c.csv', line: 3, reason: expect.stringContaining('names nobody') },
        ]);
      },
    ));

  const files = samples('shopify-customers');
  it.skipIf(files.length === 0)(`reads every sample (${NO_SAMPLES}: none)`, async () => {
    for (const { name, path } of files) {
      const [header = [], ...lines] = csvRows(readFileSync(path, 'utf8'));
      const whole = lines.filter((line) => line.length === header.length);
      await translateFiles(path, ({ counts, raw }) => {
        expect(counts.profiles, name).toMatchObject({ read: whole.length, loaded: whole.length });
        // One sample is cut off within its last row.
        expect(raw.rejected, name).toBe(lines.length - whole.length);
      });
    }
  });
});
