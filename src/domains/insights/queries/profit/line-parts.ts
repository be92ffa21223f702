import { query } from '../../../../answers/fields/query.ts';
import { orderProducts, orders, productRefunds } from '../../../../model-table/table-names.ts';
import { parameter, sql } from '../../../../sql/sql.ts';
import { tenThousandths } from '../../../../sql/ten-thousandths.ts';
import { orderedIn } from '../../../../time/range.ts';
import type { DimensionName } from '../dimensions.ts';
import { readOf } from '../fact.ts';
import { orderLinesFact } from '../line-facts.ts';
import { orderParts } from './order-parts.ts';
import { atMost, type Cut, REFUNDED, refundSums, SOLD } from './sold-parts.ts';

/** What cuts the lines of orders. */
export const cutsLines = (by: DimensionName | null): boolean =>
  by === 'product' || by === 'brand' || by === 'category';

/** `soldParts` of what lines are cut by: what orders have beside their lines is not told apart. */
export function soldLines({ range, facts, dimensions }: Cut) {
  const question = { range, facts, dimensions, conditions: [], rest: null, metrics: [] };
  const { key, joins, repeats } = readOf(orderLinesFact, question);
  return query(
    SOLD,
    sql`
    with lines as (
      select ${repeats ? sql`distinct ` : sql``}${key} as row_key, order_key, product_key,
        ${tenThousandths(sql`revenue`)} as goods, ${tenThousandths(sql`coalesce(discount, 0)`)} as discount,
        ${tenThousandths(sql`net_revenue`)} as net, ${tenThousandths(sql`coalesce(profit, 0)`)} as profit,
        ${tenThousandths(sql`coalesce(known_revenue, 0)`)} as known_goods, ${tenThousandths(sql`coalesce(known_net_revenue, 0)`)} as known_net
      from ${orderProducts} ${joins}
      where ${orderedIn(range)}
    ),
    baskets as (
      select row_key, order_key, coalesce(sum(goods), 0) as all_goods, coalesce(sum(discount), 0) as all_discount, coalesce(sum(net), 0) as all_net,
        coalesce(sum(case when net is not null then goods - discount end), 0) as taxed, sum(known_net - profit) as cost, sum(known_net) as all_known_net,
        sum(known_goods) as all_known, count(goods) as priced_lines, count(net) as taxed_lines
      from lines group by row_key, order_key
    ),
    told as (
      select order_key, discount as of_order from ${orders} where is_valid and ${orderedIn(range)}
    )
    select row_key, -1 as payment_fees, -1 as shipping_paid, -1 as packaging, count(*) as orders,
      cast(sum(all_goods - all_discount) as bigint) as paid, cast(sum(all_goods) as bigint) as goods,
      cast(sum(all_discount) as bigint) as discount, cast(sum(all_goods - all_discount) as bigint) as sold, 0 as added,
      cast(sum(all_net) as bigint) as net, cast(sum(taxed) as bigint) as sold_with_known_vat,
      cast(sum(baskets.cost) as bigint) as cost, cast(sum(all_known) as bigint) as goods_with_known_cost,
      cast(sum(all_known_net) as bigint) as net_with_known_cost, 0 as shipping, 0 as beside,
      0 as recorded_shipping, 0 as recorded_payment,
      count(*) filter (where priced_lines > 0) as priced, 0 as without_lines,
      count(*) filter (where taxed_lines < priced_lines) as without_vat,
      count(of_order) as discount_told, count(*) filter (where of_order > 0) as discounted, 0 as shipping_told, count(*) as beside_unknown
    from baskets join told using (order_key)
    group by row_key
    ${atMost}`,
  );
}

/** `refundedParts` of refunds that tell what came back. */
export function refundedLines({ range, facts, dimensions }: Cut) {
  const cuts = orderLinesFact.cuts;
  const question = { range, facts, dimensions, conditions: [], rest: null, metrics: [] };
  const { key, joins, repeats } = readOf({ cuts }, question);
  const inRange = sql`refunded_at >= ${parameter.timestamp(range.start)} and refunded_at < ${parameter.timestamp(range.end)}
    and order_key not in (select order_key from ${orders} where status = 'cancelled')`;
  const paidBack = sql`order_key in (select order_key from ${productRefunds} where ${inRange})`;
  return query(
    REFUNDED,
    sql`
    with ${orderParts({ orders: paidBack, lines: paidBack }, facts.vat_rate)},
    refunds as (
      select order_key, product_key, ${tenThousandths(sql`revenue`)} as paid_back,
        row_number() over (order by refunded_at, order_key, product_key, revenue) as refund_number
      from ${productRefunds} where ${inRange}
    ),
    cut as (
      select ${repeats ? sql`distinct ` : sql``}${key} as row_key, order_key, refund_number, paid_back
      from refunds ${joins}
    ),
    ${refundSums(facts.vat_rate)}`,
  );
}
