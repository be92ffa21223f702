import { literal } from '../../store/duckdb-session.ts';
import { hostOf, pathOf } from '../addresses.ts';
import {
  firstAt,
  hasField,
  hasFields,
  listAt,
  type Resource,
  resourcesOf,
  textAt,
  unwrapDocuments,
} from '../json-resources.ts';
import { namesOf, ourStatus, type Statuses, statusQuestion, withMappedStatuses } from '../mapped-statuses.ts';
import type { RawRows, Source } from '../source.ts';
import { amount, momentCell, momentOf } from '../source-cells.ts';
import { taxRate } from '../tax-rate.ts';
import { metaAt } from './meta.ts';
import { CUSTOMERS, MISSING_OF_PRODUCTS, PRODUCTS, productsOf } from './products-and-customers.ts';

const RESOURCES = 'woocommerce_resources';

/**
 * Statuses of WooCommerce, and what orders with them are to us. One whose payment never came does not count,
 * as in WooCommerce's own analytics; one that is on hold (bank transfer, cash on delivery) does.
 */
const STATUSES: Statuses = {
  completed: 'fulfilled',
  processing: 'paid',
  refunded: 'paid',
  'on-hold': 'pending',
  pending: 'cancelled',
  failed: 'cancelled',
  cancelled: 'cancelled',
};

/** SQL: statuses of what is no order, or none any more. */
const NO_ORDERS = ['trash', 'draft', 'auto-draft', 'checkout-draft'].map(literal).join(', ');

/** SQL: the statuses in a document, of one thing or of many. */
const STATUSES_AT = [
  ...['$.status', '$.data.status'].map(
    (path) => `[json_extract_string(try(cast(document as json)), '${path}')]`,
  ),
  ...['$[*].status', '$.data[*].status', '$.orders[*].status'].map(
    (path) => `json_extract_string(try(cast(document as json)), '${path}')`,
  ),
];

const WRAPPERS = ['data', 'orders', 'refunds', 'products', 'customers'];

function isOfWoocommerce(resource: Resource): boolean {
  return (
    (hasFields(resource, 'line_items') &&
      hasField(resource, 'discount_total', 'coupon_lines', 'refunded_by', 'order_key')) ||
    hasFields(resource, 'regular_price') ||
    hasFields(resource, 'stock_status', 'price') ||
    hasFields(resource, 'is_paying_customer') ||
    hasFields(resource, 'username', 'billing')
  );
}

/**
 * Answers of WooCommerce's REST API, version 3: orders, refunds, products, variations, customers. Totals are
 * with tax.
 */
export const woocommerceJson: Source = {
  name: 'woocommerce-json',
  title: 'WooCommerce orders, products and customers, JSON of the API',
  beginsAs: (_, documents) => resourcesOf(documents, WRAPPERS).some(isOfWoocommerce),
  columns: {},
  settings: ['timezone', 'status', 'encoding'],
  questions: (raw) => [
    {
      setting: 'timezone',
      condition: `regexp_matches(document, '"date_created"\\s*:\\s*"') and not regexp_matches(document, '"date_created_gmt"\\s*:\\s*"')`,
      problem: 'times of the shop without an offset from UTC, and no "date_created_gmt"',
      example: '--timezone Europe/Prague for the timezone of the shop',
    },
    statusQuestion(
      `document like '%"discount_total"%' and len(${unknownStatuses(raw)}) > 0`,
      'a status that WooCommerce does not have by itself',
      'wc-packed=paid',
      unknownStatuses(raw),
    ),
  ],
  assumptions: () => [
    'an order that waits for its payment (pending) or whose payment failed does not count, as in the analytics of WooCommerce',
    'a refund without its own body has no date: it counts on the day of its order',
    'an order that WooPayments took in its test mode is a test',
  ],
  prepare: (raw) => [
    ...unwrapDocuments(
      raw.relation,
      { documents: 'woocommerce_documents', resources: 'woocommerce_bare_resources' },
      WRAPPERS,
    ),
    `create temp table ${RESOURCES} as
      select *, ${textAt('resource', 'id')} as id, case
          when json_exists(resource, '$.line_items') and json_exists(resource, '$.discount_total') then 'order'
          when json_exists(resource, '$.refunded_by') then 'refund'
          -- Reports of WooCommerce Analytics have the stock of products and the names of users too.
          when json_exists(resource, '$.regular_price') or json_exists(resource, '$.stock_status') and json_exists(resource, '$.price') then 'product'
          when json_exists(resource, '$.is_paying_customer') or json_exists(resource, '$.username') and json_exists(resource, '$.billing') then 'customer'
        end as kind
      from woocommerce_bare_resources`,
    orders(raw),
    LINES,
    refunds(raw),
    REFUND_LINES,
    productsOf(RESOURCES),
  ],
  translate: () => ({
    orders: TRANSLATED_ORDERS,
    order_items: `
      select _row, order_id, line_no, 'product' as kind, product_id as external_product_id, name, quantity, unit_price, tax_rate
      from woocommerce_lines order by _row, line_no`,
    refunds: `
      select _row, _malformed, refund_id, order_id, refunded_at, amount, is_dated from woocommerce_refunds order by _row`,
    refund_lines: `
      select _row, refund_id, order_id, line_no, product_id as external_product_id, quantity, amount
      from woocommerce_refund_lines order by _row, refund_id, line_no`,
    sessions: `
      select _row, session_id, visitor_id, email, ordered_at as started_at, utm_source as source, utm_medium as medium,
        utm_campaign as campaign, referrer_host, landing_path, device, page_views, 'true' as checkout
      from woocommerce_orders where is_last and is_order and session_id is not null order by _row`,
    products: PRODUCTS,
    profiles: CUSTOMERS(RESOURCES),
  }),
  missing: () => ({
    products: MISSING_OF_PRODUCTS,
    refunds: { refunded_at: 'not is_dated' },
  }),
  orderFacts: () => `
    select order_id, currency, ${momentOf('ordered_at')} as ordered_at, gross, discount_amount as discount,
      shipping_amount as shipping, tax_amount as tax, coalesce(refunded, 0) as refunded, not is_last as is_duplicate, is_unpaid,
      coalesce(case when abs(gross - lines_total - shipping_amount - fee_amount) > 0.01 then gross - lines_total - shipping_amount - fee_amount end, 0)
        as edited_by,
      0 as lines_off_by
    from woocommerce_orders
    left join (select order_id, sum(total) as lines_total from woocommerce_lines group by order_id) using (order_id)
    left join (select order_id, sum(amount) as refunded from woocommerce_refunds group by order_id) using (order_id)
    where is_order`,
};

/** SQL: the statuses in a document that nobody knows. */
function unknownStatuses(raw: RawRows): string {
  const known = [namesOf(orderStatuses(raw)), NO_ORDERS].join(', ');
  return `list_filter(list_concat(${STATUSES_AT.join(', ')}), lambda status: lower(replace(status, 'wc-', '')) not in (${known}))`;
}

/** Theirs have a prefix where plugins name them, and none in the API. */
function orderStatuses(raw: RawRows): Statuses {
  const names = Object.entries(withMappedStatuses(STATUSES, raw));
  return Object.fromEntries(names.map(([theirs, ours]) => [theirs.replace(/^wc-/, ''), ours]));
}

/** SQL: what an amount and its tax come to. */
const withTax = (value: string, net: string, tax: string) =>
  `(coalesce(${amount(textAt(value, net))}, 0) + coalesce(${amount(textAt(value, tax))}, 0))`;

/**
 * SQL: the moment by its time in UTC, which has no `Z` but where a program put it there; else by the shop's
 * clock.
 */
function momentAt(value: string, name: string, raw: RawRows): string {
  return momentCell(
    `coalesce(rtrim(${textAt(value, `${name}_gmt`)}, 'Z') || 'Z', ${textAt(value, name)})`,
    raw.settings,
  );
}

/**
 * SQL: the id of what was sold: of the variation, else of the product; of one that was deleted, its SKU or
 * name.
 */
const soldProduct = (item: string) =>
  `coalesce(nullif(${textAt(item, 'variation_id')}, '0'), nullif(${textAt(item, 'product_id')}, '0'), ${textAt(item, 'sku')}, 'name:' || ${textAt(item, 'name')})`;

/**
 * SQL: what plugins of Stripe, PayPal and WooPayments note of what they took, where it is in the money of the
 * order: Stripe names the currency that it pays out, WooPayments a rate where it is another one.
 */
function paymentCost(order: string): string {
  const ofStripe = `case when coalesce(upper(${metaAt(order, '_stripe_currency')}) = upper(${textAt(order, 'currency')}), true) then ${amount(metaAt(order, '_stripe_fee'))} end`;
  const ofWooPayments = `case when ${metaAt(order, '_wcpay_multi_currency_stripe_exchange_rate')} is null then ${amount(metaAt(order, '_wcpay_transaction_fee'))} end`;
  return `coalesce(${ofStripe}, ${ofWooPayments}, ${amount(metaAt(order, 'PayPal Transaction Fee'))}, ${amount(metaAt(order, '_paypal_transaction_fee'))})`;
}

function orders(raw: RawRows): string {
  const r = 'resource';
  const attribution = (key: string) => metaAt(r, `_wc_order_attribution_${key}`);
  return `create temp table woocommerce_orders as
    with known as (
      select _row, place, id as order_id, ${textAt(r, 'number')} as number, ${momentAt(r, 'date_created', raw)} as ordered_at,
        ${momentOf(momentAt(r, 'date_modified', raw))} as modified_at,
        replace(lower(${textAt(r, 'status')}), 'wc-', '') as theirs, ${textAt(r, 'currency')} as currency,
        ${textAt(r, 'total')} as total, ${amount(textAt(r, 'total'))} as gross, coalesce(${amount(textAt(r, 'total_tax'))}, 0) as tax_amount,
        ${withTax(r, 'discount_total', 'discount_tax')} as discount_amount, ${withTax(r, 'shipping_total', 'shipping_tax')} as shipping_amount,
        coalesce(list_sum(list_transform(${listAt(r, 'fee_lines')}, lambda fee: ${withTax('fee', 'total', 'total_tax')})), 0) as fee_amount,
        ${paymentCost(r)} as payment_cost,
        list_aggregate(list_transform(${listAt(r, 'coupon_lines')}, lambda coupon: coupon->>'$.code'), 'string_agg', '|') as coupon_codes,
        ${firstAt(r, 'payment_method_title', 'payment_method')} as payment_method, ${textAt(r, 'shipping_lines[0].method_title')} as shipping_method,
        ${firstAt(r, 'shipping.country', 'billing.country')} as country, ${textAt(r, 'billing.email')} as email, ${textAt(r, 'billing.phone')} as phone,
        nullif(${textAt(r, 'customer_id')}, '0') as customer_id, ${metaAt(r, '_wcpay_mode')} = 'test' as is_test,
        nullif(${attribution('utm_source')}, '(direct)') as utm_source, nullif(${attribution('utm_medium')}, '(none)') as utm_medium,
        nullif(${attribution('utm_campaign')}, '(none)') as utm_campaign,
        ${hostOf(attribution('referrer'))} as referrer_host,
        ${pathOf(attribution('session_entry'))} as landing_path,
        lower(${attribution('device_type')}) as device_type, ${attribution('session_pages')} as page_views,
        ${attribution('source_type')} as source_type, ${r}
      from ${RESOURCES} where kind = 'order'
    )
    select *, theirs not in (${NO_ORDERS}) as is_order,
      ${ourStatus('theirs', orderStatuses(raw))} as status, status = 'pending' as is_unpaid,
      case when device_type in ('desktop', 'mobile', 'tablet') then device_type end as device,
      -- Of an order that somebody typed in the admin, nobody visited anything.
      case when source_type not in ('admin', 'mobile_app') then 'woocommerce order ' || order_id end as session_id,
      coalesce('woocommerce customer ' || customer_id, session_id) as visitor_id,
      row_number() over (partition by order_id order by modified_at desc nulls last, place desc) = 1 as is_last
    from known`;
}

/** Lines of products. What they come to is with tax and after discounts. */
const LINES = `create temp table woocommerce_lines as
  with line as (
    select _row, order_id, unnest(items) as item, generate_subscripts(items, 1) as line_no
    from (select *, ${listAt('resource', 'line_items')} as items from woocommerce_orders where is_last and is_order)
  )
  select _row, order_id, line_no, ${textAt('item', 'id')} as line_id, ${soldProduct('item')} as product_id, ${textAt('item', 'name')} as name,
    ${textAt('item', 'quantity')} as quantity, ${withTax('item', 'total', 'total_tax')} as total,
    case when ${amount(textAt('item', 'quantity'))} <> 0
      then cast(round(cast(total as double) / ${amount(textAt('item', 'quantity'))}, 6) as decimal(18,6)) else total end as unit_price,
    ${taxRate(amount(textAt('item', 'total')), amount(textAt('item', 'total_tax')))} as tax_rate
  from line`;

/** The refunds, each by its own body, which has its date, else as its order names it. */
function refunds(raw: RawRows): string {
  return `create temp table woocommerce_refunds as
    with named as (
      select _row, order_id, ordered_at, unnest(${listAt('resource', 'refunds')}) as refund from woocommerce_orders where is_last and is_order
    ),
    ofOrder as (
      select _row, order_id, ordered_at, ${textAt('refund', 'id')} as refund_id, -${amount(textAt('refund', 'total'))} as amount from named
    ),
    body as (
      select _row, id as refund_id, nullif(${textAt('resource', 'parent_id')}, '0') as parent_id, ${momentAt('resource', 'date_created', raw)} as refunded_at,
        abs(${amount(textAt('resource', 'amount'))}) as amount, resource
      from ${RESOURCES} where kind = 'refund' qualify row_number() over (partition by id order by place desc) = 1
    )
    select coalesce(b._row, o._row) as _row, refund_id, coalesce(o.order_id, b.parent_id) as order_id,
      coalesce(b.refunded_at, o.ordered_at) as refunded_at, b.refunded_at is not null as is_dated, coalesce(b.amount, o.amount) as amount, b.resource,
      case when o.order_id is null and b.parent_id is null
        then 'is a refund that does not say of which order: import it together with its order' end as _malformed
    from ofOrder as o full join body as b using (refund_id)`;
}

const REFUND_LINES = `create temp table woocommerce_refund_lines as
  with line as (
    select _row, order_id, refund_id, unnest(${listAt('resource', 'line_items')}) as item
    from woocommerce_refunds where _malformed is null and resource is not null
  )
  select r._row, r.order_id, refund_id, line_no, coalesce(l.product_id, ${soldProduct('item')}) as product_id,
    abs(${amount(textAt('item', 'quantity'))}) as quantity, abs(${withTax('item', 'total', 'total_tax')}) as amount
  from line as r left join woocommerce_lines as l
    on l.order_id = r.order_id and l.line_id = ${metaAt('item', '_refunded_item_id')}`;

/**
 * What has no kind is rejected here, where a merchant looks for their orders. What went into the trash goes.
 */
const TRANSLATED_ORDERS = `
  select _row, cast(null as varchar) as _malformed, cast(null as boolean) as _deleted, order_id, number, ordered_at, email, phone,
    customer_id as external_customer_id, status, is_test, currency, total, tax_amount as tax, shipping_amount as shipping,
    fee_amount as payment_fee, payment_cost, discount_amount as discount, coupon_codes, payment_method, shipping_method, country, device,
    visitor_id, session_id, utm_source, utm_medium, utm_campaign
  from woocommerce_orders where is_last and is_order
  union all by name
  select _row, true as _deleted, order_id from woocommerce_orders where is_last and not is_order
  union all by name
  select _row, 'is no JSON document' as _malformed from woocommerce_documents where document is null
  union all by name
  select _row, 'is no order, refund, product or customer of WooCommerce' as _malformed from ${RESOURCES} where kind is null
  order by _row`;
