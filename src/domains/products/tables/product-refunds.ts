import { localDate } from '../../../model-table/business-values.ts';
import { date, flag, integer, moment, money } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { inBusinessCurrency } from '../../orders/tables/money.ts';
import { valuedOrders } from '../../orders/tables/orders.ts';
import { products } from './products.ts';

export const productRefunds = modelTable({
  name: 'product_refunds',
  scope: { person: 'visitor_key' },
  meaning: `One row per line of a refund of an order that is no test, where the line leads to a product: by its own id, else by the line of the order.
\`ordered_at\` and \`ordered_date\` are those of the order, \`revenue\` what was paid back for the line, in the business
currency at the rate of the order. \`is_valid\` is that of the order.`,
  columns: {
    order_key: integer,
    product_key: integer,
    visitor_key: integer,
    ordered_at: moment,
    ordered_date: date,
    refunded_at: moment,
    refunded_date: date,
    quantity: money,
    revenue: money,
    is_valid: flag,
  },
  order: ['refunded_at'],
  needs: [stored.refunds, stored.refundLines, valuedOrders],
  rows: relation`
with lines as (
  select refund_id, order_id, lines.quantity, amount, coalesce(lines.external_product_id, items.external_product_id) as external_product_id
  from ${stored.refundLines} as lines
  left join (select order_id, line_no, external_product_id from ${stored.orderItems} where kind = 'product') as items
    using (order_id, line_no)
)
select order_key, product_key, visitor_key, ordered_at, cast(ordered_local as date) as ordered_date,
  refunded_at, ${localDate('refunded_at')} as refunded_date,
  cast(lines.quantity as decimal(18,4)) as quantity,
  cast(${inBusinessCurrency('lines.amount', 'rate')} as decimal(18,4)) as revenue,
  is_valid
from lines
join ${stored.refunds} using (refund_id, order_id)
join ${valuedOrders} using (order_id)
join ${products} using (external_product_id)
where not is_test
order by refunded_at, order_key, product_key, lines.quantity, lines.amount`,
});
