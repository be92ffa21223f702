import { expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { render } from '../../src/sql/render.ts';
import { Sql, Table } from '../../src/sql/sql.ts';
import { clickHouseDialect } from '../../src/warehouse/clickhouse-dialect.ts';
import { SAMPLE_PLANS } from '../support/sample-plans.ts';

/**
 * The tables on ClickHouse hold every business. A tool names tables and never a business or a snapshot; the
 * dialect alone turns each table into the rows of one.
 */
const OWN_ROWS = '(select * from storesight.';
const FILTER = 'where business_id = {business_id: UUID} and snapshot_id = {snapshot_id: String})';

function tablesOf(query: Sql): Table[] {
  return query.slots.flatMap((slot) =>
    slot instanceof Table ? [slot] : slot instanceof Sql ? tablesOf(slot) : [],
  );
}

function ownTexts(query: Sql): string[] {
  return [...query.texts, ...query.slots.flatMap((slot) => (slot instanceof Sql ? ownTexts(slot) : []))];
}

it('every tool that reads a store has a plan here', () => {
  const tools = CATALOGUE.filter((tool) => 'plan' in tool).map(({ name }) => name);
  expect(new Set(SAMPLE_PLANS.map(([tool]) => tool))).toEqual(new Set(tools));
});

it.each(SAMPLE_PLANS)('%s: %s', (_tool, _name, query) => {
  expect(ownTexts(query).join(' ')).not.toMatch(/business_id|snapshot|storesight/i);
  const { text, parameters } = render(query, clickHouseDialect('storesight'));
  const tables = tablesOf(query).length;
  expect(tables).toBeGreaterThan(0);
  expect(text.split(OWN_ROWS).length - 1).toBe(tables);
  expect(text.split(FILTER).length - 1).toBe(tables);
  expect(text.split('storesight.').length - 1).toBe(tables);
  expect(Object.keys(parameters)).not.toContain('business_id');
});
