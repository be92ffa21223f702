import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { column, field, NOTHING_TO_DIVIDE_BY, type ObjectOf } from '../../src/answers/fields/field.ts';
import { query, readRows } from '../../src/answers/fields/query.ts';
import { schemaOf } from '../../src/answers/fields/schema.ts';
import { defineTool, plan } from '../../src/answers/tool.ts';
import { atOnce } from '../../src/main-thread/turns.ts';
import { sql } from '../../src/sql/sql.ts';

const orders = field({ key: 'orders_count', type: 'integer', unit: 'orders', definition: 'Valid orders.' });
const rate = field({
  key: 'open_rate',
  type: 'number',
  unit: 'percent',
  null: NOTHING_TO_DIVIDE_BY,
  definition: 'Opened / delivered.',
});
const basis = field({ key: 'basis', type: 'choice', values: ['send', 'order_date'], definition: 'By what.' });
const fields = [
  basis,
  field({ key: 'rows', type: 'list', definition: 'By campaign.', fields: [orders, rate] }),
  field({ key: 'totals', type: 'object', null: 'no orders', definition: 'Of all.', fields: [orders] }),
];
type Expected = ObjectOf<typeof fields>;

const ROW = { orders_count: 3, open_rate: null };
const ANSWER = { basis: 'send', rows: [ROW], totals: null } as const;

describe('the type of an answer', () => {
  it('is made of its fields', () => {
    expectTypeOf<Expected>().toEqualTypeOf<{
      readonly basis: 'send' | 'order_date';
      readonly rows: readonly { readonly orders_count: number; readonly open_rate: number | null }[];
      readonly totals: { readonly orders_count: number } | null;
    }>();
  });

  it('is required of the plan of a tool', () => {
    const tool = {
      ...{ name: 'probe', title: 'Probe', description: '', input: z.strictObject({}), fields },
      group: 'Orders' as const,
      permissions: ['DISPLAY_ANALYTICS_DASHBOARD'] as const,
    };
    const rows = query([orders, rate], sql`select 1`);
    const right = () => plan({ queries: { rows }, answer: ({ rows }) => ({ result: { ...ANSWER, rows } }) });
    defineTool({ ...tool, plan: right });

    const missing = () =>
      plan({ queries: { rows }, answer: ({ rows }) => ({ result: { basis: 'send', rows } }) });
    // @ts-expect-error `totals` is missing
    defineTool({ ...tool, plan: missing });

    const other = () =>
      plan({ queries: { rows }, answer: ({ rows }) => ({ result: { ...ANSWER, rows, basis: 'click' } }) });
    // @ts-expect-error `basis` has no such value
    defineTool({ ...tool, plan: other });

    const more = () =>
      plan({ queries: { rows }, answer: ({ rows }) => ({ result: { ...ANSWER, rows, more: 1 } }) });
    // @ts-expect-error there is no such field
    defineTool({ ...tool, plan: more });

    const withId = query([column('row_id', 'integer'), orders, rate], sql`select 1`);
    const moreInRows = () =>
      plan({ queries: { withId }, answer: ({ withId }) => ({ result: { ...ANSWER, rows: withId } }) });
    // @ts-expect-error rows of the query have a column that is no field
    defineTool({ ...tool, plan: moreInRows });

    const nullInRows = () =>
      plan({
        queries: { rows },
        answer: ({ rows }) => ({
          result: { ...ANSWER, rows: rows.map(({ open_rate }) => ({ orders_count: open_rate, open_rate })) },
        }),
      });
    // @ts-expect-error the count is never null
    defineTool({ ...tool, plan: nullInRows });

    // @ts-expect-error SQL alone does not say what its rows are
    plan({ queries: { rows: sql`select 1` }, answer: () => ({ result: {} }) });
  });
});

describe('a field', () => {
  it('says what it is: a number its unit, everything its definition', () => {
    // @ts-expect-error no unit
    field({ key: 'orders_count', type: 'integer', definition: 'Valid orders.' });
    // @ts-expect-error no definition
    field({ key: 'name', type: 'text' });
    // @ts-expect-error no such unit
    field({ key: 'orders_count', type: 'integer', unit: 'apples', definition: 'Valid orders.' });
  });

  it('is in an answer once', () => {
    expect(() => schemaOf([orders, orders])).toThrow('a field is declared twice: orders_count,orders_count');
  });
});

describe('rows of an engine', () => {
  const asked = query(
    [orders, rate, field({ key: 'names', type: 'list', of: 'text', definition: 'Names.' })],
    sql`select 1`,
  );
  const row = { orders_count: 1, open_rate: null, names: ['a'] };

  it('are those that the query declares', () => {
    expect(atOnce(readRows(asked, [row]))).toEqual([row]);
    expectTypeOf(atOnce(readRows(asked, [row]))).items.toEqualTypeOf<{
      readonly orders_count: number;
      readonly open_rate: number | null;
      readonly names: readonly string[];
    }>();
  });

  it.each([
    [{ ...row, orders_count: null }, 'a query gave orders_count as null, not integer'],
    [{ ...row, orders_count: 1.5 }, 'a query gave orders_count as 1.5, not integer'],
    [{ ...row, open_rate: '7' }, 'a query gave open_rate as "7", not number'],
    [{ ...row, names: 'a' }, 'a query gave names as "a", not list'],
    [{ orders_count: 1, open_rate: null }, 'a query gave names as undefined, not list'],
    [{ ...row, extra: 1 }, 'a query gave undeclared extra'],
  ])('are refused otherwise: %o', (given, message) => {
    expect(() => atOnce(readRows(asked, [given]))).toThrow(message);
  });
});
