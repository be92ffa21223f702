import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/sources/source.ts';
import { temporaryFolder, writeFiles } from '../ingest/staging.ts';
import { csvRows } from '../oracle/csv-text.ts';
import { countWoocommerceProducts } from './count-woocommerce-products.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { csvOf, refusalOf, type Translated, translateFiles } from './translated.ts';

const COLUMNS = [
  ...[
    'ID',
    'Type',
    'SKU',
    'GTIN, UPC, EAN, or ISBN',
    'Name',
    'Published',
    'Is featured?',
    'Visibility in catalog',
    'Description',
  ],
  ...[
    'Date sale price starts',
    'Date sale price ends',
    'Tax status',
    'In stock?',
    'Stock',
    'Sale price',
    'Regular price',
    'Categories',
  ],
  ...[
    'Images',
    'Parent',
    'Brands',
    'Cost of goods',
    'Attribute 1 name',
    'Attribute 1 value(s)',
    'Attribute 2 value(s)',
    'Meta: _x',
  ],
];

const SIMPLE = {
  ...{ ID: '30', Type: 'simple', Name: 'Bowl', Published: '1', 'Visibility in catalog': 'visible' },
  ...{ 'In stock?': '1', 'Regular price': '20' },
};
const VARIABLE = {
  ...{
    ID: '16',
    Type: 'variable',
    SKU: 'MUG',
    Name: 'Mug',
    Published: '1',
    Description: '<p>A   <b>big</b>\\nmug</p>',
  },
  ...{
    Categories: 'Kitchen, Kitchen > Mugs, Cups\\, glasses',
    Brands: 'Acme > Home',
    Images: 'https://x.example/1.jpg, https://x.example/2.jpg',
  },
  'Cost of goods': '5',
};
const VARIATION = {
  ...{
    ID: '17',
    Type: 'variation, virtual',
    SKU: 'MUG-B',
    Name: 'Mug - Blue',
    Published: '1',
    Parent: 'MUG',
  },
  ...{
    'In stock?': 'backorder',
    Stock: "'-3",
    'Regular price': '20',
    'Sale price': '18',
    'Attribute 1 value(s)': 'Blue',
  },
};

type Cells = Readonly<Record<string, string>>;

const file = (...rows: readonly Cells[]) => ({ 'products.csv': csvOf(COLUMNS, rows) });

const KNOWN = 'external_product_id, external_master_product_id, name, sku, price, original_price';

function reading(
  rows: readonly Cells[],
  look: (translated: Translated) => Promise<void> | void,
  settings: Settings = {},
) {
  return translateFiles(file(...rows), look, settings);
}

describe('products', () => {
  it('are what is sold: variations under their product, and products without any', () =>
    reading(
      [SIMPLE, VARIABLE, VARIATION, { ...SIMPLE, ID: '31', Type: 'grouped', Name: 'All' }],
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(await rows('products', KNOWN)).toEqual([
          ['17', '16', 'Mug - Blue', 'MUG-B', 18, 20],
          ['30', null, 'Bowl', null, 20, 20],
        ]);
        expect(
          await rows(
            'products',
            'external_product_id, in_stock, stock_quantity, discontinued, brand, categories, purchase_price, image_url, description',
          ),
        ).toEqual([
          [
            '17',
            true,
            -3,
            false,
            'Home',
            ['Kitchen', 'Mugs', 'Cups, glasses'],
            5,
            'https://x.example/1.jpg',
            'A big mug',
          ],
          ['30', true, null, false, null, [], null, null, null],
        ]);
        expect(sources[0]).toMatchObject({ source: 'woocommerce-products-csv', columns_ignored: 5 });
      },
    ));

  it("have the ids, and what is in their cells, as the API's answers have them", () => {
    const api = [
      {
        ...{
          id: 16,
          name: 'Mug',
          type: 'variable',
          status: 'publish',
          sku: 'MUG',
          price: '18',
          regular_price: '',
          stock_status: 'instock',
        },
        ...{
          categories: [
            { id: 1, name: 'Kitchen' },
            { id: 2, name: 'Mugs' },
            { id: 3, name: 'Cups, glasses' },
          ],
        },
        ...{
          brands: [{ id: 9, name: 'Home' }],
          variations: [17],
          images: [{ src: 'https://x.example/1.jpg' }],
          description: '<p>A   <b>big</b>\nmug</p>',
        },
      },
      {
        ...{
          id: 17,
          parent_id: 16,
          name: 'Blue',
          type: 'variation',
          status: 'publish',
          sku: 'MUG-B',
          price: '18',
          regular_price: '20',
        },
        ...{
          manage_stock: true,
          stock_quantity: -3,
          stock_status: 'onbackorder',
          attributes: [{ name: 'Color', option: 'Blue' }],
        },
        ...{ cost_of_goods_sold: { total_value: 5 } },
      },
    ];
    const ALL = `${KNOWN}, brand, categories, in_stock, stock_quantity, discontinued, purchase_price, image_url, description`;
    return reading([VARIABLE, VARIATION], async (csv) => {
      const ours = await csv.rows('products', ALL);
      expect(ours).toHaveLength(1);
      await translateFiles({ 'products.json': JSON.stringify(api) }, async ({ rows }) =>
        expect(await rows('products', ALL)).toEqual(ours),
      );
    });
  });

  it.each([
    ['by the number of a product without SKU', { ...VARIABLE, SKU: '' }, 'id:16', '16'],
    ['in the order in which they come', VARIABLE, 'MUG', '16'],
  ])('find theirs %s', (_, parent, named, id) =>
    reading([{ ...VARIATION, Parent: named }, parent], async ({ rows }) =>
      expect(await rows('products', 'external_product_id, external_master_product_id')).toEqual([['17', id]]),
    ),
  );

  it("say so when a variation's product is not in the files, and take nothing from what is known", () =>
    reading(
      [
        VARIATION,
        { ...VARIATION, ID: '18', Parent: 'id:99' },
        VARIABLE,
        { ...VARIABLE, ID: '40', SKU: 'HAT' },
      ],
      async ({ rows, sources }) => {
        expect(await rows('products', 'external_product_id, external_master_product_id')).toEqual([
          ['17', '16'],
          ['18', '99'],
        ]);
        const said = sources[0]?.assumptions.join('; ');
        expect(said).toContain('1 variation names a product that is not in the files');
        expect(said).toContain('1 product has variations that are not in the files');
      },
    ));

  it('are under the product that has variations, whatever else has its SKU', () =>
    reading(
      [VARIABLE, { ...VARIATION, SKU: 'MUG' }, { ...VARIATION, ID: '18' }, { ...SIMPLE, SKU: 'MUG' }],
      async ({ rows }) =>
        expect(await rows('products', 'external_product_id, external_master_product_id')).toEqual([
          ...[
            ['17', '16'],
            ['18', '16'],
            ['30', null],
          ],
        ]),
    ));

  it('are not found by a SKU that several products have, and the report says so', () =>
    reading(
      [VARIABLE, { ...VARIABLE, ID: '26', Categories: 'Hrnky', Brands: 'Jiná' }, VARIATION],
      async ({ rows, sources }) => {
        expect(
          await rows('products', 'external_product_id, external_master_product_id, categories, brand'),
        ).toEqual([['17', null, [], null]]);
        const said = sources[0]?.assumptions.join('; ');
        expect(said).toContain('1 variation names its product by a SKU that several products have');
        expect(said).not.toContain('not in the files');
      },
    ));

  it('are simple ones without a type', () =>
    reading([{ ...SIMPLE, Type: '' }], async ({ rows }) =>
      expect(await rows('products', KNOWN)).toEqual([['30', null, 'Bowl', null, 20, 20]]),
    ));

  it('are not sold any more as drafts, as private ones, or while they wait', () => {
    const published = ['-1', "'-1", '0', '2', '1', ''];
    return reading(
      published.map((cell, index) => ({ ...SIMPLE, ID: String(index), Published: cell })),
      async ({ rows }) =>
        expect((await rows('products', 'external_product_id, discontinued')).map(([, is]) => is)).toEqual([
          ...[true, true, true, true, false, false],
        ]),
    );
  });

  it('have prices with the decimals of the shop; of which nobody knows what they mean are rejected', () => {
    const prices = ['17,99', '1 299,00', '1,299.00', '', '1,299', 'ask'];
    return reading(
      prices.map((cell, index) => ({ ...SIMPLE, ID: String(index), 'Regular price': cell })),
      async ({ rows, rejects }) => {
        expect(await rows('products', 'external_product_id, price')).toEqual([
          ...[
            ['0', 17.99],
            ['1', 1299],
            ['2', 1299],
            ['3', 0],
          ],
        ]);
        expect([...new Set(rejects.map(({ line }) => line))]).toEqual([6, 7]);
      },
    );
  });

  it('have prices, costs and stock of any number of decimals behind a comma', () =>
    reading(
      [
        { ...SIMPLE, 'Regular price': '82,6446', 'Cost of goods': '41,3223', Stock: '0,500' },
        { ...SIMPLE, ID: '31', 'Regular price': '0,826', Stock: '1,299' },
      ],
      async ({ rows, rejects }) => {
        expect(await rows('products', 'external_product_id, price, purchase_price, stock_quantity')).toEqual([
          ['30', 82.6446, 41.3223, 0.5],
          ['31', 0.826, null, 1.299],
        ]);
        expect(rejects).toEqual([]);
      },
    ));

  it('are rejected where one number may be another and the others do not tell', () =>
    reading(
      ['1.299', '1,299', '15'].map((price, index) => ({ ...SIMPLE, ID: `${index}`, 'Regular price': price })),
      async ({ rows, rejects }) => {
        expect(await rows('products', 'external_product_id, price')).toEqual([['2', 15]]);
        expect(rejects.map(({ line }) => line)).toEqual([2, 3]);
      },
    ));

  it('are refused in a language that is not known, with the way to one that is', async () => {
    const swedish = [
      'ID',
      'Typ',
      'Artikelnummer',
      'GTIN',
      'Namn',
      'Publicerad',
      'Är utvald?',
      'Synlighet i katalogen',
    ];
    const header = [...swedish, ...Array.from({ length: 20 }, (_, index) => `Kolumn ${index}`)];
    const row = [
      '30',
      'simple',
      'BOWL',
      '',
      'Skål',
      '1',
      '0',
      'visible',
      ...Array.from({ length: 20 }, () => ''),
    ];
    expect(await refusalOf({ 'wc-product-export.csv': `${header.join(',')}\n${row.join(',')}\n` })).toContain(
      'is a product export of WooCommerce in a language that is not known, or with a part of its columns renamed, which cannot be imported: the names of its columns are known in English, German',
    );
  });

  it('are known by their SKU without a number, else by their name, and the report says so', () =>
    translateFiles(
      {
        'p.csv': csvOf(COLUMNS.slice(1), [
          VARIABLE,
          { ...VARIATION, SKU: '', Name: '', 'Attribute 2 value(s)': 'L' },
          { ...SIMPLE, SKU: 'BOWL' },
        ]),
      },
      async ({ rows, sources }) => {
        expect(await rows('products', KNOWN)).toEqual([
          ['BOWL', null, 'Bowl', 'BOWL', 20, 20],
          ['name:Mug - Blue, L', 'MUG', 'Mug - Blue, L', null, 18, 20],
        ]);
        expect(sources[0]?.assumptions.join()).toContain('no column "id": products are known by their SKU');
      },
    ));

  it('are rejected with ids that a spreadsheet rounded; an EAN that it rounded is not read', () =>
    reading(
      [
        { ...SIMPLE, ID: '6.14E+12' },
        { ...SIMPLE, 'GTIN, UPC, EAN, or ISBN': '8,59E+12' },
      ],
      async ({ rows, rejects, sources }) => {
        expect(rejects.map(({ line, reason }) => [line, String(reason).split(',')[0]])).toEqual([
          [2, 'has its "ID" or "SKU" in scientific notation'],
        ]);
        expect(await rows('products', 'external_product_id, ean')).toEqual([['30', null]]);
        expect(sources[0]?.assumptions.join()).toContain('1 EAN lost its digits');
      },
    ));

  it('have what the last row says when they come twice', () =>
    reading([SIMPLE, { ...SIMPLE, Name: 'Big bowl' }], async ({ rows }) =>
      expect(await rows('products', 'name')).toEqual([['Big bowl']]),
    ));

  it('are one for one name without numbers, and the report says so', () =>
    translateFiles(
      {
        'p.csv': csvOf(
          COLUMNS.filter((name) => name !== 'ID' && name !== 'SKU'),
          [SIMPLE, { ...SIMPLE, 'Regular price': '30' }],
        ),
      },
      async ({ rows, sources }) => {
        expect(await rows('products', 'name')).toEqual([['Bowl']]);
        expect(sources[0]?.assumptions.join()).toContain(
          '1 row has the ID, or without one the SKU or the name',
        );
      },
    ));
});

it('products that come in several files have what the file says that was written last', async () => {
  using folder = temporaryFolder();
  const days = { '15-11-2026': 'Mug of 15', '2-11-2026': 'Mug of 2' };
  writeFiles(
    folder.path,
    Object.fromEntries(
      Object.entries(days).map(([day, name]) => [
        `wc-product-export-${day}.csv`,
        csvOf(COLUMNS, [
          { ...VARIABLE, Categories: name },
          { ...VARIATION, Name: name },
        ]),
      ]),
    ),
  );
  for (const day of Object.keys(days)) {
    const written = new Date(`2026-11-${day.split('-')[0]?.padStart(2, '0')}T12:00:00Z`);
    utimesSync(join(folder.path, `wc-product-export-${day}.csv`), written, written);
  }
  await translateFiles(folder.path, async ({ rows }) =>
    expect(await rows('products', 'name, categories')).toEqual([['Mug of 15', ['Mug of 15']]]),
  );
});

describe('a sale', () => {
  /** What a product costs by a file of noon in UTC of 1 July, or why it is not read. */
  const pricesAt = async (
    days: readonly (readonly [begins: string, ends: string])[],
    settings: Settings = {},
  ) => {
    using folder = temporaryFolder();
    const sales = days.map(([begins, ends], index) => ({
      ...{ ...SIMPLE, ID: String(index), 'Sale price': '15' },
      ...{ 'Date sale price starts': begins, 'Date sale price ends': ends },
    }));
    writeFiles(folder.path, file(...sales));
    const written = new Date('2026-07-01T12:00:00Z');
    utimesSync(join(folder.path, 'products.csv'), written, written);
    let found: unknown[] = [];
    await translateFiles(
      folder.path,
      async ({ rows, rejects }) => {
        const prices = await rows('products', 'external_product_id, price');
        found = [...prices.map(([, price]) => price), ...rejects.map(({ reason }) => reason)];
      },
      settings,
    );
    return found;
  };

  it('is on from its first day to its last, or where it has none', async () =>
    expect(
      await pricesAt([
        ['', ''],
        ['2026-06-01 0:00:00', '2026-08-31 23:59:59'],
        ['2026-06-01', '2026-06-29'],
        ['2026-07-03', ''],
        ['', '2026-07-03'],
      ]),
    ).toEqual([15, 15, 20, 20, 15]));

  it('needs the clock of the shop when it begins or ends about when the file was written', async () => {
    const days = [
      ['2026-07-01 13:30:00', ''],
      // A day is in it as a whole.
      ['', '2026-07-01'],
      ['', '2026-06-30'],
    ] as const;
    await expect(pricesAt(days)).rejects.toThrow(
      "a sale that begins or ends, by the shop's clock, about when the file was written: 3 rows, the first is products.csv line 2. Say --timezone",
    );
    expect(await pricesAt(days, { timezone: 'Europe/Prague' })).toEqual([15, 15, 20]);
    expect(await pricesAt(days, { timezone: 'UTC' })).toEqual([20, 15, 20]);
  });

  it('needs the order of days that a spreadsheet wrote; what is no day is rejected', async () => {
    const days = [
      ['3/8/2026 0:00', ''],
      ['next week', ''],
    ] as const;
    await expect(pricesAt(days)).rejects.toThrow('--dates dmy where 3/4/2026');
    const none = 'has a day at which its sale price begins or ends that is none';
    expect(await pricesAt(days, { dates: 'mdy' })).toEqual([15, none]);
    expect(await pricesAt(days, { dates: 'dmy' })).toEqual([20, none]);
  });
});

it.each([
  ['the columns of a stock list', ['ID', 'Type', 'SKU', 'Name', 'Regular price', 'In stock?', 'Stock']],
  ['turned round', COLUMNS.toReversed()],
  ['in capitals', COLUMNS.map((name) => name.toUpperCase())],
])('the export is recognised by %s', (_, columns) => {
  const row = Object.fromEntries(
    Object.entries(SIMPLE).flatMap(([name, cell]) => [
      [name, cell],
      [name.toUpperCase(), cell],
    ]),
  );
  return translateFiles({ 'x.csv': csvOf(columns, [row]) }, async ({ rows }) =>
    expect(await rows('products', 'external_product_id, name, price')).toEqual([['30', 'Bowl', 20]]),
  );
});

it('a file without prices is refused by what is missing', async () => {
  const columns = COLUMNS.filter((name) => name !== 'Regular price');
  expect(await refusalOf({ 'x.csv': csvOf(columns, [SIMPLE]) })).toContain('lacks "regular price" (prices)');
});

const files = samples('woocommerce').filter(
  ({ name }) => name.includes('product') || name.includes('importer'),
);

describe.skipIf(files.length === 0)(`samples (skipped ${NO_SAMPLES})`, () => {
  it.each(files)('$name comes in with what a plain count finds in it', ({ path }) =>
    translateFiles(path, async ({ rows, rejects, sources }) => {
      const truth = countWoocommerceProducts(csvRows(readFileSync(path, 'utf8')));
      expect(truth.length).toBeGreaterThan(4);
      expect(rejects).toEqual([]);
      expect(sources.map(({ source }) => source)).toEqual(['woocommerce-products-csv']);
      const stored = await rows(
        'products',
        'external_product_id, external_master_product_id, name, price, original_price, categories',
      );
      expect(stored).toEqual(truth);
    }),
  );
});
