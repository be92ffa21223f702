import { literal } from '../../store/duckdb-session.ts';
import { plural } from '../../text/plural.ts';
import { hasField, type Resource, resourcesOf } from '../json-resources.ts';
import { areNull } from '../missing-values.ts';
import type { Source } from '../source.ts';
import { storedId } from '../stored-id.ts';
import { calls, isEvent, momentText, ORDER_COMPLETED, TYPES, WRAPPERS } from './calls.ts';
import { profileOfUser, profileOfVisitor, TRANSLATED_SESSIONS, VISITS, withVisit } from './visits.ts';

/** Events of products, by their names in lower case, those of the first version of the specification too. */
const KINDS: Readonly<Record<string, string>> = {
  'product viewed': 'view',
  'viewed product': 'view',
  'product added': 'add_to_cart',
  'added product': 'add_to_cart',
  'wishlist product added to cart': 'add_to_cart',
  'product removed': 'remove_from_cart',
  'removed product': 'remove_from_cart',
  'product added to wishlist': 'wishlist',
};

const AFTER_ORDERS = isEvent('order updated', 'updated order', 'order refunded', 'order cancelled');

const OF_EMAILS = isEvent(
  ...[
    'email delivered',
    'email opened',
    'email link clicked',
    'email bounced',
    'email marked as spam',
    'unsubscribed',
  ],
);

const NO_TIME = `regexp_matches(document, '"(timestamp|originalTimestamp)"\\s*:\\s*"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+"')`;

/**
 * Calls of Segment's libraries, a line or a list of them, as its e-commerce specification names events. They
 * tell of visits and products, and in which visit an order was placed; its orders never become ours.
 */
export const segmentCalls: Source = {
  name: 'segment-json',
  title: 'Segment calls, JSON lines',
  beginsAs: (_, documents) => resourcesOf(documents, WRAPPERS, 'anything').some(isCall),
  columns: {},
  settings: ['timezone', 'encoding'],
  comparesBefore: true,
  comparesBeside: true,
  questions: () => [
    {
      setting: 'timezone',
      condition: NO_TIME,
      problem: 'a timestamp without an offset from UTC',
      example: '--timezone Europe/Prague for the timezone of its times',
    },
  ],
  assumptions: () => [
    'visits are the calls of one anonymousId with a page, without half an hour between two of them',
    'orders are not made of calls: they come from the shop. Calls tell in which visit an order was placed',
  ],
  findings: () => [
    {
      count:
        'select (select count(*) from segment_told where happened_at is not null and type is not null) - (select count(*) from segment_calls)',
      says: (count) =>
        `${plural(count, 'call repeats a messageId, or is', 'calls repeat a messageId, or are')} of a type that is not known: not read`,
    },
    {
      count: `select count(*) from segment_calls where visitor_id is null and type in ('track', 'page', 'screen')`,
      says: (count) => `${plural(count, 'call has', 'calls have')} no anonymousId: of no visit`,
    },
    {
      count: 'select count(*) from segment_products where product is null',
      says: (count) =>
        `${plural(count, 'event of a product has', 'events of products have')} no product_id and no sku: not read`,
    },
    {
      count: 'select count(*) from segment_products where product is not null and not is_known',
      says: (count) =>
        `${plural(count, 'event is of a product', 'events are of products')} in no catalogue of these files or earlier imports: import the shop's products, and these files again`,
    },
    {
      count: `select count(*) from segment_calls where ${ORDER_COMPLETED} and order_id is null`,
      says: (count) => `${plural(count, 'order has', 'orders have')} no order_id: of no visit`,
    },
    {
      count: `select count(*) from segment_calls where ${AFTER_ORDERS}`,
      says: (count) =>
        `${plural(count, 'call tells', 'calls tell')} of changes, refunds and cancellations of orders: those come from the shop`,
    },
    {
      count: `select count(*) from segment_calls where ${OF_EMAILS}`,
      says: (count) =>
        `${plural(count, 'call tells', 'calls tell')} of e-mails: those come from the tool that sent them (Klaviyo, Mailchimp)`,
    },
  ],
  prepare: (raw) => [...calls(raw), ...VISITS, PRODUCTS],
  translate: () => ({
    order_visits: TRANSLATED_VISITS,
    sessions: TRANSLATED_SESSIONS,
    product_events: TRANSLATED_PRODUCT_EVENTS,
    profiles: TRANSLATED_PROFILES,
  }),
  missing: () => ({ profiles: areNull('email', 'phone', 'external_customer_id') }),
};

function isCall(resource: Resource): boolean {
  return (
    typeof resource.type === 'string' &&
    TYPES.includes(resource.type) &&
    hasField(resource, 'anonymousId', 'userId') &&
    hasField(resource, 'timestamp', 'originalTimestamp', 'receivedAt', 'sentAt')
  );
}

/** The products, by the SKU where the shop's products are known by that, else by their own id. */
const PRODUCTS = `create temp table segment_products as
  with catalogue as (select external_product_id from before_products union select external_product_id from products_beside),
  known as (
    select _row, place, message_id, visitor_id, event, happened_at, product_id, sku,
      coalesce(product_id in (from catalogue), false) as has_id, coalesce(sku in (from catalogue), false) as has_sku
    from segment_calls where type = 'track' and ${isEvent(...Object.keys(KINDS))}
  )
  select *, has_id or has_sku as is_known, case when has_sku and not has_id then sku else coalesce(product_id, sku) end as product from known`;

const TRANSLATED_PRODUCT_EVENTS = `
  select _row, md5(coalesce(message_id, concat_ws('/', visitor_id, epoch_us(happened_at), event, product))) as event_id, visitor_id, session_id,
    product as external_product_id,
    case event ${Object.entries(KINDS)
      .map(([theirs, ours]) => `when ${literal(theirs)} then '${ours}'`)
      .join(' ')} end as kind,
    ${momentText('happened_at')} as "at"
  from (${withVisit('select * from segment_products where product is not null and visitor_id is not null')}) order by _row`;

/**
 * The visit of each order of the shop, by its id or number: that of its earliest call whose visitor is known.
 */
const TRANSLATED_VISITS = `
  select _row, order_id as reference, visitor_id, session_id, ${momentText('happened_at')} as "at"
  from (${withVisit(`
    select * from segment_calls where type = 'track' and ${ORDER_COMPLETED} and order_id is not null and visitor_id is not null
    qualify row_number() over (partition by order_id order by happened_at, place) = 1`)}) as o
  anti join before_order_visits as known on known.reference = ${storedId('recordId', 'o.order_id')} and known."at" < o.happened_at
  order by _row`;

const TRANSLATED_PROFILES = `
  select min(_row) as _row, ${profileOfUser('user_id')} as profile_id,
    coalesce(arg_max(email, (happened_at, place)), case when contains(user_id, '@') then user_id end) as email, arg_max(phone, (happened_at, place)) as phone,
    case when not contains(user_id, '@') then user_id end as external_customer_id
  from segment_calls where user_id is not null group by user_id
  union all
  select min(_row), ${profileOfVisitor('visitor_id')}, arg_max(email, (happened_at, place)), arg_max(phone, (happened_at, place)), null
  from segment_calls where user_id is null and visitor_id is not null and email is not null group by visitor_id
  order by _row`;
