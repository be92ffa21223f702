/**
 * `product_events`: what visitors did with products. `engagement_s` is the foreground time of a view, capped at 1,800
 * seconds. `score`: a view 1 + 1 per full 10 seconds (at most 6), add-to-cart 3, wish list and watchdog 2.
 */
export const productEvents = `
create table product_events as
select product_key, visitor_key, "at" as happened_at, local_date("at") as happened_date, kind,
  case when kind = 'view' then least(engagement_s, 1800) else 0 end as engagement_s,
  cast(case kind
    when 'view' then 1 + least(6, floor(least(engagement_s, 1800) / 10))
    when 'add_to_cart' then 3
    when 'wishlist' then 2
    when 'watchdog' then 2
    else 0
  end as integer) as score
from store.product_events
join products using (external_product_id)
join visitor_keys using (visitor_id)
order by happened_at, event_id;
`;
