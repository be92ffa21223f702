import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsAllThere } from '../../src/snapshot/row-changes.ts';
import { isQuick, runs } from '../support/runs.ts';
import { importInTurn } from './staging.ts';

const lines = (...rows: string[]) =>
  ['order_id,line_no,external_product_id,quantity,unit_price', ...rows.map((row) => `${row},1\n`)].join('\n');
const SHOP = {
  'orders.csv': 'order_id,ordered_at,total\nA,2026-01-05,100\nB,2026-01-06,200\n',
  'order_items.csv': lines('A,1,P,1', 'A,2,Q,1', 'B,1,P,5'),
};
const ALL_THERE = { added: 0, changed: 0, removed: 0 };

describe('the comparison of an import with the rows before it', () => {
  it('tells new, changed, unchanged and removed ones apart', () =>
    importInTurn(
      [
        { files: SHOP },
        { files: SHOP },
        {
          files: {
            'orders.csv':
              'order_id,ordered_at,total,_deleted\nA,2026-01-05,101,\nB,,,true\nC,2026-01-07,300,\n',
            'order_items.csv': lines('A,1,P,1', 'A,3,R,1'),
          },
        },
      ],
      async ({ counts, changes }) => {
        expect(changes[0]).toEqual({
          orders: { ...ALL_THERE, added: 2, unchanged: 0 },
          order_items: { ...ALL_THERE, added: 3, unchanged: 0 },
        });
        expect(changes[1]).toEqual({
          orders: { ...ALL_THERE, unchanged: 2 },
          order_items: { ...ALL_THERE, unchanged: 3 },
        });
        expect(changes[2]).toMatchObject({
          orders: { added: 1, changed: 1, unchanged: 0, removed: 1 },
          order_items: { added: 1, changed: 0, unchanged: 1, removed: 2 },
        });
        const allThere = changes.map((told, batch) =>
          rowsAllThere({ tables: counts[batch] ?? {}, changes: told }),
        );
        expect(allThere).toEqual([null, 5, null]);
      },
    ));

  it('says of any two files what a plain comparison of their rows says', () =>
    fc.assert(
      fc.asyncProperty(BATCH, BATCH, async (first, second) => {
        await importInTurn([{ files: filesOf(first) }, { files: filesOf(second) }], async ({ changes }) => {
          const [before, now] = [new Map(first), new Map(second)];
          const keys = [...now.keys()];
          expect(changes[1]?.orders).toEqual({
            added: keys.filter((key) => !before.has(key)).length,
            changed: keys.filter((key) => before.has(key) && before.get(key) !== now.get(key)).length,
            unchanged: keys.filter((key) => before.get(key) === now.get(key)).length,
            removed: 0,
          });
        });
      }),
      { numRuns: isQuick ? 1 : runs(4) },
    ));
});

const BATCH = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 2 })), {
  minLength: 1,
  maxLength: 9,
});

const filesOf = (rows: readonly (readonly [number, number])[]) => ({
  'orders.csv': `order_id,ordered_at,total\n${rows.map(([id, total]) => `${id},2026-01-05,${total}\n`).join('')}`,
});
