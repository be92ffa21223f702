import { describe, expect, it } from 'vitest';
import { type Batch, importInTurn } from './staging.ts';

/** An order that is imported again has the lines that it comes with, and no others. */

const ORDERS = 'order_id,ordered_at,total\nA,2024-01-05,100\nB,2024-01-06,200\n';
const lines = (...rows: string[]) =>
  `order_id,line_no,external_product_id,quantity,unit_price\n${rows.map((row) => `${row},1\n`).join('')}`;
const FIRST: Batch = {
  files: { 'orders.csv': ORDERS, 'order_items.csv': lines('A,1,P,1', 'A,2,Q,1', 'A,3,R,1', 'B,1,P,5') },
};

async function linesAfter(
  ...batches: readonly Batch[]
): Promise<{ lines: string[]; warnings: readonly string[] }> {
  let result = { lines: [] as string[], warnings: [] as readonly string[] };
  await importInTurn([FIRST, ...batches], async ({ rows, warnings }) => {
    const stored = await rows('order_items', "concat_ws(' ', order_id, line_no, external_product_id)");
    result = { lines: stored.flat().map(String), warnings: warnings.at(-1) ?? [] };
  });
  return result;
}

describe('an edited order', () => {
  it('loses the lines that it no longer has, and the import says how many', async () => {
    expect(await linesAfter({ files: { 'order_items.csv': lines('A,1,P,1', 'A,5,S,1') } })).toEqual({
      lines: ['A 1 P', 'A 5 S', 'B 1 P'],
      warnings: [
        '2 rows of order_items loaded before are gone: what came again of orders came without them (--add-lines keeps them)',
      ],
    });
  });

  it('the same without line numbers', async () => {
    const text = 'order_id,external_product_id,quantity,unit_price\nA,S,1,1\n';
    expect((await linesAfter({ files: { 'order_items.csv': text } })).lines).toEqual(['A 1 S', 'B 1 P']);
  });

  it('imported again unchanged loses nothing, and nothing is said', async () => {
    expect(await linesAfter(FIRST)).toEqual({ lines: ['A 1 P', 'A 2 Q', 'A 3 R', 'B 1 P'], warnings: [] });
  });
});

describe('an order without lines in the import', () => {
  it('keeps its lines where the import has no order_items, as when only statuses change', async () => {
    const { lines, warnings } = await linesAfter({ files: { 'orders.csv': ORDERS } });
    expect(lines).toHaveLength(4);
    expect(warnings).toEqual([]);
  });

  it('keeps its lines where the import has those of other orders, and the import says so', async () => {
    expect(
      await linesAfter({ files: { 'orders.csv': ORDERS, 'order_items.csv': lines('B,1,Q,5') } }),
    ).toEqual({
      lines: ['A 1 P', 'A 2 Q', 'A 3 R', 'B 1 Q'],
      warnings: ['1 row of orders came again without order_items and keeps those loaded before'],
    });
  });

  it('keeps its lines where those of the import are all bad', async () => {
    expect((await linesAfter({ files: { 'order_items.csv': lines('A,1,P,bad', 'B,2,Q,1') } })).lines).toEqual(
      ['A 1 P', 'A 2 Q', 'A 3 R', 'B 2 Q'],
    );
  });
});

describe('order lines with --add-lines', () => {
  it('lines are added, those with the same number replaced', async () => {
    expect(
      await linesAfter({ files: { 'order_items.csv': lines('A,3,S,1', 'A,4,T,1') }, addsLines: true }),
    ).toEqual({ lines: ['A 1 P', 'A 2 Q', 'A 3 S', 'A 4 T', 'B 1 P'], warnings: [] });
  });

  it('a line must have its number: a made one would be that of another line', async () => {
    const text = 'order_id,external_product_id,quantity,unit_price\nA,S,1,1\n';
    await importInTurn(
      [FIRST, { files: { 'order_items.csv': text }, addsLines: true }],
      async ({ counts, rows }) => {
        expect(counts[1]?.order_items).toMatchObject({ read: 1, loaded: 0, rejected: 1 });
        expect(await rows('order_items', 'order_id')).toHaveLength(4);
      },
    );
  });
});
