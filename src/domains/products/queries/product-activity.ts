import { ratio } from '../../../answers/metric.ts';
import { orderProducts, orders, productEvents, productRefunds } from '../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';
import { largestOrder } from '../../orders/queries/large-orders.ts';
import { tellsDiscounts } from '../../orders/queries/order-distribution.ts';
import { type ProductFilters, selectsProducts } from './product-filters.ts';
import type { Level } from './product-level.ts';

/** The sales and events that count, and how they fall into periods. */
export interface ActivityWindow {
  readonly orders: Sql;
  readonly events: Sql;
  readonly refunds: Sql;
  readonly orderPeriod: Sql;
  readonly eventPeriod: Sql;
  readonly refundPeriod: Sql;
  /** What parts rows: the entity and the period, where there is more than one. */
  readonly keys: Sql;
  /** Whether the customer's first order ever lies in the same range or period as this one. */
  readonly isNewCustomer: Sql;
}

/** The exact range as one period. */
export function exactWindow(range: Range): ActivityWindow {
  const start = parameter.timestamp(range.start);
  const end = parameter.timestamp(range.end);
  const whole = parameter.date(range.firstDate.toString());
  return {
    orders: sql`ordered_at >= ${start} and ordered_at < ${end}`,
    events: sql`happened_at >= ${start} and happened_at < ${end}`,
    refunds: sql`refunded_at >= ${start} and refunded_at < ${end}`,
    orderPeriod: sql`${whole}`,
    eventPeriod: sql`${whole}`,
    refundPeriod: sql`${whole}`,
    keys: sql`entity_key`,
    isNewCustomer: sql`first_ordered_at >= ${start}`,
  };
}

/** The widened range, period by period. */
export function periodsWindow(periods: Periods): ActivityWindow {
  const first = parameter.date(periods.firstDate);
  const last = parameter.date(periods.lastDate);
  const orderPeriod = periodStart(periods.breakdown, sql`ordered_date`);
  return {
    orders: sql`ordered_date between ${first} and ${last}`,
    events: sql`happened_date between ${first} and ${last}`,
    refunds: sql`refunded_date between ${first} and ${last}`,
    orderPeriod,
    refundPeriod: periodStart(periods.breakdown, sql`refunded_date`),
    eventPeriod: periodStart(periods.breakdown, sql`happened_date`),
    keys: sql`entity_key, period`,
    isNewCustomer: sql`first_ordered_date >= ${orderPeriod}`,
  };
}

/**
 * CTEs `sales`, `buyers`, `returned` (by the day of the order) and `refunded` (by that of the refund), each
 * with one row per entity, and period where there are several, that has any; needs the CTE `members` before
 * them. Their columns, with those of `attention`, are what the performance metrics are made of.
 *
 * Distinct customers are counted over a `select distinct`, which DuckDB does in about half the time of
 * `count(distinct …)` per group.
 */
export function activity(level: Level, window: ActivityWindow, filters: ProductFilters): Sql {
  const { keys } = window;
  // Where all products are members, lines need not find theirs.
  const sold =
    level === 'product' && !selectsProducts(filters)
      ? sql`(select *, product_key as entity_key from ${orderProducts}) as sold`
      : sql`${orderProducts} join members using (product_key)`;
  return sql`
    lines as (
      select entity_key, ${window.orderPeriod} as period, order_key, order_number, customer_key, visitor_key, order_revenue,
        ${addedColumns},
        ${window.isNewCustomer} as is_new_customer
      from ${sold}
      where ${window.orders}
    ),
    sales as (${sales(level, keys)}),
    buyers as (
      select ${keys},
        count(*) as unique_customers_count,
        count(*) filter (where is_new_customer) as new_customers_count
      from (
        select distinct ${keys}, customer_key, is_new_customer from lines where customer_key is not null
      ) as customers
      group by ${keys}
    ),
    returned as (
      select entity_key, ${window.orderPeriod} as period, sum(quantity) as returned_pieces, sum(revenue) as returned_revenue
      from ${productRefunds} join members using (product_key)
      where is_valid and ${window.orders}
      group by entity_key, period
    ),
    refunded as (
      select entity_key, ${window.refundPeriod} as period, sum(quantity) as refunded_pieces, sum(revenue) as refunded_revenue
      from ${productRefunds} join members using (product_key)
      where ${window.refunds}
      group by entity_key, period
    )`;
}

/** CTEs `attention` and `converted`, with rows as those of `activity`, which stands before them. */
export function attention(window: ActivityWindow): Sql {
  const { keys } = window;
  return sql`
    events as (
      select entity_key, ${window.eventPeriod} as period, visitor_key, kind, engagement_s, score
      from ${productEvents} join members using (product_key)
      where ${window.events}
    ),
    viewers as (
      select distinct ${keys}, visitor_key from events where kind = 'view'
    ),
    attention as (
      select ${keys},
        count(*) filter (where kind = 'view') as impressions,
        sum(engagement_s) as engagement_time_s,
        sum(score) as engagement_score
      from events
      group by ${keys}
    ),
    converted as (
      select ${keys}, count(*) as reach, count(orderer) as converted_visitors
      from viewers
      left join (
        select distinct ${keys}, visitor_key, 1 as orderer
        from (
          select ${keys}, visitor_key from lines
          union all
          select ${keys}, customer_key from lines where customer_key <> visitor_key
        ) as people
        join viewers using (${keys}, visitor_key)
      ) as orderers using (${keys}, visitor_key)
      group by ${keys}
    )`;
}

/**
 * To be joined in place of `attention` and `converted` where the store has no events of products: planning
 * them costs a third of a small call.
 */
export const NO_ATTENTION = sql`cross join (
    select cast(null as bigint) as impressions, cast(null as decimal(18,4)) as engagement_time_s, cast(null as bigint) as engagement_score,
      cast(null as bigint) as reach, cast(null as bigint) as converted_visitors
  ) as unseen`;

/**
 * A one-row cross join: `tells_discounts`, whether enough orders tell their discounts, and `tells_zeros`,
 * whether some tell one of 0. Where none does, the source leaves out zeros, so an order without a discount
 * had none.
 */
export function discountsKnown({ orders: placed }: ActivityWindow): Sql {
  return sql`cross join (
    select ${tellsDiscounts} as tells_discounts, count(*) filter (where discount = 0) > 0 as tells_zeros
    from ${orders} where is_valid and ${placed}
  ) as told`;
}

/**
 * A product has one line per order. Brands and categories are grouped by order only for counts of orders;
 * grouping all sums too takes half as long again.
 */
function sales(level: Level, keys: Sql): Sql {
  if (level === 'product')
    return sql`
      select ${keys}, ${orderCounts}, ${lineSums}, ${largestOrder}
      from lines
      group by ${keys}`;
  return sql`
      select *
      from (select ${keys}, ${lineSums} from lines group by ${keys}) as sums
      join (
        select ${keys}, ${orderCounts}, ${largestOrder}
        from (
          select ${keys}, any_value(order_number) as order_number, any_value(order_revenue) as order_revenue, sum(revenue) as revenue
          from lines
          group by ${keys}, order_key
        ) as baskets
        group by ${keys}
      ) as counts using (${keys})`;
}

/**
 * SQL: the net revenue of lines or baskets. It is null as soon as the VAT of one is not known, since a part
 * of the sum would look like all of it. What has no exchange rate is left out, as it is in `revenue`.
 */
export const netRevenueOfAll: Sql = sql`case when count(net_revenue) = count(revenue) then sum(net_revenue) end`;

/** The columns of order lines that are added up, with the names of their sums. A new sum is one line here. */
const ADDED = {
  quantity: 'pieces',
  revenue: 'estimated_revenue',
  discount: 'discount',
  net_revenue: 'net_revenue',
  profit: 'estimated_gross_profit',
  known_revenue: 'known_revenue',
  known_net_revenue: 'known_net_revenue',
} as const;

/** These columns of a line, as a select reads them. */
export const addedColumns: Sql = join(Object.keys(ADDED).map(identifier));

const sumOf = (column: string) =>
  column === 'net_revenue' ? netRevenueOfAll : sql`sum(${identifier(column)})`;

/** What counts orders, over one row for each. */
export const orderCounts: Sql = sql`count(*) as unique_orders_count,
        count(*) filter (where order_number = 1) as first_orders,
        count(*) filter (where order_number = 2) as second_orders,
        count(*) filter (where order_number > 1) as returning_orders,
        ${ratio(sql`sum(order_revenue)`, sql`count(order_revenue)`)} as avg_order_value`;

/** What adds lines up. */
export const lineSums: Sql = sql`cast(round(sum(quantity)) as bigint) as total_quantity,
        ${join(Object.entries(ADDED).map(([column, name]) => sql`${sumOf(column)} as ${identifier(name)}`))}`;

/** What sales are made of, where an order has one line in each row. */
export const basketMeasures: Sql = sql`${orderCounts}, ${lineSums}`;
