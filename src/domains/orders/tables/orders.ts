import { BUSINESS_CURRENCY, localDate, localTime } from '../../../model-table/business-values.ts';
import {
  date,
  flag,
  integer,
  key,
  moment,
  money,
  name,
  text,
  texts,
} from '../../../model-table/column-kinds.ts';
import { keyTable, modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { orderPersons, orderVisits } from '../../identity/tables/identity.ts';
import { dailyRates, isForeign } from './daily-rates.ts';
import { inBusinessCurrency, sumInBusinessCurrency, vatOfBusiness } from './money.ts';

const orderKeys = keyTable({
  name: 'order_keys',
  identity: { order_id: 'varchar' },
  key: 'order_key',
  order: 'ordered_at, order_id',
  rows: relation`select order_id, ordered_at from ${stored.orders}`,
});

/** SQL: whether an order `o` is one that counts. */
export const IS_COUNTED = "(not o.is_test and o.status not in ('cancelled', 'credit_note'))";

export const valuedOrders = workTable({
  name: 'valued_orders',
  types: {
    order_key: 'integer',
    order_id: 'varchar',
    session_id: 'varchar',
    ordered_at: 'timestamp',
    ordered_local: 'timestamp',
    customer_key: 'integer',
    visitor_key: 'integer',
    is_valid: 'boolean',
    is_test: 'boolean',
    status: 'varchar',
    rate: 'decimal(24,14)',
    revenue: 'decimal(18,4)',
    total: 'decimal(18,4)',
    currency: 'varchar',
    country: 'varchar',
    payment_method: 'varchar',
    shipping_method: 'varchar',
    coupon_codes: 'varchar[]',
    told_discount: 'decimal(18,4)',
    told_shipping: 'decimal(18,4)',
    told_fee: 'decimal(18,4)',
    shipping_cost: 'decimal(18,4)',
    payment_cost: 'decimal(18,4)',
    told_tax: 'decimal(18,4)',
    taxes_included: 'boolean',
  },
  needs: [stored.orders],
  rows: relation`
with by_day as (
  -- Few orders need one, and finding the rate of a day sorts them.
  select order_id, rate as daily_rate
  from (
    select order_id, currency, total, ${localDate('ordered_at')} as placed_date from ${stored.orders}
    where ${isForeign('currency')} and fx_rate is null
  ) as abroad
  asof join ${dailyRates} as daily on daily.currency = abroad.currency and daily.rate_date <= abroad.placed_date
  where abs(cast(total as double)) * rate < 1e13
)
select order_key, o.order_id, coalesce(o.session_id, v.session_id) as session_id, o.ordered_at, ${localTime('o.ordered_at')} as ordered_local,
  customer_key, visitor_key,
  ${IS_COUNTED} as is_valid, o.is_test, o.status,
  case when ${isForeign('o.currency')} then coalesce(o.fx_rate, daily_rate) else 1 end as rate,
  cast(${inBusinessCurrency('o.total', 'rate')} as decimal(18,4)) as revenue,
  o.total,
  coalesce(o.currency, ${BUSINESS_CURRENCY}) as currency,
  o.country, o.payment_method, o.shipping_method, o.coupon_codes,
  o.discount as told_discount, o.shipping as told_shipping, o.payment_fee as told_fee,
  o.shipping_cost, o.payment_cost, o.tax as told_tax, o.taxes_included
from ${stored.orders} as o
join ${orderKeys} using (order_id)
join ${orderPersons} using (order_id)
left join ${orderVisits} as v using (order_id)
left join by_day using (order_id)`,
});

const refundedOrders = workTable({
  name: 'refunded_orders',
  types: { order_id: 'varchar', refunds_count: 'bigint', refunded: 'decimal(38,4)' },
  needs: [stored.refunds, valuedOrders],
  rows: relation`
select order_id, count(*) as refunds_count, sum(${inBusinessCurrency('amount', 'rate')}) as refunded
from ${stored.refunds} join ${valuedOrders} using (order_id)
group by order_id`,
});

/**
 * What orders with lines of these kinds charge by them, in the money of the order; null where they have none.
 */
export const charges = workTable({
  name: 'charges',
  types: { order_id: 'varchar', discount: 'decimal(38,8)', shipping: 'decimal(38,8)', fee: 'decimal(38,8)' },
  needs: [stored.orderItems],
  // A charge entered as a discount (UCI's manual ones) does not make the discounts known, and neither do
  // lines that together take nothing off.
  rows: relation`
select order_id,
  case when sum(amount) filter (where kind = 'discount') < 0 then -sum(amount) filter (where kind = 'discount') end
    as discount,
  sum(amount) filter (where kind = 'shipping') as shipping,
  sum(amount) filter (where kind = 'payment') as fee
from (
  select order_id, kind, cast(cast(quantity as decimal(20,4)) * unit_price as decimal(24,8)) as amount
  from ${stored.orderItems} where kind in ('discount', 'shipping', 'payment')
)
group by order_id`,
});

export const orders = modelTable({
  name: 'orders',
  scope: { person: 'visitor_key' },
  meaning: `All orders; \`is_valid\` marks those that count (no test, not cancelled, no credit note). \`revenue\` is the total in the business
currency at the rate of the order, null where that rate is unknown, as are all amounts of such an order but \`total\`, which is the same in
the \`currency\` of the order. \`customer_key\` is null where the buyer is unknown:
such an order is in no number about customers. \`visitor_key\` is never null: who placed it, where that is known, else the customer,
else a key that only this order has. \`order_number\` counts the customer's valid orders over all history, by moment, then id (null
without a customer); \`next_order_key\` is the customer's next valid order, \`days_to_next_order\` the difference of their local dates. \`refunded\` is what was paid back until now, \`pieces\` the quantity of all product lines,
\`has_catalogue_product\` whether one of them is of the catalogue. \`discount\` and \`shipping\` are what the order says of itself, else
the sum of its lines of that kind, null when neither does; where lines of kind discount together take nothing off, the discount is unknown. \`shipping_cost\` and \`payment_cost\` are what sending the order and its payment cost the shop, null where no file tells. \`tax\` is the VAT in
\`revenue\`: as the order tells it, else by the rate of the business, null where there is none. Moments are UTC; dates, hours (0-23) and weekdays
(1 = Monday) are local.`,
  columns: {
    order_key: key,
    order_id: text,
    ordered_at: moment,
    ordered_date: date,
    ordered_hour: integer,
    ordered_weekday: integer,
    customer_key: integer,
    visitor_key: integer,
    is_valid: flag,
    order_number: integer,
    next_order_key: integer,
    days_to_next_order: integer,
    revenue: money,
    total: money,
    refunded: money,
    pieces: money,
    discount: money,
    shipping: money,
    shipping_cost: money,
    payment_cost: money,
    tax: money,
    has_catalogue_product: flag,
    is_test: flag,
    status: name,
    currency: name,
    country: name,
    payment_method: name,
    shipping_method: name,
    coupon_codes: texts,
  },
  order: ['ordered_at'],
  needs: [valuedOrders],
  rows: relation`
with numbered as (
  select order_key,
    cast(row_number() over own as integer) as order_number,
    lead(order_key) over own as next_order_key,
    cast(lead(cast(ordered_local as date)) over own - cast(ordered_local as date) as integer) as days_to_next_order
  from ${valuedOrders} where is_valid and customer_key is not null
  window own as (partition by customer_key order by ordered_at, order_id)
),
sold as (
  select order_id, sum(quantity) as pieces, bool_or(p.external_product_id is not null) as has_catalogue_product
  from ${stored.orderItems}
  left join ${stored.products} as p using (external_product_id)
  where kind = 'product'
  group by order_id
)
select order_key, order_id, ordered_at, cast(ordered_local as date) as ordered_date,
  cast(extract(hour from ordered_local) as integer) as ordered_hour,
  cast(extract(isodow from ordered_local) as integer) as ordered_weekday,
  customer_key, visitor_key, is_valid, order_number, next_order_key, days_to_next_order, revenue, total,
  cast(case when refunds_count is null then 0 else refunded end as decimal(18,4)) as refunded,
  cast(coalesce(pieces, 0) as decimal(18,4)) as pieces,
  cast(${sumInBusinessCurrency('coalesce(told_discount, discount)', 'rate')} as decimal(18,4)) as discount,
  cast(${sumInBusinessCurrency('coalesce(told_shipping, shipping)', 'rate')} as decimal(18,4)) as shipping,
  cast(${sumInBusinessCurrency('shipping_cost', 'rate')} as decimal(18,4)) as shipping_cost,
  cast(${sumInBusinessCurrency('payment_cost', 'rate')} as decimal(18,4)) as payment_cost,
  coalesce(cast(${sumInBusinessCurrency('told_tax', 'rate')} as decimal(18,4)), ${vatOfBusiness('revenue')}) as tax,
  coalesce(has_catalogue_product, false) as has_catalogue_product,
  is_test, status, currency, country, payment_method, shipping_method, coupon_codes
from ${valuedOrders}
left join numbered using (order_key)
left join ${refundedOrders} using (order_id)
left join sold using (order_id)
left join ${charges} using (order_id)
order by ordered_at, order_key`,
});

export const orderCoupons = modelTable({
  name: 'order_coupons',
  scope: { person: 'order_key' },
  meaning: 'One row per order and coupon on it.',
  columns: { order_key: key, coupon: text },
  order: ['order_key'],
  rows: relation`
select distinct order_key, unnest(coupon_codes) as coupon from ${orders} order by order_key, coupon`,
});

export const firstOrders = workTable({
  name: 'first_orders',
  types: {
    customer_key: 'integer',
    first_order_key: 'integer',
    first_order_id: 'varchar',
    first_ordered_at: 'timestamp',
    first_ordered_date: 'date',
  },
  rows: relation`
select customer_key, order_key as first_order_key, order_id as first_order_id, ordered_at as first_ordered_at, ordered_date as first_ordered_date
from ${orders}
where order_number = 1`,
});
