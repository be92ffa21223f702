import type { RawColumn } from '../source.ts';
import { column, type FivetranTable, fivetranTable, needed } from './fivetran-cells.ts';

/**
 * A set of amounts of the GraphQL schema: that in the currency of the shop, never what a buyer abroad was
 * shown.
 */
const shop = (name: string) => `${name}_set_shop_amount`;

const absent = (what: string, ...header: readonly string[]): RawColumn => ({ header, absent: what });

/**
 * Fivetran's tables of Shopify, of the schema by REST and of that by GraphQL, whose columns are called
 * otherwise.
 */
export const SHOPIFY_TABLES = {
  order: fivetranTable(['id'], {
    names: ['order'],
    signature: [
      ['id'],
      ['financial_status', 'display_financial_status', 'subtotal_price', shop('subtotal_price')],
      ['total_price', shop('total_price'), 'total_discounts', shop('total_discounts')],
    ],
    absent: 'no orders',
    columns: {
      id: needed('which order it is', 'id'),
      created_at: needed('when orders were placed', 'created_at'),
      total: needed('revenue', 'total_price', shop('total_price')),
      currency: needed(
        'what amounts are in',
        'currency',
        'currency_code',
        `total_price_set_shop_currency_code`,
      ),
      name: column('name'),
      processed_at: absent('an order is of the moment at which it was created', 'processed_at'),
      updated_at: column('updated_at'),
      cancelled_at: absent('cancelled orders count', 'cancelled_at'),
      financial_status: absent(
        'voided and expired orders count as paid',
        'financial_status',
        'display_financial_status',
      ),
      fulfillment_status: column('fulfillment_status', 'display_fulfillment_status'),
      test: absent('tests count as orders', 'test'),
      email: absent('customers by e-mail', 'email'),
      customer_id: absent("customers by the shop's id", 'customer_id'),
      billing_phone: column('billing_address_phone'),
      shipping_country: column('shipping_address_country_code'),
      billing_country: column('billing_address_country_code'),
      taxes_included: column('taxes_included'),
      subtotal: absent('edited orders are not found', 'subtotal_price', shop('subtotal_price')),
      tax: absent('no tax', 'total_tax', shop('total_tax')),
      discount: absent(
        'prices of lines are before discounts of the whole order',
        'total_discounts',
        shop('total_discounts'),
      ),
      shipping: column(shop('total_shipping_price')),
      shipping_set: column('total_shipping_price_set'),
      landing_site: column('landing_site_base_url'),
    },
  }),
  order_line: fivetranTable(['id'], {
    names: ['order_line'],
    signature: [
      ['order_id'],
      ['product_id', 'variant_id', 'sku'],
      ['price', shop('original_unit_price'), shop('original_total'), 'quantity'],
    ],
    needs: 'order',
    absent: 'no product sales',
    columns: {
      id: needed('which line it is', 'id'),
      order_id: needed('which order a line is of', 'order_id'),
      quantity: needed('how many were sold', 'quantity'),
      // One of them is enough.
      is_priced: {
        ...needed('what a line costs', 'price'),
        find: (header) =>
          ['price', shop('original_unit_price'), shop('original_total')]
            .map((name) => header.findIndex((each) => each.trim().toLowerCase() === name))
            .filter((place) => place >= 0)
            .slice(0, 1),
      },
      price: column('price', shop('original_unit_price')),
      original_total: column(shop('original_total')),
      index: column('index'),
      name: column('name'),
      title: column('title'),
      variant_title: column('variant_title'),
      sku: absent('products are known by their name', 'sku'),
      vendor: column('vendor'),
      total_discount: absent(
        'prices of lines are before their own discounts',
        'total_discount',
        shop('total_discount'),
      ),
    },
  }),
  discount_allocation: fivetranTable(['order_line_id', 'index'], {
    names: ['discount_allocation'],
    signature: [['order_line_id'], ['discount_application_index']],
    absent: "the order's discount is shared out among its lines by their value",
    columns: {
      order_line_id: needed('which line it is of', 'order_line_id'),
      index: needed('which allocation it is', 'index'),
      amount: needed('what is taken off', 'amount_set_shop_money_amount', shop('allocated_amount'), 'amount'),
    },
  }),
  order_shipping_line: fivetranTable(['id'], {
    names: ['order_shipping_line'],
    signature: [['order_id'], ['price', shop('original_price')]],
    columns: {
      id: needed('which it is', 'id'),
      order_id: needed('which order it is of', 'order_id'),
      price: needed('what shipping costs', 'price', shop('original_price')),
      title: column('title'),
    },
  }),
  order_discount_code: fivetranTable(['order_id', 'index'], {
    names: ['order_discount_code'],
    signature: [['order_id'], ['code']],
    absent: 'no coupons',
    columns: {
      order_id: needed('which order it is of', 'order_id'),
      index: needed('which code of the order it is', 'index'),
      code: needed('the code', 'code'),
    },
  }),
  order_url_tag: fivetranTable(['order_id', 'key'], {
    names: ['order_url_tag'],
    signature: [['order_id'], ['key']],
    columns: {
      order_id: needed('which order it is of', 'order_id'),
      key: needed('which parameter it is', 'key'),
      value: needed('what it says', 'value'),
    },
  }),
  customer_visit: fivetranTable(['id'], {
    names: ['customer_visit'],
    signature: [['order_id'], ['occurred_at']],
    columns: {
      id: needed('which visit it is', 'id'),
      order_id: needed('which order it led to', 'order_id'),
      occurred_at: needed('when it was', 'occurred_at'),
      landing_page: column('landing_page'),
      referrer_url: column('referrer_url'),
      source: column('utm_parameters_source'),
      medium: column('utm_parameters_medium'),
      campaign: column('utm_parameters_campaign'),
    },
  }),
  transaction: fivetranTable(['id'], {
    names: ['transaction'],
    signature: [['order_id'], ['gateway', 'kind']],
    absent:
      'no payment methods; a refund is what its lines say, without shipping, where it says no amount itself',
    columns: {
      id: needed('which payment it is', 'id'),
      order_id: needed('which order it is of', 'order_id'),
      refund_id: needed('which refund it is of', 'refund_id'),
      kind: needed('whether it is a refund', 'kind'),
      status: needed('whether it succeeded', 'status'),
      amount: needed('what was paid', shop('amount'), 'amount'),
      shop_amount: column(shop('amount')),
      currency: absent('payments are taken as being in the currency of their orders', 'currency'),
      gateway: absent('no payment methods', 'gateway'),
    },
  }),
  refund: fivetranTable(['id'], {
    names: ['refund'],
    signature: [['order_id'], ['created_at', 'restock', shop('total_refunded')]],
    absent: 'no refunds',
    columns: {
      id: needed('which refund it is', 'id'),
      order_id: needed('which order it is of', 'order_id'),
      created_at: needed('when it was', 'created_at'),
      total: column(shop('total_refunded')),
    },
  }),
  refund_line: fivetranTable(['id'], {
    names: ['order_line_refund', 'refund_line_item'],
    signature: [['refund_id'], ['order_line_id']],
    needs: 'refund',
    absent: 'no refunds by product',
    columns: {
      id: needed('which line of a refund it is', 'id'),
      refund_id: needed('which refund it is of', 'refund_id'),
      order_line_id: needed('which line of the order it is of', 'order_line_id'),
      quantity: needed('how many came back', 'quantity'),
      subtotal: needed('what was paid back', 'subtotal', shop('subtotal')),
      tax: column('total_tax', shop('total_tax')),
    },
  }),
  order_adjustment: fivetranTable(['id'], {
    names: ['order_adjustment'],
    signature: [['order_id'], ['refund_id']],
    columns: {
      id: needed('which adjustment it is', 'id'),
      refund_id: needed('which refund it is of', 'refund_id'),
    },
  }),
  customer: fivetranTable(['id'], {
    names: ['customer'],
    signature: [
      ['email'],
      ['orders_count', 'accepts_marketing', 'verified_email', 'email_marketing_consent_state'],
    ],
    absent: 'no customers but those of orders',
    columns: {
      id: needed('which customer it is', 'id'),
      email: absent('customers by e-mail', 'email'),
      phone: column('phone'),
      created_at: column('created_at'),
      default_address_id: column('default_address_id'),
      email_state: absent('no consents', 'email_marketing_consent_state'),
      email_at: absent(
        'no consents',
        'email_marketing_consent_consent_updated_at',
        'email_marketing_consent_updated_at',
      ),
      sms_state: column('sms_marketing_consent_state'),
      sms_at: column('sms_marketing_consent_consent_updated_at', 'sms_marketing_consent_updated_at'),
    },
  }),
  customer_tag: fivetranTable(['customer_id', 'index'], {
    names: ['customer_tag'],
    signature: [['customer_id'], ['value']],
    columns: {
      customer_id: needed('which customer it is of', 'customer_id'),
      index: needed('which tag it is', 'index'),
      value: needed('the tag', 'value'),
    },
  }),
  customer_address: fivetranTable(['id'], {
    names: ['customer_address'],
    signature: [['customer_id'], ['country_code']],
    columns: {
      id: needed('which address it is', 'id'),
      customer_id: needed('which customer it is of', 'customer_id'),
      country_code: column('country_code'),
      is_default: column('is_default'),
    },
  }),
  product: fivetranTable(['id'], {
    names: ['product'],
    signature: [['handle'], ['title', 'vendor', 'product_type']],
    needs: 'product_variant',
    absent: 'no catalogue',
    columns: {
      id: needed('which product it is', 'id'),
      title: needed('its name', 'title'),
      handle: needed('its name in the shop', 'handle'),
      vendor: absent('no brands', 'vendor'),
      type: absent('no categories', 'product_type'),
      status: absent('archived products are not known', 'status'),
      created_at: column('created_at'),
      updated_at: column('updated_at'),
    },
  }),
  product_variant: fivetranTable(['id'], {
    names: ['product_variant'],
    signature: [['product_id'], ['sku', 'price', 'inventory_policy']],
    needs: 'product',
    columns: {
      id: needed('which variant it is', 'id'),
      product_id: needed('which product it is of', 'product_id'),
      title: absent('variants without a SKU are not told apart', 'title'),
      sku: absent('products are known by their name', 'sku'),
      barcode: column('barcode'),
      price: absent('no prices', 'price'),
      compare_at_price: column('compare_at_price'),
      inventory_quantity: absent('no stock', 'inventory_quantity'),
      inventory_policy: column('inventory_policy'),
      inventory_management: column('inventory_management'),
      inventory_item_id: column('inventory_item_id'),
    },
  }),
  inventory_item: fivetranTable(['id'], {
    names: ['inventory_item'],
    signature: [['id'], ['tracked', 'unit_cost_amount', 'cost']],
    absent: 'no purchase prices',
    columns: {
      id: needed('which it is', 'id'),
      tracked: column('tracked'),
      cost: column('unit_cost_amount', 'cost'),
    },
  }),
} as const satisfies Readonly<Record<string, FivetranTable>>;

export type ShopifyTable = keyof typeof SHOPIFY_TABLES;
