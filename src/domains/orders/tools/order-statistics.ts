import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { selectMetrics, valuesOf } from '../../../answers/metric.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { orders } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { orderedIn, readRange } from '../../../time/range.ts';
import {
  ALL_ORDERS,
  LARGEST_ORDER,
  largeOrderNotes,
  largeOrders,
  largestOrder,
  withLargeOrders,
} from '../queries/large-orders.ts';
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
          [...orderMetrics, taxedOrders, ...LARGEST_ORDER],
          sql`
          select ${selectMetrics(orderMetrics)}, taxed_orders_count, priced_orders_count, largest_order
          from (
            select ${orderMeasures}, ${largestOrder}
            from ${orders}
            where is_valid and ${orderedIn(range)}
          ) as measures`,
        ),
        refunds: refundsOf(wholeRange(range), facts),
        withoutCustomer: ordersWithoutCustomer(range, facts),
      },
      answer: ({ statistics, refunds, withoutCustomer }) => {
        const all = onlyRow(statistics);
        const sold = valuesOf(orderMetrics, all);
        const large = largeOrders(
          sql`select ${ALL_ORDERS}, ordered_date, revenue from ${orders} where is_valid and ${orderedIn(range)}`,
        );
        return withLargeOrders([{ ...all, whole: sold.orders_revenues }], large, (found) => ({
          result: {
            business_id: args.business_id,
            ...sold,
            ...refundsIn(refunds, sold.orders_revenues, facts),
          },
          notes: [
            ...largeOrderNotes(found, 'orders_revenues', 'average_order_value'),
            ...taxNotes(statistics),
            ...withoutCustomerNotes(withoutCustomer, currency),
          ],
        }));
      },
    });
  },
});
