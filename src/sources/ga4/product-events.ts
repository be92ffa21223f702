import { knownText, momentOfMicros, SESSION_ID } from './fields.ts';

const KINDS: Readonly<Record<string, string>> = {
  view_item: 'view',
  add_to_cart: 'add_to_cart',
  remove_from_cart: 'remove_from_cart',
  add_to_wishlist: 'wishlist',
};

const names = Object.keys(KINDS)
  .map((name) => `'${name}'`)
  .join(', ');

/** SQL: a number that is the same for events that are. */
const HIT = 'hash(visitor_id, at_us, event_name)';

/**
 * Statements that make `ga4_product_hits`: the products in an event, once each, and how many of its items
 * have no id. And `ga4_repeated_hits`: what those have in common that several events are alike in, which are
 * few where no table of a day comes twice.
 */
export const PRODUCT_HITS = [
  `create temp table ga4_product_hits as
    select _row, ${knownText('user_pseudo_id')} as visitor_id, ${SESSION_ID} as session_id, event_name, at_us,
      list_distinct(list_transform(items, lambda item: ${knownText('item.id')})) as products,
      len(list_filter(items, lambda item: coalesce(${knownText('item.id')}, '') = '')) as without_id
    from ga4_events where event_name in (${names}) and at_us is not null`,
  `create temp table ga4_repeated_hits as
    select ${HIT} as hit from ga4_product_hits where visitor_id is not null group by hit having count(*) > 1`,
];

/**
 * The events in their order, without those that may come several times: to group all of them would take most
 * of the time and memory.
 *
 * TRICKY: the id of an event is a digest, since as text it would look like phone numbers: the gate for
 * personal data would go through it letter by letter.
 */
export const TRANSLATED_PRODUCT_EVENTS = `
  with seen as (
    select * exclude (products), unnest(products) as product
    from (select *, ${HIT} in (select hit from ga4_repeated_hits) as is_repeated from ga4_product_hits where visitor_id is not null)
  ),
  once as (
    select _row, visitor_id, session_id, event_name, at_us, product from seen where not is_repeated
    union all
    select min(_row) as _row, visitor_id, min(session_id) as session_id, event_name, at_us, product
    from seen where is_repeated group by visitor_id, event_name, at_us, product
  )
  select _row, md5(concat_ws('/', visitor_id, at_us, event_name, product)) as event_id, visitor_id, session_id,
    product as external_product_id,
    case event_name ${Object.entries(KINDS)
      .map(([theirs, ours]) => `when '${theirs}' then '${ours}'`)
      .join(' ')} end as kind,
    ${momentOfMicros('at_us')} as "at"
  from once where product is not null`;
