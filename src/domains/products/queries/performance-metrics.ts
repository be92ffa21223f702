import {
  type Column,
  DISCOUNT_UNKNOWN,
  NO_RATE,
  NOTHING_TO_DIVIDE_BY,
  sinceFirst,
  VAT_UNKNOWN,
} from '../../../answers/fields/field.ts';
import { counted, metric, orZero, percent, rate, ratio } from '../../../answers/metric.ts';
import { toFourDecimals } from '../../../sql/rounding.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { refundMetrics } from './refund-metrics.ts';

/** The metrics over the joined CTEs of `activity`. Either side may be missing. */
const performanceMetrics = [
  counted('orders', 'unique_orders_count', 'Orders with it.', orZero(sql`unique_orders_count`)),
  sinceFirst(counted('orders', 'new_orders_count', 'New orders with it.', orZero(sql`first_orders`))),
  sinceFirst(
    counted('orders', 'returning_orders_count', 'Returning orders with it.', orZero(sql`returning_orders`)),
  ),
  counted('pieces', 'total_quantity', 'Pieces sold.', orZero(sql`total_quantity`)),
  metric({
    key: 'estimated_revenue',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'Quantity x unit price after line discounts, with VAT, before refunds.',
    value: sql`case when unique_orders_count is null then 0 else estimated_revenue end`,
  }),
  counted(
    'customers',
    'unique_customers_count',
    'Distinct customers who ordered it.',
    orZero(sql`unique_customers_count`),
  ),
  sinceFirst(
    counted(
      'customers',
      'new_customers_count',
      'Buyers whose first order ever, of anything, is in the period.',
      orZero(sql`new_customers_count`),
    ),
  ),
  sinceFirst(
    counted(
      'customers',
      'returning_customers_count',
      'unique_customers_count - new_customers_count: never divide returning_orders_count by it.',
      sql`coalesce(unique_customers_count, 0) - coalesce(new_customers_count, 0)`,
    ),
  ),
  metric({
    key: 'avg_order_value',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    definition: 'Revenue of whole orders with it / unique_orders_count.',
    base: 'unique_orders_count',
    value: sql`case when unique_orders_count is null then 0 else avg_order_value end`,
  }),
  counted('views', 'impressions', 'Views of the product page.', orZero(sql`impressions`)),
  counted('visitors', 'reach', 'Distinct visitors with a view.', orZero(sql`reach`)),
  counted(
    'seconds',
    'total_engagement_time_s',
    'In the foreground, at most 1800 per view.',
    sql`cast(round(coalesce(engagement_time_s, 0)) as bigint)`,
  ),
  counted(
    'points',
    'total_engagement_score',
    'Per view 1, 1 per full 10 s (at most 6), 3 per add-to-cart, 2 per wish list or watchdog.',
    orZero(sql`engagement_score`),
  ),
  metric({
    key: 'avg_engagement_time_s',
    type: 'number',
    unit: 'seconds',
    definition: 'total_engagement_time_s / impressions.',
    value: orZero(ratio(sql`engagement_time_s`, sql`impressions`)),
  }),
  metric({
    key: 'avg_engagement_score',
    type: 'number',
    unit: 'points',
    definition: 'total_engagement_score / impressions.',
    value: orZero(ratio(sql`engagement_score`, sql`impressions`)),
  }),
  metric({
    key: 'conversion_rate',
    type: 'number',
    unit: 'percent',
    definition: 'Visitors of reach who ordered it / reach.',
    value: orZero(percent(orZero(sql`converted_visitors`), sql`reach`)),
  }),
  sinceFirst(
    counted('orders', 'first_order_occurrences', 'Equal to new_orders_count.', orZero(sql`first_orders`)),
  ),
  sinceFirst(
    counted(
      'orders',
      'second_order_occurrences',
      "Orders with it, their customer's second ever.",
      orZero(sql`second_orders`),
    ),
  ),
];

/**
 * The discount where it is known. Where no order of the row tells one, though others tell even a discount of
 * 0, or where the orders of the range do not tell discounts, a 0 would look like none. What was not sold has
 * none.
 */
const knownDiscount = whereSold(
  sql`case when tells_discounts and (discount is not null or not tells_zeros) then coalesce(discount, 0) end`,
);

/** The metrics from estimated_revenue down to net_revenue. */
const netMetrics = [
  metric({
    key: 'discount',
    type: 'number',
    unit: 'money',
    null: DISCOUNT_UNKNOWN,
    definition: "Part of orders' discounts; not in unit prices. Where not told, net_revenue is before it.",
    value: knownDiscount,
  }),
  metric({
    key: 'discount_share',
    type: 'number',
    unit: 'percent',
    null: `${NOTHING_TO_DIVIDE_BY}, or ${DISCOUNT_UNKNOWN}`,
    definition: 'discount / estimated_revenue.',
    value: percent(knownDiscount, sql`estimated_revenue`),
  }),
  metric({
    key: 'tax',
    type: 'number',
    unit: 'money',
    null: VAT_UNKNOWN,
    definition: 'VAT in estimated_revenue - discount.',
    value: whereSold(sql`estimated_revenue - coalesce(discount, 0) - net_revenue`),
  }),
  metric({
    key: 'net_revenue',
    type: 'number',
    unit: 'money',
    null: VAT_UNKNOWN,
    definition: 'estimated_revenue - discount - tax, before refunds.',
    value: whereSold(sql`net_revenue`),
  }),
];

const estimatedGrossProfit = metric({
  key: 'estimated_gross_profit',
  type: 'number',
  unit: 'money',
  definition: 'net_revenue - purchase prices then, else now, where both known. Unknown: 0, sorted last.',
  value: whereSold(sql`estimated_gross_profit`),
});

/** How much of the revenue the profit is about, and its margin of that. */
const knownCostMetrics = [
  rate(
    'revenue_with_known_cost',
    'What has a known cost and VAT / estimated_revenue.',
    orZero(sql`known_revenue`),
    sql`estimated_revenue`,
  ),
  metric({
    key: 'estimated_gross_profit_margin',
    type: 'number',
    unit: 'percent',
    null: 'none known',
    definition: 'estimated_gross_profit / its net_revenue.',
    value: percent(sql`estimated_gross_profit`, sql`known_net_revenue`),
  }),
];

/** What every row of a listing has. */
export const listingMetrics = [
  ...performanceMetrics,
  ...netMetrics,
  ...refundMetrics,
  estimatedGrossProfit,
  ...knownCostMetrics,
];

/** Metrics that the contract shows as 0 where they are unknown. */
const UNKNOWN_IS_ZERO: readonly string[] = ['estimated_gross_profit', 'avg_gross_profit_margin'];

/**
 * The columns with null where they are unknown, so that rows sort by them as by others: the unknown come
 * last, whichever way.
 */
export function nullWhereUnknown<const Columns extends readonly Column[]>(columns: Columns): Columns {
  return columns.map((one) =>
    UNKNOWN_IS_ZERO.includes(one.key) ? { ...one, null: 'unknown' } : one,
  ) as unknown as Columns;
}

/** A row of these columns, as the contract shows it. */
export function zeroWhereUnknown<Row extends object>(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, UNKNOWN_IS_ZERO.includes(key) ? (value ?? 0) : value]),
  ) as Row;
}

/** Trends have the engagement time as a plain number, and no profit where none is known. */
const trendEngagementTime = metric({
  key: 'total_engagement_time_s',
  type: 'number',
  unit: 'seconds',
  definition: 'In the foreground, at most 1800 per view.',
  value: toFourDecimals(sql`cast(coalesce(engagement_time_s, 0) as double)`),
});

const trendGrossProfit = metric({
  key: 'estimated_gross_profit',
  type: 'number',
  unit: 'money',
  null: 'none known',
  definition: 'net_revenue - purchase prices then, else now, where both known.',
  value: sql`estimated_gross_profit`,
});

/** SQL: 0 where the product was not sold. */
function whereSold(value: Sql): Sql {
  return sql`case when unique_orders_count is null then 0 else ${value} end`;
}

/** What every row of a trend has. */
export const trendMetrics = [
  ...performanceMetrics.map((metric) => {
    if (metric.key === trendEngagementTime.key) return trendEngagementTime;
    return metric.key === 'total_engagement_score' ? { ...metric, type: 'number' as const } : metric;
  }),
  ...netMetrics,
  ...refundMetrics,
  trendGrossProfit,
  ...knownCostMetrics,
];
