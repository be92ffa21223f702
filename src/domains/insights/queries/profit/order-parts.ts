import { orderProducts, orders } from '../../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { tenThousandths } from '../../../../sql/ten-thousandths.ts';
import { netRevenueOfAll } from '../../../products/queries/product-activity.ts';

/**
 * `amount * part / whole` of whole numbers, half away from zero; null where there is nothing to divide by.
 */
export function shareOf(amount: Sql, part: Sql, whole: Sql): Sql {
  const exact = sql`(cast(${amount} as double) * ${part} / nullif(${whole}, 0))`;
  return sql`cast(sign(${exact}) * floor(abs(${exact}) + 0.5) as bigint)`;
}

/** The VAT in an amount by the rate of the store; null where there is none. */
export function vatByStore(amount: Sql, vatRate: number | null): Sql {
  if (vatRate === null) return sql`cast(null as bigint)`;
  const whole = sql`${parameter.integer(10_000 + Math.round(vatRate * 100))}`;
  return sql`(${amount} - ${shareOf(amount, sql`10000`, whole)})`;
}

/** Five cents, by which amounts of an order may miss their sum. */
const ROUNDING = sql`500`;

/** The orders of which parts are asked for. */
interface WhichOrders {
  /** A condition on orders. */
  readonly orders: Sql;
  /** A condition on lines that those of these orders fulfil. */
  readonly lines: Sql;
}

/**
 * CTEs of which the last, `parts`, has a row for each order of these with a known rate. It tells apart what
 * was paid: `sold` goods as their prices are, less the discount of the order, `added` VAT that is on top of
 * these prices, and what was charged `beside`, as shipping. `net` is the goods without VAT, as the product
 * tools have it, `beside_net` the rest, `shipping_net` of it, and `vat` all VAT. What is not known is null.
 *
 * - An order without lines sold what was paid, without shipping.
 * - The VAT beside goods is what the tax of the order has beyond that of its lines. Where it says none, or
 *   one that cannot be of shipping, it is as high as that of the goods.
 * - Shipping has its part of that VAT; where VAT is on top, it has none.
 */
export function orderParts(which: WhichOrders, vatRate: number | null): Sql {
  return sql`
    told as (
      select order_key, ${tenThousandths(sql`revenue`)} as paid, ${tenThousandths(sql`tax`)} as told_tax,
        ${tenThousandths(sql`shipping`)} as shipping, ${tenThousandths(sql`discount`)} as told_discount
      from ${orders} where revenue is not null and ${which.orders}
    ),
    lines as (
      select order_key, ${tenThousandths(sql`sum(revenue)`)} as goods, ${tenThousandths(sql`coalesce(sum(discount), 0)`)} as discount,
        ${tenThousandths(netRevenueOfAll)} as net_of_lines, ${tenThousandths(sql`coalesce(sum(profit), 0)`)} as profit,
        ${tenThousandths(sql`coalesce(sum(known_revenue), 0)`)} as known_goods,
        ${tenThousandths(sql`coalesce(sum(known_net_revenue), 0)`)} as known_net
      from ${orderProducts} where ${which.lines}
      group by order_key
    ),
    believed as (
      select order_key, paid, shipping, told_discount, goods, discount, net_of_lines, profit, known_goods, known_net,
        case when told_tax = 0 then 0
          when sign(told_tax) = sign(paid) and abs(told_tax) < abs(paid) then told_tax
          else ${vatByStore(sql`paid`, vatRate)} end as tax,
        case when goods is null then paid - coalesce(shipping, 0) else goods - discount end as sold
      from told left join lines using (order_key)
    ),
    goods_net as (
      select *, case when goods is not null then net_of_lines
          when sold = 0 then 0
          else ${shareOf(sql`sold`, sql`(paid - tax)`, sql`paid`)} end as net
      from believed
    ),
    added_vat as (
      select *, case when goods is not null and tax <> 0 and net = sold and paid - tax - net >= coalesce(shipping, 0) - ${ROUNDING}
          then coalesce(${shareOf(sql`tax`, sql`net`, sql`(paid - tax)`)}, 0) else 0 end as added
      from goods_net
    ),
    rest as (
      select *, paid - sold - added as beside, tax - (sold - net) - added as told_beside
      from added_vat
    ),
    vat_beside as (
      select *, case
          when net is null then null
          when abs(told_beside) <= ${ROUNDING} then told_beside
          when sign(told_beside) = sign(beside) and 2 * abs(told_beside) <= abs(beside) then told_beside
          when beside = 0 then 0
          else ${shareOf(sql`beside`, sql`(sold - net + added)`, sql`(sold + added)`)} end as of_beside
      from rest
    ),
    parts as (
      select order_key, paid, goods is not null as has_lines, coalesce(goods, sold) as goods, coalesce(discount, 0) as discount, sold, added, net,
        coalesce(profit, 0) as profit, coalesce(known_goods, 0) as known_goods, coalesce(known_net, 0) as known_net,
        beside - of_beside as beside_net, sold - net + added + of_beside as vat, shipping, told_discount,
        case
          when shipping = 0 then 0
          when of_beside is null then null
          when added <> 0 then shipping
          when beside <> 0 and sign(of_beside) * sign(beside) >= 0 and 2 * abs(of_beside) <= abs(beside)
            then ${shareOf(sql`shipping`, sql`(beside - of_beside)`, sql`beside`)}
          else coalesce(${shareOf(sql`shipping`, sql`net`, sql`(sold + added)`)}, shipping)
        end as shipping_net
      from vat_beside
    )`;
}
