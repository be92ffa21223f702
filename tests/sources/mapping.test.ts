import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSourceSettings } from '../../src/control/businesses/source-settings.ts';
import { importFiles } from '../../src/import/run.ts';
import { readMappingFile } from '../../src/sources/mapping/known-sources.ts';
import { mapFile } from '../../src/sources/mapping/map-file.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { writeFiles } from '../ingest/shop.ts';
import { temporaryFolder } from '../ingest/staging.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { refusalOf, translateFiles } from './translated.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

/** A mapping of orders with some more columns. */
const ordersBy = (lines: string, more = '') => `name: our-orders
recognise: [Number]
${more}
tables:
  orders:
    order_id: Number
    ordered_at: {date: Day, pattern: DD.MM.YYYY HH:mm, zone: Europe/Prague}
    total: {number: Total, decimal: comma}
    currency: {constant: CZK}
${lines}`;

const fileBy = (header: string, ...rows: string[]) => ({ 'a.csv': `${[header, ...rows].join('\n')}\n` });
const ORDER = '1;31.12.2026 23:30;1 250,50';
const WITH_STATUS = ordersBy(
  '    status: {map: Status, values: {Vyřízená: fulfilled, Storno: cancelled}}\n    coupon_codes: {split: Coupons, by: ","}',
);

describe('an expression', () => {
  it('reads numbers with a decimal comma, dates by pattern and zone, maps, lists', () =>
    translateFiles(
      fileBy(
        'number ;Day;Total;Status;Coupons',
        '1;31.12.2026 23:30;1 250,50 Kč;VYŘÍZENÁ;"""a, b"",c"',
        '2;1.7.2026 9:05;1.250;Storno;ten, hello',
        "3;01.07.2026 09:05;-1'250,5;;",
      ),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows('orders', 'order_id, cast(ordered_at as varchar), total, status, coupon_codes'),
        ).toEqual([
          ['1', '2026-12-31 22:30:00', 1250.5, 'fulfilled', ['a, b', 'c']],
          ['2', '2026-07-01 07:05:00', 1250, 'cancelled', ['ten', 'hello']],
          // A return that is booked as an order.
          ['3', '2026-07-01 07:05:00', 0, 'credit_note', []],
        ]);
        expect(await rows('refunds', 'order_id, amount')).toEqual([['3', 1250.5]]);
      },
      {},
      WITH_STATUS,
    ));

  it.each([
    ['a date that is none', ordersBy(''), '2;31.02.2026 10:00;1', 'pattern "DD.MM.YYYY HH:mm" in "Day"'],
    ['a date with more behind it', ordersBy(''), '2;01.02.2026 10:00 x;1', 'pattern "DD.MM.YYYY HH:mm"'],
    [
      'a number with a point',
      ordersBy(''),
      '2;01.02.2026 10:00;12.50',
      'no number in "Total" that is written with a decimal comma',
    ],
    [
      'a number of another language',
      ordersBy(''),
      '2;01.02.2026 10:00;1,250.50',
      'is written with a decimal comma',
    ],
    ['an id without its digits', ordersBy(''), '6,14E+12;01.02.2026 10:00;1', 'scientific notation'],
    [
      'a number that may be two',
      ordersBy('').replace('{number: Total, decimal: comma}', 'Total'),
      '2;01.02.2026 10:00;1.250',
      'no number in "Total" that can be read without doubt',
    ],
    [
      'a part that is no number',
      ordersBy('').replace('{number: Total, decimal: comma}', '{sum: [Total, Status]}'),
      '2;01.02.2026 10:00;1;x',
      'no number in "Status"',
    ],
    [
      'a text that a map does not know',
      ordersBy('    country: {map: Status, values: {CZ: CZ}}'),
      '2;01.02.2026 10:00;1;Marx',
      'in "Status" that is not among the values',
    ],
  ])('rejects %s, with its line and without its value', (_, mapping, row, reason) =>
    translateFiles(
      fileBy('Number;Day;Total;Status', ORDER.concat(';'), row.split(';').length === 4 ? row : `${row};`),
      async ({ rejects }) => {
        expect(rejects).toContainEqual({ file: 'a.csv', line: 3, reason: expect.stringContaining(reason) });
        expect(JSON.stringify(rejects)).not.toContain('Marx');
      },
      {},
      mapping,
    ),
  );

  it('reads amounts with a minus before or behind, in brackets, and with a sign of a currency on either side', () =>
    translateFiles(
      fileBy(
        'Number;Day;Total;Shipping',
        ...['(12,50)', '12,50-', '−12,50', '-12,50 €', '(€ 12,50)', '€ -12,50', '12,50 €-', '€12,50'].map(
          (cell, place) => `${place + 1};01.02.2026 10:00;100;${cell}`,
        ),
      ),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows('orders', 'shipping, string_agg(order_id order by order_id)', 'true group by 1'),
        ).toEqual([
          [-12.5, '1,2,3,4,5,6,7'],
          [12.5, '8'],
        ]);
      },
      {},
      ordersBy('    shipping: {number: Shipping, decimal: comma}'),
    ));

  it.each(['(12,50', '12,50)', '--12,50', '(-12,50)', '-12,50-', '12,50 3', '12,50;'])(
    'refuses %s as an amount',
    (cell) =>
      translateFiles(
        fileBy('Number;Day;Total', '1;01.02.2026 10:00;1', `2;01.02.2026 10:00;"${cell}"`),
        ({ rejects }) => {
          expect(rejects).toMatchObject([
            { line: 3, reason: expect.stringContaining('no number in "Total"') },
          ]);
        },
        {},
        ordersBy(''),
      ),
  );

  it.each([
    ['excel', '46086.4201389', '2026-03-05 09:05:00'],
    ['excel', '46086,5', '2026-03-05 11:00:00'],
    ['excel', '46086', '2026-03-04 23:00:00'],
    ['DD.MM.YY HH:mm', '05.03.26 10:05', '2026-03-05 09:05:00'],
    ['MMM-DD-YY', 'Mar-05-26', '2026-03-04 23:00:00'],
  ])('reads a moment by %s: %s', (pattern, cell, moment) =>
    translateFiles(
      fileBy('Number;Day;Total', `1;${cell};1`),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'cast(ordered_at as varchar)')).toEqual([[moment]]);
      },
      {},
      ordersBy('').replace('DD.MM.YYYY HH:mm', pattern),
    ),
  );

  it.each([
    ['excel', '5.3.2026'],
    ['excel', '460'],
    ['DD.MM.YYYY', '05.03.26'],
    ['DD.MM.YY', '05.03.2026'],
  ])('refuses by %s what is no such moment: %s', (pattern, cell) =>
    translateFiles(
      fileBy('Number;Day;Total', `1;${cell};1`),
      ({ rejects }) => {
        expect(rejects).toHaveLength(1);
      },
      {},
      ordersBy('').replace('DD.MM.YYYY HH:mm', pattern),
    ),
  );

  it('rejects a number with the sign of another currency than the rows before', () =>
    translateFiles(
      fileBy(
        'Number;Day;Total',
        '1;01.02.2026 10:00;10,00 €',
        '2;01.02.2026 10:00;0',
        '3;01.02.2026 10:00;$10,00',
      ),
      ({ rejects }) => {
        expect(rejects).toEqual([
          {
            file: 'a.csv',
            line: 4,
            reason: expect.stringContaining('another sign of a currency in "Total"'),
          },
        ]);
      },
      {},
      ordersBy(''),
    ));

  it('knows no sum and no difference without their parts', () =>
    translateFiles(
      fileBy('Number;Day;Total;Net', '1;01.02.2026 10:00;12,1;10', '2;01.02.2026 10:00;5;'),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        // "Fee" is in no file; an empty cell of a sum is 0.
        expect(await rows('orders', 'order_id, subtotal, shipping, discount, tax')).toEqual([
          ['1', null, null, 22.1, 2.1],
          ['2', null, null, 5, null],
        ]);
      },
      {},
      ordersBy(`    subtotal: {sum: [{number: Total, decimal: comma}, {number: Fee, decimal: comma}]}
    shipping: {difference: [{number: Total, decimal: comma}, {number: Fee, decimal: comma}]}
    discount: {sum: [{number: Total, decimal: comma}, {number: Net, decimal: comma}]}
    tax: {difference: [{number: Total, decimal: comma}, {number: Net, decimal: comma}]}`),
    ));

  it('calculates: sum, difference, quotient, absolute, and the first that says something', () =>
    translateFiles(
      fileBy(
        'Number;Day;Total;Net;Tax;Pieces;Sku;Name;Refund',
        '1;01.02.2026 10:00;36,3;30;6,3;3;;Mug;-5',
        '2;01.02.2026 10:00;10;10;;1;CUP;Cup;0',
      ),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('order_items', 'order_id, external_product_id, unit_price')).toEqual([
          ['1', 'name:Mug', 12.1],
          ['2', 'CUP', 10],
        ]);
        expect(await rows('refunds', 'order_id, amount')).toEqual([['1', 5]]);
        expect(await rows('orders', 'order_id, subtotal')).toEqual([
          ['1', 30],
          ['2', null],
        ]);
      },
      {},
      ordersBy(`    subtotal: {difference: [{number: Total, decimal: comma}, {number: Tax, decimal: comma}]}
  order_items:
    order_id: Number
    external_product_id: {first: [Sku, {named: Name}]}
    quantity: Pieces
    unit_price: {quotient: [{sum: [{number: Net, decimal: comma}, {number: Tax, decimal: comma}]}, Pieces]}
  refunds:
    refund_id: Number
    order_id: Number
    refunded_at: {date: Day, pattern: DD.MM.YYYY HH:mm, zone: Europe/Prague}
    amount: {absolute: Refund}`),
    ));
});

describe('orders on several rows', () => {
  const LINES = `  order_items:
    order_id: Number
    external_product_id: Sku
    quantity: Pieces
    unit_price: Price`;
  const HEADER = 'Number;Day;Total;Sku;Pieces;Price';

  it('count once, with cells in every row or in the first alone', async () => {
    for (const [mapping, second] of [
      [ordersBy(LINES), '1;31.12.2026 23:30;30;B;1;20'],
      [ordersBy(LINES, 'fill_down: [Number]'), ';;;B;1;20'],
    ] as const)
      await translateFiles(
        fileBy(HEADER, '1;31.12.2026 23:30;30;A;1;10', second, '2;31.12.2026 23:30;5;;;'),
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          expect(await rows('orders', 'order_id, total')).toEqual([
            ['1', 30],
            ['2', 5],
          ]);
          expect(await rows('order_items', 'order_id, external_product_id, unit_price')).toEqual([
            ['1', 'A', 10],
            ['1', 'B', 20],
          ]);
        },
        {},
        mapping,
      );
  });

  it('are rejected where their rows say different totals', () =>
    translateFiles(
      fileBy(HEADER, '1;31.12.2026 23:30;10;A;1;10', '1;31.12.2026 23:30;20;B;1;20'),
      ({ rejects }) => {
        expect(rejects).toEqual([
          { file: 'a.csv', line: 2, reason: expect.stringContaining('different things of its total') },
        ]);
      },
      {},
      ordersBy(LINES),
    ));

  it('count as the last of several files has them, with its lines alone', () =>
    translateFiles(
      {
        'a.csv': `${HEADER}\n1;31.12.2026 23:30;30;A;1;10\n1;31.12.2026 23:30;30;B;1;20\n`,
        'b.csv': `${HEADER}\n1;31.12.2026 23:30;10;A;1;10\n`,
      },
      async ({ rows }) => {
        expect(await rows('orders', 'total')).toEqual([[10]]);
        expect(await rows('order_items', 'external_product_id')).toEqual([['A']]);
      },
      {},
      ordersBy(LINES),
    ));
});

it('asks for what the file does not say, and takes the answer', async () => {
  const mapping = WITH_STATUS.replace(', zone: Europe/Prague', '').replace(
    '    currency: {constant: CZK}\n',
    '',
  );
  const file = fileBy('Number;Day;Total;Status;Coupons', `${ORDER};Odesláno;`);
  const refusal = await refusalOf(file, {}, mapping);
  for (const text of [
    '--timezone',
    '--currency EUR',
    'a.csv line 2',
    'a status that the mapping does not know in "Status"',
  ])
    expect(refusal).toContain(text);
  expect(refusal).not.toContain('Odesláno;');
  const settings = { timezone: 'America/New_York', currency: 'eur', status: 'Odesláno=fulfilled' };
  await translateFiles(
    file,
    async ({ rows }) => {
      expect(await rows('orders', 'cast(ordered_at as varchar), currency, status')).toEqual([
        ['2027-01-01 04:30:00', 'EUR', 'fulfilled'],
      ]);
    },
    settings,
    mapping,
  );
});

it('says what a column costs that the file lacks, and refuses a file without one that is required', async () => {
  await translateFiles(
    fileBy('Number;Day;Total', ORDER),
    ({ sources }) => {
      expect(sources[0]?.assumptions.join()).toContain('no column "Status": orders.status without it');
    },
    {},
    WITH_STATUS,
  );
  expect(await refusalOf(fileBy('Number;Day', '1;x'), {}, WITH_STATUS)).toContain(
    'lacks "Total" (orders.total without it)',
  );
});

it('leaves a table out where the files lack what it needs, and says so', () =>
  translateFiles(
    fileBy('Number;Day;Total', ORDER),
    async ({ counts, sources }) => {
      expect(Object.keys(counts)).toEqual(['orders']);
      expect(sources[0]?.assumptions.join()).toContain('the files lack what refunds need: there are none');
    },
    {},
    ordersBy(
      '  refunds: {refund_id: Number, order_id: Number, refunded_at: {date: Day, zone: UTC}, amount: Refunded}',
    ),
  ));

describe('a mapping is text of a stranger', () => {
  it.each([
    ['no YAML', 'name: [', 1, 'it is not YAML'],
    ['a name twice', 'name: a\nname: b', 2, 'it is not YAML'],
    ['something unknown', 'name: a\nscript: rm', 2, 'Allowed: name, title, recognise'],
    ['a bad name', `name: "x'; drop"\ntables: {}`, 1, 'small letters, digits and hyphens'],
    ['no tables', 'name: a\ntables: {}', 2, 'no table is filled'],
    ['a table that is none of ours', 'name: a\ntables:\n  order: {}', 3, 'Allowed: orders, order_items'],
    ['a column that is none', 'name: a\ntables:\n  orders:\n    sum: X', 4, 'Allowed: order_id, number'],
    ['a missing column', 'name: a\ntables:\n  orders:\n    order_id: X', 4, 'lacks ordered_at, total'],
    ['an unknown expression', ordersBy('    number: {sql: 1}'), 10, 'Allowed: text, number, date'],
    [
      'an option of another one',
      ordersBy('    number: {text: A, by: B}'),
      10,
      '"by" does not belong to "text"',
    ],
    ['no decimals', ordersBy('    tax: {number: A}'), 10, 'Allowed: decimal: comma, decimal: point'],
    ['a bad pattern', ordersBy('    cancelled_at: {date: A, pattern: "%d"}'), 10, 'Allowed: YYYY, MM'],
    ['a bad zone', ordersBy('    cancelled_at: {date: A, zone: Prag}'), 10, 'there is no timezone "Prag"'],
    ['an alias', 'name: &a b\ntables:\n  orders: *a', 3, 'orders has no names'],
    ['a tag', 'name: !!js/function x\ntables: {}', 1, 'not YAML'],
    ['a bad condition', ordersBy('    where: {A: maybe}'), 10, 'empty, filled, a list'],
    [
      'too many expressions in each other',
      ordersBy(`    tax: ${'{absolute: '.repeat(9)}A${'}'.repeat(9)}`),
      10,
      'nested too deeply',
    ],
    ['too many columns', ordersBy(`    tax: {sum: [${'A,'.repeat(600)}]}`), 10, 'too many columns'],
    [
      'a title that fits in many ways',
      ordersBy(`    number: ${'<a>'.repeat(30)}z`),
      10,
      'several parts in <…>',
    ],
    ['a condition on such a title', ordersBy(`    where: {"<a> <b>": filled}`), 10, 'several parts in <…>'],
    ['a long text', ordersBy(`    number: ${'x'.repeat(300)}`), 10, 'too long'],
  ])('refuses %s, with the line, what is allowed and an example', (_, text, line, message) => {
    expect(() => readMapping(text, 'm.yaml')).toThrow(message);
    expect(() => readMapping(text, 'm.yaml')).toThrow(new RegExp(`^m\\.yaml line ${line}: `));
  });

  it('refuses what is too large or nested without end', () => {
    expect(() => readMapping(`# ${'x'.repeat(70_000)}`, 'm.yaml')).toThrow('more than 64 KiB');
    expect(() => readMapping('['.repeat(60_000), 'm.yaml')).toThrow(/m\.yaml/);
    expect(() => readMapping('{a: '.repeat(15_000), 'm.yaml')).toThrow(/m\.yaml/);
  });

  it('never becomes SQL: names, texts and values are names and literals', async () => {
    const evil = `x'); drop table raw_our_orders; --" ]`;
    const quoted = JSON.stringify(evil);
    const mapping = `name: our-orders
recognise: [${quoted}]
empty: [${quoted}]
tables:
  orders:
    where: {${quoted}: {not: [${quoted}, "y'*"]}}
    order_id: ${quoted}
    ordered_at: {date: Day, pattern: YYYY-MM-DD, zone: UTC}
    total: {number: Total, decimal: point}
    currency: {map: Cur, values: {${quoted}: EUR}, otherwise: EUR}
    coupon_codes: {split: Cur, by: ${quoted}}
    payment_method: {constant: ${quoted}}`;
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await translateFiles(
      { 'a.csv': `${cell(evil)},Day,Total,Cur\n7,2026-01-01,10,z\n` },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, total, currency, payment_method')).toEqual([
          ['7', 10, 'EUR', evil],
        ]);
      },
      {},
      mapping,
    );
  });

  it('has a limit for the SQL that it becomes', async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? '{number: Total, decimal: point}'
        : `{sum: [${[1, 2, 3].map(() => nested(depth - 1)).join(', ')}]}`;
    expect(
      await refusalOf(fileBy('Number;Day;Total', ORDER), {}, ordersBy(`    tax: ${nested(4)}`)),
    ).toContain('use fewer columns');
  });
});

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

describe('source map', () => {
  it.each([
    ['    total: TODO    # required', 'line 5: "total" is still TODO, as the draft left it: complete it'],
    ['    total: {sum: [Net, TODO]}', 'line 5: "total" is still TODO'],
    [
      '    total: Total\n    status: {map: Status, values: {"Open": TODO}}',
      'line 6: the meaning of "Open" is still TODO',
    ],
    ['    total: Total\n    cancelled_at: {date: Day, pattern: TODO}', 'line 6: the pattern is still TODO'],
  ])('a draft that is used before it is complete is refused with its line: %s', (lines, says) => {
    const draft = `name: our-x\ntables:\n  orders:\n    order_id: Number\n${lines}\n    ordered_at: Day\n`;
    expect(() => readMapping(draft, 'mapping.yaml')).toThrow(new RegExp(says, 'i'));
    expect(() => readMapping(draft.replace('TODO', '"TODO"'), 'mapping.yaml')).not.toThrow(/still TODO/);
  });

  it('drafts a mapping that reads the file once its gaps are filled, and shows no value of a person', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'Objednávky 2026.csv');
    writeFileSync(
      file,
      'Číslo objednávky;Datum;Celkem;Stav;E-mail\n1;31.12.2026 23:30;1 250,50;Hotovo;ann@example.com\n2;1.2.2026 10:00;5,00;Hotovo;bob@example.com\n',
    );
    const { columns, mapping, known } = await mapFile(file, undefined);
    expect(known).toBeNull();
    expect(columns.map(({ title, looks, filled }) => [title, looks, filled])).toEqual([
      ['Číslo objednávky', 'number', 2],
      ['Datum', 'date', 2],
      ['Celkem', 'decimal comma', 2],
      ['Stav', 'text', 2],
      ['E-mail', 'e-mail', 2],
    ]);
    expect(mapping).not.toContain('ann@');
    const filled = mapping.replace('"Hotovo": TODO', '"Hotovo": fulfilled');
    await translateFiles(
      file,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'orders',
            'order_id, cast(ordered_at as varchar), total, currency, status, email_domain',
          ),
        ).toEqual([
          ['1', '2026-12-31 22:30:00', 1250.5, 'CZK', 'fulfilled', 'example.com'],
          ['2', '2026-02-01 09:00:00', 5, 'CZK', 'fulfilled', 'example.com'],
        ]);
      },
      { timezone: 'Europe/Prague', currency: 'CZK' },
      filled,
    );
  });

  it('says where no mapping is needed, and refuses what is no table', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'a.csv');
    writeFileSync(file, 'Name,Total,Created at,Lineitem name\n#1,10,x,Mug\n');
    expect((await mapFile(file, undefined)).known).toContain('Shopify orders');
    writeFileSync(file, '{"a": 1}\n');
    await expect(mapFile(file, undefined)).rejects.toThrow('no table of text');
    await expect(mapFile(join(folder.path, 'none.csv'), undefined)).rejects.toThrow('there is no file');
    expect(existsSync(join(folder.path, 'mapping.yaml'))).toBe(false);
  });
});

describe('cells that tools wrote in their own way', () => {
  const MEMBERS = `name: members
title: Members
recognise: [Id, Tel, Tags]
tables:
  profiles:
    profile_id: Id
    phone: Tel
    tags: {split: Tags, by: ","}
`;

  it('are the same ids and phone numbers with `.0` behind them, and lists whose items may have quotes in them', () =>
    translateFiles(
      {
        'members.csv': `Id,Tel,Tags
7.0,+420777123456.0,"5"" vase, mug"
8,+420777123456,"""VIP"",""a, b"",""5"""" x"""
9,,"VIP, ""x, y"""
1.50,,plain
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('profiles', 'profile_id, tags')).toEqual([
          ['1.50', ['plain']],
          ['7', ['5" vase', 'mug']],
          ['8', ['VIP', 'a, b', '5" x']],
          ['9', ['VIP', 'x, y']],
        ]);
        expect(await rows('profiles', 'distinct phone_hash', 'phone_hash is not null')).toHaveLength(1);
      },
      {},
      MEMBERS,
    ));
});

describe('a file whose titles are not UTF-8', () => {
  const MAPPED = `name: nase
recognise: [Číslo objednávky, Částka]
tables: {orders: {order_id: Číslo objednávky, ordered_at: {date: Datum, zone: UTC}, total: Částka, currency: {constant: CZK}}}`;
  const letters: Record<string, number> = { Č: 0xc8, í: 0xed, á: 0xe1 };
  const bytes = (text: string) => Buffer.from([...text].map((each) => letters[each] ?? each.charCodeAt(0)));
  const files = { 'a.csv': bytes('Číslo objednávky;Datum;Částka\n1;2026-03-01 10:00:00;5\n') };

  it('is told by them in the encoding that was said', () =>
    translateFiles(
      files,
      async ({ rows }) => expect(await rows('orders', 'order_id, total')).toEqual([['1', 5]]),
      { encoding: 'windows-1250' },
      MAPPED,
    ));

  it('is asked about where none was said', async () =>
    expect(await refusalOf(files, {}, MAPPED)).toContain(
      'a.csv (nase) is not UTF-8, and its encoding cannot be told from it',
    ));
});

it('advises no sign of decimals that would make another number of an amount', async () => {
  const mapped =
    'name: x\ntables: {orders: {order_id: N, ordered_at: {date: D, zone: UTC}, total: T, currency: {constant: JPY}}}';
  await translateFiles(
    { 'a.csv': 'N,D,T\n1,2026-03-01 10:00:00,"1,204"\n' },
    ({ rejects }) =>
      expect(rejects[0]?.reason).toContain(
        '{number: T, decimal: point} where 1,204 is more than a thousand, {number: T, decimal: comma} where it is little more than one',
      ),
    {},
    mapped,
  );
});

it('a damaged phone number hides no whole one beside it', () =>
  translateFiles(
    { 'a.csv': 'N,D,T,P,Q\n1,2026-03-01 10:00:00,1,4.20777E+11,+420777000001\n' },
    async ({ rows }) => expect(await rows('orders', 'phone_hash is not null')).toEqual([[true]]),
    {},
    'name: x\ntables: {orders: {order_id: N, ordered_at: {date: D, zone: UTC}, total: T, currency: {constant: EUR}, phone: {first: [P, Q]}}}',
  ));
