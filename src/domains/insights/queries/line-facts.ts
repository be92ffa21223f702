import { type Metric, selectMetrics } from '../../../answers/metric.ts';
import { orderProducts, productCategories, products } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn } from '../../../time/range.ts';
import { trendMetrics } from '../../products/queries/performance-metrics.ts';
import {
  addedColumns,
  basketMeasures,
  basketSums,
  discountsKnown,
  exactWindow,
} from '../../products/queries/product-activity.ts';
import { isSamePeriod, periodCuts } from './dimensions.ts';
import { type Fact, readOf } from './fact.ts';
import { cutsOfOrder, hasInOrder, named } from './order-facts.ts';

const JOIN_PRODUCTS = sql`join (
  select product_key, external_product_id, brand from ${products}
) as sold using (product_key)`;
const JOIN_CATEGORIES = sql`join (
  select product_key, category from ${productCategories}
) as in_category using (product_key)`;

const LINE: Sql = sql`order_key, product_key, order_number, customer_key, order_revenue, ${addedColumns}`;

/**
 * Metrics that are sums over lines. For the others the lines of an order are brought together first, which
 * costs most of such a question.
 */
const SUMS: ReadonlySet<string> = new Set([
  'total_quantity',
  'estimated_revenue',
  'discount',
  'discount_share',
  'tax',
  'net_revenue',
  'estimated_gross_profit',
  'estimated_gross_profit_margin',
  'revenue_with_known_cost',
]);

/** The buyers of each row, and which of them are new. */
const BUYERS: Sql = sql`
      buyers as (
        select row_key, count(*) as unique_customers_count,
          count(*) filter (where is_new_customer) as new_customers_count
        from (
          select distinct row_key, customer_key, is_new_customer
          from lines where customer_key is not null
        ) as customers
        group by row_key
      )`;

export const orderLinesFact: Fact = {
  name: 'order_lines',
  definition: 'Products in valid orders, by when these were placed.',
  cuts: {
    ...periodCuts(sql`ordered_date`),
    ...cutsOfOrder(true),
    product: { value: sql`external_product_id`, joins: [JOIN_PRODUCTS] },
    brand: { value: sql`brand`, joins: [JOIN_PRODUCTS] },
    category: { value: sql`category`, joins: [JOIN_CATEGORIES], hasSeveral: true },
  },
  has: hasInOrder,
  metrics: named(trendMetrics as readonly Metric[], {
    product_orders_count: 'unique_orders_count',
    product_new_orders_count: 'new_orders_count',
    product_returning_orders_count: 'returning_orders_count',
    product_second_orders_count: 'second_order_occurrences',
    quantity: 'total_quantity',
    product_revenue: 'estimated_revenue',
    product_average_order_value: 'avg_order_value',
    product_customers_count: 'unique_customers_count',
    product_new_customers_count: 'new_customers_count',
    product_returning_customers_count: 'returning_customers_count',
    product_discount: 'discount',
    product_discount_share: 'discount_share',
    product_tax: 'tax',
    net_revenue: 'net_revenue',
    gross_profit: 'estimated_gross_profit',
    gross_profit_margin: 'estimated_gross_profit_margin',
    revenue_with_known_cost: 'revenue_with_known_cost',
  }),
  adds: ['quantity', 'product_revenue', 'product_discount', 'product_tax', 'net_revenue', 'gross_profit'],
  addsOverOrders: [
    ...['product_orders_count', 'product_new_orders_count', 'product_returning_orders_count'],
    'product_second_orders_count',
  ],
  large: {
    sum: 'the revenue of products',
    orders(question) {
      const { key, condition, joins, hasSeveral } = readOf(orderLinesFact, question);
      return sql`
        select row_key, ordered_date, sum(revenue) as revenue
        from (
          select ${hasSeveral ? sql`distinct ` : sql``}${key} as row_key, ordered_date, ${LINE}
          from ${orderProducts} ${joins}
          where ${orderedIn(question.range)} and ${condition}
        ) as lines
        group by row_key, order_key, ordered_date`;
    },
  },
  rows(question) {
    const { key, condition, joins, hasSeveral } = readOf(this, question);
    const start = parameter.timestamp(question.range.start);
    const areSums = question.metrics.every((metric) => SUMS.has(metric.key));
    const asksBuyers = question.metrics.some(({ unit }) => unit === 'customers');
    const baskets = sql`(select row_key, ${basketSums} from lines group by row_key, order_key) as baskets`;
    return sql`
      with lines as (
        select ${hasSeveral ? sql`distinct ` : sql``}${key} as row_key, ${LINE},
          first_ordered_at >= ${start} and ${isSamePeriod(question, sql`first_ordered_date`, sql`ordered_date`)} as is_new_customer
        from ${orderProducts} ${joins}
        where ${orderedIn(question.range)} and ${condition}
      ),
      sales as (
        select row_key, ${basketMeasures}
        from ${areSums ? sql`lines` : baskets}
        group by row_key
      )${asksBuyers ? sql`,${BUYERS}` : sql``}
      select row_key, ${selectMetrics(question.metrics)}
      from sales ${asksBuyers ? sql`left join buyers using (row_key)` : sql``}
      ${discountsKnown(exactWindow(question.range))}`;
  },
};
