/**
 * `orders`: all orders; `is_valid` marks those that count (no test, not cancelled). `revenue` is the total in the
 * business currency at the rate of the order, 0 where that rate is unknown. `order_number` counts the customer's valid
 * orders over all history, by moment, then id; `next_order_key` is the following one of them, `days_to_next_order` the
 * difference of their local dates. `refunded` is what was paid back until now, `pieces` the quantity of all product
 * lines, `has_catalogue_product` whether one of them is of the catalogue. Moments are UTC; dates, hours (0-23) and weekdays (1 = Monday) local.
 *
 * `order_coupons`: one row per order and coupon on it.
 */
export const orders = `
create temp table valued_orders as
select
  cast(row_number() over (order by o.ordered_at, o.order_id) as integer) as order_key,
  o.order_id, o.session_id, o.ordered_at, local_time(o.ordered_at) as ordered_local,
  customer_key, coalesce(visitor_key, customer_key) as visitor_key,
  not o.is_test and o.status <> 'cancelled' as is_valid, o.is_test, o.status,
  case when coalesce(o.currency, business_currency(), '') = coalesce(business_currency(), o.currency, '')
    then 1 else o.fx_rate end as rate,
  cast(coalesce(in_business_currency(o.total, rate), 0) as decimal(18,4)) as revenue,
  coalesce(o.currency, business_currency()) as currency,
  o.country, o.payment_method, o.shipping_method, o.coupon_codes
from store.orders as o
join order_customers using (order_id)
left join visitor_keys on visitor_keys.visitor_id = order_customers.visitor_id;

create temp table refunded_orders as
select order_id, sum(in_business_currency(amount, rate)) as refunded
from store.refunds join valued_orders using (order_id)
group by order_id;

create table orders as
with numbered as (
  select order_key,
    cast(row_number() over own as integer) as order_number,
    lead(order_key) over own as next_order_key,
    cast(lead(cast(ordered_local as date)) over own - cast(ordered_local as date) as integer) as days_to_next_order
  from valued_orders where is_valid
  window own as (partition by customer_key order by order_key)
),
sold as (
  select order_id, sum(quantity) as pieces, bool_or(p.external_product_id is not null) as has_catalogue_product
  from store.order_items
  left join store.products as p using (external_product_id)
  where kind = 'product'
  group by order_id
)
select order_key, order_id, ordered_at, cast(ordered_local as date) as ordered_date,
  cast(extract(hour from ordered_local) as integer) as ordered_hour,
  cast(extract(isodow from ordered_local) as integer) as ordered_weekday,
  customer_key, visitor_key, is_valid, order_number, next_order_key, days_to_next_order, revenue,
  cast(coalesce(refunded, 0) as decimal(18,4)) as refunded,
  cast(coalesce(pieces, 0) as decimal(18,4)) as pieces,
  coalesce(has_catalogue_product, false) as has_catalogue_product,
  is_test, status, currency, country, payment_method, shipping_method, coupon_codes
from valued_orders
left join numbered using (order_key)
left join refunded_orders using (order_id)
left join sold using (order_id)
order by order_key;

create table order_coupons as
select distinct order_key, unnest(coupon_codes) as coupon from orders order by order_key, coupon;

create temp table first_orders as
select customer_key, order_key as first_order_key, ordered_at as first_ordered_at, ordered_date as first_ordered_date
from orders
where order_number = 1;
`;
