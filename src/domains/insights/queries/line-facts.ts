import { type Metric, selectMetrics } from '../../../answers/metric.ts';
import { orderProducts, productCategories, products } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn } from '../../../time/range.ts';
import { largestOrder } from '../../orders/queries/large-orders.ts';
import { trendMetrics } from '../../products/queries/performance-metrics.ts';
import {
  addedColumns,
  basketMeasures,
  discountsKnown,
  exactWindow,
  lineSums,
  orderCounts,
} from '../../products/queries/product-activity.ts';
import { isSamePeriod, periodCuts } from './dimensions.ts';
import { type Fact, type FactQuestion, readOf } from './fact.ts';
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
const buyersBy = (names: Sql): Sql => sql`
      buyers as (
        select ${names}, count(*) as unique_customers_count,
          count(*) filter (where is_new_customer) as new_customers_count
        from (
          select distinct ${names}, customer_key, is_new_customer
          from lines where customer_key is not null
        ) as customers
        group by ${names}
      )`;

/** Lines that are put together by their order look for the largest in so many parts of a row. */
const PARTS = 64;

/**
 * Orders are told apart by the last digits of their keys: the largest order of a row is at most as large as
 * the largest part. Of a product, an order has one line.
 */
function largestBy(names: Sql, isOrder: boolean): Sql {
  if (isOrder)
    return sql`
      largest as (
        select ${names}, ${largestOrder}, sum(revenue) as whole from lines group by ${names}
      )`;
  return sql`
      largest as (
        select ${names}, sum(priced) as priced_orders_count, max(paid) as largest_order, sum(revenue) as whole
        from (
          select ${names}, count(revenue) as priced, sum(greatest(revenue, 0)) as paid, sum(revenue) as revenue
          from lines group by ${names}, order_key % ${parameter.integer(PARTS)}
        ) as parts
        group by ${names}
      )`;
}

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
    besideRows: true,
    orders(question) {
      const { keys, condition, joins, repeats } = readOf(orderLinesFact, question);
      return sql`
        select ${keys.key} as row_key, ordered_date, sum(revenue) as revenue
        from (
          select ${repeats ? sql`distinct ` : sql``}${keys.columns}, ordered_date, ${LINE}
          from ${orderProducts} ${joins}
          where ${orderedIn(question.range)} and ${condition}
        ) as lines
        group by ${keys.names}, order_key, ordered_date`;
    },
  },
  rows(question) {
    const { keys, condition, joins, repeats } = readOf(this, question);
    const { names } = keys;
    const start = parameter.timestamp(question.range.start);
    // Such a row is of one product, of which an order has one line.
    const isOrder = question.rest === null && question.dimensions.includes('product');
    const asksBuyers = question.metrics.some(({ unit }) => unit === 'customers');
    return sql`
      with lines as (
        select ${repeats ? sql`distinct ` : sql``}${keys.columns}, ${LINE},
          first_ordered_at >= ${start} and ${isSamePeriod(question, sql`first_ordered_date`, sql`ordered_date`)} as is_new_customer
        from ${orderProducts} ${joins}
        where ${orderedIn(question.range)} and ${condition}
      ),
      sales as (${isOrder ? sumsBy(names) : salesBy(names, question)})
      ${asksBuyers ? sql`,${buyersBy(names)}` : sql``}${question.withLargest ? sql`,${largestBy(names, isOrder)}` : sql``}
      select ${keys.key} as row_key, ${selectMetrics(question.metrics)}${question.withLargest ? sql`, priced_orders_count, largest_order, whole` : sql``}
      from sales ${asksBuyers ? sql`left join buyers using (${names})` : sql``}
      ${question.withLargest ? sql`join largest using (${names})` : sql``}
      ${discountsKnown(exactWindow(question.range))}`;
  },
};

const ORDERS = 'unique_orders_count';

/**
 * The sums of each row, and its orders. These are put together only for what tells them apart: with all sums
 * that takes half as long again.
 */
function salesBy(names: Sql, { metrics }: FactQuestion): Sql {
  const counts = metrics.filter(({ key, unit }) => !SUMS.has(key) && unit !== 'customers');
  if (counts.length === 0) return sumsBy(names);
  if (counts.every(({ key }) => key === ORDERS))
    return sql`select ${names}, ${lineSums}, count(distinct order_key) as unique_orders_count from lines group by ${names}`;
  return sql`
        select *
        from (select ${names}, ${lineSums} from lines group by ${names}) as sums
        join (
          select ${names}, ${orderCounts}
          from (
            select ${names}, any_value(order_number) as order_number, any_value(order_revenue) as order_revenue
            from lines group by ${names}, order_key
          ) as baskets
          group by ${names}
        ) as counts using (${names})`;
}

/** What orders count is right where a line is an order of its row. */
function sumsBy(names: Sql): Sql {
  return sql`select ${names}, ${basketMeasures} from lines group by ${names}`;
}
