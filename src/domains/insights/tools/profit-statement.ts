import { z } from 'zod';
import { integerBetween, oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { choice, count, date, flag, list, measure, text } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { planStatement, STATEMENT_CUTS } from '../queries/profit/plan-statement.ts';
import { LINES } from '../queries/profit/profit-lines.ts';

const lineFields = [
  text('group', 'The value of by; (rest): the others; (total): all. Business data.', 'by is none'),
  text('name', 'Of the product. Business data.', 'no product'),
  choice(
    'line',
    LINES,
    'Goods, discounts, sold and refunds have VAT in them, all lines below vat do not. refunds: made in the range, also of earlier orders, none of cancelled ones. cost_of_goods is of all that was sold, also what came back; cost_of_returned_goods, in no sum, of what came back in the range.',
  ),
  measure('money', 'amount', 'Costs are negative; a sum is that of the lines before it.', 'not known'),
  measure(
    'percent',
    'known_share',
    'Of its base: money of goods, orders, days, SMS.',
    'nothing it would be of, or a sum',
  ),
  flag(
    'at_most',
    'Costs above are not all known: the sum is no more than amount, but for goods that came back.',
  ),
  measure('money', 'compared_amount', 'The same in the compared range.', 'none, or not known'),
  measure('percent', 'compared_known_share', 'known_share of compared_amount.', 'none, or a sum'),
  measure('money', 'change', 'amount - compared_amount.', 'either is null'),
];

export const profitStatement = defineTool({
  name: 'profit_statement',
  title: 'Profit statement',
  group: 'Insights',
  description:
    'What is left of sales, line by line: discounts, refunds, VAT, cost of goods, shipping, fees, packaging, ads, with how much of each is known. Costs without a file are those the merchant assumed.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  readsAssumptions: true,
  input: z.strictObject({
    ...rangeArguments,
    by: oneOf('by', STATEMENT_CUTS).default('none'),
    limit: integerBetween('limit', 1, 50).default(10).describe('Largest groups; periods: all.'),
    compare: oneOf('compare', ['none', 'previous_period', 'previous_year', 'range'])
      .default('none')
      .describe('range: compare_from_date to compare_to_date.'),
    compare_from_date: z.string().nullable().default(null),
    compare_to_date: z.string().nullable().default(null),
  }),
  example: { by: 'none' },
  rows: { list: 'lines', uniqueBy: ['group', 'line'] },
  fields: [
    ...coverage,
    choice('by', STATEMENT_CUTS, 'As asked.'),
    field({ key: 'currency', type: 'text', null: 'not set', definition: 'Of all money.' }),
    field({ key: 'compared_range', type: 'json', null: 'none', definition: 'Days, both inclusive.' }),
    count('orders', 'orders_count', 'Valid orders of the range.'),
    measure(
      'money',
      'orders_revenues',
      'As order_statistics has it: sold + what was charged beside, with VAT.',
      'no exchange rate',
    ),
    list('lines', 'Group by group.', lineFields),
    list('assumptions', 'What was counted with that no file tells.', [
      text('kind', 'Of cost.'),
      date('from_day', 'Since when it holds.'),
      text('rate', 'Without VAT.'),
      text('of', 'For which orders alone. Business data.', 'all'),
      measure('money', 'cost', 'What it makes in the range.'),
    ]),
  ],
  plan: (context) => planStatement(context),
});
