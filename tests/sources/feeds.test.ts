import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NO_SAMPLES, samples } from './samples.ts';
import { refusalOf, translateFiles } from './translated.ts';

const GOOGLE = `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>
<item><g:id>S-1</g:id><g:item_group_id>G1</g:item_group_id><title>Shirt &amp; co</title><g:title>other</g:title>
  <link>https://shop.example/p/1?variant=2</link><g:price>1,299.00 CZK</g:price><g:sale_price>999.00 CZK</g:sale_price>
  <g:availability>in stock</g:availability><g:brand>Acme</g:brand><g:gtin>8591234567890</g:gtin>
  <g:product_type>Home &gt; Shirts | old</g:product_type><description><![CDATA[<p>A <b>big</b> shirt</p>]]></description></item>
<item><g:id>S-2</g:id><title>Hat</title><g:price>CZK 100</g:price><g:sale_price>50.00 CZK</g:sale_price>
  <g:sale_price_effective_date>2001-01-01T00:00+0100/2001-01-02T00:00+0100</g:sale_price_effective_date>
  <g:availability>out_of_stock</g:availability><g:shipping><g:price>1 CZK</g:price></g:shipping></item>
</channel></rss>
`;
const SELECTED =
  'external_product_id, external_master_product_id, name, price, original_price, in_stock, brand, ean, categories, description, url';

const HEUREKA = `<?xml version="1.0" encoding="utf-8"?>
<SHOP><SHOPITEM><ITEM_ID>S-1</ITEM_ID><ITEMGROUP_ID>G1</ITEMGROUP_ID><PRODUCTNAME>Košile</PRODUCTNAME><PRICE_VAT>1 299,50</PRICE_VAT>
<CATEGORYTEXT>Heureka.cz | Oblečení | Košile</CATEGORYTEXT><EAN>8591234567890</EAN><MANUFACTURER>Acme</MANUFACTURER><DELIVERY_DATE>0</DELIVERY_DATE>
<PARAM/><PARAM><PARAM_NAME>Barva</PARAM_NAME><VAL>modrá</VAL></PARAM><URL>https://shop.example/p/1</URL></SHOPITEM>
<SHOPITEM><ITEM_ID>S-2</ITEM_ID><PRODUCT>Čepice</PRODUCT><PRICE_VAT>100</PRICE_VAT><DELIVERY_DATE>7</DELIVERY_DATE><CATEGORYTEXT></CATEGORYTEXT></SHOPITEM></SHOP>
`;
const CZK = { currency: 'CZK' };

describe('Google Merchant', () => {
  const EXPECTED = [
    [
      'S-1',
      'G1',
      'Shirt & co',
      999,
      1299,
      true,
      'Acme',
      '8591234567890',
      ['Home > Shirts | old'],
      'A big shirt',
      'https://shop.example/p/1?variant=2',
    ],
    ['S-2', null, 'Hat', 100, 100, false, null, null, [], null, null],
  ];

  it.each([
    ['as it is', GOOGLE],
    ['in UTF-16', Buffer.from(`\uFEFF${GOOGLE}`, 'utf16le')],
    ['with another prefix', GOOGLE.replaceAll('g:', 'x:')],
    [
      'as Atom',
      GOOGLE.replace(
        /<rss.*\n/,
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">',
      )
        .replace('</channel></rss>', '</feed>')
        .replaceAll('item>', 'entry>')
        .replace(
          '<link>https://shop.example/p/1?variant=2</link>',
          '<link href="https://shop.example/p/1?variant=2"/>',
        ),
    ],
  ])('reads prices, sales of today, availability, categories %s', (_, feed) =>
    translateFiles({ 'feed.xml': feed }, async ({ rows, rejects, sources }) => {
      expect(rejects).toEqual([]);
      expect(await rows('products', SELECTED)).toEqual(EXPECTED);
      expect(sources[0]?.source).toBe('google-merchant-xml');
    }),
  );

  it('takes the id of the product, and not that which Atom has for each entry', () =>
    translateFiles(
      {
        'feed.xml': `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">
<entry><id>tag:shop.example,2026:/p/1</id><title>Mug</title><g:id>MUG</g:id><g:price>10.00 EUR</g:price></entry>
<entry><g:id>CUP</g:id><id>tag:shop.example,2026:/p/2</id><title>Cup</title><g:price>5.00 EUR</g:price></entry>
<entry><id>CARD</id><title>Card</title><g:price>1.00 EUR</g:price></entry></feed>`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('products', 'external_product_id, name, price')).toEqual([
          ['CARD', 'Card', 1],
          ['CUP', 'Cup', 5],
          ['MUG', 'Mug', 10],
        ]);
      },
      { currency: 'EUR' },
    ));

  it('asks for the currency where prices have none, and rejects an item without what a product needs', async () => {
    const bare = GOOGLE.replace('CZK 100', '100').replace('<g:id>S-1</g:id>', '');
    expect(await refusalOf({ 'feed.xml': bare })).toContain('--currency EUR');
    await translateFiles(
      { 'feed.xml': bare },
      ({ rejects }) => {
        expect(rejects).toEqual([{ file: 'feed.xml (items)', line: 1, reason: 'is required' }]);
      },
      CZK,
    );
  });

  it('reads the days of a sale as Google writes them, without seconds', () =>
    translateFiles(
      { 'feed.xml': GOOGLE.replace('2001-01-02T00:00+0100', '2095-02-28T23:07+0100') },
      async ({ rows }) => {
        expect(await rows('products', 'external_product_id, price, original_price')).toEqual([
          ['S-1', 999, 1299],
          ['S-2', 50, 100],
        ]);
      },
    ));

  it('takes no purchase price in another currency, and says of how many products', () =>
    translateFiles(
      {
        'feed.xml': GOOGLE.replace(
          '<g:brand>',
          '<g:cost_of_goods_sold>50.00 USD</g:cost_of_goods_sold><g:brand>',
        ).replace(
          '<g:availability>out',
          '<g:cost_of_goods_sold>40.00 CZK</g:cost_of_goods_sold><g:availability>out',
        ),
      },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(await rows('products', 'external_product_id, purchase_price')).toEqual([
          ['S-1', null],
          ['S-2', 40],
        ]);
        expect(sources[0]?.assumptions.join()).toContain('1 product has no purchase price');
      },
    ));

  it('rejects a sale in another currency', () =>
    translateFiles({ 'feed.xml': GOOGLE.replace('999.00 CZK', '39.00 EUR') }, ({ rejects }) => {
      expect(rejects).toEqual([
        {
          file: 'feed.xml (items)',
          line: 1,
          reason: expect.stringContaining('sale price in another currency'),
        },
      ]);
    }));
});

describe('Heureka', () => {
  it.each([
    ['in UTF-8', HEUREKA],
    ['in the encoding that it declares', latin(HEUREKA.replace('utf-8', 'windows-1250'))],
  ])('reads prices with VAT, categories without the root, and an empty PARAM %s', async (_, feed) => {
    expect(await refusalOf({ 'feed.xml': feed })).toContain('--currency CZK');
    await translateFiles(
      { 'feed.xml': feed },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'products',
            'external_product_id, external_master_product_id, name, price, in_stock, ean, categories',
          ),
        ).toEqual([
          ['S-1', 'G1', 'Košile', 1299.5, true, '8591234567890', ['Oblečení > Košile']],
          ['S-2', null, 'Čepice', 100, null, null, []],
        ]);
      },
      CZK,
    );
  });
});

/** Writes Windows-1250, of which only these letters are needed. */
function latin(text: string): Buffer {
  const codes: Readonly<Record<string, number>> = { š: 0x9a, č: 0xe8, á: 0xe1, Č: 0xc8, ě: 0xec, í: 0xed };
  return Buffer.from([...text].map((letter) => codes[letter] ?? letter.charCodeAt(0)));
}

describe('a price with three digits behind its only separator', () => {
  const heureka = (prices: readonly string[]) =>
    `<?xml version="1.0"?>\n<SHOP>${prices.map((price, index) => `<SHOPITEM><ITEM_ID>${index}</ITEM_ID><PRODUCT>Mug</PRODUCT><PRICE_VAT>${price}</PRICE_VAT></SHOPITEM>`).join('\n')}</SHOP>\n`;
  const google = (prices: readonly string[]) =>
    `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${prices.map((price, index) => `<item><g:id>${index}</g:id><g:title>Mug</g:title><g:price>${price} CZK</g:price></item>`).join('\n')}</channel></rss>\n`;
  const UNCLEAR = null;

  it.each([
    ['alone', ['1.299', '1,299', '15'], [UNCLEAR, UNCLEAR, 15]],
    ['beside points', ['1.299', '1,299', '12.5'], [1.299, 1299, 12.5]],
    ['beside commas', ['1.299', '1,299', '12,50'], [1299, 1.299, 12.5]],
    ['beside a comma and a point', ['1.299', '12,50', '12.50'], [UNCLEAR, 12.5, 12.5]],
    ['beside one below 1', ['1.299', '0.125'], [1.299, 0.125]],
    ['beside thousands with a point', ['1,299', '1,299.00'], [1299, 1299]],
  ])('is what the others of the feed tell, else rejected: %s', (_, prices, expected) =>
    Promise.all(
      [heureka, google].map((feed) =>
        translateFiles(
          { 'feed.xml': feed(prices) },
          async ({ rows, rejects }) => {
            const read = expected.flatMap((price, index) =>
              price === UNCLEAR ? [] : [[String(index), price]],
            );
            expect(await rows('products', 'external_product_id, price')).toEqual(read);
            const unclear = expected.length - read.length;
            expect(rejects.map(({ reason }) => String(reason).slice(0, 30))).toEqual(
              Array.from({ length: unclear }, () => 'has an amount such as 1.299, wh'.slice(0, 30)),
            );
          },
          CZK,
        ),
      ),
    ).then(() => undefined),
  );
});

describe('a feed that is no whole XML', () => {
  it('is refused wherever its download was cut off', async () => {
    const end = GOOGLE.trimEnd().length;
    for (const at of [end - 1, end - 8, end - 30, Math.floor(end / 2), Math.floor(end / 3), 130]) {
      const refusal = await refusalOf({ 'feed.xml': GOOGLE.slice(0, at) });
      expect(refusal, String(at)).toMatch(/feed\.xml cannot be read as XML: .*Was its download cut off/);
    }
  });

  it.each([
    [
      'entities of its own',
      GOOGLE.replace('<rss', '<!DOCTYPE rss [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<rss').replace(
        '>Hat<',
        '>&b;<',
      ),
      'entity',
    ],
    [
      'elements without end',
      GOOGLE.replace('>Hat<', `>${'<a>'.repeat(100)}${'</a>'.repeat(100)}<`),
      'deeper than 50',
    ],
    ['an item without end', GOOGLE.replace('>Hat<', `>${'x'.repeat(17 * 2 ** 20)}<`), 'more than 16 MiB'],
    ['an open quote', GOOGLE.replace('version="2.0"', 'version="2.0'), 'cannot be read as XML'],
  ])('is refused with %s', async (_, feed, message) => {
    expect(await refusalOf({ 'feed.xml': feed })).toContain(message);
  });
});

const feeds = samples('reconstructed').filter(({ name }) => name.endsWith('.xml'));
it.skipIf(feeds.length === 0)(
  `reads every sample as an independent count does (${NO_SAMPLES}: none)`,
  async () => {
    for (const { name, path } of feeds) {
      const text = readFileSync(path, 'utf8');
      const all = (element: string) =>
        [...text.matchAll(new RegExp(`<g:${element}>([^<]*)<`, 'g'))].map(([, cell]) => cell ?? '');
      await translateFiles(path, async ({ rows, rejects }) => {
        expect(rejects, name).toEqual([]);
        expect(await rows('products', 'external_product_id, price, original_price'), name).toEqual(
          all('id').map((id, index) => [
            id,
            Number.parseFloat(all('sale_price')[index] ?? ''),
            Number.parseFloat(all('price')[index] ?? ''),
          ]),
        );
      });
    }
  },
);
