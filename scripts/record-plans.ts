/**
 * Writes what every tool asks and what it makes of rows, to a file: its declaration, then a line for each
 * value of each of its choices, with the SQL of its queries and its answer to made rows. No store and no
 * engine is needed, so it takes seconds, where `record-answers.ts` takes half an hour; SQL that is written
 * otherwise differs here, although its answers may be the same.
 *
 *   node scripts/record-plans.ts /tmp/before.txt; git switch …; node scripts/record-plans.ts /tmp/after.txt
 *   cmp /tmp/before.txt /tmp/after.txt
 */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { madeInPieces } from '../src/answers/answer-in-pieces.ts';
import type { Column } from '../src/answers/fields/field.ts';
import type { BusinessTool } from '../src/answers/tool.ts';
import type { Arguments } from '../src/asking/run-tool.ts';
import { DATED_KINDS, type SnapshotFacts } from '../src/business/snapshot-facts.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { atOnce } from '../src/main-thread/turns.ts';
import { listTools } from '../src/mcp/tool-list.ts';
import { RESOURCES } from '../src/resources/all-resources.ts';
import { CANONICAL_TABLES } from '../src/store/tables/all-tables.ts';
import { sampleArguments } from '../tests/support/sample-arguments.ts';
import { variants } from './argument-variants.ts';

const ID = '00000000-0000-4000-8000-000000000001';
/**
 * The facts of a store that has everything. The other one has orders alone, so its notes and its unknown
 * numbers differ.
 */
const RICH: SnapshotFacts = {
  loaded_tables: CANONICAL_TABLES.map(({ name }) => name),
  history_starts_at: '2020-01-01T00:00:00.000Z',
  orders_until: '2025-01-01T00:00:00.000Z',
  sessions_until: '2025-01-02T00:00:00.000Z',
  messages_until: '2024-06-30T00:00:00.000Z',
  popups_until: '2025-01-03T00:00:00.000Z',
  consents_until: '2025-01-04T00:00:00.000Z',
  list_events_until: '2025-01-05T00:00:00.000Z',
  latest_at: '2025-01-05T00:00:00.000Z',
  timezone: 'Europe/Prague',
  primary_currency: 'CZK',
  attribution_windows: { click: 120, open: 24, delivery: 12 },
  vat_rate: 21,
  days: Object.fromEntries(
    DATED_KINDS.map((kind) => [kind, { from: '2020-01-01', until: '2025-01-01', rows_count: 1000 }]),
  ),
};
const POOR: SnapshotFacts = {
  ...RICH,
  days: {},
  loaded_tables: ['orders'],
  sessions_until: null,
  messages_until: null,
  popups_until: null,
  consents_until: null,
  list_events_until: null,
  primary_currency: null,
  vat_rate: null,
};

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the file to write');
const declarations = [...listTools(CATALOGUE), ...CATALOGUE, ...RESOURCES];
const lines = [
  ...declarations.map((declaration) => ['declared', declaration.name, declaration]),
  ...CATALOGUE.filter((tool) => tool.scope === 'business').flatMap((tool) =>
    variants(tool, sampleArguments(tool.name, ID)).flatMap((args) =>
      [RICH, POOR].map((facts) => [tool.name, args, planned(tool, args, facts)]),
    ),
  ),
];
writeFileSync(file, lines.map((cells) => `${JSON.stringify(cells)}\n`).join(''));

/** What a tool asks, and what it answers to three made rows of each query; or how it refuses. */
function planned(tool: BusinessTool, args: Arguments, facts: SnapshotFacts): unknown {
  try {
    const { queries, answer } = tool.plan({
      args: tool.input.parse(args),
      timezone: 'Europe/Prague',
      currency: facts.primary_currency,
      facts,
      noise: () => 0,
      mostRows: 5000,
    });
    const asked = Object.entries(queries).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const rows = asked.map(([name, query]) => [
      name,
      query === null ? [] : [0, 1, 2].map((row) => madeRow(query.columns, row)),
    ]);
    const made = atOnce(madeInPieces(answer(Object.fromEntries(rows))));
    return { asked, answer: 'queries' in made ? made : { ...made, result: tool.output.parse(made.result) } };
  } catch (error) {
    return error instanceof z.ZodError ? error.issues : String(error);
  }
}

function madeRow(columns: readonly Column[], row: number): object {
  return Object.fromEntries(columns.map((column) => [column.key, madeValue(column, row)]));
}

/** Values differ by column and row; the second row has a null where there can be one. */
function madeValue({ key, type, values, null: meaning }: Column, row: number): unknown {
  if (row === 1 && meaning !== undefined) return null;
  if (values !== undefined) return values[row % values.length];
  const number = 100 - key.length + 13 * row;
  switch (type) {
    case 'integer':
      return number;
    case 'number':
      return number + 0.25;
    case 'boolean':
      return row === 0;
    case 'list':
      return [];
    case 'date':
      return `2024-0${row + 1}-01`;
    case 'moment':
      return `2024-0${row + 1}-01T10:00:00.000Z`;
    default:
      return key === 'period_start' ? `2024-0${row + 1}-01` : `${key} ${row}`;
  }
}
