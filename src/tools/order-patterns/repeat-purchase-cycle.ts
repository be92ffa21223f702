import { z } from 'zod';
import { localDate } from '../../model/moment.ts';
import { readRange } from '../../model/range.ts';
import { repeatPurchases } from '../../model/repeat-purchase.ts';
import { repeatPurchaseAnswer } from '../../model/repeat-purchase-answer.ts';
import { integerBetween, rangeArguments } from '../arguments.ts';
import { count, coverageFields, percent } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const days = (definition: string) => z.number().nullable().describe(`${definition} [days]`);

const percentileOfDays = days('Percentiles of days to the next order, interpolated.');

const fromOrderNumber = count('n: from the n-th order to the next.');

const eligible = {
  eligible_customers_count: count('Customers whose n-th order ever is in the range.'),
  returned_customers_count: count('Eligible ones with a next order until data_until.'),
  return_rate: percent('returned / eligible; a lower bound.'),
};

const within = z.strictObject({
  days: count('Since the order, the last one included.'),
  returned_customers_count: count('Returned within the days.'),
  return_rate: eligible.return_rate,
  mature_customers_count: count('Eligible ones observed for that long.'),
  mature_return_rate: percent('Mature ones who returned within the days. Quote this.'),
  is_mature: z.boolean().describe('All eligible customers are mature.'),
});

const bin = z.strictObject({
  from_day: count('Bounds, both included; null: open.'),
  to_day: count('Bounds, both included; null: open.').nullable(),
  customers_count: count('Returned customers in the bin.'),
  share: percent('Of returned customers.'),
});

const step = z.strictObject({
  order_number: fromOrderNumber,
  ...eligible,
  median_days_to_next_order: percentileOfDays,
});

export const repeatPurchaseCycle = defineTool({
  name: 'repeat_purchase_cycle',
  title: 'Repeat purchase cycle',
  group: 'Order patterns',
  description:
    'When customers buy again: days from their n-th order (n = 1 by default) in the range to the next one, whenever that ' +
    'was; use it to time follow-ups. It does not follow customers beyond one step: for retention and lifetime value use ' +
    'first_purchase_cohorts. Quote mature rates only: young customers had less time to return.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    from_order_number: integerBetween('from_order_number', 1, 20)
      .default(1)
      .describe('n; 1: from the first to the second order.'),
  }),
  output: z.strictObject({
    ...coverageFields,
    from_order_number: fromOrderNumber,
    ...eligible,
    avg_days_to_next_order: days('Mean of returned ones, by local dates.'),
    median_days_to_next_order: percentileOfDays,
    p25_days: percentileOfDays,
    p75_days: percentileOfDays,
    p90_days: percentileOfDays,
    same_day_returned_count: count('Returned on day 0: mostly split orders.'),
    observed_days_min: z.int().nullable().describe('From the latest eligible order to data_until. [days]'),
    within: z.array(within),
    histogram: z.array(bin).describe('Returned customers by days to the next order.'),
    by_order_number: z.array(step).describe('The same for n = 1 to 5.'),
  }),
  plan({ args, timezone, facts }) {
    const { business_id, from_order_number } = args;
    const range = readRange(args, timezone);
    const until = facts.orders_until;
    return plan({
      queries: {
        steps:
          until === null
            ? null
            : repeatPurchases(range, from_order_number, localDate(until, timezone).toString()),
      },
      answer: ({ steps }) => ({
        result: {
          business_id,
          data_until: until,
          from_order_number,
          ...repeatPurchaseAnswer(steps, from_order_number),
        },
      }),
    });
  },
});
