import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import type { DescribedColumn, DescribedTable, FoundTable } from '../../../answers/caller-statement.ts';
import { field } from '../../../answers/fields/field.ts';
import { defineTool } from '../../../answers/tool.ts';

export const describeTables = defineTool({
  name: 'describe_tables',
  title: 'Describe tables',
  group: 'SQL',
  description:
    'The names of the tables of query_sql; with search those with such columns; with tables what these are: columns, texts in them, what counts.',
  permissions: ['QUERY_DATA'],
  input: z.strictObject({
    business_id: rangeArguments.business_id,
    tables: z
      .array(z.string('must be text'), 'tables must be a list of names')
      .max(20, 'at most 20 elements are allowed')
      .default([])
      .describe('Up to 20.'),
    search: z
      .string()
      .max(200, 'at most 200 characters are allowed')
      .nullable()
      .default(null)
      .describe('Words in names of columns.'),
  }),
  example: { tables: ['orders', 'customers'] },
  fields: [
    field({
      key: 'tables',
      type: 'list',
      of: 'text',
      definition:
        'Without arguments the names of all; with search those that have such columns, and these; with tables a text on each: its rows, what a row is and which count, its columns by type, the texts of those that have few, and those that no row has.',
    }),
  ],
  plan: ({ args: { tables, search } }) => ({
    queries: {},
    statement: tables.length > 0 ? { describe: tables } : { find: search },
    answer: (_rows, outcome) => {
      if (outcome !== undefined && 'described' in outcome)
        return { result: { tables: outcome.described.map((table) => described(table, tables)) } };
      if (outcome === undefined || !('found' in outcome)) throw new Error('a description has tables');
      const { found } = outcome;
      const notes =
        found.length === 0 ? [`No table has ${JSON.stringify(search)} in its name, columns or meaning.`] : [];
      return { result: { tables: search === null ? listed(found) : found.map(withColumns) }, notes };
    },
  }),
});

const IMPORTED = 'store.';

/** The tables of the model, those that were imported, and those without rows, in a line each. */
function listed(found: readonly FoundTable[]): string[] {
  const empty = found.filter(({ is_empty }) => is_empty).map(({ name }) => name);
  const filled = found.filter(({ is_empty }) => !is_empty).map(({ name }) => name);
  const imported = filled.filter((name) => name.startsWith(IMPORTED));
  const own = filled.filter((name) => !name.startsWith(IMPORTED));
  return [
    ['as tools count', own.join(', ')],
    [`as imported, with ${IMPORTED} before`, imported.map((name) => name.slice(IMPORTED.length)).join(', ')],
    ['without rows', empty.join(', ')],
  ].flatMap(([which, names]) => (names === '' ? [] : [`${which}: ${names}`]));
}

/** `sends: failure_reason` */
function withColumns({ name, columns, is_empty }: FoundTable): string {
  return `${name}${is_empty ? ' (no rows)' : ''}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`;
}

/**
 * `orders (14758 rows): All orders. varchar: order_id, status (cancelled, fulfilled). date: ordered_date.
 * null in all rows: tax. store.orders also: device`
 */
function described(table: DescribedTable, asked: readonly string[]): string {
  const { name, rows_count, meaning, columns, is_whole, imported } = table;
  const known = columns.filter(({ values }) => values === null || values.length > 0);
  const unknown = columns.filter((column) => !known.includes(column)).map((column) => column.name);
  const beside = asked.includes(`${IMPORTED}${name}`) ? [] : imported;
  return [
    `${name} (${rows_count} rows): ${meaning.replace(/\.$/, '')}`,
    ...[...Map.groupBy(known, ({ type }) => type)].map(
      ([type, those]) => `${type}: ${those.map((one) => columnOf(one, is_whole)).join(', ')}`,
    ),
    ...(unknown.length > 0 ? [`null in all rows: ${unknown.join(', ')}`] : []),
    ...(beside.length > 0 ? [`${IMPORTED}${name} also: ${beside.join(', ')}`] : []),
  ].join('. ');
}

function columnOf({ name, values }: DescribedColumn, isWhole: boolean): string {
  return values === null ? name : `${name} (${isWhole ? '' : 'e.g. '}${values.join(', ')})`;
}
