import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { selectMetrics } from '../../../answers/metric.ts';
import { vatNotes } from '../../../answers/profit-notes.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { orders } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { orderedIn, readRange } from '../../../time/range.ts';
import { orderMeasures, orderMetrics } from '../queries/order-metrics.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../queries/orders-without-customer.ts';
import { refundFields, refundsIn, refundsOf, wholeRange } from '../queries/refunds.ts';
import { longPause, startOfHistoryNotes } from '../queries/start-of-history.ts';

export const orderStatistics = defineTool({
  name: 'order_statistics',
  title: 'Order statistics',
  group: 'Orders',
  description:
    "The store's sales: orders, revenue, average order value and customers of one range, new and returning apart. To compare, call twice.",
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject(rangeArguments),
  fields: [businessIdField, ...orderMetrics, ...refundFields],
  plan({ args, timezone, currency, facts }) {
    const range = readRange(args, timezone);
    const beginning = { firstDate: range.firstDate, timezone, facts };
    return plan({
      queries: {
        statistics: query(
          orderMetrics,
          sql`
          select ${selectMetrics(orderMetrics)}
          from (
            select ${orderMeasures}
            from ${orders}
            where is_valid and ${orderedIn(range)}
          ) as measures`,
        ),
        refunds: refundsOf(wholeRange(range)),
        withoutCustomer: ordersWithoutCustomer(range),
        pause: longPause(beginning),
      },
      answer: ({ statistics, refunds, withoutCustomer, pause }) => ({
        result: { business_id: args.business_id, ...onlyRow(statistics), ...refundsIn(refunds, facts) },
        notes: [
          ...vatNotes(statistics, facts),
          ...withoutCustomerNotes(withoutCustomer, currency),
          ...startOfHistoryNotes(pause, beginning),
        ],
      }),
    });
  },
});
