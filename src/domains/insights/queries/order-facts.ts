import { NONE_LOADED, NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { knownSum, type Metric, metric, selectMetrics } from '../../../answers/metric.ts';
import { hasRefunds } from '../../../business/snapshot-facts.ts';
import {
  orderCoupons,
  orderProducts,
  orderRefunds,
  orders,
  orderTraffic,
  productCategories,
  products,
} from '../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn } from '../../../time/range.ts';
import { distributionMetrics } from '../../orders/queries/order-distribution.ts';
import { orderMeasures, orderMetrics } from '../../orders/queries/order-metrics.ts';
import { refundFields } from '../../orders/queries/refunds.ts';
import { habitCuts } from './customer-habits.ts';
import { type DimensionName, periodCuts } from './dimensions.ts';
import { type Cut, type Fact, type Having, readOf } from './fact.ts';
import { ownCurrencyMetrics } from './own-currency.ts';

/** Metrics of a list by their keys, under the names that callers give. */
export function named<const Names extends Readonly<Record<string, string>>>(
  metrics: readonly Metric[],
  names: Names,
): Readonly<Record<keyof Names, Metric>> {
  return Object.fromEntries(
    Object.entries(names).map(([name, key]) => {
      const found = metrics.find((one) => one.key === key);
      if (found === undefined) throw new Error(`no metric ${key}`);
      return [name, found];
    }),
  ) as Record<keyof Names, Metric>;
}

const JOIN_TRAFFIC = sql`left join (
  select order_key, last_click_channel, first_click_channel from ${orderTraffic}
) as clicked using (order_key)`;
const JOIN_COUPONS = sql`left join ${orderCoupons} as coupons using (order_key)`;
/** Stands for the channel of orders by no known visit. */
export const UNTRACKED_CHANNEL = '(untracked)';
const UNTRACKED = parameter.text(UNTRACKED_CHANNEL);

/** The columns of an order that its lines and refunds have too. */
export const ofOrder = {
  weekday: { value: sql`ordered_weekday` },
  hour: { value: sql`right(concat('0', cast(ordered_hour as varchar)), 2)` },
  country: { value: sql`country` },
  currency: { value: sql`currency` },
  payment_method: { value: sql`payment_method` },
  shipping_method: { value: sql`shipping_method` },
  customer_type: {
    value: sql`case when order_number = 1 then 'new' when order_number > 1 then 'returning' else 'unknown' end`,
  },
  channel: { value: sql`coalesce(last_click_channel, ${UNTRACKED})`, joins: [JOIN_TRAFFIC] },
  first_click_channel: { value: sql`coalesce(first_click_channel, ${UNTRACKED})`, joins: [JOIN_TRAFFIC] },
  coupon: { value: sql`coupon`, joins: [JOIN_COUPONS], hasSeveral: true },
} as const satisfies Fact['cuts'];

/** The same of rows that have an order and not its columns, or of these only its number. */
export function cutsOfOrder(hasNumber = false): Readonly<Record<keyof typeof ofOrder, Cut>> {
  const joined = sql`join (
    select order_key, ordered_weekday, ordered_hour, country, currency, payment_method, shipping_method${hasNumber ? sql`` : sql`, order_number`}
    from ${orders}
  ) as placed using (order_key)`;
  return Object.fromEntries(
    Object.entries(ofOrder).map(([name, cut]: [string, Cut]) => [
      name,
      { ...cut, joins: [joined, ...(cut.joins ?? [])] },
    ]),
  ) as unknown as Record<keyof typeof ofOrder, Cut>;
}

const ordersWith = (rows: Sql) => sql`order_key in (select order_key from ${rows})`;

/** Orders that have one of the products, brands, categories or coupons. */
export const hasInOrder: Readonly<Record<'product' | 'brand' | 'category' | 'coupon', Having>> = {
  product: (names) =>
    ordersWith(
      sql`${orderProducts} join ${products} as named using (product_key) where external_product_id in (${names})`,
    ),
  brand: (names) =>
    ordersWith(sql`${orderProducts} join ${products} as named using (product_key) where brand in (${names})`),
  category: (names) =>
    ordersWith(
      sql`${orderProducts} join ${productCategories} as named using (product_key) where category in (${names})`,
    ),
  coupon: (names) => ordersWith(sql`${orderCoupons} where coupon in (${names})`),
};

/** Metrics over the rows of orders themselves. `orderMetrics` beside them are over `orderMeasures`. */
const ofRows = [
  'avg_items_per_order',
  'refunded_revenue',
  'revenue_after_refunds',
  'discount',
  'discount_share',
  'discounted_orders_count',
  'shipping',
  'free_shipping_orders_count',
] as const;
const rowMetrics: readonly Metric[] = [
  ...distributionMetrics.filter(({ key }) => ofRows.some((one) => one === key)),
  ...ownCurrencyMetrics,
];

/** An average of nothing is null here. Tools of the contract that sum up a range have 0. */
const averages: readonly Metric[] = (
  [
    ['average_order_value', sql`orders`, 'revenue / orders_count, of known amounts.'],
    ['new_orders_average_order_value', sql`new_orders`, 'new_orders_revenue / new_orders_count.'],
    [
      'returning_orders_average_order_value',
      sql`returning_orders`,
      'returning_orders_revenue / returning_orders_count.',
    ],
  ] as const
).map(([key, orders_, definition]) => {
  const { value } = orderMetrics.find((one) => one.key === key) as Metric;
  return metric({
    key,
    type: 'number',
    unit: 'money',
    null: NOTHING_TO_DIVIDE_BY,
    definition: `${definition} Null without orders; order_statistics has 0.`,
    value: sql`(case when ${orders_} > 0 then ${value} end)`,
  });
});

const REFUNDED: readonly string[] = ['refunded_revenue', 'revenue_after_refunds'];

export const ordersFact: Fact = {
  name: 'orders',
  definition: 'Valid orders, by when they were placed.',
  cuts: { ...periodCuts(sql`ordered_date`), ...ofOrder, ...habitCuts },
  has: hasInOrder,
  people: named(orderMetrics, { customers_count: 'unique_customers_count' }).customers_count,
  metrics: {
    ...named(orderMetrics, {
      orders_count: 'orders_count',
      new_orders_count: 'new_orders_count',
      returning_orders_count: 'returning_orders_count',
      revenue: 'orders_revenues',
      new_orders_revenue: 'new_orders_revenues',
      returning_orders_revenue: 'returning_orders_revenues',
      tax: 'tax',
      customers_count: 'unique_customers_count',
      new_customers_count: 'new_customers_count',
      returning_customers_count: 'returning_customers_count',
    }),
    ...named(averages, {
      average_order_value: 'average_order_value',
      new_orders_average_order_value: 'new_orders_average_order_value',
      returning_orders_average_order_value: 'returning_orders_average_order_value',
    }),
    ...named(rowMetrics, {
      avg_items_per_order: 'avg_items_per_order',
      refunded_revenue: 'refunded_revenue',
      revenue_after_refunds: 'revenue_after_refunds',
      discount: 'discount',
      discount_share: 'discount_share',
      discounted_orders_count: 'discounted_orders_count',
      shipping_charged: 'shipping',
      free_shipping_orders_count: 'free_shipping_orders_count',
      revenue_in_own_currency: 'revenue_in_own_currency',
      average_order_value_in_own_currency: 'average_order_value_in_own_currency',
    }),
  },
  adds: [
    ...['orders_count', 'new_orders_count', 'returning_orders_count', 'revenue', 'new_orders_revenue'],
    ...['returning_orders_revenue', 'refunded_revenue', 'revenue_after_refunds'],
    ...['discount', 'discounted_orders_count', 'shipping_charged', 'free_shipping_orders_count'],
    'revenue_in_own_currency',
  ],
  large: {
    sum: 'revenue',
    besideRows: true,
    orders(question) {
      const { key, condition, joins, repeats } = readOf(ordersFact, question);
      return sql`
        select row_key, ordered_date, revenue
        from (
          select ${repeats ? sql`distinct ` : sql``}${key} as row_key, order_key, ordered_date, revenue
          from ${orders} ${joins}
          where is_valid and ${orderedIn(question.range)} and ${condition}
        ) as cut`;
    },
  },
  tellsTotal: isOrderInOneRow,
  unknown: ({ key }, facts) => REFUNDED.includes(key) && !hasRefunds(facts),
  rows(question) {
    const { keys, condition, joins, repeats } = readOf(this, question);
    const { key, names } = keys;
    const [rowKey, group] = question.withTotal
      ? [
          sql`case when grouping(${names}) = 0 then ${key} end`,
          sql`grouping sets ((${names}), ()) having count(*) > 0`,
        ]
      : [key, names];
    const inRow = rowMetrics.filter((one) => question.metrics.includes(one));
    const asked = question.metrics.map((one) => {
      const isUnknown = REFUNDED.includes(one.key) && !hasRefunds(question.facts);
      if (isUnknown) return sql`cast(null as decimal(18,4)) as ${identifier(one.key)}`;
      return inRow.some(({ key }) => key === one.key) ? identifier(one.key) : selectMetrics([one]);
    });
    const rowColumns = inRow.length === 0 ? sql`` : sql`, ${selectMetrics(inRow)}`;
    const [largest, withLargest] = question.withLargest
      ? [
          sql`, max(revenue) as largest_order`,
          sql`, priced as priced_orders_count, largest_order, revenue as whole`,
        ]
      : [sql``, sql``];
    return sql`
      select row_key, ${join(asked)}${withLargest}
      from (
        select ${rowKey} as row_key, ${orderMeasures}${rowColumns}${largest}
        from (
          select ${repeats ? sql`distinct ` : sql``}${keys.columns}, order_key, customer_key, order_number, revenue, tax, refunded, pieces,
            discount, shipping, total, currency
          from ${orders} ${joins}
          where is_valid and ${orderedIn(question.range)} and ${condition}
        ) as cut
        group by ${group}
      ) as measures`;
  },
};

/** Whether all of an order is in one row, so that the rows together are all orders. */
export function isOrderInOneRow(dimensions: readonly DimensionName[]): boolean {
  const cuts = dimensions.map((one) => ordersFact.cuts[one]);
  return dimensions.length > 0 && cuts.every((cut) => cut !== undefined && cut.hasSeveral !== true);
}

const byRefundDate = {
  refunded_revenue_by_refund_date: knownSum(sql`revenue`),
  refunded_revenue_of_cancelled_orders: knownSum(sql`revenue`, sql`is_of_cancelled`),
} as const;

const refundMetrics = Object.entries(byRefundDate).map(([key, value]) => {
  const found = refundFields.find((one) => one.key === key);
  if (found === undefined) throw new Error(`no field ${key}`);
  return metric({
    key,
    type: 'number',
    unit: 'money',
    null: NONE_LOADED,
    definition: found.definition,
    value,
  });
});

export const refundsFact: Fact = {
  name: 'refunds',
  definition: 'Refunds, by when they were made, on orders of any time and status.',
  cuts: (() => {
    const { weekday: _, hour: __, ...cuts } = cutsOfOrder();
    return { ...periodCuts(sql`refunded_date`), ...cuts };
  })(),
  has: hasInOrder,
  metrics: named(refundMetrics, {
    refunded_revenue_by_refund_date: 'refunded_revenue_by_refund_date',
    refunded_revenue_of_cancelled_orders: 'refunded_revenue_of_cancelled_orders',
  }),
  adds: Object.keys(byRefundDate),
  unknown: (_metric, facts) => !hasRefunds(facts),
  rows(question) {
    const { key, condition, joins, repeats } = readOf(this, question);
    const { start, end } = question.range;
    const known = hasRefunds(question.facts);
    const asked = question.metrics.map((one) =>
      known ? selectMetrics([one]) : sql`cast(null as decimal(18,4)) as ${identifier(one.key)}`,
    );
    // Refunds have no key of their own, so rows that a coupon repeats are told apart by their number.
    return sql`
      select row_key, ${join(asked)}
      from (
        select ${repeats ? sql`distinct ` : sql``}${key} as row_key, refund_number, revenue, is_of_cancelled
        from (
          select order_key, refunded_date, revenue, is_of_cancelled,
            row_number() over (order by refunded_at, order_key, revenue) as refund_number
          from ${orderRefunds}
          where refunded_at >= ${parameter.timestamp(start)} and refunded_at < ${parameter.timestamp(end)}
        ) as refunds ${joins}
        where ${condition}
      ) as cut
      group by row_key`;
  },
};
