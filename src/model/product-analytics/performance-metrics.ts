import { toFourDecimals } from '../../sql/rounding.ts';
import { sql } from '../../sql/sql.ts';
import { type Metric, orZero, percent, ratio } from '../metrics/metric.ts';

/** Over the CTEs of `activity`, joined; each side may be missing. */
const performanceMetrics: readonly Metric[] = [
  {
    key: 'unique_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Orders with it.',
    value: orZero(sql`unique_orders_count`),
  },
  {
    key: 'new_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'New orders with it.',
    value: orZero(sql`first_orders`),
  },
  {
    key: 'returning_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Returning orders with it.',
    value: sql`coalesce(unique_orders_count, 0) - coalesce(first_orders, 0)`,
  },
  {
    key: 'total_quantity',
    type: 'integer',
    unit: 'pieces',
    definition: 'Pieces sold.',
    value: orZero(sql`total_quantity`),
  },
  {
    key: 'estimated_revenue',
    type: 'number',
    unit: 'money',
    definition: 'Quantity x unit price charged; no shipping, no discounts of whole orders.',
    value: orZero(sql`estimated_revenue`),
  },
  {
    key: 'unique_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'Distinct customers who ordered it.',
    value: orZero(sql`unique_customers_count`),
  },
  {
    key: 'new_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'Customers of it with a new order, of anything.',
    value: orZero(sql`new_customers_count`),
  },
  {
    key: 'returning_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: 'unique_customers_count - new_customers_count.',
    value: sql`coalesce(unique_customers_count, 0) - coalesce(new_customers_count, 0)`,
  },
  {
    key: 'avg_order_value',
    type: 'number',
    unit: 'money',
    definition: 'Mean revenue of orders with it, other products included.',
    value: orZero(sql`avg_order_value`),
  },
  {
    key: 'impressions',
    type: 'integer',
    unit: 'views',
    definition: 'Views of the product page.',
    value: orZero(sql`impressions`),
  },
  {
    key: 'reach',
    type: 'integer',
    unit: 'visitors',
    definition: 'Distinct visitors with a view.',
    value: orZero(sql`reach`),
  },
  {
    key: 'total_engagement_time_s',
    type: 'integer',
    unit: 'seconds',
    definition: 'On the product page in the foreground, at most 1800 per view.',
    value: sql`cast(round(coalesce(engagement_time_s, 0)) as bigint)`,
  },
  {
    key: 'total_engagement_score',
    type: 'integer',
    unit: 'points',
    definition: 'Per view 1, 1 per full 10 s (at most 6), 3 per add-to-cart, 2 per wish list or watchdog.',
    value: orZero(sql`engagement_score`),
  },
  {
    key: 'avg_engagement_time_s',
    type: 'number',
    unit: 'seconds',
    definition: 'Total / impressions.',
    value: orZero(ratio(sql`engagement_time_s`, sql`impressions`)),
  },
  {
    key: 'avg_engagement_score',
    type: 'number',
    unit: 'points',
    definition: 'Total / impressions.',
    value: orZero(ratio(sql`engagement_score`, sql`impressions`)),
  },
  {
    key: 'conversion_rate',
    type: 'number',
    unit: 'percent',
    definition: 'Visitors of reach who ordered it / reach.',
    value: orZero(percent(orZero(sql`converted_visitors`), sql`reach`)),
  },
  {
    key: 'first_order_occurrences',
    type: 'integer',
    unit: 'orders',
    definition: 'New orders with it.',
    value: orZero(sql`first_orders`),
  },
  {
    key: 'second_order_occurrences',
    type: 'integer',
    unit: 'orders',
    definition: "Orders with it that are their customer's second ever.",
    value: orZero(sql`second_orders`),
  },
];

const estimatedGrossProfit: Metric = {
  key: 'estimated_gross_profit',
  type: 'number',
  unit: 'money',
  definition: 'Quantity x (unit price charged - purchase price then, else now); unknown: 0.',
  value: orZero(sql`estimated_gross_profit`),
};

/** What every row of a listing has. */
export const listingMetrics: readonly Metric[] = [...performanceMetrics, estimatedGrossProfit];

/** Trends have the engagement time as a plain number, and no profit where none is known. */
const trendEngagementTime: Metric = {
  key: 'total_engagement_time_s',
  type: 'number',
  unit: 'seconds',
  definition: 'On the product page in the foreground, at most 1800 per view.',
  value: toFourDecimals(sql`cast(coalesce(engagement_time_s, 0) as double)`),
};

const trendGrossProfit: Metric = {
  key: 'estimated_gross_profit',
  type: 'number',
  unit: 'money',
  nullable: true,
  definition: 'As in product_statistics; null: no purchase price known.',
  value: sql`estimated_gross_profit`,
};

/** What every row of a trend has. */
export const trendMetrics: readonly Metric[] = [
  ...performanceMetrics.map((metric) => {
    if (metric.key === trendEngagementTime.key) return trendEngagementTime;
    return metric.key === 'total_engagement_score' ? { ...metric, type: 'number' as const } : metric;
  }),
  trendGrossProfit,
];
