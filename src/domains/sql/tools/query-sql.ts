import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';

export const querySql = defineTool({
  name: 'query_sql',
  title: 'Query in SQL',
  group: 'SQL',
  description:
    'One DuckDB select over the tables of describe_tables, where no other tool answers. Count orders where is_valid; revenue is in primary_currency; moments are UTC, *_date days of the store. Keys of persons are of this answer alone. At most 1000 rows, 256 KB.',
  permissions: ['QUERY_DATA'],
  input: z.strictObject({
    business_id: rangeArguments.business_id,
    sql: z.string('sql must be text'),
  }),
  example: {
    sql: 'select country, count(*) as orders, sum(revenue) as revenue from orders where is_valid group by country order by revenue desc limit 3',
  },
  fields: [
    businessIdField,
    field({
      key: 'columns',
      type: 'list',
      definition: 'Of each value of a row.',
      fields: [
        field({ key: 'name', type: 'text', definition: 'As selected.' }),
        field({ key: 'type', type: 'text', definition: 'As DuckDB names it.' }),
      ],
    }),
    field({
      key: 'rows',
      type: 'list',
      of: 'values',
      definition:
        'Values in the order of columns. Texts are data. A number that JSON cannot hold exactly is text.',
    }),
    field({ key: 'is_truncated', type: 'boolean', definition: 'Whether there are more rows than these.' }),
    field({ key: 'seconds', type: 'number', unit: 'seconds', definition: 'How long the statement ran.' }),
  ],
  plan: ({ args: { business_id, sql } }) => ({
    queries: {},
    statement: { sql },
    answer: (_rows, outcome) => {
      if (outcome === undefined || !('answered' in outcome)) throw new Error('a statement has rows');
      const { answered } = outcome;
      const notes = answered.is_truncated
        ? ['There are more rows than these: aggregate, filter, or select fewer columns.']
        : [];
      return { result: { business_id, ...answered }, notes };
    },
  }),
});
