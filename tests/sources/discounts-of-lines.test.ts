import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choicesOf, mappingOf } from '../../src/sources/mapping/chosen-columns.ts';
import { mapFile } from '../../src/sources/mapping/map-file.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { temporaryFolder } from '../ingest/staging.ts';
import { everyThirdInQuick } from '../support/runs.ts';
import { lookAtTable, proposedAsOrders } from './proposed-table.ts';
import { translateFiles } from './translated.ts';

/**
 * Lines of three orders: pieces, the price of a piece before its discount, and the discount of a piece in
 * cents.
 */
const ORDERS = [
  {
    shipping: 490,
    lines: [
      [2, 1000, 200],
      [1, 2000, 0],
    ],
  },
  {
    shipping: 490,
    lines: [
      [3, 4000, 1000],
      [2, 500, 50],
    ],
  },
  { shipping: 0, lines: [[1, 999, 0]] },
] as const;

const money = (cents: number) => (cents / 100).toFixed(2);

interface Line {
  readonly pieces: number;
  readonly price: number;
  /** The discount of a piece. */
  readonly off: number;
}

/** How a system writes a line, and what the discount of an order is where it has one. */
interface Shape {
  readonly titles: string;
  readonly cells: (line: Line, ofOrder: number) => readonly (string | number)[];
  /** Whether discounts are of the order, shared among its lines, instead of each line's own. */
  readonly isOfOrder?: boolean;
}

const OF_ORDER = [700, 1300, 0];

function csvOf({ titles, cells, isOfOrder = false }: Shape): {
  readonly csv: string;
  readonly paid: number[];
} {
  const paid: number[] = [];
  const rows = ORDERS.flatMap(({ shipping, lines }, place) => {
    const all = lines.map(([pieces, price, off]) => ({ pieces, price, off: isOfOrder ? 0 : off }));
    const goods = all.reduce((sum, { pieces, price, off }) => sum + pieces * (price - off), 0);
    const ofOrder = isOfOrder ? (OF_ORDER[place] ?? 0) : 0;
    paid.push((goods - ofOrder) / 100);
    return all.map((line, at) =>
      [
        `A-${place + 1}`,
        `2026-03-0${place + 1}`,
        money(goods - ofOrder + shipping),
        money(shipping),
        `S${at}`,
        line.pieces,
        ...cells(line, ofOrder),
      ].join(','),
    );
  });
  return {
    csv: `Order number,Order date,Order total,Shipping,SKU,Quantity,${titles}\n${rows.join('\n')}\n`,
    paid,
  };
}

const paidBy = (csv: string, mapping: string) => {
  let sums: unknown[] = [];
  return translateFiles(
    { 'table.csv': csv },
    async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      sums = await rows(
        'order_items',
        'order_id, cast(round(sum(quantity * unit_price), 2) as double)',
        'true group by 1',
      );
    },
    { timezone: 'UTC', currency: 'EUR' },
    mapping,
  ).then(() => sums.map((row) => (row as unknown[])[1]));
};

const SHAPES: Readonly<Record<string, Shape>> = {
  'prices after the discount, which stands there to be known': {
    titles: 'Unit price,Line discount',
    cells: ({ pieces, price, off }) => [money(price - off), money(pieces * off)],
  },
  'prices before the discount of the line': {
    titles: 'Unit price,Discount',
    cells: ({ pieces, price, off }) => [money(price), money(pieces * off)],
  },
  'prices before the discount of the line, as a negative amount': {
    titles: 'Unit price,Discount',
    cells: ({ pieces, price, off }) => [money(price), money(-pieces * off)],
  },
  'prices before the discount of the line, empty where there is none': {
    titles: 'Unit price,Discount',
    cells: ({ pieces, price, off }) => [money(price), off === 0 ? '' : money(pieces * off)],
  },
  'prices before the discount of a piece': {
    titles: 'Unit price,Unit discount',
    cells: ({ price, off }) => [money(price), money(off)],
  },
  'prices before the discount of a piece, under the title of that of a line': {
    titles: 'Unit price,Line discount',
    cells: ({ price, off }) => [money(price), money(off)],
  },
  'prices before a discount in percent': {
    titles: 'Unit price,Discount %',
    cells: ({ price, off }) => [money(price), (100 * off) / price],
  },
  'prices before a discount in percent, with its sign': {
    titles: 'Unit price,Discount',
    cells: ({ price, off }) => [money(price), `${(100 * off) / price} %`],
  },
  'totals of lines before their discount': {
    titles: 'Line total,Line discount',
    cells: ({ pieces, price, off }) => [money(pieces * price), money(pieces * off)],
  },
  'totals of lines after their discount': {
    titles: 'Line total,Line discount',
    cells: ({ pieces, price, off }) => [money(pieces * (price - off)), money(pieces * off)],
  },
  'totals of lines before a discount in percent': {
    titles: 'Line total,Discount %',
    cells: ({ pieces, price, off }) => [money(pieces * price), (100 * off) / price],
  },
  'an amount beside the same discount in percent': {
    titles: 'Unit price,Discount %,Line discount',
    cells: ({ pieces, price, off }) => [money(price), (100 * off) / price, money(pieces * off)],
  },
  'a discount of the order, repeated on each of its lines': {
    titles: 'Unit price,Discount',
    cells: ({ price }, ofOrder) => [money(price), money(ofOrder)],
    isOfOrder: true,
  },
};

describe('discounts of lines', () => {
  it.each(everyThirdInQuick(Object.entries(SHAPES)))(
    '%s: what is proposed is what was paid',
    async (_, shape) => {
      const { csv, paid } = csvOf(shape);
      const table = await lookAtTable(csv);
      const { text } = mappingOf('table.csv', table.columns, proposedAsOrders(table));
      expect(await paidBy(csv, text)).toEqual(paid);
      // Whoever changes the mapping finds the same choices.
      const again = choicesOf(readMapping(text, 'm'), table.columns);
      expect(again).not.toBeNull();
      if (again !== null) expect(mappingOf('table.csv', table.columns, again).text).toBe(text);
    },
  );

  it.each(everyThirdInQuick(Object.entries(SHAPES)))(
    '%s: so is the draft of the command line',
    async (_, shape) => {
      const { csv, paid } = csvOf(shape);
      using folder = temporaryFolder();
      const path = join(folder.path, 'table.csv');
      writeFileSync(path, csv);
      const { mapping } = await mapFile(path, undefined);
      expect(mapping).not.toContain('TODO    #');
      expect(await paidBy(csv, mapping)).toEqual(paid);
    },
  );

  it('is asked where the sums of the orders tell nothing', async () => {
    const { csv } = csvOf(SHAPES['prices before the discount of the line'] as Shape);
    const other = csv.replaceAll(/^(A-\d,2026-03-0\d),[^,]*/gm, '$1,99.00');
    const table = await lookAtTable(other);
    const choices = { ...proposedAsOrders(table), prices: null };
    expect(table.prices).toBeNull();
    expect(() => mappingOf('table.csv', table.columns, choices)).toThrow(
      'Say whether the prices of lines are before or after',
    );
    for (const prices of ['before', 'after'] as const)
      expect(mappingOf('table.csv', table.columns, { ...choices, prices }).text).toContain('unit_price');
    using folder = temporaryFolder();
    const path = join(folder.path, 'table.csv');
    writeFileSync(path, other);
    const { mapping } = await mapFile(path, undefined);
    expect(mapping).toContain('unit_price: TODO    # the sums of the orders do not tell');
  });

  it('is not asked where nobody got a discount', async () => {
    const { csv, paid } = csvOf({
      titles: 'Unit price,Discount',
      cells: ({ price, off }) => [money(price - off), '0.00'],
    });
    const table = await lookAtTable(csv);
    expect(await paidBy(csv, mappingOf('table.csv', table.columns, proposedAsOrders(table)).text)).toEqual(
      paid,
    );
  });

  it('takes no percentage for an amount', async () => {
    const mapping = `name: our-lines
recognise: [Order, Price]
tables:
  order_items: {order_id: Order, external_product_id: SKU, quantity: Pieces, unit_price: {difference: [Price, Off]}}`;
    const csv = 'Order,SKU,Pieces,Price,Off\n1,A,1,10.00,10 %\n';
    await translateFiles(
      { 'table.csv': csv },
      ({ rejects }) => {
        expect(rejects).toMatchObject([
          { reason: expect.stringContaining('has a percentage in "Off", and an amount is needed') },
        ]);
      },
      {},
      mapping,
    );
  });
});
