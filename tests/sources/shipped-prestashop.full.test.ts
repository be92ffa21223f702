import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../oracle/csv-text.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { csvOf, refusalOf, translateFiles } from './translated.ts';

const PRAGUE = { timezone: 'Europe/Prague' };

describe('PrestaShop', () => {
  describe('a voucher', () => {
    const ORDERS_HEADER =
      'id_order;current_state;date_add;total_paid_tax_incl;conversion_rate;total_discounts_tax_incl;total_shipping_tax_incl;iso_code';
    const files = (discount: string) => ({
      'orders.csv': `${ORDERS_HEADER}\n1;5;2026-03-01 10:00:00;95;1;${discount};5;EUR\n`,
      'lines.csv': `id_order_detail;id_order;product_quantity;product_reference;unit_price_tax_incl
1;1;2;MUG;40
2;1;1;CUP;20
`,
    });
    const lines = async (given: Record<string, string>, test: (lines: unknown[][], said: string) => void) =>
      translateFiles(
        given,
        async ({ rows, rejects, sources }) => {
          expect(rejects).toEqual([]);
          test(
            await rows('order_items', 'external_product_id, unit_price'),
            sources.flatMap(({ assumptions }) => assumptions).join('\n'),
          );
        },
        { timezone: 'Europe/Paris' },
      );

    it('is shared among the lines of its order, by value', () =>
      lines(files('10'), (found) =>
        expect(found).toEqual([
          ['CUP', 18],
          ['MUG', 36],
        ]),
      ));

    it('is no discount of products where it is as large as the shipping', () =>
      lines(files('5'), (found, said) => {
        expect(found).toEqual([
          ['CUP', 20],
          ['MUG', 40],
        ]);
        expect(said).toContain('1 order has a discount as large as the shipping');
      }));

    it('is not known of lines without their orders, which is told', () => {
      const { 'lines.csv': alone } = files('10');
      return lines({ 'lines.csv': alone }, (found, said) => {
        expect(found).toHaveLength(2);
        expect(said).toContain('of 1 order the files have lines alone');
      });
    });
  });

  const LINES =
    'id_order_detail;id_order;product_id;product_name;product_quantity;product_reference;unit_price_tax_incl\n';

  it('takes money with tax, and the rate to the currency of the shop', () =>
    translateFiles(
      {
        'orders.csv': `id_order;reference;id_customer;current_state;payment;conversion_rate;total_paid_tax_incl;total_paid_tax_excl;total_shipping_tax_incl;date_add;iso_code;email
3;XKBKNABJK;2;5;Bank;1.250000;121.000000;100.000000;6.050000;2026-03-05 14:00:00;USD;ann@example.com
4;ABC;2;6;Bank;1.000000;10.000000;8.260000;0.000000;2026-03-06 14:00:00;EUR;ann@example.com
`,
        'lines.csv': `id_order_detail;id_order;product_id;product_name;product_quantity;product_reference;unit_price_tax_incl
1;3;9;Mug;2;;57.475000
2;4;8;Cup;1;CUP;10.000000
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'orders',
            'order_id, status, currency, fx_rate, total, tax, cast(ordered_at as varchar)',
          ),
        ).toEqual([
          ['3', 'fulfilled', 'USD', 0.8, 121, 21, '2026-03-05 13:00:00'],
          ['4', 'cancelled', 'EUR', 1, 10, 1.74, '2026-03-06 13:00:00'],
        ]);
        expect(await rows('order_items', 'order_id, external_product_id, quantity, unit_price')).toEqual([
          ['3', '9', 2, 57.475],
          ['4', 'CUP', 1, 10],
        ]);
      },
      PRAGUE,
    ));

  it('takes an order in the state 7 as refunded in full, and knows no tax without the total that it is in', () =>
    translateFiles(
      {
        'a.csv':
          'id_order;current_state;conversion_rate;total_paid_tax_incl;date_add;iso_code\n3;7;1;121.00;2026-03-05 14:00:00;EUR\n4;2;1;10.00;2026-03-06 14:00:00;EUR\n',
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, status, total, tax')).toEqual([
          ['3', 'paid', 121, null],
          ['4', 'paid', 10, null],
        ]);
        expect(await rows('refunds', 'refund_id, order_id, amount, cast(refunded_at as varchar)')).toEqual([
          ['3', '3', 121, '2026-03-05 13:00:00'],
        ]);
      },
      PRAGUE,
    ));

  it('takes lines that stand in several files from the last of them, and says so', () =>
    translateFiles(
      {
        'a.csv': `${LINES}1;3;9;Mug;2;;57.475000\n2;4;8;Cup;1;CUP;10.000000\n`,
        'b.csv': `${LINES}1;3;9;Mug;2;;57.475000\n`,
      },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(await rows('order_items', 'order_id, external_product_id, quantity')).toEqual([
          ['3', '9', 2],
          ['4', 'CUP', 1],
        ]);
        expect(sources[0]?.assumptions.join()).toContain('1 order has lines in several files');
      },
    ));

  it('reads titles with help for people in them', () =>
    translateFiles(
      {
        'a.csv': csvOf(
          [
            'Product ID',
            'Active (0/1)',
            'Name *',
            'Categories (x;y;z...)',
            'Price tax excluded or Price tax included',
            'Wholesale price',
            'Reference #',
          ],
          [
            {
              'Product ID': '1',
              'Active (0/1)': '0',
              'Name *': 'Mug',
              'Categories (x;y;z...)': 'Kitchen; Sale',
              'Price tax excluded or Price tax included': '10.5',
              'Wholesale price': '4',
            },
          ],
        ),
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'products',
            'external_product_id, name, categories, price, purchase_price, discontinued',
          ),
        ).toEqual([['1', 'Mug', ['Kitchen', 'Sale'], 10.5, 4, true]]);
      },
    ));

  it('refuses combinations and categories by their names', async () => {
    expect(await refusalOf({ 'a.csv': 'Product ID*,Reference,Impact on price\n1,,40\n' })).toContain(
      "a.csv is PrestaShop's combinations",
    );
    expect(await refusalOf({ 'a.csv': 'Category ID,Name *,Parent category\n1,A,Home\n' })).toContain(
      "a.csv is PrestaShop's categories",
    );
  });
});

const prestashop = samples('prestashop').filter(({ name }) => /^(products|customers)/.test(name));
it.skipIf(prestashop.length === 0)(`reads every sample of PrestaShop (${NO_SAMPLES}: none)`, async () => {
  for (const { name, path } of prestashop) {
    const [header = [], ...lines] = csvRows(readFileSync(path, 'utf8'));
    const column = (title: string) =>
      lines.map((line) => line[header.findIndex((cell) => cell.startsWith(title))] ?? '');
    await translateFiles(
      path,
      async ({ rows, rejects }) => {
        expect(rejects, name).toEqual([]);
        if (name.startsWith('products')) {
          expect((await rows('products', 'price')).flat().sort()).toEqual(
            column('Price tax').map(Number).sort(),
          );
          return;
        }
        expect((await rows('profiles', 'profile_id')).flat().sort()).toEqual(column('Customer ID').sort());
        const agreed = column('Newsletter').filter((cell) => cell === '1').length;
        expect(await rows('consent_events', "count(*) filter (state = 'subscribed'), count(*)")).toEqual([
          [agreed, lines.length],
        ]);
      },
      { 'exported-at': '2026-10-31' },
    );
  }
});
