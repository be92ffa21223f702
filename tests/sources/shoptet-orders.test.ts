import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import { writeFiles } from '../ingest/shop.ts';
import { isQuick, runs } from '../support/runs.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { countShoptet } from './count-shoptet.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { refusalOf, translateFiles } from './translated.ts';

const HEADER =
  'code;date;statusName;currency;email;phone;billFullName;totalPriceWithVat;totalPriceWithoutVat;itemType;itemCode;itemName;itemVariantName;itemAmount;itemUnitPriceWithVat;itemTotalPriceWithVat';

const ROWS = [
  '2026001;2026-03-05 14:00:00;Vyřizuje se;CZK;ann@example.com;;Jana Vzorová;1 278,00;1 056,20;product;61247/L;Košile;Velikost: L;2;600,00;1 200,00',
  '2026001;2026-03-05 14:00:00;Vyřizuje se;CZK;ann@example.com;;Jana Vzorová;1 278,00;1 056,20;shipping;SHIPPING11;Kurýr;;1;99,00;99,00',
  '2026001;2026-03-05 14:00:00;Vyřizuje se;CZK;ann@example.com;;Jana Vzorová;1 278,00;1 056,20;billing;BILLING4;Dobírka;;1;39,00;39,00',
  '2026001;2026-03-05 14:00:00;Vyřizuje se;CZK;ann@example.com;;Jana Vzorová;1 278,00;1 056,20;discount-coupon;JARO;Sleva;;1;-60,00;-60,00',
  '2026002;2026-03-05 15:00:00;Nevyřízená;CZK;bob@example.com;;;300,00;247,93;product-set;SET;Sada;;1;300,00;300,00',
  '2026002;2026-03-05 15:00:00;Nevyřízená;CZK;bob@example.com;;;300,00;247,93;product-set-item;A;Hrnek;;2;100,00;200,00',
  '2026002;2026-03-05 15:00:00;Nevyřízená;CZK;bob@example.com;;;300,00;247,93;product-set-item;B;Lžička;;1;100,00;100,00',
  '2026003;2026-03-05 16:00:00;Stornovaná;CZK;bob@example.com;;;50,00;41,32;product;C;Čaj;;1,000;50,00;50,00',
];

const file = (rows: readonly string[] = ROWS, header = HEADER) => `${[header, ...rows].join('\n')}\n`;
const PRAGUE = { timezone: 'Europe/Prague' } as const;

describe('orders of Shoptet', () => {
  it('are read alike where the columns of items are called orderItem…', () => {
    const header = HEADER.replaceAll(';item', ';orderItem');
    return translateFiles(
      {
        'a.csv': file(
          ROWS.map((row) => `${row};`),
          `${header};`,
        ),
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, shipping, payment_fee, discount')).toContainEqual([
          '2026001',
          99,
          39,
          60,
        ]);
        expect(await rows('order_items', 'external_product_id, quantity, unit_price')).toContainEqual([
          '61247/L',
          2,
          600,
        ]);
      },
      PRAGUE,
    );
  });

  it('are rejected, and lose nothing in silence, when rows have no code, or the total may be another', () => {
    const [first = '', ...others] = ROWS;
    const withoutCode = (others[0] ?? '').replace('2026001', '');
    const bad = (others[3] ?? '').replace('300,00;247,93', '1.299;247,93');
    return translateFiles(
      { 'a.csv': file([first, withoutCode, bad, ';;;;;;;;;;;;;;;']) },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([
          { file: 'a.csv', line: 3, reason: expect.stringContaining('has no "code"') },
          { file: 'a.csv', line: 4, reason: expect.stringContaining('in thousands or in thousandths') },
        ]);
        expect(await rows('orders', 'order_id')).toEqual([['2026001']]);
      },
      PRAGUE,
    );
  });

  it('are rejected where any amount may be another, unless all decimals of the file stand behind a point', () => {
    const row = (code: string, price: string, total: string) =>
      `${code};2026-03-05 15:00:00;Vyřizuje se;CZK;;;;${total};;product;A;Hrnek;;1.000;${price};${price}`;
    const withPoints = [row('1', '1299.00', '1299.00'), row('2', '1.299', '1.299')];
    return Promise.all([
      translateFiles(
        { 'a.csv': file([...ROWS, row('9', '1.299', '1299,00')]) },
        ({ rejects }) =>
          expect(rejects).toEqual([
            { file: 'a.csv', line: 10, reason: expect.stringContaining('in thousands or in thousandths') },
          ]),
        PRAGUE,
      ),
      translateFiles(
        { 'a.csv': file(withPoints) },
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          expect(await rows('order_items', 'order_id, quantity, unit_price')).toEqual([
            ['1', 1, 1299],
            ['2', 1, 1.299],
          ]);
        },
        PRAGUE,
      ),
    ]);
  });

  it('are one for the rows of a code, and their total counts once', () =>
    translateFiles(
      { 'a.csv': file() },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(sources[0]).toMatchObject({
          source: 'shoptet-orders-csv',
          makes_orders: true,
          columns_ignored: 1,
        });
        expect(
          await rows(
            'orders',
            'order_id, ordered_at, status, currency, total, tax, shipping, payment_fee, discount, payment_method, shipping_method',
          ),
        ).toEqual([
          [
            ...['2026001', new Date('2026-03-05T13:00:00Z'), 'paid', 'CZK', 1278, 221.8, 99, 39, 60],
            ...['Dobírka', 'Kurýr'],
          ],
          ['2026002', new Date('2026-03-05T14:00:00Z'), 'pending', 'CZK', 300, 52.07, 0, 0, 0, null, null],
          ['2026003', new Date('2026-03-05T15:00:00Z'), 'cancelled', 'CZK', 50, 8.68, 0, 0, 0, null, null],
        ]);
        expect(JSON.stringify(await rows('orders', '*'))).not.toMatch(/Vzorov|ann@/);
      },
      PRAGUE,
    ));

  it('have no known tax where the template has no total without VAT', () =>
    translateFiles(
      { 'a.csv': file().replace('totalPriceWithoutVat', 'other') },
      async ({ rows }) =>
        expect(await rows('orders', 'order_id, total, tax')).toEqual([
          ['2026001', 1278, null],
          ['2026002', 300, null],
          ['2026003', 50, null],
        ]),
      PRAGUE,
    ));

  it('have lines by what each row is; a set is sold as one, and a comma stands before decimals', () =>
    translateFiles(
      { 'a.csv': file() },
      async ({ rows }) =>
        expect(
          await rows(
            'order_items',
            'order_id, line_no, kind, external_product_id, name, quantity, unit_price',
          ),
        ).toEqual([
          ['2026001', 1, 'product', '61247/L', 'Košile - Velikost: L', 2, 600],
          ['2026001', 2, 'shipping', 'SHIPPING11', 'Kurýr', 1, 99],
          ['2026001', 3, 'payment', 'BILLING4', 'Dobírka', 1, 39],
          ['2026001', 4, 'discount', 'JARO', 'Sleva', 1, -60],
          ['2026002', 1, 'product', 'SET', 'Sada', 1, 300],
          ['2026003', 1, 'product', 'C', 'Čaj', 1, 50],
        ]),
      PRAGUE,
    ));

  const TYPES = [
    ['volume-discount', '-10,00', 'discount'],
    ['gift', '0,00', 'gift'],
    ['gift-certificate', '500,00', 'product'],
    ['gift-certificate', '-500,00', 'discount'],
    ['generic-item', '10,00', 'product'],
    ['generic-item', '-10,00', 'discount'],
    ['deposit', '3,00', 'payment'],
    ['service', '99,00', 'product'],
  ] as const;

  it('have a row of each type as what it is by its price', () =>
    translateFiles(
      {
        'a.csv': file(
          TYPES.map(
            ([type, price], index) =>
              `${index};2026-03-05 14:00:00;Vybavená;EUR;a@example.com;;;10;8;${type};X1;Thing;;1;${price};${price}`,
          ),
        ),
      },
      async ({ rows }) =>
        expect(await rows('order_items', 'order_id, kind')).toEqual(
          TYPES.map(([, , kind], index) => [String(index), kind]),
        ),
      PRAGUE,
    ));

  it('are told by code and sign where the template has no types', () => {
    const header = HEADER.replace('itemType;', '');
    const rows = ROWS.slice(0, 4).map((row) =>
      row.replace(/;(product|shipping|billing|discount-coupon);/, ';'),
    );
    const withoutCode = rows.map((row) => row.replace(';JARO;', ';;'));
    return translateFiles(
      { 'a.csv': file(withoutCode, header) },
      async ({ rows, sources }) => {
        expect(await rows('order_items', 'line_no, kind')).toEqual([
          [1, 'product'],
          [2, 'shipping'],
          [3, 'payment'],
          [4, 'discount'],
        ]);
        expect(sources[0]?.assumptions.join()).toContain('no column "itemtype"');
      },
      PRAGUE,
    );
  });

  it.each([
    ['Windows-1250', 'latin2', { encoding: 'windows-1250' }],
    ['UTF-8 with a mark', 'utf8', {}],
  ])(
    'are read in %s, with any delimiter, order and case of columns, quotes and line ends',
    async (_, way, said) => {
      const columns = HEADER.split(';').toReversed();
      const text = [columns, ...ROWS.map((row) => row.split(';').toReversed())]
        .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
        .join('\r\n')
        .replace('statusName', 'STATUSNAME');
      const bytes = way === 'utf8' ? Buffer.from(`\uFEFF${text}\r\n`) : inWindows1250(`${text}\r\n`);
      await translateFiles(
        { 'a.csv': bytes },
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          expect(await rows('orders', 'order_id, total')).toEqual([
            ['2026001', 1278],
            ['2026002', 300],
            ['2026003', 50],
          ]);
        },
        { ...PRAGUE, ...said },
      );
    },
  );

  it('are asked about: the timezone, the currency, statuses of the shop, the encoding', async () => {
    const rows = ROWS.map((row) => row.replace('Nevyřízená', 'Čeká na platbu').replace(';CZK;', ';;'));
    const refusal = await refusalOf({ 'a.csv': file(rows) });
    expect(refusal).toContain('a time without an offset from UTC in "date"');
    expect(refusal).toContain("a status of the shop's own: 3 rows, the first is a.csv line 6. Say --status");
    expect(refusal).toContain('an order without a currency: 8 rows');
    expect(await refusalOf({ 'a.csv': inWindows1250(file()) }, PRAGUE)).toContain('--encoding windows-1250');
    await translateFiles(
      { 'a.csv': file(rows) },
      async ({ rows }) =>
        expect(await rows('orders', 'status, currency')).toEqual([
          ['cancelled', 'EUR'],
          ['paid', 'EUR'],
          ['pending', 'EUR'],
        ]),
      { ...PRAGUE, currency: 'EUR', status: 'Čeká na platbu=pending' },
    );
    const dotted = ROWS.map((row) =>
      row.replace('2026-03-05 14', '3.4.2026 14').replace('2026-03-05 1', '3.4.2026 1'),
    );
    expect(await refusalOf({ 'a.csv': file(dotted) }, PRAGUE)).toContain('--dates dmy');
  });

  it('count once when they come in two files, as in the later; rows that disagree are rejected', () =>
    translateFiles(
      {
        'a.csv': file(),
        'b.csv': file([ROWS[4]?.replaceAll('300,00', '250,00') ?? '']),
        'c.csv': file([
          '9;2026-03-05 14:00:00;Vybavená;EUR;;;;10;8;product;X;Thing;;1;10;10',
          '9;2026-03-05 14:00:00;Vybavená;EUR;;;;11;8;product;Y;Thing;;1;1;1',
        ]),
      },
      async ({ rows, rejects }) => {
        expect(await rows('orders', 'order_id, total')).toEqual([
          ['2026001', 1278],
          ['2026002', 250],
          ['2026003', 50],
        ]);
        expect(rejects).toEqual([
          { file: 'c.csv', line: 2, reason: expect.stringContaining('different totals or dates') },
        ]);
      },
      PRAGUE,
    ));
});

describe('imports', () => {
  const instance = createTestInstance({ isOneEngineEnough: true });
  afterAll(async () => (await instance)[Symbol.asyncDispose]());

  it('refuse a file whose last row has fewer cells: its download broke off', async () => {
    const test = await instance;
    const business = await test.createBusiness();
    const text = file();
    const folder = writeFiles(test, { 'a.csv': text.slice(0, text.length - 30) });
    await expect(importFiles(test.instance, business, [folder], { settings: PRAGUE })).rejects.toThrow(
      /rows are bad[\s\S]*a\.csv:9 is malformed: missing columns/,
    );
  });

  it('reconcile what the file says with what is answered', async () => {
    const test = await instance;
    const business = await test.createBusiness({ currency: 'CZK', timezone: 'Europe/Prague' });
    const folder = writeFiles(test, { 'a.csv': file(), 'b.csv': file(ROWS.slice(4, 7)) });
    const report = await importFiles(test.instance, business, [folder], { settings: PRAGUE, isTrial: true });
    expect(report.reconciliation).toMatchObject([
      {
        currency: 'CZK',
        orders: { in_file: 4, stored: 3, valid: 2 },
        gross: { in_file: 1928, stored: 1628, revenue: 1578 },
        shipping: { in_file: 99, stored: 99 },
        discounts: { in_file: 60, stored: 60 },
        differences: [
          { reason: 'duplicate', orders: 1, amount: 300 },
          { reason: 'cancelled', orders: 1, amount: 50 },
          { reason: 'unpaid', orders: 1, amount: 300 },
        ],
      },
    ]);
  });

  const sample = samples('reconstructed').find(({ name }) => name.startsWith('shoptet_orders'));
  it.skipIf(isQuick || sample === undefined)(
    `have what an independent count of the sample says (${NO_SAMPLES}: nothing to count)`,
    async () => {
      const test = await instance;
      const business = await test.createBusiness({ currency: 'EUR', timezone: 'Europe/Bratislava' });
      const path = sample?.path ?? '';
      const counted = countShoptet(new TextDecoder('windows-1250').decode(readFileSync(path)));
      const report = await importFiles(test.instance, business, [path], {
        settings: { timezone: 'Europe/Bratislava', currency: 'EUR', encoding: 'windows-1250' },
        isTrial: true,
      });
      expect(report.reconciliation).toMatchObject([
        {
          orders: { in_file: counted.orders, stored: counted.orders, valid: counted.valid },
          gross: {
            ...{ in_file: counted.grossCents / 100, stored: counted.grossCents / 100 },
            revenue: counted.revenueCents / 100,
          },
        },
      ]);
    },
  );
});

it.skipIf(isQuick)(
  'mutated exports give the right numbers, are refused, or the report says what is missing',
  async () => {
    const names = HEADER.split(';');
    const mutation = fc.oneof(
      fc.shuffledSubarray(names, { minLength: names.length - 4 }),
      fc.constant(names.map((name) => ` ${name.toUpperCase()} `)),
    );
    const without = fc.option(fc.nat(ROWS.length), { nil: null });
    const cut = fc.option(fc.nat(200), { nil: 0 });
    await fc.assert(
      fc.asyncProperty(mutation, without, cut, fc.boolean(), async (columns, place, missing, isOld) => {
        const kept = ROWS.filter((_, index) => index !== place);
        const rows = kept.map((row) =>
          columns.map((name) => {
            const index = names.findIndex((own) => own.toLowerCase() === name.trim().toLowerCase());
            return row.split(';')[index];
          }),
        );
        const whole = [columns, ...rows].map((cells) => `${cells.join(';')}\n`).join('');
        const text = whole.slice(0, whole.length - missing);
        const truth = countShoptet(file(kept));
        try {
          await translateFiles(
            { 'a.csv': isOld ? inWindows1250(text) : text },
            async ({ rows, rejects, sources }) => {
              const said = (sources[0]?.assumptions ?? []).join('; ');
              if (rejects.length > 0) return;
              // Nobody can know of a cut between two rows.
              if (missing > 0) expect(said.includes('does not end') || text.endsWith('\n')).toBe(true);
              else {
                const [[count, gross, valid] = []] = await rows(
                  'orders',
                  "count(*), round(sum(total) * 100), count(*) filter (status <> 'cancelled')",
                );
                expect([count, gross]).toEqual([truth.orders, truth.grossCents]);
                if (valid !== truth.valid) expect(said).toContain('no column "statusname"');
              }
            },
            { ...PRAGUE, encoding: 'windows-1250' },
          );
        } catch (error) {
          if ((error as Error).name !== 'ImportError') throw error;
        }
      }),
      { numRuns: runs(10) },
    );
  },
);

/** Writes the letters of these files alone. */
function inWindows1250(text: string): Buffer {
  const decoder = new TextDecoder('windows-1250');
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Buffer.from([...text].map((letter) => bytes.get(letter) ?? 0x3f));
}
