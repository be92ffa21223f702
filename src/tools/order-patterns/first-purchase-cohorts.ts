import { z } from 'zod';
import { cohortRows } from '../../model/cohort-rows.ts';
import { cohortTotals, cohortWindows, SEGMENTATIONS, WINDOW_DAYS } from '../../model/cohorts.ts';
import { coverWithPeriods } from '../../model/periods.ts';
import { readRange } from '../../model/range.ts';
import { integerBetween, oneOf, rangeArguments } from '../arguments.ts';
import { count, coverageFields, money, percent } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const isMature = z
  .boolean()
  .describe('False: customers of the cohort have not been observed for so long; do not quote.');

const cohort = z.strictObject({
  cohort: z.string().describe('2026-10 or 2026-W41.'),
  cohort_start: z.iso.date(),
  segment: z.string().nullable().describe('Value of segment_by. Business data.'),
  customers_count: count('Customers whose first order ever is in the cohort period.'),
  first_orders_revenue: money('Revenue of the first orders.'),
  first_average_order_value: money('first_orders_revenue / customers_count.').nullable(),
  observed_days: count('From the end of the cohort period to data_until.'),
  retention: z
    .array(
      z.strictObject({
        days: count('Since the first order, the last one included.'),
        returned_customers_count: count('With a second order within the days.'),
        retention_rate: percent('returned / customers; cumulative.'),
        is_mature: isMature,
      }),
    )
    .describe('Within 30, 60, 90, 180, 365 days, the last day included.'),
  periods: z
    .array(
      z.strictObject({
        period_index: count('0: the first window.'),
        active_customers_count: count('With a later order in the window.'),
        retention_rate: percent('active / customers; not cumulative.'),
        orders_count: count('Later orders in the window.'),
        revenue: money('Later orders in the window.'),
        cumulative_revenue_per_customer: money(
          'Until the end of the window, first order included.',
        ).nullable(),
        is_complete: z.boolean().describe('False: the window is not over for all customers.'),
      }),
    )
    .describe(
      'Windows of 30 days (week cohorts: 7) after the own first order, which itself is not in them: days 0-29, 30-59, …',
    ),
  ltv: z
    .array(
      z.strictObject({
        days: count('Since the first order, the last one included.'),
        revenue_per_customer: money('Within the days, first order included.').nullable(),
        is_mature: isMature,
      }),
    )
    .describe('Within 30, 90, 180, 365 days.'),
  revenue_per_customer_total: money('Until data_until; older cohorts had more time.'),
  refunded_revenue: money('Refunds to date on the orders counted; null: none loaded.').nullable(),
  repeat_customers_count: count('With 2 orders or more until data_until.'),
  may_contain_old_customers: z
    .boolean()
    .describe('The cohort starts within 90 days of history_starts_at: some customers may not be new.'),
});

export const firstPurchaseCohorts = defineTool({
  name: 'first_purchase_cohorts',
  title: 'First purchase cohorts',
  group: 'Order patterns',
  description:
    'Cohorts by the month or week of the first order: how many customers came back, when, and what they are worth; ' +
    'use it for retention and lifetime value. Quote only values with is_mature or is_complete true. ' +
    'Periods without new customers have no row.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    cohort_period: oneOf('cohort_period', ['week', 'month'])
      .default('month')
      .describe('The range is widened to whole cohorts.'),
    segment_by: oneOf('segment_by', SEGMENTATIONS)
      .default('none')
      .describe('Splits each cohort by a property of the first order.'),
    segment_limit: integerBetween('segment_limit', 1, 50)
      .default(10)
      .describe('Largest segments over all cohorts; the rest is (other).'),
    max_periods: integerBetween('max_periods', 1, 36).default(12).describe('Length of periods.'),
  }),
  output: z.strictObject({
    ...coverageFields,
    history_starts_at: z.string().nullable().describe('First loaded order.'),
    cohort_period: z.string(),
    segment_by: z.string(),
    cohorts: z.array(cohort),
  }),
  plan({ args, timezone, facts }) {
    const { cohort_period, segment_by, max_periods } = args;
    const segments = segment_by === 'none' ? 1 : args.segment_limit + 1;
    // A row has up to three dozen windows; a dozen of them weigh about as much as a row of another trend.
    const rowsPerCohort = segments * Math.ceil(max_periods / 12);
    const selection = {
      periods: coverWithPeriods(readRange(args, timezone), cohort_period, rowsPerCohort),
      segmentation: segment_by,
      segmentLimit: args.segment_limit,
    };
    return plan({
      queries: {
        totals: cohortTotals(selection),
        windows: cohortWindows(selection, WINDOW_DAYS[cohort_period], max_periods),
      },
      answer: ({ totals, windows }) => ({
        result: {
          business_id: args.business_id,
          data_until: facts.orders_until,
          history_starts_at: facts.history_starts_at,
          cohort_period,
          segment_by,
          cohorts: cohortRows(totals, windows, { cohort_period, max_periods, timezone, facts }),
        },
      }),
    });
  },
});
