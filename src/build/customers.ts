/**
 * `customers`: those with a valid order, and what their first one was: when, from where, with which coupon, and for
 * which product they came (the line with the highest revenue), through which channel (last click). Null where that is
 * unknown.
 */
export const customers = `
create table customers as
with came_for as (
  select customer_key, external_product_id as first_product, nullif(brand, '') as first_brand,
    categories[1] as first_category
  from first_orders
  join valued_lines on order_key = first_order_key
  join products using (product_key)
  qualify row_number() over (partition by customer_key order by revenue desc, line_no) = 1
)
select customer_key, first_ordered_at, first_ordered_date,
  coalesce(o.country, p.country) as country, o.coupon_codes[1] as first_coupon,
  first_product, first_brand, first_category, last_click_channel as first_channel
from first_orders
join orders as o using (customer_key)
join customer_keys using (customer_key)
left join profile_countries as p using (customer)
left join came_for using (customer_key)
left join order_traffic using (order_key)
where o.order_number = 1
order by customer_key;
`;
