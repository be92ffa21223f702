/**
 * `products`: every product of the catalogue, and those missing from it that were sold or viewed (`is_in_catalogue`
 * false, no price). A product without master product is its own: `master_product_id` is never null. `search_text` and
 * `brand_search_text` are what searches look into, without case and accents.
 *
 * `product_details`: what only one product in full shows of the catalogue, apart so that long texts are never sorted.
 * `description` is as loaded, so it may be HTML. `attribute_names` and `attribute_values` go together, in the order of
 * the source; an attribute that is null there is null, and what is no JSON object has none.
 *
 * `product_prices`: the catalogue prices that a product has had, one row per change of price or original price: a row
 * of the price history that repeats both is none.
 *
 * `order_products`: one row per valid order and product in it, with what the order and its customer are, so that
 * product tools read one table. `revenue` = quantity x unit price, `profit` = revenue - purchase price at the sale
 * (the line's own, else the price history's, else the current one), null when unknown; business currency,
 * 0 for orders whose rate is unknown.
 */
export const products = `
create temp table product_lines as
select i.order_id, i.line_no, i.external_product_id, i.quantity, i.unit_price, i.unit_cost,
  o.order_key, o.ordered_at,
  o.rate is not null as is_rate_known, coalesce(o.rate, 0) as rate
from store.order_items as i
join valued_orders as o using (order_id)
where i.kind = 'product' and o.is_valid;

create table products as
with known as (
  select external_product_id from store.products
  union select external_product_id from product_lines
  union select external_product_id from store.product_events
)
select
  cast(row_number() over (order by external_product_id) as integer) as product_key,
  external_product_id,
  coalesce(external_master_product_id, external_product_id) as master_product_id,
  cast(dense_rank() over (order by master_product_id) as integer) as master_product_key,
  external_master_product_id,
  c.external_product_id is not null as is_in_catalogue,
  c.name, c.sku, c.ean,
  lower(strip_accents(concat_ws(' ', c.name, c.sku, c.ean, external_product_id))) as search_text,
  coalesce(c.brand, '') as brand,
  cast(dense_rank() over (order by coalesce(c.brand, '')) as integer) as brand_key,
  lower(strip_accents(coalesce(c.brand, ''))) as brand_search_text,
  coalesce(c.categories, []) as categories,
  c.price, c.original_price, c.purchase_price, c.in_stock, c.stock_quantity,
  coalesce(c.discontinued, false) as discontinued,
  c.url, c.image_url, c.created_at, c.updated_at
from known
left join store.products as c using (external_product_id)
order by external_product_id;

create table product_details as
select product_key, c.description,
  coalesce(json_keys(c.attributes), []) as attribute_names,
  coalesce(json_extract_string(c.attributes, '$.*'), []) as attribute_values,
  coalesce(c.flags, []) as flags
from store.products as c
join (select product_key, external_product_id from products) as named using (external_product_id);

create table product_categories as
select product_key, category, cast(dense_rank() over (order by category) as integer) as category_key,
  lower(strip_accents(category)) as category_search_text
from (select distinct product_key, unnest(categories) as category from products)
order by product_key, category;

create table product_prices as
select product_key, valid_from, price, original_price
from store.product_prices
join (select product_key, external_product_id from products) as named using (external_product_id)
window history as (partition by product_key order by valid_from)
qualify lag(price) over history is distinct from price
  or lag(original_price) over history is distinct from original_price
order by product_key, valid_from;

create temp table valued_lines as
select order_key, line_no, product_key, quantity,
  line_value(quantity, unit_price, rate) as revenue,
  case
    when unit_cost is not null then line_value(quantity, unit_cost, rate)
    else line_value(quantity, coalesce(history.purchase_price, products.purchase_price), 1)
  end * case when is_rate_known then 1 else 0 end as cost
from product_lines as lines
join products using (external_product_id)
asof left join store.product_prices as history
  on history.external_product_id = lines.external_product_id and history.valid_from <= lines.ordered_at;

create table order_products as
with sold as (
  select order_key, product_key,
    cast(sum(quantity) as decimal(18,4)) as quantity,
    cast(sum(revenue) as decimal(18,4)) as revenue,
    cast(sum(revenue - cost) as decimal(18,4)) as profit
  from valued_lines
  group by order_key, product_key
)
select order_key, product_key, o.customer_key, o.visitor_key, o.ordered_at, o.ordered_date, o.order_number,
  c.first_ordered_at, c.first_ordered_date, o.revenue as order_revenue, sold.quantity, sold.revenue, sold.profit
from sold
join orders as o using (order_key)
join first_orders as c using (customer_key)
order by order_key, product_key;
`;
