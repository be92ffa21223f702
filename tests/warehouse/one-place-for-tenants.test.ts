import { expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { DEFAULT_WINDOWS } from '../../src/model/marketing/attribution-windows.ts';
import { render } from '../../src/sql/render.ts';
import { Sql, Table } from '../../src/sql/sql.ts';
import { clickHouseDialect } from '../../src/warehouse/clickhouse-dialect.ts';
import { sampleArguments } from '../support/sample-arguments.ts';

/**
 * On ClickHouse the tables hold every business. A tool names tables and never a business or a snapshot; the dialect
 * alone turns each table into the rows of one.
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

const PLANS = CATALOGUE.flatMap((tool) => {
  if (!('plan' in tool)) return [];
  const args = tool.input.parse(sampleArguments(tool.name, '00000000-0000-4000-8000-000000000001'));
  const until = '2024-12-31T00:00:00Z';
  const facts = {
    loaded_tables: [],
    history_starts_at: null,
    orders_until: until,
    sessions_until: until,
    messages_until: until,
    attribution_windows: DEFAULT_WINDOWS,
    popups_until: until,
    consents_until: until,
    list_events_until: until,
    latest_at: until,
  };
  const { queries } = tool.plan({
    ...{ args, timezone: 'Europe/Prague', currency: 'CZK', facts },
    noise: () => 0,
  });
  return Object.entries(queries).flatMap(([name, query]) =>
    query instanceof Sql ? [[tool.name, name, query] as const] : [],
  );
});

it('is asked of every tool that reads a store', () => {
  const tools = CATALOGUE.filter((tool) => 'plan' in tool).map(({ name }) => name);
  expect(new Set(PLANS.map(([tool]) => tool))).toEqual(new Set(tools));
});

it.each(PLANS)('%s: %s', (_tool, _name, query) => {
  expect(ownTexts(query).join(' ')).not.toMatch(/business_id|snapshot|storesight/i);
  const { text, parameters } = render(query, clickHouseDialect('storesight'));
  const tables = tablesOf(query).length;
  expect(tables).toBeGreaterThan(0);
  expect(text.split(OWN_ROWS).length - 1).toBe(tables);
  expect(text.split(FILTER).length - 1).toBe(tables);
  expect(text.split('storesight.').length - 1).toBe(tables);
  expect(Object.keys(parameters)).not.toContain('business_id');
});
