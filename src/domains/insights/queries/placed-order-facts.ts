import { column } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { counted, rate, selectMetrics } from '../../../answers/metric.ts';
import { orders } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { orderedIn } from '../../../time/range.ts';
import { periodCuts } from './dimensions.ts';
import { type Fact, readOf } from './fact.ts';
import { hasInOrder, named, ofOrder } from './order-facts.ts';

const PLACED = sql`count(*) filter (where not is_test)`;
const CANCELLED = sql`count(*) filter (where not is_test and status = 'cancelled')`;

const placedMetrics = [
  counted('orders', 'placed_orders_count', 'orders_count and cancelled orders.', PLACED),
  counted(
    'orders',
    'cancelled_orders_count',
    'Placed in the range and cancelled whenever; in no other number of orders and revenue.',
    CANCELLED,
  ),
  rate(
    'cancellation_rate',
    'cancelled_orders_count / placed_orders_count, by the date of the order; recent orders may still be cancelled.',
    CANCELLED,
    PLACED,
  ),
  counted(
    'orders',
    'test_orders_count',
    'Marked as tests, also cancelled ones; in no other number.',
    sql`count(*) filter (where is_test)`,
  ),
];

const { customer_type: _, channel: __, first_click_channel: ___, ...cuts } = ofOrder;

/** Cancelled and test orders have no number among those of their customer and are credited to no visit. */
export const placedOrdersFact: Fact = {
  name: 'placed_orders',
  definition: 'Valid, cancelled and test orders, by when they were placed.',
  cuts: { ...periodCuts(sql`ordered_date`), ...cuts },
  has: { coupon: hasInOrder.coupon },
  metrics: named(placedMetrics, {
    placed_orders_count: 'placed_orders_count',
    cancelled_orders_count: 'cancelled_orders_count',
    cancellation_rate: 'cancellation_rate',
    test_orders_count: 'test_orders_count',
  }),
  adds: ['placed_orders_count', 'cancelled_orders_count', 'test_orders_count'],
  rows(question) {
    const { key, condition, joins, repeats } = readOf(this, question);
    // A row that has nothing but test orders is there only for who asks about them.
    const asksTests = question.metrics.some((metric) => metric.key === 'test_orders_count');
    return sql`
      select row_key, ${selectMetrics(question.metrics)}
      from (
        select ${repeats ? sql`distinct ` : sql``}${key} as row_key, order_key, status, is_test
        from ${orders} ${joins}
        where ${asksTests ? sql`` : sql`not is_test and `}status <> 'credit_note' and ${orderedIn(question.range)} and ${condition}
      ) as placed
      group by row_key`;
  },
};

const COLUMNS = [column('cancelled_orders_count', 'integer')];

/** How many orders of the store are cancelled at all. */
export function cancelledOrders(): Query {
  return {
    ...query(
      COLUMNS,
      sql`select count(*) as cancelled_orders_count from ${orders} where status = 'cancelled'`,
    ),
    isAside: true,
  };
}

/** If no order is cancelled, most likely the source does not say which are. */
export function cancelledNotes([found]: readonly { readonly cancelled_orders_count?: unknown }[]): string[] {
  return Number(found?.cancelled_orders_count ?? 1) === 0
    ? [
        'No order of the store is marked as cancelled: if its source does not tell cancellations, these are unknown and not 0.',
      ]
    : [];
}
