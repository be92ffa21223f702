import { z } from 'zod';
import { integerBetween, oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { HIDDEN, NOTHING_TO_DIVIDE_BY, sinceFirst } from '../../../answers/fields/field.ts';
import { choice, count, flag, list, measure, object, text } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { planCustomerValue } from '../queries/value/plan-customer-value.ts';
import { VALUE_GROUPS } from '../queries/value/value-groups.ts';

const NOT_ENOUGH = `not enough known, or ${HIDDEN}`;
const NO_FUTURE = `no model that can be believed (a note says why), or ${HIDDEN}`;

const afterFields = [
  count('days', 'days', 'From the first order on, that day and the last one included.'),
  count('customers', 'mature_customers_count', 'Observed for so long: all beside is of these.', HIDDEN),
  measure(
    'money',
    'revenue_per_customer',
    'Revenue within the days / mature_customers_count; first order included, VAT in it, before refunds.',
    NOT_ENOUGH,
  ),
  measure(
    'money',
    'revenue_per_customer_low',
    'Low end of the 95 % interval of revenue_per_customer (Student).',
    NOT_ENOUGH,
  ),
  measure(
    'money',
    'revenue_per_customer_high',
    'High end of the 95 % interval of revenue_per_customer (Student).',
    NOT_ENOUGH,
  ),
  measure(
    'money',
    'after_refunds_per_customer',
    'revenue_per_customer - what was paid back for these orders until now.',
    NOT_ENOUGH,
  ),
  measure(
    'money',
    'gross_profit_per_customer',
    'estimated_gross_profit of their products whose cost is known (known_share), not scaled up to all / mature_customers_count: without VAT, before refunds, shipping, fees and ads.',
    NOT_ENOUGH,
  ),
  measure('percent', 'known_share', 'Of product revenue: that with a known gross profit.', NOT_ENOUGH),
];

const groupFields = [
  text('group', 'The month of a cohort, or the value of by; (other): the rest. Business data.', 'by is none'),
  sinceFirst(count('customers', 'customers_count', 'Whose first order ever is in the range.', HIDDEN)),
  sinceFirst(
    measure(
      'money',
      'ad_cost_per_new_customer',
      'Ad cost in the range (of the channel) / customers_count, also those who came without ads.',
      `not by none or last_click_channel, ${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
    ),
  ),
  count(
    'days',
    'paid_back_within_days',
    'The first of after whose gross profit covers that cost.',
    'not yet, or not known',
  ),
  list('after', 'After 30, 90, 180 and 365 days.', afterFields),
  measure(
    'orders',
    'expected_orders',
    'Days with orders of customers_count in the days that come, by the model.',
    NO_FUTURE,
  ),
  measure('money', 'expected_revenue', 'Of expected_orders, likewise.', NO_FUTURE),
  measure('money', 'expected_revenue_per_customer', 'expected_revenue / customers_count.', NO_FUTURE),
  measure(
    'percent',
    'expected_active_share',
    'Customers expected to come again / customers_count. Who ordered once counts as one, since the model lets nobody leave before.',
    `the history does not tell who left, ${NO_FUTURE}`,
  ),
  flag('may_contain_old_customers', 'Starts before the day that a note names: some may not be new.'),
];

const topFields = [
  text('top', 'The best 1, 5, 10 and 20 percent, and as asked.'),
  count('customers', 'customers_count', 'Counted up to a multiple of five, or a tenth.', HIDDEN),
  measure('money', 'revenue', 'Of their orders in the range.', NOT_ENOUGH),
  measure('percent', 'revenue_share', 'revenue / that of all orders of the range.', NOT_ENOUGH),
  measure(
    'percent',
    'at_risk_revenue_share',
    'Of revenue: of customers whom RFM calls cant_lose, at_risk, hibernating or lost at data_until.',
    NOT_ENOUGH,
  ),
  measure('percent', 'expected_active_share', 'Of these customers: who still come, by the model.', NO_FUTURE),
  measure(
    'percent',
    'inactive_revenue_share',
    'Of revenue: of customers who do not come any more, by the model.',
    NO_FUTURE,
  ),
];

const parameter = <const Key extends string>(key: Key, definition: string) =>
  measure('ratio', key, definition, 'no model');

export const customerValue = defineTool({
  name: 'customer_value',
  title: 'Customer value',
  group: 'Insights',
  description:
    'What customers of a range were worth, by group, what they cost, and what they are expected to order (BG/NBD, gamma-gamma) with the held-out error.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    by: oneOf('by', VALUE_GROUPS).default('none').describe('Of the first order; cohort: its month.'),
    limit: integerBetween('limit', 1, 50).default(10).describe('Largest groups; the rest: (other).'),
    days_ahead: integerBetween('days_ahead', 30, 730).default(365).describe('Of what is expected.'),
    top_customers: integerBetween('top_customers', 5, 1_000_000)
      .nullable()
      .default(null)
      .describe('A part of concentration: so many.'),
  }),
  example: { by: 'last_click_channel' },
  rows: { list: 'groups', uniqueBy: ['group'] },
  fields: [
    ...coverage,
    choice('by', VALUE_GROUPS, 'As asked.'),
    count('days', 'days_ahead', 'As asked.'),
    list('groups', 'By cohort, else the largest first.', groupFields),
    list('concentration', 'The best customers of all who ordered in the range, by revenue in it.', topFields),
    object('model', 'Of all customers of the store until data_until; time in weeks.', [
      parameter('r', 'BG/NBD: shape of how often customers order.'),
      parameter('alpha', 'BG/NBD: its rate.'),
      parameter('a', 'BG/NBD: of leaving after an order.'),
      parameter('b', 'BG/NBD: of staying.'),
      parameter('p', 'Gamma-gamma: shape of an order.'),
      parameter('q', 'Gamma-gamma: shape among customers.'),
      parameter('gamma', 'Gamma-gamma: scale among customers.'),
      parameter('log_likelihood', 'Of BG/NBD, over bins of customers.'),
      count('customers', 'held_out_customers_count', 'Known by the middle of the history.', 'no model'),
      measure('orders', 'held_out_actual', 'Days with orders of these in the second half.', 'no model'),
      measure('orders', 'held_out_expected', 'By a model of the first half.', 'no model'),
      measure(
        'percent',
        'held_out_error',
        'What it missed by, added up by how often customers had come / held_out_actual.',
        'no model',
      ),
      measure(
        'percent',
        'held_out_error_as_before',
        'Likewise, had everybody come as often as before. The model is used only where it is better.',
        'no model',
      ),
    ]),
  ],
  plan: planCustomerValue,
});
