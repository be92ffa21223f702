import { DEFAULT_WINDOWS } from '../../src/business/attribution-windows.ts';
import { DATED_KINDS } from '../../src/business/snapshot-facts.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { sampleArguments } from './sample-arguments.ts';

const until = '2024-12-31T00:00:00Z';
const days = { from: '2000-01-01', until: '2030-01-01', rows_count: 1 };
const facts = {
  days: Object.fromEntries(DATED_KINDS.map((kind) => [kind, days])),
  loaded_tables: ['refunds'],
  history_starts_at: null,
  orders_until: until,
  sessions_until: until,
  messages_until: until,
  timezone: 'Europe/Prague',
  primary_currency: 'CZK',
  attribution_windows: DEFAULT_WINDOWS,
  vat_rate: null,
  popups_until: until,
  consents_until: until,
  list_events_until: until,
  latest_at: until,
};

/** The queries of every tool that reads a store: the tool's name, the query's name, the query. */
export const SAMPLE_PLANS = CATALOGUE.flatMap((tool) => {
  if (!('plan' in tool)) return [];
  const args = tool.input.parse(sampleArguments(tool.name, '00000000-0000-4000-8000-000000000001'));
  const { queries } = tool.plan({
    ...{ args, timezone: 'Europe/Prague', currency: 'CZK', facts },
    noise: () => 0,
    mostRows: 5000,
  });
  return Object.entries(queries).flatMap(([name, query]) =>
    query === null ? [] : [[tool.name, name, query.sql] as const],
  );
});
