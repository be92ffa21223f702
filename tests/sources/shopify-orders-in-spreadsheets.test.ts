import { describe, expect, it } from 'vitest';
import { COLUMNS, file, line, order } from './shopify-order-rows.ts';
import { csvOf, refusalOf, translateFiles } from './translated.ts';

describe('the import of what a spreadsheet wrote', () => {
  /** Amounts that do not tell how decimals are written. */
  const WHOLE = { 'Discount Amount': '0', 'Refunded Amount': '0', Shipping: '0', Taxes: '0' };

  it('undoes decimal commas, thousands and apostrophes', () =>
    translateFiles(
      file([
        order('#1', '1 234,50', { Id: "'6001" }),
        order('#2', '1.234,5'),
        order('#3', '"1,234.50"'.replaceAll('"', '')),
      ]),
      async ({ rows }) => {
        expect(await rows('orders', 'number, total')).toEqual([
          ['#1', 1234.5],
          ['#2', 1234.5],
          ['#3', 1234.5],
        ]);
        expect(await rows('order_items', 'unit_price')).toEqual([[1234.5], [1234.5], [1234.5]]);
      },
    ));

  it('rejects an id of which digits are lost, and an amount that could mean two', () =>
    translateFiles(
      file([
        order('#1', '1', { ...WHOLE, Id: '6.14E+12' }),
        ...['1,234', '1.234'].map((total, index) => order(`#${index + 2}`, total, WHOLE)),
        order('#4', '1', { ...WHOLE, 'Lineitem price': '1.234' }),
      ]),
      async ({ rows, rejects }) => {
        expect(rejects).toMatchObject([
          { line: 2, reason: expect.stringContaining('scientific notation') },
          ...[3, 4, 5].map((line) => ({
            line,
            reason: expect.stringContaining('thousands or in thousandths'),
          })),
        ]);
        expect(await rows('orders', 'number, total')).toEqual([['#4', 1]]);
      },
    ));

  it.each([
    ['12.50', 1.234],
    ['12,50', 1234],
  ])('reads such an amount as others of the file are written: %s', (other, expected) =>
    translateFiles(
      file([order('#1', '1.234', WHOLE), order('#2', other, WHOLE)]),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'total')).toEqual(
          [[expected], [12.5]].sort(([one = 0], [two = 0]) => one - two),
        );
        expect(await rows('order_items', 'unit_price', "order_id = '600001'")).toEqual([[expected]]);
      },
    ),
  );

  const cut = [
    order('#1', '1', { 'Created at': '3/4/2026 22:36' }),
    order('#2', '1', { 'Created at': '2026-04-03 22:36:00' }),
  ];

  it('asks for the timezone and the order of days where times lost them', async () => {
    const message = await refusalOf(file(cut));
    expect(message).toContain('2 rows, the first is export.csv line 2. Say --timezone Europe/Prague');
    expect(message).toContain('1 row, the first is export.csv line 2. Say --dates dmy');
  });

  it('reads such times by what was said', () =>
    translateFiles(
      file(cut),
      async ({ rows }) =>
        expect(await rows('orders', 'cast(ordered_at as varchar)')).toEqual([
          ['2026-04-03 20:36:00'],
          ['2026-04-03 20:36:00'],
        ]),
      { timezone: 'Europe/Prague', dates: 'dmy' },
    ));

  const american = ['1/2', '1/5', '2/3', '2/9', '3/1', '3/11'].map((day, index) =>
    order(`#${index}`, '1', { 'Created at': `${day}/2026 10:00` }),
  );

  it.each([
    ['the month first, as the rows are in order, say nothing', american, 'mdy', false],
    ['the day first, by which they are in none, are doubted', american.toReversed(), 'dmy', true],
    ['in no order either way say nothing', [...american.slice(3), ...american.slice(0, 3)], 'dmy', false],
    ['of a few days may be in order by chance', american.slice(0, 4), 'dmy', false],
  ])('dates with %s', (_name, rows, dates, isDoubted) =>
    translateFiles(
      file(rows),
      ({ sources }) => {
        const doubts = sources[0]?.assumptions.filter((text) => text.includes('go back and forth'));
        expect(doubts).toHaveLength(isDoubted ? 1 : 0);
        if (isDoubted) expect(doubts?.[0]).toContain('import again with mdy for dates');
      },
      { timezone: 'Europe/Prague', dates },
    ),
  );

  const whole = csvOf(COLUMNS, [
    order('#1', '12', { 'Lineitem price': '10', 'Lineitem name': 'A "big" mug, blue' }),
    line('#1', 'Tea', '1', '2'),
  ]);

  it.each([
    [
      'UTF-16 with tabs and a byte order mark',
      Buffer.from(`\uFEFF${whole.replaceAll(',', '\t').replace('\t blue', ', blue')}`, 'utf16le'),
    ],
    [
      'semicolons and CRLF',
      Buffer.from(whole.replaceAll(',', ';').replace('; blue', ', blue').replaceAll('\n', '\r\n')),
    ],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${whole}`)],
    [
      'rows put into one cell each',
      Buffer.from(
        whole
          .split('\n')
          .map((row, index) =>
            index === 0 ? `${row};` : row === '' ? '' : `"${row.replaceAll('"', '""')};",;`,
          )
          .join('\n'),
      ),
    ],
    [
      'columns in another order and case',
      Buffer.from(
        csvOf(COLUMNS.toReversed(), [
          order('#1', '12', { 'Lineitem price': '10', 'Lineitem name': 'A "big" mug, blue' }),
          line('#1', 'Tea', '1', '2'),
        ]).replace(/^.*/, (header) => header.toUpperCase()),
      ),
    ],
  ])('reads %s', (_, bytes) =>
    translateFiles({ 'any name.txt': bytes }, async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'order_id, total')).toEqual([['600001', 12]]);
      expect(await rows('order_items', 'name, unit_price')).toEqual([
        ['A "big" mug, blue', 10],
        ['Tea', 2],
      ]);
    }),
  );

  it('asks for an encoding that bytes do not tell, and reads it', async () => {
    const bytes = Buffer.from(csvOf(COLUMNS, [order('#1', '1', { 'Lineitem name': 'Caf\u00e9' })]), 'latin1');
    expect(await refusalOf({ 'x.csv': bytes })).toContain('--encoding windows-1252');
    await translateFiles(
      { 'x.csv': bytes },
      async ({ rows }) => expect(await rows('order_items', 'name')).toEqual([['Café']]),
      { encoding: 'windows-1252' },
    );
  });
});

describe('rows that a spreadsheet put into one cell each', () => {
  const HEADER =
    'Name,Email,Financial Status,Currency,Subtotal,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id';
  const one = `#1,a@example.com,paid,EUR,10,0,10,2026-03-05 15:40:14 +0100,1,Mug,10,1`;
  const two = `#2,b@example.com,paid,EUR,10,0,10,2026-03-05 15:40:14 +0100,1,""Mug, big"",10,2`;

  it.each([
    ['a semicolon behind', `${HEADER};\n"${one}";\n"${two}";\n`],
    ['a semicolon behind, and quotes where a row has some', `${HEADER};\n${one};\n"${two}";\n`],
    ['a comma behind', `${HEADER}\n"${one}",\n"${two}",\n`],
    ['nothing behind', `${HEADER}\n"${one}"\n"${two}"\n`],
  ])('%s', (_, content) =>
    translateFiles({ 'a.csv': content }, async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'order_id, total')).toEqual([
        ['1', 10],
        ['2', 10],
      ]);
      expect(await rows('order_items', 'name')).toEqual([['Mug'], ['Mug, big']]);
    }),
  );
});

describe('the import of cells that a spreadsheet damaged', () => {
  it('takes the billing phone where the phone beside it lost its digits, and says so', () =>
    translateFiles(
      {
        'a.csv': csvOf(
          [...COLUMNS, 'Phone', 'Billing Phone'],
          [
            order('#1', '1', { Phone: '4.20777E+11', 'Billing Phone': '+420777000001' }),
            order('#2', '1', { Phone: '#NAME?', 'Billing Phone': '+420777000001' }),
            order('#3', '1', { Phone: '+420777000001', 'Billing Phone': '4.20777E+11' }),
          ],
        ),
      },
      async ({ rows, sources }) => {
        expect(await rows('orders', 'count(phone_hash), count(distinct phone_hash)')).toEqual([[3, 1]]);
        expect(sources[0]?.assumptions.join()).toContain('of 2 phone numbers a spreadsheet left');
      },
    ));

  it('makes no product of several whose SKUs became one', () =>
    translateFiles(
      file([
        order('#1', '30', { 'Lineitem sku': '5.90123E+12' }),
        order('#2', '30', { 'Lineitem sku': '5E1' }),
      ]),
      async ({ rows, rejects }) => {
        expect(rejects.map(({ reason }) => reason)).toEqual([
          expect.stringContaining('"Lineitem sku" in scientific notation'),
        ]);
        expect(await rows('order_items', 'external_product_id')).toEqual([['5E1']]);
      },
    ));
});
