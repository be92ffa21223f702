import { z } from 'zod';
import { breakdownArgument, rangeArguments } from '../../../answers/arguments.ts';
import { line } from '../../../answers/chart.ts';
import { column } from '../../../answers/fields/field.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { businessIdField, periodFields, periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import {
  forecastArgument,
  forecastField,
  NOT_ASKED_FOR,
  orderForecastAnswer,
  periodsToLearnFrom,
} from '../../../answers/forecast.ts';
import { selectMetrics } from '../../../answers/metric.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { zeroFilled } from '../../../answers/zero-filled.ts';
import { orders } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';
import { coverWithPeriods, type Periods, periodStart } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import {
  LARGEST_ORDER,
  largeOrderRowNotes,
  largeOrders,
  largestOrder,
  withLargeOrders,
} from '../queries/large-orders.ts';
import { orderMeasures, orderMetrics, taxedOrders, taxNotes } from '../queries/order-metrics.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../queries/orders-without-customer.ts';
import { byPeriod, refundFields, refundsIn, refundsOf } from '../queries/refunds.ts';

const LEARNED = [periodStartColumn, column('orders_count', 'integer'), column('orders_revenues', 'number')];

export const orderStatisticsTrend = defineTool({
  name: 'order_statistics_trend',
  title: 'Order statistics trend',
  group: 'Orders',
  description:
    "The store's sales: orders, revenue, average order value, customers per day, week or month: growth, seasons. Customers do not add up.",
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start'], areObjects: true },
  example: { breakdown: 'month' },
  chart: [
    line('periods', 'period', [
      'orders_revenues',
      ['orders_count', 'new_orders_count'],
      'average_order_value',
    ]),
  ],
  input: z.strictObject({ ...rangeArguments, ...breakdownArgument, ...forecastArgument }),
  fields: [
    businessIdField,
    list('periods', 'Every period of the range.', [...periodFields, ...orderMetrics, ...refundFields]),
    forecastField,
  ],
  plan({ args, timezone, currency, facts, mostRows }) {
    const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, 1, mostRows);
    const horizon = args.forecast_periods;
    const learned = horizon === null ? null : periodsToLearnFrom(periods, facts.orders_until, timezone);
    return plan({
      queries: {
        buckets: query(
          [periodStartColumn, ...orderMetrics, taxedOrders, ...LARGEST_ORDER],
          sql`
          select period_start, ${selectMetrics(orderMetrics)}, taxed_orders_count, priced_orders_count, largest_order
          from (
            select ${periodStart(periods.breakdown, sql`ordered_date`)} as period_start, ${orderMeasures}, ${largestOrder}
            from ${orders}
            where is_valid
              and ordered_date between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}
            group by period_start
          ) as measures`,
        ),
        refunds: refundsOf(byPeriod(periods), facts),
        learned: learned && learnedOrders(learned),
        withoutCustomer: ordersWithoutCustomer(periods, facts),
      },
      *answer({ buckets, refunds, learned: learnedBuckets, withoutCustomer }) {
        const { forecast, notes } =
          horizon === null
            ? NOT_ASKED_FOR
            : yield* orderForecastAnswer(horizon, {
                learned,
                firstDate: facts.history_starts_at && localDate(facts.history_starts_at, timezone).toString(),
                buckets: learnedBuckets,
              });
        const refundsByStart = Map.groupBy(refunds, ({ period_start }) => period_start);
        const sums = buckets.map((bucket) => ({ ...bucket, whole: bucket.orders_revenues }));
        return withLargeOrders(sums, largeOrdersIn(periods), (large) => ({
          result: {
            business_id: args.business_id,
            periods: zeroFilled(
              periods,
              orderMetrics,
              buckets.map(
                ({ taxed_orders_count: _, priced_orders_count: __, largest_order: ___, ...bucket }) => bucket,
              ),
            ).map((period) => ({
              ...period,
              ...refundsIn(refundsByStart.get(period.period_start) ?? [], period.orders_revenues, facts),
            })),
            forecast,
          },
          notes: [
            ...largeOrderRowNotes(
              large,
              periods.list.map(({ period_start }) => period_start),
              'orders_revenues',
            ),
            ...notes,
            ...taxNotes(buckets),
            ...withoutCustomerNotes(withoutCustomer, currency),
          ],
        }));
      },
    });
  },
});

/** The periods of which one order makes a large part, by their first day. */
function largeOrdersIn(periods: Periods) {
  return largeOrders(sql`
    select cast(${periodStart(periods.breakdown, sql`ordered_date`)} as varchar) as row_key, ordered_date, revenue
    from ${orders}
    where is_valid
      and ordered_date between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}`);
}

/** Orders of the periods that a forecast learns from. */
function learnedOrders(periods: Periods) {
  return query(
    LEARNED,
    sql`
    select ${periodStart(periods.breakdown, sql`ordered_date`)} as period_start,
      count(*) as orders_count, sum(revenue) as orders_revenues
    from ${orders}
    where is_valid
      and ordered_date between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}
    group by period_start`,
  );
}
