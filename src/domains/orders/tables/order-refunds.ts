import { localDate } from '../../../model-table/business-values.ts';
import { date, flag, integer, moment, money } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { inBusinessCurrency } from './money.ts';
import { valuedOrders } from './orders.ts';

export const orderRefunds = modelTable({
  name: 'order_refunds',
  scope: { person: 'visitor_key' },
  meaning: `One row per refund of an order that is no test, with or without lines. \`revenue\` is what was paid back, in the business currency
at the rate of the order, null where that rate is unknown. \`is_of_cancelled\`: the order was cancelled, so what was paid for it is in no
revenue.`,
  columns: {
    order_key: integer,
    visitor_key: integer,
    refunded_at: moment,
    refunded_date: date,
    revenue: money,
    is_of_cancelled: flag,
  },
  order: ['refunded_at'],
  needs: [stored.refunds, valuedOrders],
  rows: relation`
select order_key, visitor_key, refunded_at, ${localDate('refunded_at')} as refunded_date,
  cast(${inBusinessCurrency('amount', 'rate')} as decimal(18,4)) as revenue,
  status = 'cancelled' as is_of_cancelled
from ${stored.refunds} join ${valuedOrders} using (order_id)
where not is_test
order by refunded_at, refund_id`,
});
