import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { sortedPage } from '../../src/sql/page.ts';
import { render } from '../../src/sql/render.ts';
import { type Sql, sql } from '../../src/sql/sql.ts';
import { duckDbDialect } from '../../src/warehouse/duckdb-dialect.ts';
import { SAMPLE_PLANS } from '../support/sample-plans.ts';

/**
 * Where a select computes `revenue` from a column `revenue`, `order by revenue` is what was computed on
 * DuckDB, and the column on ClickHouse. So no select sorts by a name that it computes: `sortedPage` wraps
 * what it sorts.
 */
interface Node {
  readonly class?: string;
  readonly type?: string;
  readonly alias?: string;
  readonly column_names?: readonly string[];
  readonly select_list?: readonly Node[];
  readonly modifiers?: readonly {
    readonly type: string;
    readonly orders?: readonly { expression: Node }[];
  }[];
}

const connection = await (await DuckDBInstance.create()).connect();

async function ambiguousNames(query: Sql): Promise<string[]> {
  const { text } = render(query, duckDbDialect('main'));
  const reader = await connection.runAndReadAll('select json_serialize_sql($text::varchar)', { text });
  const tree = JSON.parse(String(reader.getRows()[0]?.[0]));
  expect(tree.error_message).toBeUndefined();
  return nodesIn(tree).flatMap(({ select_list, modifiers }) => {
    if (select_list === undefined) return [];
    const computed = select_list
      .filter(({ alias, column_names }) => alias && column_names?.at(-1) !== alias)
      .map(({ alias }) => alias);
    const sorted = nodesIn(modifiers?.filter(({ type }) => type === 'ORDER_MODIFIER') ?? []);
    return sorted.flatMap(({ column_names: names }) =>
      names?.length === 1 ? names.filter((name) => computed.includes(name)) : [],
    );
  });
}

function nodesIn(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(nodesIn)];
}

it('a name that means two things is seen where a select sorts by what it computes', async () => {
  const rows = sql`select id, sum(money) as money from sales group by id`;
  expect(await ambiguousNames(sql`${rows} order by money, id`)).toEqual(['money']);
  const page = { sort_by: 'money', sort_order: 'asc', limit: 1, offset: 0 } as const;
  expect(await ambiguousNames(sortedPage(rows, page, 'id'))).toEqual([]);
});

it.each(SAMPLE_PLANS)('%s: %s', async (_tool, _name, query) => {
  expect(await ambiguousNames(query)).toEqual([]);
});
