import { column, field, NO_RATE, NOTHING_TO_DIVIDE_BY, VAT_UNKNOWN } from '../../../answers/fields/field.ts';
import { count, measure, object } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { knownSum, orZero, percent } from '../../../answers/metric.ts';
import { orderProducts } from '../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import { netRevenueOfAll } from './product-activity.ts';

const sums = [
  count('orders', 'unique_orders_count', 'Orders with it.'),
  count('pieces', 'total_quantity', 'Pieces sold.'),
  field({
    key: 'estimated_revenue',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'Quantity x unit price after line discounts, with VAT, before refunds.',
  }),
  measure('money', 'net_revenue', 'estimated_revenue - discount - tax, before refunds.', VAT_UNKNOWN),
  field({
    key: 'estimated_gross_profit',
    type: 'number',
    unit: 'money',
    null: 'none known',
    definition: 'net_revenue - purchase prices then, else now, where both known.',
  }),
  field({
    key: 'revenue_with_known_cost',
    type: 'number',
    unit: 'percent',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'What has a known cost and VAT / estimated_revenue.',
  }),
];

/** What a listing says of all its rows, beside the page of them. */
export const totalsFields = [
  totalCount,
  object('totals', 'Of all rows that match, each order line once.', sums),
] as const;

/**
 * One row, with `total_count`.
 *
 * @param members (product_key, entity_key, entity)
 * @param matching (entity) of the rows that pass filters on metrics; undefined: all
 */
export function listingTotals(range: Range, members: Sql, matching: Sql | null) {
  const chosen = sql`select product_key, entity_key from (${members}) as members
    where ${matching === null ? sql`true` : sql`entity in (select entity from (${matching}) as matching)`}`;
  return query(
    [column('total_count', 'integer'), ...sums],
    sql`
    select total_count, unique_orders_count, total_quantity, estimated_revenue,
      case when unique_orders_count = 0 then 0 else net_revenue end as net_revenue,
      case when unique_orders_count = 0 then 0 else estimated_gross_profit end as estimated_gross_profit,
      revenue_with_known_cost
    from (select count(distinct entity_key) as total_count from (${chosen}) as chosen) as counted
    cross join (
      select count(distinct order_key) as unique_orders_count,
        cast(round(${orZero(sql`sum(quantity)`)}) as bigint) as total_quantity,
        ${knownSum(sql`revenue`)} as estimated_revenue,
        ${netRevenueOfAll} as net_revenue,
        sum(profit) as estimated_gross_profit,
        ${percent(orZero(sql`sum(known_revenue)`), sql`sum(revenue)`)} as revenue_with_known_cost
      from ${orderProducts}
      where ${orderedIn(range)} and product_key in (select product_key from (${chosen}) as chosen)
    ) as summed`,
  );
}

/** The totals as the answer has them. */
export function totalsOf<Totals extends { readonly total_count: number }>({
  total_count,
  ...totals
}: Totals) {
  return { total_count, totals };
}
