import { describe, expect, it } from 'vitest';
import { fileBy, ORDER, ordersBy, WITH_STATUS } from './mapped-orders.ts';
import { refusalOf, translateFiles } from './translated.ts';

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

it('a damaged phone number hides no whole one beside it', () =>
  translateFiles(
    { 'a.csv': 'N,D,T,P,Q\n1,2026-03-01 10:00:00,1,4.20777E+11,+420777000001\n' },
    async ({ rows }) => expect(await rows('orders', 'phone_hash is not null')).toEqual([[true]]),
    {},
    'name: x\ntables: {orders: {order_id: N, ordered_at: {date: D, zone: UTC}, total: T, currency: {constant: EUR}, phone: {first: [P, Q]}}}',
  ));
