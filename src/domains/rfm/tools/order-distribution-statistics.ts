import { z } from 'zod';
import { integerBetween, oneOf, rangeArguments, tooMany } from '../../../answers/arguments.ts';
import { bars, heat } from '../../../answers/chart.ts';
import { field, NO_RATE, NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { choice, count, flag, list, measure, object } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage, timeOfDay } from '../../../answers/fields/shared-fields.ts';
import { valuesOf } from '../../../answers/metric.ts';
import { FollowedPeople, fewNotes } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { hasRefunds } from '../../../business/snapshot-facts.ts';
import { InputError } from '../../../errors.ts';
import { readRange } from '../../../time/range.ts';
import { endOfDay, readWholeDays } from '../../../time/whole-days.ts';
import {
  BINNED_DIMENSIONS,
  chargeMetrics,
  chargeNotes,
  DIMENSIONS,
  distributionMetrics,
  distributionRows,
  distributionTotals,
  FOLLOWING_DIMENSIONS,
  listedOrders,
} from '../../orders/queries/order-distribution.ts';
import {
  distributionAnswer,
  limitNotes,
  notValidNotes,
} from '../../orders/queries/order-distribution-rows.ts';
import { taxNotes } from '../../orders/queries/order-metrics.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { paidBackCustomers, paidBackNotes } from '../../orders/queries/paid-back-customers.ts';
import { asOf } from '../queries/as-of.ts';
import {
  rankedByNotes,
  rankedCustomers,
  sizeNotes,
  sizesOfParts,
  TOP_UNITS,
  type TopPart,
  topParts,
  topRows,
  topSegmentRows,
} from '../queries/top-customers.ts';
import { topFields, topSegmentFields } from '../top-customer-fields.ts';

const rowFields = [
  field({
    key: 'key',
    type: 'text',
    definition:
      '1-09 (ISO weekday and hour), 1, 09, 500-750, paid, CZ …; "(not set)" is no value, "(other)" what is beyond limit; customer deciles of under 50 are one row, 1-10. Business data.',
  }),
  ...timeOfDay,
  measure('as dimension', 'from_value', 'Low end, included.', 'open, or other rows'),
  measure('as dimension', 'to_value', 'High end, not included.', 'open, or other rows'),
  ...distributionMetrics,
  count('products', 'products_count', 'Products of the decile.', 'other rows'),
  measure('percent', 'orders_share', 'orders_count / orders of all rows, each once.', NOTHING_TO_DIVIDE_BY),
  field({
    key: 'revenue_share',
    type: 'number',
    unit: 'percent',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'revenue / revenue of all rows, each order once, also of rows that are not valid.',
  }),
  flag('valid', 'False: a status that orders_count and revenue above leave out; its money is no revenue.'),
  field({
    key: 'occurrences',
    type: 'integer',
    unit: 'periods',
    null: 'other rows',
    definition: 'Such loaded hours or days, also partial: divide by it.',
  }),
];

/** Nobody compares more parts than this. */
const MOST_PARTS = 10;
const WRONG_PART = 'must be between 0.01 and 1000000';

const PERCENTILE = 'pN: N % of orders are of at most so much.';

const ofSingleOrders = <const Key extends string>(key: Key, definition: string) =>
  measure('money', key, definition, 'no orders');

export const orderDistributionStatistics = defineTool({
  name: 'order_distribution_statistics',
  title: 'Order distribution',
  group: 'Order patterns',
  description:
    'How orders spread over one dimension: times, value, basket size, coupon, …; discounts, shipping, best customers.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'rows', uniqueBy: ['key'] },
  example: { dimension: 'weekday' },
  chart: [
    heat('rows', 'orders_count', { times: 'occurrences' }),
    bars('rows', ['key'], ['orders_count', 'revenue'], { groupedBy: 'dimension', times: 'occurrences' }),
  ],
  input: z.strictObject({
    ...rangeArguments,
    dimension: oneOf('dimension', DIMENSIONS).describe('Decile 1: the best tenth.'),
    bin_size: z
      .number('bin_size must be a number')
      .nullable()
      .default(null)
      .describe('Width of order_value, goods_value or items_count.'),
    filter_customer_type: oneOf('filter_customer_type', ['new', 'returning'])
      .nullable()
      .default(null)
      .describe('new: first orders ever.'),
    limit: integerBetween('limit', 1, 1000).default(200).describe('Of names; the rest: (other).'),
    top_customers: z
      .array(
        z.number(WRONG_PART).min(0.01, WRONG_PART).max(1_000_000, WRONG_PART),
        'must be a list of numbers, for example [1, 10]',
      )
      .max(MOST_PARTS, tooMany(MOST_PARTS))
      .nullable()
      .default(null)
      .describe('[1, 10]: share and RFM segments of the best 1 and 10 %.'),
    top_customers_as: oneOf('top_customers_as', TOP_UNITS).default('percent').describe('Or how many.'),
  }),
  fields: [
    ...coverage,
    choice(
      'dimension',
      DIMENSIONS,
      'What rows are. goods_value: revenue less shipping, so after discounts and with VAT.',
    ),
    measure('as dimension', 'bin_size', 'Width of bins.', 'another dimension, or no orders'),
    count('orders', 'orders_count', 'Valid orders.'),
    measure('money', 'revenue', 'Revenue of the orders counted.', NO_RATE),
    ...chargeMetrics,
    object('order_value', 'Of the orders counted.', [
      ofSingleOrders('min', 'Of the smallest order.'),
      ofSingleOrders('p10', PERCENTILE),
      ofSingleOrders('p25', PERCENTILE),
      ofSingleOrders('median', 'Half of orders are of at most so much.'),
      ofSingleOrders('p75', PERCENTILE),
      ofSingleOrders('p90', PERCENTILE),
      ofSingleOrders('p99', PERCENTILE),
      ofSingleOrders('max', 'Of the largest order.'),
      ofSingleOrders('mean', 'revenue / orders of a known amount.'),
    ]),
    list('rows', 'What dimension says.', rowFields),
    field({
      key: 'top_customers',
      type: 'list',
      null: 'not asked for',
      definition: 'Each part includes the smaller ones.',
      fields: topFields,
    }),
    field({
      key: 'top_customer_segments',
      type: 'list',
      null: 'not asked for',
      definition: 'Their RFM segments by the default profile, at the end of the range.',
      fields: topSegmentFields,
    }),
  ],
  plan({ args, timezone, currency, facts, leastFollowed }) {
    const { business_id, dimension, bin_size } = args;
    const tops = args.top_customers ?? [];
    const unit = args.top_customers_as;
    checkBinSize(bin_size, dimension);
    if (unit === 'percent' && tops.some((top) => top > 100)) {
      throw new InputError('top_customers must be at most 100, or top_customers_as must be number');
    }
    const asked =
      FOLLOWING_DIMENSIONS.includes(dimension) || tops.length > 0
        ? readWholeDays(args, timezone)
        : { range: readRange(args, timezone), notes: [] };
    const question = { ...args, range: asked.range };
    return plan({
      countsFirstOrders: dimension === 'order_number' || args.filter_customer_type !== null,
      queries: {
        totals: distributionTotals(question),
        rows: distributionRows(question),
        withoutCustomer: ordersWithoutCustomer(question.range, facts),
        customers: tops.length === 0 ? null : rankedCustomers(question),
        paidBack:
          dimension === 'customer_value_decile' || tops.length > 0
            ? paidBackCustomers(listedOrders(question))
            : null,
      },
      answer: ({ totals: all, rows, withoutCustomer, customers, paidBack }) => {
        const totals = onlyRow(all);
        const shown = distributionAnswer(rows, question, { timezone, facts, totals });
        const people = new FollowedPeople(leastFollowed);
        const sizes = sizesOfParts(customers[0]?.customers_count ?? 0, tops, unit);
        const answerWith = (parts: readonly TopPart[]) => {
          const whole = { revenue: totals.revenue, hasRefunds: hasRefunds(facts) };
          const best = topRows(tops, sizes, parts, whole, people);
          return {
            result: {
              business_id,
              data_until: facts.orders_until,
              dimension,
              bin_size: bin_size ?? widthOf(rows[0]?.width),
              orders_count: totals.orders_count,
              revenue: totals.revenue,
              ...valuesOf(chargeMetrics, totals),
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
              rows: shown,
              top_customers: tops.length === 0 ? null : best,
              top_customer_segments: tops.length === 0 ? null : topSegmentRows(tops, sizes, parts, people),
            },
            notes: [
              ...asked.notes,
              ...notValidNotes(shown),
              ...limitNotes(rows, shown, question),
              ...taxNotes(all),
              ...chargeNotes(totals),
              ...new Set([...fewNotes(rows, 'unique_customers_count'), ...people.notes()]),
              ...withoutCustomerNotes(withoutCustomer, currency),
              ...paidBackNotes(paidBack, totals.revenue ?? 0, currency),
              ...sizeNotes(customers[0]?.customers_count ?? 0, tops, sizes, unit),
              ...rankedByNotes(best),
            ],
          };
        };
        const known = sizes.filter((size) => size !== null);
        if (known.length === 0) return answerWith([]);
        const moment = asOf(endOfDay(asked.range.lastDate, timezone), timezone, facts);
        return plan({
          queries: { parts: topParts(question, known, moment) },
          answer: ({ parts }) => answerWith(parts),
        });
      },
    });
  },
});

function checkBinSize(size: number | null, dimension: string): void {
  if (size === null) return;
  if (!BINNED_DIMENSIONS.some((one) => one === dimension)) {
    throw new InputError(`bin_size is only for dimension ${BINNED_DIMENSIONS.join(', ')}`);
  }
  if (dimension === 'items_count') {
    if (!Number.isInteger(size) || size < 1 || size > 1_000_000) {
      throw new InputError('bin_size of items_count must be a whole number between 1 and 1000000');
    }
    return;
  }
  const isWholeCents = Math.round(size * 100) / 100 === size;
  if (!isWholeCents || size < 0.01 || size > 1_000_000_000) {
    throw new InputError('bin_size must be between 0.01 and 1000000000, with at most two decimals');
  }
}

function widthOf(tenThousandths: number | undefined): number | null {
  return tenThousandths === undefined ? null : tenThousandths / 10_000;
}
