import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { selectMetrics, valuesOf } from '../../../answers/metric.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { orders } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { orderedIn, readRange } from '../../../time/range.ts';
import { ALL_ORDERS, largeOrderNotes, largeOrders } from '../queries/large-orders.ts';
import { orderMeasures, orderMetrics, taxedOrders, taxNotes } from '../queries/order-metrics.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../queries/orders-without-customer.ts';
import { refundFields, refundsIn, refundsOf, wholeRange } from '../queries/refunds.ts';

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
    return plan({
      queries: {
        statistics: query(
          [...orderMetrics, taxedOrders],
          sql`
          select ${selectMetrics(orderMetrics)}, taxed_orders_count
          from (
            select ${orderMeasures}
            from ${orders}
            where is_valid and ${orderedIn(range)}
          ) as measures`,
        ),
        refunds: refundsOf(wholeRange(range), facts),
        withoutCustomer: ordersWithoutCustomer(range, facts),
        large: largeOrders(
          sql`select ${ALL_ORDERS}, ordered_date, revenue from ${orders} where is_valid and ${orderedIn(range)}`,
        ),
      },
      answer: ({ statistics, refunds, withoutCustomer, large }) => {
        const sold = valuesOf(orderMetrics, onlyRow(statistics));
        return {
          result: {
            business_id: args.business_id,
            ...sold,
            ...refundsIn(refunds, sold.orders_revenues, facts),
          },
          notes: [
            ...largeOrderNotes(large, 'orders_revenues', 'average_order_value'),
            ...taxNotes(statistics),
            ...withoutCustomerNotes(withoutCustomer, currency),
          ],
        };
      },
    });
  },
});
