/**
 * `orders`: all orders; `is_valid` marks those that count (no test, not cancelled). `revenue` is the total in the
 * business currency at the rate of the order, 0 where that rate is unknown. `order_number` counts the customer's valid
 * orders over all history, by moment, then id. `refunded` is what was paid back until now. Moments are UTC, dates local.
 */
export const orders = `
create temp table valued_orders as
select
  cast(row_number() over (order by o.ordered_at, o.order_id) as integer) as order_key,
  o.order_id, o.ordered_at, local_date(o.ordered_at) as ordered_date,
  customer_key, coalesce(visitor_key, customer_key) as visitor_key,
  not o.is_test and o.status <> 'cancelled' as is_valid,
  case when coalesce(o.currency, business_currency(), '') = coalesce(business_currency(), o.currency, '')
    then 1 else o.fx_rate end as rate,
  cast(coalesce(in_business_currency(o.total, rate), 0) as decimal(18,4)) as revenue,
  o.country, o.coupon_codes
from store.orders as o
join order_customers using (order_id)
join customer_keys using (customer)
left join visitor_keys on visitor_keys.visitor_id = o.visitor_id;

create temp table refunded_orders as
select order_id, sum(in_business_currency(amount, rate)) as refunded
from store.refunds join valued_orders using (order_id)
group by order_id;

create table orders as
with numbered as (
  select order_key,
    cast(row_number() over (partition by customer_key order by order_key) as integer) as order_number
  from valued_orders where is_valid
)
select order_key, order_id, ordered_at, ordered_date, customer_key, visitor_key, is_valid, order_number, revenue,
  cast(coalesce(refunded, 0) as decimal(18,4)) as refunded, country, coupon_codes
from valued_orders
left join numbered using (order_key)
left join refunded_orders using (order_id)
order by order_key;

create temp table first_orders as
select customer_key, order_key as first_order_key, ordered_at as first_ordered_at, ordered_date as first_ordered_date
from orders
where order_number = 1;
`;
