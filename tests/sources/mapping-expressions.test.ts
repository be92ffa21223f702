import { describe, expect, it } from 'vitest';
import { fileBy, ORDER, ordersBy, WITH_STATUS } from './mapped-orders.ts';
import { translateFiles } from './translated.ts';

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
