import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import type { DescribedTable } from '../../../answers/caller-statement.ts';
import { field } from '../../../answers/fields/field.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';

export const describeTables = defineTool({
  name: 'describe_tables',
  title: 'Describe tables',
  group: 'SQL',
  description:
    'The tables of query_sql with rows and meanings; of those in tables also columns. Plain names: as tools count. store.*: as imported.',
  permissions: ['QUERY_DATA'],
  input: z.strictObject({
    business_id: rangeArguments.business_id,
    tables: z
      .array(z.string('must be text'), 'tables must be a list of names')
      .max(20, 'at most 20 elements are allowed')
      .default([])
      .describe('Up to 20.'),
  }),
  example: { tables: ['orders', 'customers'] },
  fields: [
    businessIdField,
    field({
      key: 'tables',
      type: 'list',
      definition: 'All, or those asked for.',
      fields: [
        field({ key: 'name', type: 'text', definition: 'As query_sql takes it.' }),
        field({ key: 'rows_count', type: 'integer', unit: 'rows', definition: 'Rows of the store.' }),
        field({ key: 'meaning', type: 'text', definition: 'What a row is, and columns that need words.' }),
        field({
          key: 'columns',
          type: 'list',
          of: 'values',
          definition: 'Of tables asked for: name, type, an example.',
        }),
      ],
    }),
  ],
  plan: ({ args: { business_id, tables } }) => ({
    queries: {},
    statement: { describe: tables },
    answer: (_rows, outcome) => {
      if (outcome === undefined || !('described' in outcome)) throw new Error('a description has tables');
      return {
        result: { business_id, tables: outcome.described.map((table) => answered(table, tables.length > 0)) },
      };
    },
  }),
});

function answered({ name, rows_count, meaning, columns }: DescribedTable, isAsked: boolean) {
  const text = meaning.replace(/\s+/g, ' ');
  return {
    name,
    rows_count,
    meaning: isAsked ? text : firstSentence(text),
    columns: columns.map(({ name: column, type, example }) => [column, type, example]),
  };
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?= |$)/.exec(text)?.[0] ?? text;
}
