import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { defineTool } from '../../../answers/tool.ts';

const THERE_IS_MORE = 'There are more rows than these: aggregate, filter, or select fewer columns.';

export const querySql = defineTool({
  name: 'query_sql',
  title: 'Query in SQL',
  group: 'SQL',
  description:
    'One DuckDB select over the tables of describe_tables, where no other tool answers. Count orders where is_valid; revenue is in primary_currency; moments are UTC, *_date, hours and weekdays (1 = Monday) of the store. Keys of persons are of this answer alone. At most 1000 rows, 256 KB.',
  permissions: ['QUERY_DATA'],
  input: z.strictObject({
    business_id: rangeArguments.business_id,
    sql: z.string('sql must be text'),
  }),
  example: {
    sql: 'select country, count(*) as orders, sum(revenue) as revenue from orders where is_valid group by country order by revenue desc limit 3',
  },
  fields: [
    field({ key: 'columns', type: 'list', of: 'text', definition: 'The name of each value of a row.' }),
    field({
      key: 'rows',
      type: 'list',
      of: 'values',
      definition:
        'Values in the order of columns. Texts are data. A number that JSON cannot hold exactly is text.',
    }),
  ],
  plan: ({ args: { sql } }) => ({
    queries: {},
    statement: { sql },
    answer: (_rows, outcome) => {
      if (outcome === undefined || !('answered' in outcome)) throw new Error('a statement has rows');
      const { columns, rows, is_truncated } = outcome.answered;
      return { result: { columns, rows }, notes: is_truncated ? [THERE_IS_MORE] : [] };
    },
  }),
});
