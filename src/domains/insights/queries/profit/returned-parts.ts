import { column, type ObjectOf } from '../../../../answers/fields/field.ts';
import { query } from '../../../../answers/fields/query.ts';
import { orderProducts, orders, productRefunds } from '../../../../model-table/table-names.ts';
import { parameter, sql } from '../../../../sql/sql.ts';
import { tenThousandths } from '../../../../sql/ten-thousandths.ts';
import { readOf } from '../fact.ts';
import { orderLinesFact } from '../line-facts.ts';
import { refundsFact } from '../order-facts.ts';
import { cutsLines } from './line-parts.ts';
import { shareOf } from './order-parts.ts';
import { atMost, type Cut } from './sold-parts.ts';

const RETURNED = [
  column('row_key', 'text'),
  column('cost', 'integer'),
  column('paid_back', 'integer'),
  column('paid_back_with_known_cost', 'integer'),
];
export type ReturnedRow = ObjectOf<typeof RETURNED>;

/**
 * What the goods cost that came back in the range, whenever they were sold: of each line of a refund its part
 * of what the product cost in its order, by pieces. More pieces than were sold did not come back.
 */
export function returnedParts({ range, facts, dimensions }: Cut) {
  const cuts = dimensions.some(cutsLines) ? orderLinesFact.cuts : refundsFact.cuts;
  const question = { range, facts, dimensions, conditions: [], rest: null, metrics: [] };
  const { key, joins, repeats } = readOf({ cuts }, question);
  const inRange = sql`refunded_at >= ${parameter.timestamp(range.start)} and refunded_at < ${parameter.timestamp(range.end)}
    and order_key not in (select order_key from ${orders} where status = 'cancelled')`;
  const pieces = sql`(case when back_quantity > sold_quantity then sold_quantity else back_quantity end)`;
  return query(
    RETURNED,
    sql`
    with back as (
      select order_key, product_key, refunded_date, ${tenThousandths(sql`revenue`)} as paid_back, ${tenThousandths(sql`quantity`)} as back_quantity,
        row_number() over (order by refunded_at, order_key, product_key, revenue, quantity) as back_number
      from ${productRefunds} where ${inRange}
    ),
    bought as (
      select order_key, product_key, ${tenThousandths(sql`quantity`)} as sold_quantity,
        ${tenThousandths(sql`known_net_revenue`)} - ${tenThousandths(sql`profit`)} as cost_of_sold
      from ${orderProducts} where order_key in (select order_key from back)
    ),
    costed as (
      select order_key, product_key, refunded_date, back_number, paid_back, ${shareOf(sql`cost_of_sold`, pieces, sql`sold_quantity`)} as cost_back
      from back left join bought using (order_key, product_key)
    ),
    cut as (
      select ${repeats ? sql`distinct ` : sql``}${key} as row_key, back_number, paid_back, cost_back
      from costed ${joins}
    ),
    summed as (
      select row_key, cast(coalesce(sum(cost_back), 0) as bigint) as all_cost, cast(coalesce(sum(paid_back), 0) as bigint) as all_paid_back,
        cast(coalesce(sum(case when cost_back is not null then paid_back end), 0) as bigint) as all_known
      from cut
      group by row_key
    )
    select row_key, all_cost as cost, all_paid_back as paid_back, all_known as paid_back_with_known_cost from summed
    ${atMost}`,
  );
}
