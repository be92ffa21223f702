import { z } from 'zod';
import { integerBetween, oneOf, rangeArguments, tooMany } from '../../../answers/arguments.ts';
import { calling, cohorts, saying } from '../../../answers/chart.ts';
import { field, HIDDEN, NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { intervalOf } from '../../../answers/fields/interval.ts';
import {
  choice,
  count,
  date,
  flag,
  list,
  measure,
  moment,
  text,
} from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { FollowedPeople, hideable } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { InputError } from '../../../errors.ts';
import { LEAST_ORDERS } from '../../../statistics/comparison.ts';
import { localDate } from '../../../time/moment.ts';
import { coverWithPeriods } from '../../../time/periods.ts';
import { type Range, readRange } from '../../../time/range.ts';
import { cohortRows } from '../queries/cohort-rows.ts';
import {
  COHORT_PERIODS,
  type CohortPeriod,
  cohortTotals,
  cohortValues,
  cohortWindows,
  type FlatDays,
  LIFETIME_VALUE_DAYS,
  medianDaysToSecondOrder,
  overlapNotes,
  SEGMENTATIONS,
  WINDOWS,
} from '../queries/cohorts.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../queries/orders-without-customer.ts';
import { refundedRevenue } from '../queries/refunds.ts';
import { newFrom } from '../queries/start-of-history.ts';

const isMature = flag('is_mature', 'All customers are mature.');

const matureCustomers = field({
  key: 'mature_customers_count',
  type: 'integer',
  unit: 'customers',
  null: HIDDEN,
  definition: 'Customers observed for that long.',
});

const flatRetention = {
  type: 'number',
  unit: 'percent',
  base: 'customers_count',
  null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
} as const;

const cohortFields = [
  text('cohort', '2026-10, 2026-W41 or all.'),
  date('cohort_start', 'First local day of the cohort.'),
  field({
    key: 'segment',
    type: 'text',
    null: 'not segmented',
    definition:
      'Value of segment_by; (other): the rest. A customer is in the rows of all products, categories, brands and coupons of the first order. Business data.',
  }),
  field({
    key: 'customers_count',
    sinceFirst: true,
    type: 'integer',
    unit: 'customers',
    null: HIDDEN,
    definition: 'Customers whose first order ever is in the cohort period.',
  }),
  field({
    key: 'first_orders_revenue',
    sinceFirst: true,
    type: 'number',
    unit: 'money',
    null: HIDDEN,
    definition: 'Of first orders ever.',
  }),
  field({
    key: 'first_average_order_value',
    sinceFirst: true,
    type: 'number',
    unit: 'money',
    null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
    definition: 'first_orders_revenue / customers_count.',
  }),
  count('days', 'observed_days', 'From the end of the cohort period to data_until.'),
  list('retention', 'Within 30, 60, 90, 180, 365 days, the last day included.', [
    count('days', 'days', 'Since the first order, the last one included.'),
    count('customers', 'returned_customers_count', 'With a second order within the days.', HIDDEN),
    field({
      key: 'retention_rate',
      type: 'number',
      unit: 'percent',
      null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
      definition: 'returned / customers; cumulative.',
    }),
    matureCustomers,
    field({
      key: 'mature_retention_rate',
      type: 'number',
      unit: 'percent',
      null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
      definition: 'retention_rate of mature ones. Quote this.',
    }),
    isMature,
  ]),
  list(
    'periods',
    'Windows of 30 days (week cohorts: 7) after the own first order, or with window calendar months (weeks) from the cohort on; the first order is in none.',
    [
      count('place', 'period_index', '0: the first window.'),
      text('period', 'The calendar month or week.', 'window is days'),
      count('customers', 'active_customers_count', 'With a later order in the window.', HIDDEN),
      field({
        key: 'retention_rate',
        type: 'number',
        unit: 'percent',
        null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
        definition: 'active / customers; not cumulative.',
      }),
      count('orders', 'orders_count', 'Later orders in the window.', HIDDEN),
      measure('money', 'revenue', 'Revenue of later orders in the window.', HIDDEN),
      field({
        key: 'cumulative_revenue_per_customer',
        type: 'number',
        unit: 'money',
        null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
        definition: 'Revenue until the end of the window, first order included, / customers.',
      }),
      flag('is_complete', 'False: the window is not over for all customers.'),
    ],
  ),
  list('ltv', 'Within 30, 90, 180, 365 days.', [
    count('days', 'days', 'Since the first order, the last one included.'),
    field({
      key: 'revenue_per_customer',
      type: 'number',
      unit: 'money',
      null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
      definition: 'Revenue within the days, first order included, / customers.',
    }),
    matureCustomers,
    field({
      key: 'mature_revenue_per_customer',
      type: 'number',
      unit: 'money',
      null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
      definition: 'revenue_per_customer of mature ones. Quote this.',
    }),
    isMature,
  ]),
  field({
    key: 'revenue_per_customer_total',
    type: 'number',
    unit: 'money',
    null: HIDDEN,
    definition: 'Revenue until data_until / customers; older cohorts had more time.',
  }),
  ...hideable([field(refundedRevenue)]),
  count('customers', 'repeat_customers_count', 'With 2 orders or more until data_until.', HIDDEN),
  field({
    key: 'median_days_to_second_order',
    type: 'number',
    unit: 'days',
    null: `nobody came back, or ${HIDDEN}`,
    definition: 'Median of repeat customers.',
  }),
  field({
    key: 'three_orders_rate',
    type: 'number',
    unit: 'percent',
    null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
    definition: 'With 3 or more / customers.',
  }),
  ...LIFETIME_VALUE_DAYS.flatMap((days) => [
    field({ ...flatRetention, key: `retention_${days}`, definition: 'mature_retention_rate of N days.' }),
    ...intervalOf(`retention_${days}`, 'Wilson', flatRetention, 'retention_N'),
  ]),
  ...LIFETIME_VALUE_DAYS.flatMap((days) => [
    field({
      key: `ltv_${days}`,
      type: 'number',
      unit: 'money',
      null: `${NOTHING_TO_DIVIDE_BY}, or ${HIDDEN}`,
      definition: 'mature_revenue_per_customer of N days.',
    }),
    ...intervalOf(
      `ltv_${days}`,
      'Student',
      { unit: 'money', null: `under ${LEAST_ORDERS} customers, or ${HIDDEN}` },
      'ltv_N',
    ),
  ]),
  field({
    key: 'may_contain_old_customers',
    type: 'boolean',
    definition:
      'Starts before the day that a note names (without a note 90 days after history_starts_at): some may not be new.',
  }),
];

const WRONG_DAYS = `must be one of ${LIFETIME_VALUE_DAYS.join(', ')}`;
const isFlatDays = z
  .int(WRONG_DAYS)
  .refine((days): days is FlatDays => LIFETIME_VALUE_DAYS.some((one) => one === days), WRONG_DAYS);

export const firstPurchaseCohorts = defineTool({
  name: 'first_purchase_cohorts',
  title: 'First purchase cohorts',
  group: 'Order patterns',
  description: 'Retention and lifetime value by month or week of the first order.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'cohorts', uniqueBy: ['cohort', 'cohort_start', 'segment'], isAsked },
  example: { from_date: '2025-10-01T00:00:00', to_date: '2026-09-30T23:59:59' },
  chart: [
    saying(
      'A row: who ordered first in that month or week, in brackets how many people. A cell: the share of them who ordered again in that period alone, so cells do not add up. 0: the 30 days (of weeks: 7) after the first order of each, 1: the next 30; by calendar, the rest of its month or week, then the next. The hatched end of a row is not over, so its fall is none.',
      calling(
        { retention_rate: { name: 'Ordered again' }, periods: { name: 'Time since the first order' } },
        cohorts('cohorts', ['cohort', 'segment'], 'periods', {
          across: 'period_index',
          value: 'retention_rate',
          complete: 'is_complete',
          size: 'customers_count',
        }),
      ),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    cohort_period: oneOf('cohort_period', COHORT_PERIODS)
      .default('month')
      .describe('Widens the range; all: one row.'),
    window: oneOf('window', WINDOWS).default('days').describe('Of periods.'),
    segment_by: oneOf('segment_by', SEGMENTATIONS)
      .default('none')
      .describe('By the first order (first_channel: last click).'),
    segment_limit: integerBetween('segment_limit', 1, 50).default(10).describe('The rest: (other).'),
    max_periods: integerBetween('max_periods', 1, 36).default(12).describe('Length of periods.'),
    days: z
      .array(isFlatDays, 'must be a list of days, for example [90]')
      .max(LIFETIME_VALUE_DAYS.length, tooMany(LIFETIME_VALUE_DAYS.length))
      .default([])
      .describe(`Flat ltv_90, … for lists: ${LIFETIME_VALUE_DAYS.join(', ')}.`),
  }),
  fields: [
    ...coverage,
    moment('history_starts_at', 'First loaded order.', 'nothing loaded'),
    choice('cohort_period', COHORT_PERIODS, 'As asked.'),
    choice('window', WINDOWS, 'As asked.'),
    choice(
      'segment_by',
      SEGMENTATIONS,
      'As asked. first_channel is first_order_last_click_channel; clicks: of the 30 days before the first order.',
    ),
    list('cohorts', 'Cohorts with new customers, by time.', cohortFields),
  ],
  plan({ args, timezone, currency, facts, leastFollowed }) {
    const { cohort_period, segment_by, max_periods } = args;
    const segments = segment_by === 'none' ? 1 : args.segment_limit + 1;
    // A row has up to three dozen windows; a dozen of them weigh about as much as a row of another trend.
    const rowsPerCohort = segments * Math.ceil(max_periods / 12);
    if (cohort_period === 'all' && args.window === 'calendar')
      throw new InputError('window must be days where cohort_period is all');
    const selection = {
      periods: periodsOf(readRange(args, timezone), cohort_period, rowsPerCohort),
      cohortPeriod: cohort_period,
      segmentation: segment_by,
      segmentLimit: args.segment_limit,
      observedUntil: facts.orders_until === null ? null : localDate(facts.orders_until, timezone).toString(),
    };
    return plan({
      queries: {
        totals: cohortTotals(selection),
        medians: medianDaysToSecondOrder(selection),
        values: args.days.length === 0 ? null : cohortValues(selection, args.days),
        windows: cohortWindows(selection, args.window, cohort_period, max_periods),
        withoutCustomer: ordersWithoutCustomer(selection.periods, facts),
      },
      answer: ({ totals, medians, windows, values, withoutCustomer }) => {
        const people = new FollowedPeople(leastFollowed);
        const result = {
          business_id: args.business_id,
          data_until: facts.orders_until,
          history_starts_at: facts.history_starts_at,
          cohort_period,
          window: args.window,
          segment_by,
          cohorts: cohortRows(totals, windows, medians, {
            lastDate: selection.periods.lastDate,
            newFrom: newFrom({ timezone, facts }),
            window: args.window,
            cohort_period,
            max_periods,
            timezone,
            facts,
            people,
            values,
          }),
        };
        const notes = [
          ...overlapNotes(segment_by),
          ...people.notes(),
          ...withoutCustomerNotes(withoutCustomer, currency),
        ];
        return { result, notes };
      },
    });
  },
});

/**
 * Whether a field is asked for: without days the lists of the contract, with days their flat columns instead,
 * one row for a line.
 */
function isAsked(name: string, args: Readonly<Record<string, unknown>>): boolean {
  const days = (args.days ?? []) as readonly number[];
  const flat = /^(?:retention|ltv)_(\d+)/.exec(name)?.[1];
  if (flat !== undefined) return days.includes(Number(flat));
  return days.length === 0 || !['retention', 'periods', 'ltv'].includes(name);
}

/** The days of the cohorts: of all as they are asked for, else whole weeks or months. */
function periodsOf(range: Range, period: CohortPeriod, rowsPerCohort: number) {
  if (period !== 'all') return coverWithPeriods(range, period, rowsPerCohort);
  return { firstDate: range.firstDate.toString(), lastDate: range.lastDate.toString() };
}
