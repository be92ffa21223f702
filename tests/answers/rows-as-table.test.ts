import { describe, expect, it } from 'vitest';
import { type Rows, shapeRows, withTables } from '../../src/answers/row-formats.ts';
import { objectsIn, tabled, untabled } from '../../src/answers/rows-as-table.ts';
import type { Tool } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { atOnce } from '../../src/main-thread/turns.ts';
import { longText } from '../../src/mcp/answer-text.ts';

const ANSWER = {
  business_id: 'x',
  totals: { key: '(all)', sent: 9 },
  rows: [
    {
      key: 'a',
      ltv: [
        { days: 30, revenue: 1.5 },
        { days: 90, revenue: null },
      ],
      tags: ['x', 'y'],
    },
    { key: 'b: c, d', ltv: [], tags: [], extra: true },
  ],
  periods: [{ period: '2026-09', key: 'a' }],
  none: null,
  empty: [],
};
const KEPT = { list: 'rows', kept: ['key', 'ltv', 'tags', 'extra'] };

describe('an answer as tables', () => {
  it('names the columns once, also those of lists within rows and of other lists', () => {
    expect(atOnce(tabled(ANSWER, KEPT))).toEqual({
      business_id: 'x',
      totals: ANSWER.totals,
      columns: ['key', 'ltv: days, revenue', 'tags', 'extra'],
      rows: [
        [
          'a',
          [
            [30, 1.5],
            [90, null],
          ],
          ['x', 'y'],
          null,
        ],
        ['b: c, d', [], [], true],
      ],
      periods: { columns: ['period', 'key'], rows: [['2026-09', 'a']] },
      none: null,
      empty: [],
    });
  });

  it('is the same answer again', () => {
    const [first, second] = ANSWER.rows;
    expect(untabled(atOnce(tabled(ANSWER, KEPT)), 'rows')).toEqual({
      ...ANSWER,
      rows: [{ ...first, extra: null }, second],
    });
    // A list that is called as a table is.
    expect(untabled(ANSWER, 'rows')).toEqual(ANSWER);
  });

  it('counts the objects of all lists', () => {
    expect(objectsIn(ANSWER)).toBe(2 + 2 + 1);
    expect(objectsIn({ notes: ['a'], calendar_events: [{}, {}], totals: {} })).toBe(0);
  });
});

const rows: Rows = { list: 'rows', uniqueBy: ['key'] };
const FIELDS = [
  {
    key: 'rows',
    type: 'list',
    definition: '',
    fields: [
      { key: 'key', type: 'text', definition: '' },
      { key: 'sent', type: 'integer', unit: 'messages', definition: '' },
      {
        key: 'ltv',
        type: 'list',
        definition: '',
        fields: [
          { key: 'days', type: 'integer', unit: 'days', definition: '' },
          { key: 'revenue', type: 'number', unit: 'money', definition: '' },
          { key: 'customers', type: 'integer', unit: 'customers', definition: '' },
        ],
      },
    ],
  },
  {
    key: 'periods',
    type: 'list',
    definition: '',
    fields: [
      { key: 'period', type: 'text', definition: '' },
      { key: 'sent', type: 'integer', unit: 'messages', definition: '' },
      { key: 'opened', type: 'integer', unit: 'messages', definition: '' },
    ],
  },
] as never;
const made = (count: number) => ({
  rows: [{ key: 'a', sent: 1, ltv: [{ days: 30, revenue: 2, customers: 3 }] }],
  periods: Array.from({ length: count }, (_, n) => ({ period: `p${n}`, sent: n, opened: 0 })),
});

describe('what is sent', () => {
  const send = (its: Rows, args: object, count: number) =>
    atOnce(withTables({ rows: its, fields: FIELDS }, args as never, made(count)));

  it('is a table above 50 rows, unless objects are asked for, or the contract has them', () => {
    expect(send(rows, {}, 48)).toEqual(made(48));
    expect(send(rows, {}, 49)).toMatchObject({ columns: ['key', 'sent', 'ltv: days, revenue, customers'] });
    expect(send(rows, { format: null }, 49)).toHaveProperty('columns');
    expect(send(rows, { format: 'objects' }, 49)).toEqual(made(49));
    expect(send({ ...rows, areObjects: true }, {}, 5000)).toEqual(made(5000));
  });

  it('thins lists within rows and beside them', () => {
    const ask = (fields: string[]) =>
      atOnce(shapeRows({ rows, fields: FIELDS }, { fields } as never, made(1)));
    expect(ask(['ltv.revenue'])).toEqual({
      rows: [{ key: 'a', ltv: [{ days: 30, revenue: 2 }] }],
      periods: made(1).periods,
    });
    expect(ask(['ltv', 'sent'])).toEqual({
      rows: made(1).rows,
      periods: [{ period: 'p0', sent: 0 }],
    });
  });
});

it('a text that does not have all rows says where the next ones are', () => {
  const tool = CATALOGUE.find(({ name }) => name === 'list_products') as Tool;
  const products = Array.from({ length: 400 }, (_, n) => ({
    external_product_id: `P${n}`,
    name: 'x'.repeat(50),
  }));
  const text = JSON.parse(
    atOnce(longText(tool, { offset: 800 }, { business_id: 'x', products }, ['A note.'])),
  );
  const shown = text.rows.length;
  expect(shown).toBeGreaterThan(150);
  expect(shown).toBeLessThan(400);
  expect(text.rows.at(-1)[0]).toBe(`P${shown - 1}`);
  expect(text.notes).toEqual([
    `This text has only the first ${shown} of 400 \`rows\`; the others are in structuredContent, which some apps do not show. The next ones: offset ${800 + shown}. Ask for less: fields with only what you need, or a lower limit.`,
    'A note.',
  ]);
});

it('only the tools of the contract answer with objects, however many they are', () => {
  const objects = CATALOGUE.filter((tool) => tool.rows?.areObjects === true).map(({ name }) => name);
  expect(objects).toEqual([
    'order_statistics_trend',
    ...['product', 'category', 'brand', 'master_product'].flatMap((what) => [
      `${what}_statistics`,
      `${what}_statistics_trend`,
    ]),
  ]);
});
