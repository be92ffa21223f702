import { z } from 'zod';
import { integerBetween, namesFilter, oneOf, rangeArguments } from '../../../answers/arguments.ts';
import { bars, saying } from '../../../answers/chart.ts';
import { field, fieldNamed, HIDDEN, NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { count, flag, list } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';
import { orderedIn } from '../../../time/range.ts';
import { readWholeDays } from '../../../time/whole-days.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { knownNames, unknownNameNotes } from '../queries/product-filters.ts';
import {
  isSelectedOrder,
  NUMBERINGS,
  RETURNS,
  repeatPurchases,
  selectionNotes,
} from '../queries/repeat-purchase.ts';
import { repeatPurchaseAnswer } from '../queries/repeat-purchase-answer.ts';

const eligible = [
  field({
    key: 'eligible_customers_count',
    sinceFirst: true,
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Customers whose n-th order (see numbering) is in the range.',
  }),
  field({
    key: 'returned_customers_count',
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Eligible with a later order (see return_with) until data_until.',
  }),
  field({
    key: 'return_rate',
    type: 'number',
    unit: 'percent',
    null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
    definition: 'returned / eligible; a lower bound.',
  }),
];

const medianDays = field({
  key: 'median_days_to_next_order',
  type: 'number',
  unit: 'days',
  null: `nobody returned, or ${HIDDEN}`,
  definition: 'Half of returned customers came back by then.',
});

export const repeatPurchaseCycle = defineTool({
  name: 'repeat_purchase_cycle',
  title: 'Repeat purchase cycle',
  group: 'Order patterns',
  description:
    'When customers buy again: days from their n-th order in the range to the next, to time follow-ups. Quote mature rates.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'by_order_number', uniqueBy: ['order_number'] },
  example: { from_date: '2025-10-01T00:00:00', to_date: '2026-09-30T23:59:59' },
  chart: [
    // The bands of the histogram are 7 to 90 days wide: bars of them would be long because the bands are.
    saying(
      'Bought again within so many days, of the customers whose order is that long ago or longer: they are others for each bar, so do not subtract one bar from another.',
      bars('within', ['days'], ['mature_return_rate']),
    ),
    saying(
      'Bought again after their first, second, … order, until now: those who ordered last week count too, so a rate may be lower than one above, and still grows. Each row is of the customers who placed that order between these days: rows do not follow from one another.',
      bars('by_order_number', ['order_number'], ['return_rate']),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    from_order_number: integerBetween('from_order_number', 1, 20)
      .default(1)
      .describe('n; 1: first to second order.'),
    filter_external_product_ids: namesFilter('Only orders with these.'),
    filter_brands: namesFilter(),
    filter_categories: namesFilter(),
    numbering: oneOf('numbering', NUMBERINGS)
      .default('all_orders')
      .describe('n: of all orders of a customer, or of these.'),
    return_with: oneOf('return_with', RETURNS).default('selection').describe('A later one of these, or any.'),
  }),
  fields: [
    ...coverage,
    count('place', 'from_order_number', 'n: from the n-th order to the next.'),
    ...eligible,
    field({
      key: 'avg_days_to_next_order',
      type: 'number',
      unit: 'days',
      null: `nobody returned, or ${HIDDEN}`,
      definition: 'Mean of returned customers, by local dates.',
    }),
    medianDays,
    field({
      key: 'p25_days',
      type: 'number',
      unit: 'days',
      null: `nobody returned, or ${HIDDEN}`,
      definition: 'pN: N % of returned customers came back by then.',
    }),
    field({
      key: 'p75_days',
      type: 'number',
      unit: 'days',
      null: `nobody returned, or ${HIDDEN}`,
      definition: 'pN: N % of returned customers came back by then.',
    }),
    field({
      key: 'p90_days',
      type: 'number',
      unit: 'days',
      null: `nobody returned, or ${HIDDEN}`,
      definition: 'pN: N % of returned customers came back by then.',
    }),
    count('customers', 'same_day_returned_count', 'Returned on day 0: mostly split orders.', HIDDEN),
    field({
      key: 'observed_days_min',
      type: 'integer',
      unit: 'days',
      null: `nobody is eligible, or ${HIDDEN}`,
      definition: 'From the latest eligible order to data_until.',
    }),
    list('within', 'Who came back within 7 days to 2 years.', [
      count('days', 'days', 'Since the order, the last one included.'),
      count('customers', 'returned_customers_count', 'Returned within the days.', HIDDEN),
      fieldNamed(eligible, 'return_rate'),
      count('customers', 'mature_customers_count', 'Customers observed for that long.', HIDDEN),
      field({
        key: 'mature_return_rate',
        type: 'number',
        unit: 'percent',
        null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
        definition: 'return_rate of mature ones. Quote this.',
        base: 'mature_customers_count',
      }),
      flag('is_mature', 'All eligible customers are mature.'),
    ]),
    list('histogram', 'Returned customers by days to the next order.', [
      count('days', 'from_day', 'First day of the bin.'),
      count('days', 'to_day', 'Last day of the bin.', 'open'),
      count('customers', 'customers_count', 'Returned customers in the bin.', HIDDEN),
      field({
        key: 'share',
        type: 'number',
        unit: 'percent',
        null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
        definition: 'customers_count / returned_customers_count.',
      }),
    ]),
    list('by_order_number', 'The same for n = 1 to 5.', [
      count('place', 'order_number', 'n of the row.'),
      ...eligible,
      medianDays,
    ]),
  ],
  plan({ args, timezone, currency, facts, leastFollowed }) {
    const { business_id, from_order_number } = args;
    const { filter_external_product_ids, filter_brands, filter_categories, numbering, return_with } = args;
    const products = { filter_external_product_ids, filter_brands, filter_categories };
    const selection = { products, numbering, return_with };
    const { range, notes } = readWholeDays(args, timezone);
    const until = facts.orders_until;
    return plan({
      queries: {
        steps:
          until === null
            ? null
            : repeatPurchases(range, from_order_number, localDate(until, timezone).toString(), selection),
        known: knownNames(products),
        withoutCustomer: ordersWithoutCustomer(
          sql`${orderedIn(range)} and ${isSelectedOrder(selection)}`,
          facts,
        ),
      },
      answer: ({ steps, known, withoutCustomer }) => {
        const people = new FollowedPeople(leastFollowed);
        const result = {
          business_id,
          data_until: until,
          from_order_number,
          ...repeatPurchaseAnswer(steps, from_order_number, people),
        };
        const told = [
          ...notes,
          ...selectionNotes(selection),
          ...people.notes(),
          ...unknownNameNotes(products, known),
          ...withoutCustomerNotes(withoutCustomer, currency),
        ];
        return { result, notes: told };
      },
    });
  },
});
