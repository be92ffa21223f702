import { z } from 'zod';
import { InputError } from '../../model/errors.ts';
import { metricFields } from '../../model/metrics/metric.ts';
import {
  DIMENSIONS,
  distributionMetrics,
  distributionRows,
  distributionTotals,
  MOST_BINS,
} from '../../model/order-distribution.ts';
import { distributionAnswer } from '../../model/order-distribution-rows.ts';
import { readRange } from '../../model/range.ts';
import { integerBetween, oneOf, rangeArguments } from '../arguments.ts';
import { count, coverageFields, money, percent } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const row = z.strictObject({
  key: z
    .string()
    .describe(
      '1-09 (ISO weekday and hour), 1, 09, 500-750, paid, CZ …; "(not set)" is no value, "(other)" the rest. Business data.',
    ),
  weekday: z.int().nullable().describe('1: Monday, 7: Sunday.'),
  hour: z.int().nullable().describe('0-23, business time.'),
  from_value: z.number().nullable().describe('Included. [as dimension]'),
  to_value: z.number().nullable().describe('Not included; null: open. [as dimension]'),
  ...metricFields(distributionMetrics),
  orders_share: percent('Of all rows, each order once.'),
  revenue_share: percent('Of all rows, each order once.'),
  valid: z.boolean().describe('False: a status that orders_count and revenue above leave out.'),
  occurrences: z
    .int()
    .nullable()
    .describe('Such hours or days in the range, also partial ones: divide by it. Null: rows are no times.'),
});

const ofSingleOrders = money('Revenue of single orders; percentiles interpolated.').nullable();

export const orderDistributionStatistics = defineTool({
  name: 'order_distribution_statistics',
  title: 'Order distribution',
  group: 'Order patterns',
  description:
    'How the orders of a range spread over one dimension: weekday and hour, order value, basket size, order number, ' +
    'status, payment, shipping, country, coupon, currency. For totals use order_statistics, for days, weeks and months ' +
    'order_statistics_trend. Coupons overlap: an order is in the row of each of its coupons.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    dimension: oneOf('dimension', DIMENSIONS).describe(
      'What rows are. items_count: pieces; status also lists orders that are not valid.',
    ),
    bin_size: z
      .number('bin_size must be a number')
      .nullable()
      .default(null)
      .describe(
        `Only for order_value: width in money; above ${MOST_BINS} bins one is open. Null: a round width giving at most 20 bins up to the 99th percentile.`,
      ),
    filter_customer_type: oneOf('filter_customer_type', ['new', 'returning'])
      .nullable()
      .default(null)
      .describe("new: customers' first orders, returning: later ones."),
    limit: integerBetween('limit', 1, 1000)
      .default(200)
      .describe('Most names; the rest is one row (other). Times, numbers and statuses are never cut.'),
  }),
  output: z.strictObject({
    ...coverageFields,
    dimension: z.string(),
    bin_size: z.number().nullable().describe('Width of the bins of order_value. [money]'),
    orders_count: count('Valid orders.'),
    revenue: money('Revenue of the orders counted.'),
    order_value: z
      .strictObject({
        min: ofSingleOrders,
        p10: ofSingleOrders,
        p25: ofSingleOrders,
        median: ofSingleOrders,
        p75: ofSingleOrders,
        p90: ofSingleOrders,
        p99: ofSingleOrders,
        max: ofSingleOrders,
        mean: ofSingleOrders,
      })
      .describe('Of the orders counted.'),
    rows: z.array(row),
  }),
  plan({ args, timezone, facts }) {
    const { business_id, dimension, bin_size } = args;
    checkBinSize(bin_size, dimension);
    const question = { ...args, range: readRange(args, timezone) };
    return plan({
      queries: { totals: distributionTotals(question), rows: distributionRows(question) },
      answer: ({ totals: [totals = {}], rows }) => ({
        result: {
          business_id,
          data_until: facts.orders_until,
          dimension,
          bin_size: bin_size ?? widthOf(rows[0]?.width),
          orders_count: totals.orders_count,
          revenue: totals.revenue,
          order_value: {
            min: totals.min,
            p10: totals.p10,
            p25: totals.p25,
            median: totals.p50,
            p75: totals.p75,
            p90: totals.p90,
            p99: totals.p99,
            max: totals.max,
            mean: totals.mean,
          },
          rows: distributionAnswer(rows, question, { timezone, facts, totals }),
        },
      }),
    });
  },
});

function checkBinSize(size: number | null, dimension: string): void {
  if (size === null) return;
  if (dimension !== 'order_value') throw new InputError('bin_size is only for dimension order_value');
  const isWholeCents = Math.round(size * 100) / 100 === size;
  if (!isWholeCents || size < 0.01 || size > 1_000_000_000) {
    throw new InputError('bin_size must be between 0.01 and 1000000000, with at most two decimals');
  }
}

function widthOf(tenThousandths: unknown): number | null {
  return tenThousandths === undefined ? null : Number(tenThousandths) / 10_000;
}
