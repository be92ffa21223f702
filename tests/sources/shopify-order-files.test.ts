import { describe, expect, it } from 'vitest';
import { COLUMNS, file, line, order } from './shopify-order-rows.ts';
import { csvOf, refusalOf, translateFiles } from './translated.ts';

describe('the import of a file with missing values', () => {
  it('asks for the currency and for a status that nobody knows', async () => {
    const rows = [order('#1', '1', { 'Financial Status': 'bezahlt', Currency: '' })];
    const message = await refusalOf(file(rows));
    expect(message).toContain('--currency EUR');
    expect(message).toContain('--status "Bezahlt=paid"');
    await translateFiles(
      file(rows),
      async ({ rows }) => expect(await rows('orders', 'status, currency')).toEqual([['paid', 'CZK']]),
      { currency: 'czk', status: 'Bezahlt=paid' },
    );
  });

  it('refuses a file without a column that nothing means anything without', async () => {
    expect(
      await refusalOf(
        file(
          [order('#1', '1')],
          COLUMNS.filter((name) => name !== 'Total'),
        ),
      ),
    ).toBe(
      'export.csv (Shopify orders, CSV export of the admin) lacks "total" (revenue); its rows mean nothing without. Export it again with all columns',
    );
  });

  it('says what other columns cost', () =>
    translateFiles(
      file(
        [order('#1', '1')],
        COLUMNS.filter((name) => !/Refunded|Cancelled|Lineitem price/.test(name)),
      ),
      async ({ sources, counts }) => {
        expect(sources[0]?.assumptions).toEqual(
          expect.arrayContaining([
            'no column "refunded amount": no refunds',
            'no column "cancelled at": cancelled orders count',
            'no column "lineitem price": no product sales',
          ]),
        );
        expect(Object.keys(counts)).toEqual(['orders', 'refunds']);
      },
    ));
});

it.each([
  ['a sales report of Shopify', 'Product title,Variant SKU,Net sales,Total sales\nMug,M,1,1\n'],
  ["Shopify's inventory", 'Handle,Title,Location,Available\nmug,Mug,Main,3\n'],
  ['a report of Google Analytics', '# ----------------------------------------\n# Purchases\nItem,Revenue\n'],
  ['campaign results of Klaviyo', 'Campaign Name,Total Recipients,Open Rate\nSale,10,70%\n'],
])('refuses %s by its name, with what to export instead', async (title, content) => {
  expect(await refusalOf({ 'a.csv': content })).toMatch(
    new RegExp(`^a\\.csv is ${title}, which cannot be imported: .*export`),
  );
});

describe('the import of a report with the columns of orders and no orders', () => {
  const unpaid = { 'Financial Status': '', 'Paid at': '' };
  const rows = [
    order('#1', '20'),
    order('#36579383673001', '38', { ...unpaid, Id: '36579383673001' }),
    line('#36579383673001', 'Hat', '1', '9'),
    order('#36579383673002', '12', { ...unpaid, Id: '3.65794E+13' }),
    order('#D7', '5', { ...unpaid, Id: '77' }),
    order('#2', '7', { 'Financial Status': '' }),
  ];

  it('leaves abandoned checkouts and drafts out, and says how many', () =>
    translateFiles(file(rows), async ({ rows, rejects, sources }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'number, total')).toEqual([
        ['#1', 20],
        ['#2', 7],
      ]);
      expect(await rows('order_items', 'order_id')).toEqual([['600001'], ['600002']]);
      expect(sources[0]?.assumptions.join()).toContain('3 abandoned checkouts or drafts are left out');
    }));

  it('leaves all of a file out of which no row says whether it is paid', () =>
    translateFiles(
      {
        'a.csv': csvOf(COLUMNS, [order('#1', '20')]),
        'b.csv': csvOf(COLUMNS, [order('Q8', '5', unpaid), order('Q9', '5', unpaid)]),
      },
      async ({ rows, sources }) => {
        expect(await rows('orders', 'number')).toEqual([['#1']]);
        expect(sources[0]?.assumptions.join()).toContain('2 abandoned checkouts or drafts are left out');
      },
    ));
});

describe('the later of two downloads counts, whatever the files are called', () => {
  const older = [order('#1', '20'), order('#2', '30'), order('#3', '5')];
  const newer = [
    order('#1', '20', { 'Cancelled at': '2026-03-07 10:00:00 +0100' }),
    order('#2', '30', { 'Refunded Amount': '10', 'Financial Status': 'partially_refunded' }),
    order('#3', '4'),
  ];

  it.each([
    ['a.csv', 'b.csv'],
    ['b.csv', 'a.csv'],
  ])('the newer one is %s', (first, second) =>
    translateFiles(
      { [first]: csvOf(COLUMNS, newer), [second]: csvOf(COLUMNS, older) },
      async ({ rows, sources }) => {
        expect(await rows('orders', 'number, status, total')).toEqual([
          ['#1', 'cancelled', 20],
          ['#2', 'paid', 30],
          // Nothing that can only grow tells: the file that is behind in the others is the older one.
          ['#3', 'paid', 4],
        ]);
        expect(await rows('refunds', 'order_id, amount')).toEqual([['600002', 10]]);
        expect(sources[0]?.assumptions.join()).toContain(
          `3 orders say something else in another file than in ${first}: that one counts`,
        );
      },
    ),
  );

  it('a file that tells nothing of refunds is no older for that', () =>
    translateFiles(
      {
        'a.csv': csvOf(COLUMNS, [order('#1', '20', { 'Refunded Amount': '5' })]),
        'b.csv': csvOf(
          COLUMNS.filter((name) => name !== 'Refunded Amount'),
          [order('#1', '19')],
        ),
      },
      async ({ rows }) => {
        expect(await rows('orders', 'total')).toEqual([[19]]);
        expect(await rows('refunds', 'amount')).toEqual([[5]]);
      },
    ));
});
