import { plural } from '../../text/plural.ts';
import { namesOf, statusQuestion } from '../mapped-statuses.ts';
import { hasAny } from '../missing-values.ts';
import { relationOf } from '../relations.ts';
import { handledProduct, namedProduct, variantName } from '../shopify/ids.ts';
import { shopifyJson } from '../shopify/json.ts';
import { financialStatuses } from '../shopify/statuses.ts';
import type { RawRows, SourceOfTables } from '../source.ts';

import {
  cellOfFiles,
  cellOfPresent,
  contactCell,
  currentOf,
  currentRows,
  flagCell,
  idCell,
  isDeletedRow,
  isHashed,
  jsonOf,
  utcCell,
} from './fivetran-cells.ts';
import { SHOPIFY_TABLES, type ShopifyTable } from './shopify-tables.ts';

const NAME = 'shopify-fivetran';
const SOURCE = { name: NAME };
const DOCUMENTS = 'shopify_fivetran_documents';
const LOST = 'shopify_fivetran_lost';

const current = (table: ShopifyTable) => currentOf(SOURCE, table);

/**
 * What Fivetran landed of Shopify: its tables become the documents that Shopify's API answers with, so that
 * what an order is stands in one place.
 */
export const shopifyFivetran: SourceOfTables = {
  name: NAME,
  title: "Shopify, Fivetran's tables",
  columns: {},
  tables: SHOPIFY_TABLES,
  settings: ['status', 'encoding', 'schema'],
  comparesBefore: true,
  questions: (raw) => [
    statusQuestion(
      `lower(financial_status) not in (${namesOf(financialStatuses(raw))})`,
      'a financial status that Shopify does not document',
      'on_hold=pending',
      '[financial_status]',
    ),
  ],
  assumptions: (raw) => [
    'times without an offset are in UTC, as Fivetran writes them',
    ...(isShippingKnown(raw)
      ? []
      : [
          'nothing says what shipping costs (the table "order_shipping_line"): none is kept, and edited orders are not found',
        ]),
    ...shopifyJson.assumptions(raw),
  ],
  findings: () => [
    {
      count: `select count(*) from "${current('order')}" where is_deleted`,
      says: (count) =>
        `${plural(count, 'order was', 'orders were')} deleted (_fivetran_deleted), and so they are here`,
    },
    {
      count: `select count(*) from "${current('order')}" where ${isHashed('email')}`,
      says: (count) =>
        `${plural(count, 'order has', 'orders have')} no e-mail address but what Fivetran hashed: their customers are known by the shop's id alone`,
    },
    {
      count: 'select count(*) from shopify_json_refunds where amount is null and not is_abroad',
      says: (count) =>
        `${plural(count, 'refund is', 'refunds are')} not read: nothing in the files says what was paid back`,
    },
    {
      count: `select count(*) from "${current('product_variant')}" where product_id not in (select id from "${current('product')}")`,
      says: (count) =>
        `${plural(count, 'variant is', 'variants are')} not read: the product is not in the files`,
    },
    {
      count: `select count(*) from "${current('order')}" where not is_deleted and id not in (select order_id from "${current('order_line')}" where order_id is not null)`,
      says: (count) => `${plural(count, 'order has', 'orders have')} no lines in the files`,
    },
  ],
  prepare: (raw) => [
    ...Object.entries(SHOPIFY_TABLES).map(([table, declared]) =>
      currentRows(SOURCE, table, declared, raw, idsOf(table as ShopifyTable)),
    ),
    lostIds(),
    documents(raw),
    `create temp view ${DOCUMENTS}_in_order as select _file, place as rowid, document from ${DOCUMENTS}`,
    ...(shopifyJson.prepare?.(asDocuments(raw)) ?? []),
  ],
  translate: (raw) => {
    const translated = shopifyJson.translate(asDocuments(raw));
    return {
      ...translated,
      orders: `${selectOf(translated.orders)}
        union all by name
        select _row, id as order_id, true as _deleted from "${current('order')}" where is_deleted
        union all by name
        select _row, reason as _malformed from ${LOST}
        order by _row`,
      refunds: `${selectOf(translated.refunds)}
        union all by name
        select _row, id as refund_id, true as _deleted from "${current('refund')}"
        where is_deleted and order_id not in (select id from "${current('order')}" where is_deleted)
        order by _row`,
      products: `${selectOf(translated.products)}
        union all by name
        ${DELETED_PRODUCTS(translated.products)}
        order by _row`,
      profiles: `${selectOf(translated.profiles)}
        union all by name
        select _row, id as profile_id, true as _deleted from "${current('customer')}" where is_deleted
        order by _row`,
    };
  },
  missing: (raw) => shopifyJson.missing?.(asDocuments(raw)) ?? {},
  orderFacts: (raw) => {
    const facts = shopifyJson.orderFacts?.(asDocuments(raw)) ?? null;
    // Nobody knows whether an order was edited when its shipping was not written down.
    return `select * replace (case when order_id in (${WITHOUT_SHIPPING}) then 0 else edited_by end as edited_by) from (${facts})`;
  },
};

const WITHOUT_SHIPPING = `select order_id from shopify_json_orders
  where is_last and not ${hasAny('keys', ['total_shipping_price_set', 'shipping_lines'])}`;

function isShippingKnown({ present }: RawRows): boolean {
  return ['order.shipping', 'order.shipping_set', 'order_shipping_line'].some((place) => present.has(place));
}

const selectOf = (select = '') => `select * from (${select})`;

const asDocuments = (raw: RawRows): RawRows => ({ ...raw, relation: `${DOCUMENTS}_in_order` });

/** Columns that are ids of Shopify's: whole numbers. */
const IDS: Readonly<Partial<Record<ShopifyTable, readonly string[]>>> = {
  order: ['id', 'customer_id'],
  order_line: ['id', 'order_id'],
  discount_allocation: ['order_line_id'],
  order_shipping_line: ['order_id'],
  order_discount_code: ['order_id'],
  order_url_tag: ['order_id'],
  customer_visit: ['order_id'],
  transaction: ['order_id', 'refund_id'],
  refund: ['id', 'order_id'],
  refund_line: ['id', 'refund_id', 'order_line_id'],
  order_adjustment: ['id', 'refund_id'],
  customer: ['id', 'default_address_id'],
  customer_tag: ['customer_id'],
  customer_address: ['id', 'customer_id'],
  product: ['id'],
  product_variant: ['id', 'product_id', 'inventory_item_id'],
  inventory_item: ['id'],
};

/** The ids that not every row has. */
const OPTIONAL_IDS = new Set(['customer_id', 'default_address_id', 'inventory_item_id', 'refund_id']);

function idsOf(table: ShopifyTable): Readonly<Record<string, string>> {
  return Object.fromEntries((IDS[table] ?? []).map((name) => [name, idCell(name)]));
}

/**
 * Rows that cannot be told, or whose others cannot: an id of other digits would tie them to something else.
 */
function lostIds(): string {
  const isNumber = (name: string) => `regexp_full_match(${idCell(`"${name}"`)}, '[0-9]+')`;
  const selects = Object.entries(SHOPIFY_TABLES).flatMap(([table, { key }]) => {
    const ids = IDS[table as ShopifyTable] ?? [];
    const lost = [
      ...ids.map((name) => ({ name, condition: `not ${isNumber(name)}` })),
      ...[...key, ...ids.filter((name) => !OPTIONAL_IDS.has(name))].map((name) => ({
        name,
        condition: `"${name}" is null`,
      })),
    ];
    return lost.map(
      ({ name, condition }) => `
        select rowid as _row, 'has no id in its "${name}" (a spreadsheet writes 6.14E+12, by which digits are lost): export it again' as reason
        from "${relationOf(SOURCE, table)}" where ${condition}`,
    );
  });
  return `create temp table ${LOST} as
    select _row, min(reason) as reason from (${selects.join(' union all ')}) group by _row`;
}

/** SQL: an id as GraphQL writes it. */
const gid = (kind: string, cell: string) => `'gid://shopify/${kind}/' || ${cell}`;

const isKnown = (table: string) => `${table}._row not in (select _row from ${LOST})`;

/** SQL: rows of a table as a list of JSON, by one of their columns. */
function listBy(table: ShopifyTable, by: string, element: string, order: string, where = 'true'): string {
  return `(select "${by}" as list_key, cast(to_json(list(${element} order by ${order})) as varchar) as list
    from "${current(table)}" as t where not is_deleted and ${isKnown('t')} and ${where} group by "${by}")`;
}

const number = (cell: string) => `try_cast(${cell} as decimal(18,4))`;

/**
 * Documents in the order in which their parts stand in theirs. A deleted order has none, and neither has what
 * is of it: else its lines would be those of an order that is missing.
 */
function documents(raw: RawRows): string {
  const deletedOrders = `(select id from "${current('order')}" where is_deleted)`;
  const parts = [
    { kind: 1, rank: 'synced', select: orderDocuments(raw, deletedOrders) },
    { kind: 2, rank: "lpad(index, 20, ' ')", select: lineDocuments(raw, deletedOrders) },
    { kind: 3, rank: 'synced', select: refundDocuments(raw, deletedOrders) },
    { kind: 4, rank: 'synced', select: productDocuments(raw) },
    { kind: 5, rank: 'synced', select: variantDocuments(raw) },
    { kind: 6, rank: 'synced', select: customerDocuments(raw) },
  ];
  const selects = parts.map(
    ({ kind, rank, select }) =>
      `select _file, _row, ${kind} as kind, ${rank} as rank, cast(document as varchar) as document from (${select})`,
  );
  return `create temp table ${DOCUMENTS} as
    select _file, _row as place, document from (${selects.join(' union all ')})
    order by kind, rank nulls first, place`;
}

/** All rows of an order that is not deleted: which of them counts is decided with Shopify's own answers. */
function orderDocuments(raw: RawRows, deletedOrders: string): string {
  const { present } = raw;
  const told = cellOfFiles(raw, 'order', 'o.');
  const id = idCell('o.id');
  const shipping = "coalesce(o.shipping, try(cast(o.shipping_set as json))->>'$.shop_money.amount')";
  const payments = `(select order_id as list_key, cast(to_json(list(gateway order by first) filter (gateway is not null)) as varchar) as list,
      [case when bool_and(is_lacking) then 'gateway' end] as _lacking
    from (
      select order_id, gateway, min(id) as first, bool_and(list_contains(_lacking, 'gateway')) as is_lacking
      from "${current('transaction')}" as t
      where not is_deleted and ${isKnown('t')} and lower(kind) in ('sale', 'authorization', 'capture')
        and lower(status) in ('success', 'pending')
      group by order_id, gateway
    ) group by order_id)`;
  const tags = `(select order_id as list_key, '?' || string_agg(url_encode(key) || '=' || url_encode(value), '&' order by key) as list
    from "${current('order_url_tag')}" as t where not is_deleted and ${isKnown('t')} and value is not null group by order_id)`;
  const visits = `(select * from "${current('customer_visit')}" as t where not is_deleted and ${isKnown('t')}
    qualify row_number() over (partition by order_id order by try_cast(occurred_at as timestamptz) desc nulls last, id desc) = 1)`;
  const document = jsonOf({
    id: gid('Order', id),
    name: told('name', 'o.name'),
    processed_at: utcCell('o.processed_at'),
    created_at: utcCell('o.created_at'),
    updated_at: utcCell('coalesce(o.updated_at, o.synced)'),
    cancelled_at: told('cancelled_at', utcCell('o.cancelled_at')),
    financial_status: told('financial_status', 'o.financial_status'),
    fulfillment_status: 'o.fulfillment_status',
    test: told('test', flagCell('o.test')),
    email: told('email', contactCell('o.email'), isHashed('o.email')),
    customer: told('customer_id', `json_object('id', ${gid('Customer', idCell('o.customer_id'))})`),
    billing_address: `json_object('phone', ${contactCell('o.billing_phone')}, 'country_code', o.billing_country)`,
    shipping_address: told('shipping_country', `json_object('country_code', o.shipping_country)`),
    currency: 'o.currency',
    taxes_included: flagCell('o.taxes_included'),
    total_price: 'o.total',
    subtotal_price: told('subtotal', 'o.subtotal'),
    total_tax: told('tax', 'o.tax'),
    total_discounts: told('discount', 'o.discount'),
    total_shipping_price_set: told(
      ['shipping', 'shipping_set'],
      `json_object('shop_money', json_object('amount', ${shipping}))`,
    ),
    shipping_lines: present.has('order_shipping_line') && `cast(coalesce(s.list, '[]') as json)`,
    discount_codes: present.has('order_discount_code') && `cast(coalesce(c.list, '[]') as json)`,
    payment_gateway_names: cellOfPresent(
      raw,
      'transaction',
      'p.',
    )('gateway', `cast(coalesce(p.list, '[]') as json)`),
    landing_site: `coalesce(o.landing_site || coalesce(t.list, ''), t.list)`,
    customerJourneySummary:
      present.has('customer_visit') &&
      `case when v.order_id is not null then json_object('lastVisit', json_object(
        'landingPage', v.landing_page, 'occurredAt', ${utcCell('v.occurred_at')}, 'referrerUrl', v.referrer_url,
        'utmParameters', json_object('source', v.source, 'medium', v.medium, 'campaign', v.campaign))) end`,
  });
  return `select o._file, o.rowid as _row, o.synced, ${document} as document
    from "${relationOf(SOURCE, 'order')}" as o
    left join ${listBy('order_shipping_line', 'order_id', "json_object('title', title, 'price', price)", 'id')} as s on s.list_key = ${id}
    left join ${listBy('order_discount_code', 'order_id', "json_object('code', code)", number('index'))} as c on c.list_key = ${id}
    left join ${payments} as p on p.list_key = ${id}
    left join ${tags} as t on t.list_key = ${id}
    left join ${visits} as v on v.order_id = ${id}
    where o.rowid not in (select _row from ${LOST}) and not ${isDeletedRow('o.deleted')} and ${id} not in ${deletedOrders}`;
}

function lineDocuments({ present }: RawRows, deletedOrders: string): string {
  const isAllocated = present.has('discount_allocation');
  const allocations = listBy(
    'discount_allocation',
    'order_line_id',
    "json_object('amount', amount)",
    number('index'),
  );
  return `select l._file, l._row, l.index, json_object(
      'id', ${gid('LineItem', 'l.id')}, '__parentId', ${gid('Order', 'l.order_id')}, 'sku', l.sku, 'vendor', l.vendor,
      'name', l.name, 'title', l.title, 'variant_title', l.variant_title, 'quantity', l.quantity,
      'price', coalesce(l.price, cast(cast(round(${number('l.original_total')} / nullif(${number('l.quantity')}, 0), 4) as decimal(18,4)) as varchar)),
      'total_discount', l.total_discount${isAllocated ? `, 'discount_allocations', cast(coalesce(a.list, '[]') as json)` : ''}
    ) as document
    from "${current('order_line')}" as l ${isAllocated ? `left join ${allocations} as a on a.list_key = l.id` : ''}
    where not l.is_deleted and ${isKnown('l')} and l.order_id not in ${deletedOrders}`;
}

function refundDocuments({ present }: RawRows, deletedOrders: string): string {
  const payments = listBy(
    'transaction',
    'refund_id',
    "json_object('kind', lower(kind), 'status', lower(status), 'amount', amount, 'currency', case when shop_amount is null then currency end)",
    'id',
    'refund_id is not null',
  );
  // The product of a line that was deleted afterwards is known by that line alone.
  const lines = `(select t.refund_id as list_key, cast(to_json(list(json_object('line_item_id', t.order_line_id, 'quantity', t.quantity,
      'subtotal', t.subtotal, 'total_tax', t.tax, 'line_item', json_object('sku', l.sku, 'name', l.name)) order by t.id)) as varchar) as list
    from "${current('refund_line')}" as t left join "${current('order_line')}" as l on l.id = t.order_line_id
    where not t.is_deleted and ${isKnown('t')} group by t.refund_id)`;
  const adjustments = listBy('order_adjustment', 'refund_id', "json_object('id', id)", 'id');
  const document = jsonOf({
    id: gid('Refund', 'r.id'),
    __parentId: gid('Order', 'r.order_id'),
    created_at: utcCell('r.created_at'),
    totalRefundedSet: `json_object('shopMoney', json_object('amount', r.total))`,
    transactions: `cast(coalesce(p.list, '[]') as json)`,
    refund_line_items: `cast(coalesce(l.list, '[]') as json)`,
    order_adjustments: present.has('order_adjustment') && `cast(coalesce(a.list, '[]') as json)`,
  });
  return `select r._file, r._row, r.synced, ${document} as document
    from "${current('refund')}" as r
    left join ${adjustments} as a on a.list_key = r.id
    left join ${payments} as p on p.list_key = r.id left join ${lines} as l on l.list_key = r.id
    where not r.is_deleted and ${isKnown('r')} and r.order_id not in ${deletedOrders}`;
}

function productDocuments(raw: RawRows): string {
  const told = cellOfPresent(raw, 'product');
  const document = jsonOf({
    id: gid('Product', 'id'),
    title: 'title',
    handle: 'handle',
    vendor: told('vendor', 'vendor'),
    product_type: told('type', 'type'),
    status: told('status', 'status'),
    created_at: told('created_at', utcCell('created_at')),
    updated_at: told('updated_at', utcCell('updated_at')),
  });
  return `select _file, _row, synced, ${document} as document
  from "${current('product')}" as p where not is_deleted and ${isKnown('p')}`;
}

function variantDocuments(raw: RawRows): string {
  const told = cellOfPresent(raw, 'product_variant', 'v.');
  const isCostKnown = raw.present.has('product_variant.inventory_item_id');
  const cost = cellOfPresent(raw, 'inventory_item', 'i.')(
    'cost',
    `json_object('amount', i.cost)`,
    'i.id is null',
  );
  const document = jsonOf({
    id: gid('ProductVariant', 'v.id'),
    __parentId: gid('Product', 'v.product_id'),
    title: 'v.title',
    sku: 'v.sku',
    barcode: told('barcode', 'v.barcode'),
    price: told('price', 'v.price'),
    compare_at_price: told('compare_at_price', 'v.compare_at_price'),
    inventory_quantity: told('inventory_quantity', 'v.inventory_quantity'),
    inventory_policy: 'v.inventory_policy',
    inventory_management: told('inventory_management', 'v.inventory_management'),
    inventoryItem: jsonOf({
      unitCost: isCostKnown && cost,
      tracked: flagCell('i.tracked'),
    }),
  });
  return `select v._file, v._row, v.synced, ${document} as document
    from "${current('product_variant')}" as v
    left join "${current('inventory_item')}" as i on i.id = v.inventory_item_id and not i.is_deleted
    where not v.is_deleted and ${isKnown('v')}`;
}

function customerDocuments(raw: RawRows): string {
  const { present } = raw;
  const told = cellOfPresent(raw, 'customer', 'c.');
  const address = cellOfPresent(raw, 'customer_address', 'a.');
  const document = jsonOf({
    id: gid('Customer', 'c.id'),
    email: told('email', contactCell('c.email'), isHashed('c.email')),
    phone: told('phone', contactCell('c.phone'), isHashed('c.phone')),
    created_at: told('created_at', utcCell('c.created_at')),
    default_address: address('country_code', `json_object('country_code', a.country_code)`),
    tags: present.has('customer_tag') && `cast(coalesce(t.list, '[]') as json)`,
    email_marketing_consent: `json_object('state', c.email_state, 'consent_updated_at', ${utcCell('c.email_at')})`,
    sms_marketing_consent: `json_object('state', c.sms_state, 'consent_updated_at', ${utcCell('c.sms_at')})`,
  });
  return `select c._file, c._row, c.synced, ${document} as document
  from "${current('customer')}" as c
  left join (
    select customer_id, country_code, a._lacking from "${current('customer_address')}" as a
    left join "${current('customer')}" as owner on owner.id = a.customer_id
    where not a.is_deleted and (a.id = owner.default_address_id or lower(a.is_default) in ('true', 't', '1'))
    qualify row_number() over (partition by customer_id order by a.id) = 1
  ) as a on a.customer_id = c.id
  left join ${listBy('customer_tag', 'customer_id', 'value', number('index'))} as t on t.list_key = c.id
  where not c.is_deleted and ${isKnown('c')}`;
}

/**
 * A variant goes that was deleted, or whose product was, unless another one has its id. Without a SKU its id
 * follows from what else has its name: of what is stored goes each id that one of this name may have had,
 * `name:Mug` or that of its handle.
 */
const DELETED_PRODUCTS = (living = '') => `
  select min(_row) as _row, product_id as external_product_id, true as _deleted
  from (
    with variant as (
      select v._row, v.sku, m.handle, nullif(v.title, 'Default Title') as options, ${variantName('m.title', 'options')} as name,
        v.is_deleted or coalesce(m.is_deleted, false) as is_gone
      from "${current('product_variant')}" as v left join "${current('product')}" as m on m.id = v.product_id
      where ${isKnown('v')}
    ),
    gone as (select name, min(_row) as _row from variant where is_gone and sku is null group by name)
    select _row, sku as product_id, true as is_certain from variant where is_gone and sku is not null
    union all
    select _row, ${namedProduct('name')}, true from gone where name is not null
    union all
    select gone._row, ${handledProduct('v.handle', 'v.options')}, false
    from variant as v join gone using (name) where v.sku is null
  )
  where product_id not in (select external_product_id from (${living}) where external_product_id is not null)
    and (is_certain or product_id in (select external_product_id from before_products))
  group by product_id`;
