import {
  column,
  NO_RATE,
  NOTHING_TO_DIVIDE_BY,
  nullableColumn,
  type ObjectOf,
} from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import {
  counted,
  knownSum,
  measured,
  metric,
  percent,
  ratio,
  selectMetrics,
} from '../../../answers/metric.ts';
import { worded } from '../../../answers/sentences.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { countedPeople, unlessFew } from '../../../answers/small-groups.ts';
import { orderCoupons, orderProducts, orders, products } from '../../../model-table/table-names.ts';
import { quantile, ranked } from '../../../sql/quantile.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { tenThousandths } from '../../../sql/ten-thousandths.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import { taxedOrders, taxOfOrders, taxSum } from './order-metrics.ts';
import { refundedRevenue, revenueAfterRefunds } from './refunds.ts';

/** What orders are distributed over. The first four are times of the business, the next three numbers. */
export const TIME_DIMENSIONS = ['weekday_hour', 'weekday', 'hour', 'day_of_month'] as const;
const VALUE_DIMENSIONS = ['order_value', 'goods_value', 'items_count', 'order_number'] as const;
const DECILE_DIMENSIONS = ['customer_value_decile', 'product_revenue_decile'] as const;
/** The dimensions whose bins may have any width. */
export const BINNED_DIMENSIONS = ['order_value', 'goods_value', 'items_count'] as const;
export const NAME_DIMENSIONS = [
  'status',
  'payment_method',
  'shipping_method',
  'country',
  'coupon',
  'currency',
] as const;

export const DIMENSIONS = [
  ...TIME_DIMENSIONS,
  ...VALUE_DIMENSIONS,
  ...NAME_DIMENSIONS,
  ...DECILE_DIMENSIONS,
] as const;
type Dimension = (typeof DIMENSIONS)[number];
type NameDimension = (typeof NAME_DIMENSIONS)[number];
type DecileDimension = (typeof DECILE_DIMENSIONS)[number];
type BinnedDimension = (typeof BINNED_DIMENSIONS)[number];

/** The values of these follow from other orders of the customer. */
export const FOLLOWING_DIMENSIONS: readonly Dimension[] = ['order_number', 'customer_value_decile'];

const PERCENTILES = [10, 25, 50, 75, 90, 99] as const;

/** The most bins of a number; what is above is in one open bin. An automatic width gives at most 20. */
export const MOST_BINS = 200;
const MOST_AUTOMATIC_BINS = 20;

export interface DistributionQuestion {
  readonly range: Range;
  readonly dimension: Dimension;
  /** The width of bins; null means a round one, of pieces one for each number. */
  readonly bin_size: number | null;
  readonly filter_customer_type: 'new' | 'returning' | null;
  readonly limit: number;
}

/**
 * Whether a zero of these can be told: where most orders say nothing, that of a few is not one of the store.
 */
const mostTell = (charge: Sql) => sql`2 * count(${charge}) >= count(*) and count(${charge}) > 0`;
/** SQL: whether enough orders tell their discounts. It is over rows of `orders`. */
export const tellsDiscounts = sql`(count(*) filter (where discount > 0) > 0 or (${mostTell(sql`discount`)}))`;

const paidOfReduced = sql`sum(case when discount is not null then revenue end)`;

/** What was taken off, what shipping cost, and the VAT, over rows of `orders`. */
export const chargeMetrics = [
  metric({
    key: 'discount',
    type: 'number',
    unit: 'money',
    null: 'not known',
    definition: 'Of whole orders, where known; not in unit prices.',
    value: sql`case when ${tellsDiscounts} then sum(discount) end`,
  }),
  metric({
    key: 'discount_share',
    type: 'number',
    unit: 'percent',
    null: 'not known',
    definition: 'discount / (revenue + discount) where known.',
    value: sql`case when ${tellsDiscounts} and sum(discount) + ${paidOfReduced} > 0
      then ${percent(sql`sum(discount)`, sql`(sum(discount) + ${paidOfReduced})`)} end`,
  }),
  metric({
    key: 'discounted_orders_count',
    type: 'integer',
    unit: 'orders',
    null: 'not known',
    definition: 'Orders with a discount above 0.',
    value: sql`case when ${tellsDiscounts} then count(*) filter (where discount > 0) end`,
  }),
  measured('money', 'shipping', 'Charged, where known; part of revenue.', sql`sum(shipping)`, 'not known'),
  metric({ ...taxOfOrders, value: taxSum }),
  metric({
    key: 'free_shipping_orders_count',
    type: 'integer',
    unit: 'orders',
    null: 'not known',
    definition: 'Orders with shipping of 0.',
    value: sql`case when ${mostTell(sql`shipping`)} then count(*) filter (where shipping = 0) end`,
  }),
];

/** The metrics over rows of `orders`. */
export const distributionMetrics = [
  counted('orders', 'orders_count', 'Orders of the row.', sql`count(*)`),
  measured('money', 'revenue', 'Revenue of the orders counted.', knownSum(sql`revenue`), NO_RATE),
  metric({
    key: 'average_order_value',
    type: 'number',
    unit: 'money',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'revenue / orders_count, of known amounts.',
    value: ratio(sql`sum(revenue)`, sql`count(revenue)`),
  }),
  countedPeople(
    'customers',
    'unique_customers_count',
    'Distinct known customers.',
    sql`count(distinct customer_key)`,
  ),
  metric({
    key: 'avg_items_per_order',
    type: 'number',
    unit: 'pieces',
    null: 'no lines of products',
    definition: 'Pieces of products / orders_count.',
    value: sql`case when sum(pieces) > 0 then ${ratio(sql`sum(pieces)`, sql`count(*)`)} end`,
  }),
  metric({ ...refundedRevenue, value: knownSum(sql`refunded`) }),
  metric({
    ...revenueAfterRefunds,
    null: 'none loaded, or not valid',
    value: sql`${knownSum(sql`revenue`)} - ${knownSum(sql`refunded`)}`,
  }),
  ...chargeMetrics,
];

/** How many orders tell of their discount and shipping at all. */
const tellingOrders = [
  column('orders_with_discount_told', 'integer'),
  column('orders_with_shipping_told', 'integer'),
];

const TOTALS = [
  column('orders_count', 'integer'),
  nullableColumn('revenue', 'number'),
  column('listed_orders_count', 'integer'),
  nullableColumn('listed_revenue', 'number'),
  nullableColumn('min', 'number'),
  nullableColumn('max', 'number'),
  nullableColumn('mean', 'number'),
  ...PERCENTILES.map((percentage) => nullableColumn(`p${percentage}`, 'number')),
  taxedOrders,
  ...tellingOrders,
  ...chargeMetrics,
];
export type DistributionTotals = ObjectOf<typeof TOTALS>;

/** Says which charges are not known, or known for some orders only. */
export function chargeNotes({
  orders_count: all,
  orders_with_discount_told: discount,
  orders_with_shipping_told: shipping,
  ...totals
}: DistributionTotals): string[] {
  if (all === 0) return [];
  return [
    ...(totals.discounted_orders_count === null
      ? [
          worded(
            `Discounts are not known (told of ${discount} of ${all} orders): null, not 0.`,
            'note.discounts-told',
            { known: { number: discount }, all: { number: all } },
          ),
        ]
      : []),
    ...(totals.free_shipping_orders_count === null
      ? [
          worded(
            `Shipping is told of ${shipping} of ${all} orders${shipping > 0 ? ': shipping is of these' : ''}; how many had it free is not known.`,
            'note.shipping-told',
            { known: { number: shipping }, all: { number: all } },
          ),
        ]
      : []),
  ];
}

/**
 * `orders_count`, `revenue` and percentiles of the valid orders, and `listed_…` of all those that rows are
 * made of.
 */
export function distributionTotals(question: DistributionQuestion) {
  const listed = listedOrders(question);
  // Rows of other dimensions are made of the valid orders alone.
  const [ofListed, listedSums] =
    question.dimension === 'status'
      ? [
          sql`listed_orders_count, listed_revenue`,
          sql`cross join (
            select count(*) as listed_orders_count, ${knownSum(sql`revenue`)} as listed_revenue from (${listed}) as listed
          ) as listed_sums`,
        ]
      : [sql`orders_count as listed_orders_count, revenue as listed_revenue`, sql``];
  return query(
    TOTALS,
    sql`
    select orders_count, revenue, ${ofListed}, min, max, mean, ${join(
      [
        ...PERCENTILES.map((percentage) => `p${percentage}`),
        taxedOrders.key,
        ...tellingOrders.map(({ key }) => key),
        ...chargeMetrics.map(({ key }) => key),
      ].map(identifier),
    )}
    from (
      select count(*) as orders_count, ${knownSum(sql`revenue`)} as revenue, min(revenue) as min, max(revenue) as max,
        ${ratio(sql`sum(revenue)`, sql`count(revenue)`)} as mean, count(tax) as taxed_orders_count,
        count(discount) as orders_with_discount_told, count(shipping) as orders_with_shipping_told, ${selectMetrics(chargeMetrics)}
      from (${listed}) as listed where is_valid
    ) as sums
    ${listedSums}
    cross join (${percentiles(listed, PERCENTILES)}) as quantiles`,
  );
}

/** @param listed orders */
function percentiles(listed: Sql, percentages: readonly number[], value = sql`revenue`): Sql {
  return sql`
    select ${join(
      percentages.map(
        (percentage) => sql`${quantile(sql`amount`, percentage)} as ${identifier(`p${percentage}`)}`,
      ),
    )}
    from (
      select cast(value as decimal(38,4)) as amount, ${ranked(sql`value`, { count: sql`orders_count` })}
      from (
        select ${value} as value, count(*) as orders_count
        from (${listed}) as listed where is_valid and ${value} is not null group by 1
      ) as values_of_orders
    ) as ranked_values`;
}

/** Orders without a number, which are not valid, are of neither customer type. */
export function listedOrders({ range, dimension, filter_customer_type }: DistributionQuestion): Sql {
  const scope = dimension === 'status' ? sql`not is_test` : sql`is_valid`;
  const customers = {
    new: sql`and order_number = 1`,
    returning: sql`and order_number > 1`,
    any: sql``,
  }[filter_customer_type ?? 'any'];
  return sql`select * from ${orders} where ${scope} and ${orderedIn(range)} ${customers}`;
}

/** A value that occurs: a `number`, with the bins of values, or a name as `value`. */
export type DistributionRow = ObjectOf<typeof distributionMetrics> & {
  /** It is null for order numbers and deciles, which need a customer. */
  readonly number?: number | null;
  readonly width?: number;
  readonly bins_count?: number;
  readonly value?: string | null;
  readonly is_other?: boolean;
  /** How many names there are, those beyond the limit, too. */
  readonly names_count?: number;
  readonly valid?: boolean;
  readonly products_count?: number;
  readonly basket_orders_count?: number;
  readonly basket_revenue?: number | null;
};

const NUMBER = nullableColumn('number', 'integer');
const BINS = [column('number', 'integer'), column('width', 'integer'), column('bins_count', 'integer')];
const NAME = [
  nullableColumn('value', 'text'),
  column('is_other', 'boolean'),
  column('valid', 'boolean'),
  column('names_count', 'integer'),
];

/** One row per value that occurs. */
export function distributionRows(question: DistributionQuestion): Query<DistributionRow> {
  const { dimension } = question;
  if (isNameDimension(dimension))
    return query([...NAME, ...distributionMetrics], nameRows(dimension, question));
  if (dimension === 'customer_value_decile') {
    return query([nullableColumn('number', 'integer'), ...distributionMetrics], customerDeciles(question));
  }
  if (dimension === 'product_revenue_decile') {
    return query([NUMBER, ...PRODUCTS, ...distributionMetrics], productDeciles(question));
  }
  if (dimension === 'order_value' || dimension === 'goods_value' || question.bin_size !== null) {
    return query([...BINS, ...distributionMetrics], binnedRows(question));
  }
  return query(
    [NUMBER, ...distributionMetrics],
    sql`
    select number, ${selectMetrics(distributionMetrics)}
    from (select *, ${numberOf[dimension]} as number from (${listedOrders(question)}) as listed) as numbered
    group by number`,
  );
}

function isNameDimension(dimension: Dimension): dimension is NameDimension {
  return NAME_DIMENSIONS.some((candidate) => candidate === dimension);
}

/**
 * The number of a bin. All numbers below 0 are in bin -1, and all beyond the last bin are in the next one.
 */
const numberOf = {
  weekday_hour: sql`24 * (ordered_weekday - 1) + ordered_hour`,
  weekday: sql`ordered_weekday - 1`,
  hour: sql`ordered_hour`,
  day_of_month: sql`extract(day from ordered_date) - 1`,
  items_count: sql`cast(greatest(-1, least(floor(pieces), ${parameter.integer(MOST_BINS)})) as bigint)`,
  // `least` would ignore null and number an order without a customer.
  order_number: sql`case when order_number > ${parameter.integer(MOST_BINS)} then ${parameter.integer(MOST_BINS)}
    else order_number - 1 end`,
} satisfies Record<Exclude<Dimension, NameDimension | DecileDimension | 'order_value' | 'goods_value'>, Sql>;

const binnedValue = {
  order_value: sql`revenue`,
  goods_value: sql`(revenue - coalesce(shipping, 0))`,
  items_count: sql`pieces`,
} satisfies Record<(typeof BINNED_DIMENSIONS)[number], Sql>;

/**
 * `number` is that of a bin, from 0, with its `bin_size` and `bins_count`, how many bins there can be before
 * the open one. In ten-thousandths, the precision of money, so that no bound is missed by a fraction.
 */
function binnedRows(question: DistributionQuestion): Sql {
  const value = binnedValue[question.dimension as BinnedDimension];
  const number = sql`
    case
      when amount < 0 then -1
      else least(cast((amount - amount % width) / width as bigint), bins_count)
    end`;
  return sql`
    with bins as (${question.bin_size === null ? automaticBins(question, value) : givenBins(question.bin_size)}),
    binned as (
      select *, ${number} as number
      from (
        select *, ${tenThousandths(value)} as amount
        from (${listedOrders(question)}) as listed where ${value} is not null
      ) as amounts
      cross join bins
    )
    select number, width, bins_count, ${selectMetrics(distributionMetrics)}
    from binned
    group by number, width, bins_count`;
}

function givenBins(size: number): Sql {
  return sql`select ${parameter.integer(Math.round(size * 10_000))} as width,
    ${parameter.integer(MOST_BINS)} as bins_count`;
}

/**
 * The least round width with which the 99th percentile is within the first 20 bins; bins end with its own.
 */
function automaticBins(question: DistributionQuestion, value: Sql): Sql {
  const fits = ROUND_WIDTHS.map((width) => {
    const amount = Math.round(width * 10_000);
    return sql`when amount < ${parameter.integer(MOST_AUTOMATIC_BINS * amount)} then ${parameter.integer(amount)}`;
  });
  return sql`
    select width, cast((amount - amount % width) / width as bigint) + 1 as bins_count
    from (
      select amount, case when amount = 0 then 10000 ${join(fits, sql` `)} end as width
      from (
        select greatest(0, cast(floor(p99 * 10000 + 0.5) as bigint)) as amount from (${percentiles(listedOrders(question), [99], value)}) as quantiles
      ) as highest
    ) as widths`;
}

/** Round widths from a cent to a width with which 20 bins exceed any order. */
const ROUND_WIDTHS = Array.from({ length: 14 }, (_, index) => 10 ** (index - 2)).flatMap((power) =>
  [1, 2, 2.5, 5].map((factor) => factor * power),
);

/**
 * `value` and, for what is beyond the limit together, `is_other`; an empty value stands for orders without
 * one. An order with several coupons is in the row of each, and once in the row of the others.
 */
function nameRows(dimension: NameDimension, question: DistributionQuestion): Sql {
  // Statuses are few, and the row of the others could not say whether it is valid.
  const limit = parameter.integer(dimension === 'status' ? Number.MAX_SAFE_INTEGER : question.limit);
  const isCoupon = dimension === 'coupon';
  return sql`
    with listed as (${listedOrders(question)}),
    named as (
      select order_key, coalesce(${identifier(dimension)}, '') as value
      from listed ${isCoupon ? sql`left join ${orderCoupons} as coupons using (order_key)` : sql``}
    ),
    places as (
      select value, least(row_number() over (order by orders desc, value), ${limit} + 1) as place,
        count(*) over () as names
      from (select value, count(*) as orders from named group by value) as counted
    ),
    placed as (
      select ${isCoupon ? sql`distinct` : sql``} order_key, place, names, case when place <= ${limit} then value end as value
      from named join places using (value)
    )
    select value, cast(place > ${limit} as boolean) as is_other,
      cast(count(*) filter (where not is_valid) = 0 as boolean) as valid, max(names) as names_count,
      ${selectMetrics(distributionMetrics)}
    from placed join listed using (order_key)
    group by place, value
    order by place`;
}

/** A tenth of fewer customers is a small group. */
const LEAST_RANKED = parameter.integer(10 * LEAST_SHARING);

/**
 * Customers of the orders, ranked by what they spent on them; orders of nobody are a row without a number,
 * the last. Too few customers for tenths are one row, of number 0.
 */
function customerDeciles(question: DistributionQuestion): Sql {
  return sql`
    with listed as (${listedOrders(question)}),
    spent as (
      select customer_key, sum(revenue) as spent from listed where customer_key is not null group by customer_key
    ),
    deciles as (
      select customer_key, case
          when count(*) over () < ${LEAST_RANKED} then 0
          else ${decile(sql`spent desc, first_ordered_at, first_order_id`)}
        end as number
      from spent join (
        select customer_key, ordered_at as first_ordered_at, order_id as first_order_id
        from ${orders} where order_number = 1 and customer_key is not null
      ) as first_orders using (customer_key)
    )
    select number, ${selectMetrics(distributionMetrics)}
    from listed left join deciles using (customer_key)
    group by number
    order by number nulls last`;
}

const PRODUCTS = [
  column('products_count', 'integer'),
  column('basket_orders_count', 'integer'),
  nullableColumn('basket_revenue', 'number'),
];

/**
 * Products of the orders, ranked by the revenue of their lines; an order is in the row of each decile that it
 * has a product of.
 */
function productDeciles(question: DistributionQuestion): Sql {
  const unknown = ['refunded_revenue', 'revenue_after_refunds', ...chargeMetrics.map(({ key }) => key)];
  return sql`
    with sold as (
      select product_key, order_key, customer_key, order_revenue, quantity, revenue
      from ${orderProducts}
      where ${orderedIn(question.range)} and order_key in (select order_key from (${listedOrders(question)}) as listed)
    ),
    deciles as (
      select product_key, ${decile(sql`revenue desc, external_product_id`)} as number
      from (select product_key, sum(revenue) as revenue from sold group by product_key) as earned
      join (select product_key, external_product_id from ${products}) as named using (product_key)
    ),
    baskets as (
      select number, order_key, any_value(customer_key) as customer_key, any_value(order_revenue) as order_revenue,
        sum(quantity) as pieces, sum(revenue) as revenue
      from sold join deciles using (product_key)
      group by number, order_key
    )
    select number, products_count, basket_orders_count, basket_revenue,
      orders_count, revenue, average_order_value, unique_customers_count, avg_items_per_order,
      ${join(unknown.map((key) => sql`null as ${identifier(key)}`))}
    from (
      select number, count(*) as orders_count, sum(revenue) as revenue,
        ${ratio(sql`sum(order_revenue)`, sql`count(order_revenue)`)} as average_order_value,
        ${unlessFew(sql`count(distinct customer_key)`)} as unique_customers_count,
        ${ratio(sql`sum(pieces)`, sql`count(*)`)} as avg_items_per_order
      from baskets group by number
    ) as rows_of_deciles
    join (select number, count(*) as products_count from deciles group by number) as sizes using (number)
    cross join (
      select count(distinct order_key) as basket_orders_count, sum(revenue) as basket_revenue from sold
    ) as whole
    order by number`;
}

/** 1 to 10 as `ntile(10)` counts them: groups as equal as can be, the first ones larger. */
function decile(order: Sql): Sql {
  const place = sql`(row_number() over (order by ${order}) - 1)`;
  const all = sql`(count(*) over ())`;
  const larger = sql`(${all} % 10)`;
  const size = sql`floor(${all} / 10)`;
  return sql`cast(1 + case
    when ${place} < ${larger} * (${size} + 1) then floor(${place} / (${size} + 1))
    else ${larger} + floor((${place} - ${larger} * (${size} + 1)) / nullif(${size}, 0))
  end as integer)`;
}
