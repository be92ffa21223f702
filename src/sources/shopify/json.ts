import { plural } from '../../text/plural.ts';
import { hostOf, parameterOf, pathOf } from '../addresses.ts';
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
import { namesOf, ourStatus, statusQuestion } from '../mapped-statuses.ts';
import { areMissing, hasAny } from '../missing-values.ts';
import type { RawRows, Source } from '../source.ts';
import { amount, momentOf } from '../source-cells.ts';
import { storedId } from '../stored-id.ts';
import { namedProduct, refundOfAll, shopifyId } from './ids.ts';
import { CUSTOMERS, customersOf, MISSING_OF_CUSTOMERS } from './json-customers.ts';
import { MISSING_OF_PRODUCTS, PRODUCTS, variantsOf } from './json-products.ts';
import { financialStatuses } from './statuses.ts';

const RESOURCES = 'shopify_json_resources';

const WRAPPERS = ['order', 'product', 'customer', 'refund'].flatMap((name) => [`${name}s`, name]);

/** SQL: whether an order says what it was refunded, be it nothing. */
const TELLS_REFUNDS = hasAny('keys', ['refunds']);

/**
 * Answers of Shopify's REST API, bodies of its webhooks, and results of its GraphQL API, those of bulk
 * operations too, where each line is an object and names its parent. Amounts are those of the shop's
 * currency.
 */
export const shopifyJson: Source = {
  name: 'shopify-json',
  title: 'Shopify orders, products and customers, JSON of the API',
  beginsAs: (_, documents) => resourcesOf(documents, WRAPPERS).some(isOfShopify),
  columns: {},
  settings: ['status', 'encoding'],
  comparesBefore: true,
  questions: (raw) => {
    // The whole document is read, since the rows of orders are made of it afterwards.
    const unknown = `list_filter(regexp_extract_all(document, '"(?:financial_status|displayFinancialStatus)"\\s*:\\s*"([^"]*)"', 1),
      lambda status: lower(status) not in (${namesOf(financialStatuses(raw))}))`;
    const problem = 'a financial status that Shopify does not document';
    return [statusQuestion(`len(${unknown}) > 0`, problem, 'on_hold=pending', unknown)];
  },
  assumptions: () => [
    'an order is of the moment at which it was processed, as in the reports of Shopify',
    'where tax is added to prices, those of lines are without it',
    'consents without a moment are not read',
  ],
  prepare: (raw) => [
    ...unwrapDocuments(
      raw.relation,
      { documents: 'shopify_json_documents', resources: 'shopify_json_bare_resources' },
      WRAPPERS,
    ),
    `create or replace temp table ${RESOURCES} as
      select *, ${shopifyId('resource', 'id')} as id, ${shopifyId('resource', '__parentId')} as parent_id, case
          when ${textAt('resource', 'id')} like 'gid://%' then regexp_extract(${textAt('resource', 'id')}, '^gid://shopify/([A-Za-z]+)', 1)
          -- Drafts and abandoned checkouts have no status of payment.
          when json_exists(resource, '$.financial_status') and json_exists(resource, '$.total_price') then 'Order'
          when json_exists(resource, '$.refund_line_items') and json_exists(resource, '$.order_id') then 'Refund'
          when json_exists(resource, '$.variants') then 'Product'
          when json_exists(resource, '$.orders_count') or json_exists(resource, '$.email_marketing_consent')
            or json_exists(resource, '$.accepts_marketing') then 'Customer'
        end as kind
      from shopify_json_bare_resources`,
    orders(raw),
    LINES,
    REFUNDS,
    REFUND_LINES,
    variantsOf(RESOURCES),
    customersOf(RESOURCES),
  ],
  translate: () => ({
    orders: TRANSLATED_ORDERS,
    order_items: `
      select _row, order_id, line_no, kind, product_id as external_product_id, name, quantity, unit_price, tax_rate
      from shopify_json_lines order by _row, line_no`,
    refunds: TRANSLATED_REFUNDS,
    refund_lines: `
      select _row, refund_id, order_id, line_no, product_id as external_product_id, quantity, amount
      from shopify_json_refund_lines order by _row, refund_id, line_no`,
    sessions: `
      select _row, session_id, visitor_id, email, coalesce(visited_at, ordered_at) as started_at, utm_source as source,
        utm_medium as medium, utm_campaign as campaign, referrer_host, landing_path, 'true' as checkout
      from shopify_json_orders where session_id is not null
      qualify row_number() over (partition by session_id order by newer) = 1 order by _row`,
    products: PRODUCTS,
    profiles: CUSTOMERS.profiles,
    consent_events: CUSTOMERS.consents,
  }),
  findings: () => [
    {
      count: `select count(distinct refund_id) from shopify_json_refunds as r
        where amount <> 0 and r.order_id not in (select order_id from shopify_json_orders)
          and ${storedId('recordId', refundOfAll('r.order_id'))} in (select refund_id from before_refunds)`,
      says: (count) =>
        `${plural(count, 'refund came', 'refunds came')} without their orders, which have a refund of unknown date from the export of the admin: both count. Import the orders as JSON too, with their refunds, or the export again`,
    },
    {
      count: `select count(distinct id) from ${RESOURCES}
        where kind = 'Product' and _row not in (select _row from shopify_json_variants)
          and id not in (select parent_id from ${RESOURCES} where kind = 'ProductVariant' and parent_id is not null)`,
      says: (count) =>
        `${plural(count, 'product is', 'products are')} without variants, which have the prices: not stored. If they have some, export them too`,
    },
    {
      count: `select count(*) from ${RESOURCES} where kind = 'ProductVariant'
        and (parent_id is null or parent_id not in (select id from ${RESOURCES} where kind = 'Product'))`,
      says: (count) =>
        `${plural(count, 'variant is of a product', 'variants are of products')} that the files do not have: not stored. Export the products too`,
    },
  ],
  missing: () => ({
    orders: MISSING_OF_ORDERS,
    products: MISSING_OF_PRODUCTS,
    profiles: MISSING_OF_CUSTOMERS,
  }),
  orderFacts: () => `
    select order_id, currency, ${momentOf('ordered_at')} as ordered_at, gross, ${amount('discount')} as discount,
      ${amount('shipping')} as shipping, ${amount('tax')} as tax, case when ${TELLS_REFUNDS} then coalesce(refunded, 0) else refunded end as refunded, not is_last as is_duplicate, is_unpaid, edited_by,
      coalesce(case when is_last and abs(lines_net - subtotal_amount) > 0.01 * lines_count then lines_net - subtotal_amount end, 0) as lines_off_by
    from shopify_json_orders as o
    left join (
      select order_id, cast(sum(try_cast(quantity as double) * unit_price) as decimal(18,4)) as lines_net, count(*) as lines_count
      from shopify_json_lines group by order_id
    ) using (order_id)
    left join (select order_id, sum(amount) as refunded from shopify_json_refunds group by order_id) using (order_id)`,
};

function isOfShopify(resource: Resource): boolean {
  const ids = [resource.id, resource.__parentId, resource.admin_graphql_api_id];
  return (
    ids.some((id) => typeof id === 'string' && id.startsWith('gid://shopify/')) ||
    hasFields(resource, 'financial_status', 'total_price') ||
    hasFields(resource, 'refund_line_items', 'order_id') ||
    (hasFields(resource, 'variants') && hasField(resource, 'body_html', 'product_type', 'published_scope')) ||
    (hasFields(resource, 'id') &&
      hasField(resource, 'last_order_id', 'email_marketing_consent', 'accepts_marketing')) ||
    // Reports of other systems count orders too, and customers of WooCommerce have a user name.
    (hasFields(resource, 'id', 'orders_count') &&
      hasField(resource, 'total_spent', 'tags', 'verified_email', 'tax_exempt', 'default_address') &&
      !hasField(resource, 'username'))
  );
}

/** SQL: an amount in the shop's currency, by its names in REST and GraphQL. */
const money = (value: string, rest: string, graphql: string) =>
  firstAt(value, rest, `${graphql}.shopMoney.amount`);

function orders(raw: RawRows): string {
  const r = 'resource';
  const visit = 'customerJourneySummary.lastVisit';
  return `create or replace temp table shopify_json_orders as
    with known as (
      select _row, place, id as order_id, json_keys(${r}) as keys, ${textAt(r, 'name')} as number,
        ${firstAt(r, 'processed_at', 'processedAt', 'created_at', 'createdAt')} as ordered_at,
        ${firstAt(r, 'cancelled_at', 'cancelledAt')} as cancelled_at,
        lower(coalesce(${firstAt(r, 'financial_status', 'displayFinancialStatus')}, 'paid')) as financial_status,
        lower(${firstAt(r, 'fulfillment_status', 'displayFulfillmentStatus')}) as fulfillment_status,
        coalesce(${textAt(r, 'test')}, 'false') as is_test,
        ${firstAt(r, 'email', 'contact_email', 'customer.email')} as email,
        ${firstAt(r, 'phone', 'customer.phone', 'billing_address.phone', 'billingAddress.phone')} as phone,
        ${shopifyId(r, 'customer.id')} as customer_id,
        ${firstAt(r, 'currency', 'currencyCode', 'totalPriceSet.shopMoney.currencyCode')} as currency,
        ${firstAt(r, 'taxes_included', 'taxesIncluded')} as is_tax_included,
        ${money(r, 'total_price', 'totalPriceSet')} as total, ${money(r, 'subtotal_price', 'subtotalPriceSet')} as subtotal,
        ${money(r, 'total_tax', 'totalTaxSet')} as tax, ${money(r, 'total_discounts', 'totalDiscountsSet')} as discount,
        coalesce(${textAt(r, 'total_shipping_price_set.shop_money.amount')}, ${textAt(r, 'totalShippingPriceSet.shopMoney.amount')},
          cast(list_sum(list_transform(${listAt(r, 'shipping_lines')}, lambda line: try_cast(line->>'$.price' as decimal(18,4)))) as varchar)
        ) as shipping,
        list_aggregate(list_filter(coalesce(
          list_transform(${listAt(r, 'discount_codes')}, lambda code: coalesce(code->>'$.code', code->>'$'))), lambda code: code <> ''),
          'string_agg', '|') as rest_codes,
        list_aggregate(list_transform(${listAt(r, 'discountCodes')}, lambda code: code->>'$'), 'string_agg', '|') as graphql_codes,
        coalesce(
          nullif(list_aggregate(list_transform(${listAt(r, 'payment_gateway_names', 'paymentGatewayNames')}, lambda name: name->>'$'), 'string_agg', ' + '), ''),
          ${textAt(r, 'gateway')}) as payment_method,
        ${firstAt(r, 'shipping_lines[0].title', 'shippingLine.title')} as shipping_method,
        ${firstAt(r, 'shipping_address.country_code', 'shippingAddress.countryCodeV2', 'billing_address.country_code', 'billingAddress.countryCodeV2')} as country,
        ${firstAt(r, `${visit}.landingPage`, 'landing_site')} as landing_page,
        ${firstAt(r, `${visit}.utmParameters.source`)} as visit_source, ${firstAt(r, `${visit}.utmParameters.medium`)} as visit_medium,
        ${firstAt(r, `${visit}.utmParameters.campaign`)} as visit_campaign, ${textAt(r, `${visit}.occurredAt`)} as visited_at,
        ${hostOf(textAt(r, `${visit}.referrerUrl`))} as referrer_host,
        case when json_type(${r}, '$.${visit}') = 'OBJECT' then 'shopify order ' || id end as session_id,
        try_cast(${firstAt(r, 'updated_at', 'updatedAt')} as timestamptz) as updated_at, ${r}
      from ${RESOURCES} where kind = 'Order'
    )
    select *, coalesce('shopify customer ' || customer_id, session_id) as visitor_id,
      coalesce(visit_source, ${parameterOf('landing_page', 'utm_source')}) as utm_source,
      coalesce(visit_medium, ${parameterOf('landing_page', 'utm_medium')}) as utm_medium,
      coalesce(visit_campaign, ${parameterOf('landing_page', 'utm_campaign')}) as utm_campaign,
      ${pathOf('landing_page')} as landing_path,
      case when cancelled_at is not null then 'cancelled' else ${ourStatus('financial_status', financialStatuses(raw))} end as own_status,
      case when own_status = 'paid' and fulfillment_status = 'fulfilled' then 'fulfilled' else own_status end as status,
      own_status = 'pending' as is_unpaid,
      ${amount('total')} as gross, ${amount('subtotal')} as subtotal_amount, coalesce(${amount('tax')}, 0) as tax_amount,
      coalesce(${amount('shipping')}, 0) as shipping_amount, coalesce(${amount('discount')}, 0) as order_discount,
      case when subtotal_amount is null or gross - subtotal_amount - shipping_amount in (0, tax_amount) then 0
        else gross - subtotal_amount - shipping_amount end as edited_by,
      -- Of two bodies of one moment, one that was asked for without its lines does not take them away.
      row_number() over (partition by order_id
        order by updated_at desc nulls last, json_exists(resource, '$.line_items') desc, place desc) - 1 as newer,
      newer = 0 as is_last
    from known`;
}

/** SQL: the bodies of orders that are the newest of their order among those of a condition. */
const newestThat = (condition: string) => `shopify_json_orders semi join
    (select order_id, min(newer) as newer from shopify_json_orders where ${condition} group by order_id) as newest using (order_id, newer)`;

/** SQL: whether a body says which lines its order has: of a bulk operation they stand beside it. */
const TELLS_LINES = `${hasAny('keys', ['line_items', 'lineItems'])} or order_id in (select parent_id from ${RESOURCES} where kind = 'LineItem')`;

/**
 * Lines of orders, of the newest body that tells of them: within it, or beside it with the order's id,
 * wherever they stand.
 */
const LINES = `create or replace temp table shopify_json_lines as
  with nested as (
    select _row, order_id, newer, ${listAt('resource', 'line_items', 'lineItems.nodes', 'lineItems.edges')} as items
    from ${newestThat(TELLS_LINES)}
  ),
  beside as (
    select o._row, o.order_id, o.newer, line.resource as item, line.place as position
    from ${RESOURCES} as line join (from ${newestThat(TELLS_LINES)}) as o on o.order_id = line.parent_id
    where kind = 'LineItem' and not ${hasAny('o.keys', ['line_items', 'lineItems'])}
    qualify row_number() over (partition by o.order_id, line.id order by line.place desc) = 1
  ),
  line as (
    select _row, order_id, newer, coalesce(item->'$.node', item) as item, position from (
      select _row, order_id, newer, unnest(items) as item, generate_subscripts(items, 1) as position from nested
    )
    union all
    select _row, order_id, newer, item, position from beside
  ),
  known as (
    select _row, order_id, newer, position, ${shopifyId('item', 'id')} as line_id,
      ${textAt('item', 'sku')} as sku, ${textAt('item', 'vendor')} as vendor,
      coalesce(${textAt('item', 'name')}, concat_ws(' - ', ${textAt('item', 'title')},
        nullif(${firstAt('item', 'variant_title', 'variantTitle')}, 'Default Title'))) as name,
      ${textAt('item', 'quantity')} as quantity, ${money('item', 'price', 'originalUnitPriceSet')} as price,
      -- The rates of a line are parts of one, and add up: of a state, of a county.
      100 * list_sum(list_transform(${listAt('item', 'tax_lines', 'taxLines')}, lambda tax: try_cast(tax->>'$.rate' as decimal(18,8)))) as tax_rate,
      ${textAt('item', 'discountedUnitPriceAfterAllDiscountsSet.shopMoney.amount')} as discounted_price,
      json_exists(item, '$.discount_allocations') or json_exists(item, '$.discountAllocations') as is_allocated,
      coalesce(
        list_sum(list_transform(${listAt('item', 'discount_allocations', 'discountAllocations')},
          lambda part: try_cast(coalesce(part->>'$.amount', part->>'$.allocatedAmountSet.shopMoney.amount') as decimal(18,4)))),
        ${amount(money('item', 'total_discount', 'totalDiscountSet'))}, 0) as own_discount
    from line
  ),
  valued as (
    select *, ${amount('price')} * ${amount('quantity')} - own_discount as value from known
  ),
  -- Where the lines do not say their part of the order's discount, it is shared out by their value.
  shared as (
    select v.*, sum(value) over (partition by order_id) as lines_net,
      case when bool_or(is_allocated or discounted_price is not null) over (partition by order_id) then 0
        else greatest(least(order_discount - sum(own_discount) over (partition by order_id),
          coalesce(sum(value) over (partition by order_id) - subtotal_amount, order_discount)), 0) end as rest_of_discount
    from valued as v join shopify_json_orders as o using (order_id, newer)
  )
  select _row, order_id, line_id, row_number() over (partition by order_id order by position) as line_no,
    case when name = 'Tip' and sku is null and vendor is null then 'payment' else 'product' end as kind,
    coalesce(sku, ${namedProduct('name')}) as product_id, name, quantity,
    case when discounted_price is not null then ${amount('discounted_price')}
      when ${amount('quantity')} <> 0 then cast(round((cast(value as double)
        - case when lines_net <> 0 then cast(rest_of_discount as double) * value / lines_net else 0 end) / ${amount('quantity')}, 6) as decimal(18,6))
      else ${amount('price')} end as unit_price, tax_rate
  from shared`;

/**
 * Refunds within their order, or beside it. Their amount is what was paid back; without payments, what their
 * lines say. Payments may be in the currency of a buyer abroad: then the lines say it in the shop's, unless
 * something beside them was paid back too, or nobody knows whether their tax is in their prices.
 */
const REFUNDS = `create or replace temp table shopify_json_refunds as
  with refund as (
    select _row, order_id, place, unnest(${listAt('resource', 'refunds', 'refunds.nodes')}) as resource
    from ${newestThat(TELLS_REFUNDS)}
    union all
    select _row, coalesce(parent_id, ${shopifyId('resource', 'order_id')}), place, resource from ${RESOURCES} where kind = 'Refund'
  ),
  last as (
    select * from refund qualify row_number() over (partition by ${shopifyId('resource', 'id')} order by place desc) = 1
  ),
  known as (
    select r._row, r.order_id, ${shopifyId('r.resource', 'id')} as refund_id, ${firstAt('r.resource', 'created_at', 'createdAt')} as refunded_at, r.resource,
      ${amount(textAt('r.resource', 'totalRefundedSet.shopMoney.amount'))} as total,
      list_filter(${listAt('r.resource', 'transactions')},
        lambda paid: paid->>'$.kind' = 'refund' and coalesce(paid->>'$.status', 'success') = 'success') as payments,
      ${listAt('r.resource', 'refund_line_items')} as lines, o.is_tax_included = 'true' as is_tax_included,
      coalesce(o.currency, ${textAt('r.resource', 'refund_line_items[0].subtotal_set.shop_money.currency_code')}, b.currency,
        cast(getvariable('business_currency') as varchar)) as currency
    from last as r
    left join shopify_json_orders as o on o.order_id = r.order_id and o.is_last
    left join before_orders as b on b.order_id = ${storedId('recordId', 'r.order_id')}
  ),
  valued as (
    select *, len(list_filter(payments, lambda paid: upper(paid->>'$.currency') <> upper(currency))) > 0 as is_abroad,
      list_sum(list_transform(payments, lambda paid: try_cast(paid->>'$.amount' as decimal(18,4)))) as paid,
      list_sum(list_transform(lines, lambda line: coalesce(try_cast(line->>'$.subtotal' as decimal(18,4)), 0)
        + coalesce(try_cast(line->>'$.total_tax' as decimal(18,4)) * if(is_tax_included, 0, 1), 0))) as of_lines,
      is_tax_included is not null or coalesce(list_sum(list_transform(lines, lambda line: abs(try_cast(line->>'$.total_tax' as decimal(18,4))))), 0) = 0 as is_tax_known
    from known
  )
  select _row, order_id, refund_id, refunded_at, coalesce(is_abroad, false) and total is null as is_abroad,
    case when total is not null then total
      when is_abroad then case when is_tax_known and json_array_length(resource, '$.order_adjustments') = 0 then nullif(of_lines, 0) end
      else coalesce(paid, of_lines) end as amount, resource
  from valued`;

const REFUND_LINES = `create or replace temp table shopify_json_refund_lines as
  with line as (
    select _row, order_id, refund_id, unnest(${listAt('resource', 'refund_line_items', 'refundLineItems.nodes', 'refundLineItems.edges')}) as item
    from shopify_json_refunds where amount <> 0
  ),
  known as (
    select _row, order_id, refund_id, coalesce(item->'$.node', item) as item from line
  )
  select k._row, k.order_id, refund_id, line_no,
    coalesce(product_id, ${textAt('item', 'line_item.sku')}, ${namedProduct(textAt('item', 'line_item.name'))}) as product_id,
    ${textAt('item', 'quantity')} as quantity, ${money('item', 'subtotal', 'subtotalSet')} as amount
  from (select *, coalesce(${shopifyId('item', 'line_item_id')}, ${shopifyId('item', 'lineItem.id')}) as line_id from known) as k
  left join shopify_json_lines as l on l.order_id = k.order_id and l.line_id = k.line_id`;

/** What has no kind, and lines of no order, are rejected here, where a merchant looks for their orders. */
const TRANSLATED_ORDERS = `
  select _row, newer as _newer, cast(null as varchar) as _malformed, order_id, number, ordered_at, email, phone, customer_id as external_customer_id,
    status, is_test, currency, total, subtotal, tax, is_tax_included as taxes_included, shipping, discount, coalesce(rest_codes, graphql_codes) as coupon_codes,
    payment_method, shipping_method, country, visitor_id, session_id, utm_source, utm_medium, utm_campaign, cancelled_at, keys
  from shopify_json_orders
  union all by name
  select _row, 'is no JSON document' as _malformed from shopify_json_documents where document is null
  union all by name
  select _row, 'is no order, refund, product or customer of Shopify' as _malformed from ${RESOURCES} where kind is null
  union all by name
  select _row, 'is a line of an order that is not in the files: was the file cut? Export it again' as _malformed
  from ${RESOURCES} where kind = 'LineItem' and parent_id is not null and parent_id not in (select order_id from shopify_json_orders)
  order by _row`;

/** The export of the admin has one refund of unknown date for an order; these know better, so it goes. */
const TRANSLATED_REFUNDS = `
  select _row, refund_id, order_id, refunded_at, amount, cast(null as boolean) as _deleted, cast(null as varchar) as _malformed
  from shopify_json_refunds where amount <> 0
  union all by name
  select _row, ${refundOfAll('order_id')} as refund_id, true as _deleted from shopify_json_orders
  where is_last and (order_id in (select order_id from shopify_json_refunds where amount is not null)
    or order_id in (select order_id from shopify_json_orders where ${TELLS_REFUNDS}) and order_id not in (select order_id from shopify_json_refunds where order_id is not null))
  union all by name
  select _row, 'is a refund that was paid in another currency than its order is in, and nothing says all of it in that of the order: export refunds with totalRefundedSet (GraphQL)' as _malformed
  from shopify_json_refunds where is_abroad and amount is null
  order by _row`;

const JOURNEY = ['customerJourneySummary'];

/** Queries ask for the fields that they want, and REST knows no journey. */
const MISSING_OF_ORDERS = {
  ...areMissing('keys', {
    number: ['name'],
    email: ['email', 'contact_email'],
    phone: ['phone'],
    external_customer_id: ['customer'],
    subtotal: ['subtotal_price', 'subtotalPriceSet'],
    tax: ['total_tax', 'totalTaxSet'],
    taxes_included: ['taxes_included', 'taxesIncluded'],
    shipping: ['total_shipping_price_set', 'totalShippingPriceSet', 'shipping_lines'],
    discount: ['total_discounts', 'totalDiscountsSet'],
    coupon_codes: ['discount_codes', 'discountCodes'],
    payment_method: ['payment_gateway_names', 'paymentGatewayNames', 'gateway'],
    shipping_method: ['shipping_lines', 'shippingLine'],
    country: ['shipping_address', 'shippingAddress'],
    visitor_id: JOURNEY,
    session_id: JOURNEY,
    utm_source: JOURNEY,
    utm_medium: JOURNEY,
    utm_campaign: JOURNEY,
    cancelled_at: ['cancelled_at', 'cancelledAt'],
  }),
  is_test: `not ${hasAny('keys', ['test'])}`,
  // An order that is cancelled is so for certain.
  status: `status <> 'cancelled' and not (${hasAny('keys', ['cancelled_at', 'cancelledAt'])}
    and ${hasAny('keys', ['financial_status', 'displayFinancialStatus'])})`,
};
