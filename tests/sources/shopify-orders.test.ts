import { describe, expect, it } from 'vitest';
import { csvOf, refusalOf, translateFiles } from './translated.ts';

const COLUMNS = [
  ...[
    'Name',
    'Email',
    'Financial Status',
    'Paid at',
    'Fulfillment Status',
    'Currency',
    'Subtotal',
    'Shipping',
    'Taxes',
  ],
  ...[
    'Total',
    'Discount Code',
    'Discount Amount',
    'Created at',
    'Lineitem quantity',
    'Lineitem name',
    'Lineitem price',
  ],
  ...[
    'Lineitem sku',
    'Notes',
    'Cancelled at',
    'Payment Method',
    'Refunded Amount',
    'Vendor',
    'Id',
    'Lineitem discount',
  ],
];

const ORDER = {
  ...{ 'Financial Status': 'paid', 'Fulfillment Status': 'unfulfilled', Currency: 'EUR' },
  ...{
    'Created at': '2026-03-05 15:40:14 +0100',
    'Discount Amount': '0.00',
    'Refunded Amount': '0.00',
    Shipping: '0.00',
    Taxes: '0.00',
  },
};

/** An order of one line. */
function order(name: string, total: string, cells: Record<string, string> = {}): Record<string, string> {
  return {
    ...ORDER,
    ...{ Name: name, Id: `60000${name.replace(/\D/g, '')}`, Total: total, Subtotal: total },
    ...{
      'Lineitem quantity': '1',
      'Lineitem name': 'Mug',
      'Lineitem price': total,
      'Lineitem sku': 'MUG',
      Vendor: 'Acme',
    },
    ...cells,
  };
}

/** A further line of an order. */
function line(
  name: string,
  item: string,
  quantity: string,
  price: string,
  cells: Record<string, string> = {},
) {
  return {
    ...{
      Name: name,
      'Created at': ORDER['Created at'],
      'Lineitem quantity': quantity,
      'Lineitem name': item,
    },
    ...{ 'Lineitem price': price, 'Lineitem sku': item.toUpperCase(), Vendor: 'Acme' },
    ...cells,
  };
}

const file = (rows: readonly Record<string, string>[], columns = COLUMNS) => ({
  'export.csv': csvOf(columns, rows),
});

describe('orders of several lines', () => {
  const rows = [
    order('#3', '90.00', { 'Lineitem price': '40', Email: 'ann@example.com' }),
    line('#3', 'Plate', '2', '25.00', {
      Email: 'ann@example.com',
      'Created at': '2026-03-05 15:40:14 +0100',
    }),
    order('#2', '10.00'),
    {},
    order('#3', '7.00', { Id: '700003', 'Created at': '2026-01-01 10:00:00 +0100' }),
  ];

  it('takes cells of an order out of its first row alone, and leaves blank rows out', () =>
    translateFiles(file(rows), async ({ rows, counts, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'order_id, number, total, email_domain')).toEqual([
        ['600002', '#2', 10, null],
        ['600003', '#3', 90, 'example.com'],
        // The name comes again in the life of a shop; the id does not.
        ['700003', '#3', 7, null],
      ]);
      expect(
        await rows('order_items', 'order_id, line_no, external_product_id, quantity, unit_price'),
      ).toEqual([
        ['600002', 1, 'MUG', 1, 10],
        ['600003', 1, 'MUG', 1, 40],
        ['600003', 2, 'PLATE', 2, 25],
        ['700003', 1, 'MUG', 1, 7],
      ]);
      expect(counts.orders).toMatchObject({ read: 3, loaded: 3 });
    }));

  it('knows orders by name and moment where there is no id, and products by name where there is no SKU', () =>
    translateFiles(
      file(
        rows,
        COLUMNS.filter((name) => name !== 'Id' && name !== 'Lineitem sku'),
      ),
      async ({ rows, sources }) => {
        expect(await rows('orders', 'order_id')).toEqual([
          ['#2_20260305T144014Z'],
          ['#3_20260101T090000Z'],
          ['#3_20260305T144014Z'],
        ]);
        expect(await rows('order_items', 'distinct external_product_id')).toEqual([
          ['name:Mug'],
          ['name:Plate'],
        ]);
        expect(sources[0]?.assumptions[0]).toContain('no column "id"');
      },
    ));

  it('keeps several ways of paying as they stand, and is not led astray by where an order came from or what a tax is called', () => {
    const places = ['web', 'pos', 'shopify_draft_order', 'tiktok', '580111'];
    const taxed = (name: string) => ({
      Taxes: '2.10',
      'Tax 1 Name': name,
      'Tax 1 Value': '2.10',
      'Tax 2 Value': '9',
    });
    return translateFiles(
      file(
        places.map((Source, index) =>
          order(`#${index + 1}`, '10.00', {
            ...taxed(index % 2 === 0 ? 'DPH 21%' : 'IVA 21 %'),
            ...{ Source, 'Payment Method': index === 1 ? 'Visa + Gift Card + manual' : 'Bogus, Inc.' },
          }),
        ),
        [...COLUMNS, 'Source', 'Tax 1 Name', 'Tax 1 Value', 'Tax 2 Name', 'Tax 2 Value'],
      ),
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, total, tax, payment_method')).toEqual(
          places.map((_, index) => [
            ...[`60000${index + 1}`, 10, 2.1],
            index === 1 ? 'Visa + Gift Card + manual' : 'Bogus, Inc.',
          ]),
        );
        expect(await rows('order_items', 'distinct unit_price')).toEqual([[10]]);
      },
    );
  });

  it('rejects lines without the first row of their order', () =>
    translateFiles(
      file([line('#9', 'Cup', '1', '5'), order('#1', '3'), line('#2', 'Cup', '1', '5')]),
      ({ rejects }) => {
        expect(rejects).toEqual([
          { file: 'export.csv', line: 2, reason: expect.stringContaining('was the file sorted or cut?') },
          { file: 'export.csv', line: 4, reason: expect.stringContaining('was the file sorted or cut?') },
        ]);
      },
    ));

  it('rejects a file in which a tool filled the cells of orders down', () =>
    translateFiles(file([order('#1', '3'), order('#1', '3')]), ({ rejects }) => {
      expect(rejects).toEqual([
        { file: 'export.csv', line: 3, reason: expect.stringContaining('belong into its first row alone') },
      ]);
    }));

  it('knows an order whose id a tool wrote with `.0`', () =>
    translateFiles(
      {
        'a.csv': csvOf(COLUMNS, [order('#1', '10.00')]),
        'b.csv': csvOf(COLUMNS, [order('#1', '12.00', { Id: '600001.0' })]),
      },
      async ({ rows }) => expect(await rows('orders', 'order_id, total')).toEqual([['600001', 12]]),
    ));

  it('takes the last of an order that stands in several exports, with its lines alone', () =>
    translateFiles(
      {
        'a.csv': csvOf(COLUMNS, [
          order('#1', '8', { 'Lineitem price': '3' }),
          line('#1', 'Cup', '1', '5'),
          order('#2', '1'),
        ]),
        'b.csv': csvOf(COLUMNS, [order('#1', '3')]),
      },
      async ({ rows }) => {
        expect(await rows('orders', 'order_id, total')).toEqual([
          ['600001', 3],
          ['600002', 1],
        ]);
        expect(await rows('order_items', 'order_id, line_no')).toEqual([
          ['600001', 1],
          ['600002', 1],
        ]);
      },
    ));
});

it('tells refunds from cancellations, and payment still to come from both', () =>
  translateFiles(
    file([
      order('#1', '10', { 'Financial Status': 'refunded', 'Refunded Amount': '10.00' }),
      order('#2', '10', { 'Financial Status': 'voided' }),
      order('#3', '10', { 'Cancelled at': '2026-03-06 10:00:00 +0100' }),
      order('#4', '10', { 'Financial Status': 'pending' }),
      order('#5', '10', { 'Financial Status': 'expired' }),
      order('#6', '10', {
        'Financial Status': 'partially_refunded',
        'Refunded Amount': '4.00',
        'Fulfillment Status': 'fulfilled',
      }),
      order('#7', '10', { 'Financial Status': 'authorized' }),
      order('#8', '10', { 'Financial Status': 'partially_paid' }),
      order('#9', '10', { 'Paid at': '' }),
    ]),
    async ({ rows }) => {
      expect(await rows('orders', 'number, status')).toEqual([
        ['#1', 'paid'],
        ['#2', 'cancelled'],
        ['#3', 'cancelled'],
        ['#4', 'pending'],
        ['#5', 'cancelled'],
        ['#6', 'fulfilled'],
        ['#7', 'pending'],
        ['#8', 'pending'],
        ['#9', 'paid'],
      ]);
      expect(await rows('refunds', 'refund_id, order_id, amount, cast(refunded_at as varchar)')).toEqual([
        ['600001_refunds', '600001', 10, '2026-03-05 14:40:14'],
        ['600006_refunds', '600006', 4, '2026-03-05 14:40:14'],
      ]);
    },
  ));

it('parts the discount of an order among its lines, but for what was free shipping', () =>
  translateFiles(
    file([
      // 6.00 off the first line (2 pieces), and 10 % (9.40) off the rest: 15.40 in all.
      order('#1', '84.60', {
        'Discount Amount': '15.40',
        'Lineitem quantity': '2',
        'Lineitem price': '25',
        'Lineitem discount': '6.00',
        'Discount Code': 'TEN, VIP',
      }),
      line('#1', 'Plate', '1', '50', { 'Lineitem discount': '0.00' }),
      order('#2', '20', { 'Discount Amount': '5.00', 'Discount Code': 'FREESHIP' }),
    ]),
    async ({ rows }) => {
      expect(await rows('order_items', 'order_id, line_no, quantity, unit_price')).toEqual([
        ['600001', 1, 2, 19.8],
        ['600001', 2, 1, 45],
        ['600002', 1, 1, 20],
      ]);
      expect(await rows('orders', 'order_id, discount, coupon_codes')).toEqual([
        ['600001', 15.4, ['TEN', 'VIP']],
        ['600002', 5, ['FREESHIP']],
      ]);
    },
  ));

it('keeps the offset of each time, also over a change of the clocks', () =>
  translateFiles(
    file([
      order('#1', '1', { 'Created at': '2026-03-29 01:30:00 +0100' }),
      order('#2', '1', { 'Created at': '2026-03-29 03:30:00 +0200' }),
    ]),
    async ({ rows }) =>
      expect(await rows('orders', 'cast(ordered_at as varchar)')).toEqual([
        ['2026-03-29 00:30:00'],
        ['2026-03-29 01:30:00'],
      ]),
  ));

it('takes a tip for no product', () =>
  translateFiles(
    file([
      order('#1', '12', { 'Lineitem price': '10' }),
      line('#1', 'Tip', '1', '2', { Vendor: '', 'Lineitem sku': '' }),
    ]),
    async ({ rows }) => expect(await rows('order_items', 'kind')).toEqual([['payment'], ['product']]),
  ));

it('stores no name, street or note, and hashes the e-mail', () =>
  translateFiles(
    {
      'export.csv': csvOf(
        [...COLUMNS, 'Billing Name', 'Billing Street'],
        [
          order('#1', '1', {
            Email: 'Ann@Example.com',
            Notes: 'ring twice',
            'Billing Name': 'Ann Lee',
            'Billing Street': 'Elm 5',
          }),
        ],
      ),
    },
    async ({ rows }) => {
      const stored = JSON.stringify(await rows('orders', '*'));
      for (const text of ['ring', 'Lee', 'Elm', 'nn@']) expect(stored).not.toContain(text);
      expect(await rows('orders', 'length(email_hash)')).toEqual([[32]]);
    },
  ));

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

it('rejects a row that was cut off, and tells its line', () =>
  translateFiles(
    { 'x.csv': `${csvOf(COLUMNS, [order('#1', '1')])}#2,bob@example.com,pa` },
    ({ rejects, raw }) => {
      expect(rejects).toEqual([{ file: 'x.csv', line: 3, reason: expect.stringContaining('is malformed') }]);
      expect(raw).toEqual({ read: 1, rejected: 1 });
    },
  ));

it('reads packed files', () =>
  translateFiles({ 'orders.csv.gz': csvOf(COLUMNS, [order('#1', '1')]) }, async ({ rows }) =>
    expect(await rows('orders', 'order_id')).toEqual([['600001']]),
  ));

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

it('takes no discount off a tip, which is no edit', () =>
  translateFiles(
    file([
      order('#1', '122', {
        ...{ Subtotal: '90', Shipping: '5', Taxes: '7', 'Discount Amount': '10', 'Lineitem price': '100' },
      }),
      line('#1', 'Trinkgeld', '1', '20', { Vendor: '', 'Lineitem sku': '' }),
    ]),
    async ({ rows }) =>
      expect(await rows('order_items', 'kind, unit_price')).toEqual([
        ['payment', 20],
        ['product', 90],
      ]),
  ));
