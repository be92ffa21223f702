import { z } from 'zod';
import { breakdownArgument, rangeArguments } from '../../../answers/arguments.ts';
import { field } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { businessIdField, periodFields, periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { selectMetrics } from '../../../answers/metric.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { zeroFilled } from '../../../answers/zero-filled.ts';
import { orders } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { coverWithPeriods, periodStart } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import { orderMeasures, orderMetrics } from '../queries/order-metrics.ts';
import { byPeriod, refundFields, refundsIn, refundsOf } from '../queries/refunds.ts';

export const orderStatisticsTrend = defineTool({
  name: 'order_statistics_trend',
  title: 'Order statistics trend',
  group: 'Orders',
  description:
    'Orders, revenue, average order value and customers per day, week or month: use it to see growth, seasons and ' +
    'single odd days. The range is widened to whole periods and every period has a row, also without orders. ' +
    'Distinct customers do not add up over periods: for a whole range use order_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ ...rangeArguments, ...breakdownArgument }),
  fields: [
    businessIdField,
    field({
      key: 'periods',
      type: 'list',
      definition: 'Every period of the range.',
      fields: [...periodFields, ...orderMetrics, ...refundFields],
    }),
  ],
  plan({ args, timezone, facts }) {
    const periods = coverWithPeriods(readRange(args, timezone), args.breakdown);
    return plan({
      queries: {
        buckets: query(
          [periodStartColumn, ...orderMetrics],
          sql`
          select period_start, ${selectMetrics(orderMetrics)}
          from (
            select ${periodStart(periods.breakdown, sql`ordered_date`)} as period_start, ${orderMeasures}
            from ${orders}
            where is_valid
              and ordered_date between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}
            group by period_start
          ) as measures`,
        ),
        refunds: refundsOf(byPeriod(periods)),
      },
      answer: ({ buckets, refunds }) => {
        const refundsByStart = Map.groupBy(refunds, ({ period_start }) => period_start);
        return {
          result: {
            business_id: args.business_id,
            periods: zeroFilled(periods, orderMetrics, buckets).map((period) => ({
              ...period,
              ...refundsIn(refundsByStart.get(period.period_start) ?? [], facts),
            })),
          },
        };
      },
    });
  },
});
