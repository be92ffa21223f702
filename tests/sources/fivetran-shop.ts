import fc from 'fast-check';
import type { Files } from '../ingest/shop.ts';
import { translateFiles } from './translated.ts';

/** A made-up shop, as its own system would know it; amounts are in cents. */
export interface Shop {
  readonly orders: readonly ShopOrder[];
  readonly products: readonly ShopProduct[];
}

interface ShopOrder {
  readonly lines: readonly { quantity: number; price: number; sku: string | null; off: number }[];
  readonly shipping: number;
  readonly tax: number;
  readonly isTaxIncluded: boolean;
  readonly status: string;
  readonly isFulfilled: boolean;
  readonly isCancelled: boolean;
  readonly isTest: boolean;
  readonly codes: readonly string[];
  readonly customer: number | null;
  readonly refunded: number | null;
  readonly isLate: boolean;
}

interface ShopProduct {
  readonly sku: string | null;
  readonly price: number;
  readonly stock: number;
  readonly isArchived: boolean;
}

const cents = fc.integer({ min: 1, max: 99_999 });

export const shops: fc.Arbitrary<Shop> = fc.record({
  orders: fc.array(
    fc.record({
      lines: fc.array(
        fc.record({
          quantity: fc.integer({ min: 1, max: 5 }),
          price: fc.integer({ min: 500, max: 9999 }),
          sku: fc.constantFrom('MUG', 'PLATE', null),
          off: fc.constantFrom(0, 0, 100, 333),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      shipping: fc.constantFrom(0, 499),
      tax: fc.constantFrom(0, 120),
      isTaxIncluded: fc.boolean(),
      status: fc.constantFrom('paid', 'pending', 'voided', 'refunded', 'partially_refunded'),
      isFulfilled: fc.boolean(),
      isCancelled: fc.boolean(),
      isTest: fc.boolean(),
      codes: fc.constantFrom([], ['SPRING'], ['A', 'B']),
      customer: fc.constantFrom(null, 71, 72),
      refunded: fc.option(fc.integer({ min: 1, max: 400 })),
      isLate: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  products: fc.array(
    fc.record({
      sku: fc.constantFrom('MUG', 'PLATE', null),
      price: cents,
      stock: fc.integer({ min: 0, max: 9 }),
      isArchived: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
});

const money = (amount: number) => (amount / 100).toFixed(2);
const offOf = (order: ShopOrder) => order.lines.reduce((sum, { off }) => sum + off, 0);
const subtotalOf = (order: ShopOrder) =>
  order.lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0) - offOf(order);
const totalOf = (order: ShopOrder) =>
  subtotalOf(order) + order.shipping + (order.isTaxIncluded ? 0 : order.tax);
const day = (index: number) => `2026-03-${String(index + 1).padStart(2, '0')}`;
const orderId = (index: number) => 5_000_000_000_001 + index;
const lineId = (index: number, place: number) => 6_000_000_000_000 + index * 10 + place;

/** What Shopify's REST API answers. */
export function asJson({ orders, products }: Shop): string {
  const documents = [
    ...orders.map((order, index) => ({
      id: orderId(index),
      name: `#${1001 + index}`,
      created_at: `${day(index)}T10:00:00Z`,
      processed_at: `${day(index)}T${order.isLate ? '09' : '10'}:00:00Z`,
      updated_at: `${day(index)}T11:00:00Z`,
      cancelled_at: order.isCancelled ? `${day(index)}T12:00:00Z` : null,
      financial_status: order.status,
      fulfillment_status: order.isFulfilled ? 'fulfilled' : null,
      test: order.isTest,
      email: `a${order.customer}@example.com`,
      currency: 'EUR',
      total_price: money(totalOf(order)),
      subtotal_price: money(subtotalOf(order)),
      total_tax: money(order.tax),
      total_discounts: money(offOf(order)),
      total_shipping_price_set: { shop_money: { amount: money(order.shipping) } },
      discount_codes: order.codes.map((code) => ({ code })),
      payment_gateway_names: ['stripe'],
      shipping_lines: [{ title: 'DHL', price: money(order.shipping) }],
      shipping_address: { country_code: 'DE' },
      landing_site: '/mugs?utm_source=news&utm_medium=email',
      customer: order.customer === null ? null : { id: order.customer },
      line_items: order.lines.map(({ quantity, price, sku, off }, place) => ({
        ...{
          id: lineId(index, place),
          sku,
          name: `Thing ${place}`,
          vendor: 'Us',
          quantity,
          price: money(price),
        },
        discount_allocations: off === 0 ? [] : [{ amount: money(off) }],
      })),
      refunds:
        order.refunded === null
          ? []
          : [
              {
                ...{ id: 8001 + index, created_at: `${day(index)}T20:00:00Z` },
                transactions: [{ kind: 'refund', status: 'success', amount: money(order.refunded) }],
                refund_line_items: [
                  {
                    id: 9001 + index,
                    line_item_id: lineId(index, 0),
                    quantity: 1,
                    subtotal: money(order.refunded),
                  },
                ],
              },
            ],
    })),
    ...products.map(({ sku, price, stock, isArchived }, index) => ({
      ...{ id: 31 + index, title: `Product ${index}`, handle: `product-${index}`, vendor: 'Us' },
      ...{ product_type: 'Things', status: isArchived ? 'archived' : 'active', body_html: null },
      ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' },
      variants: [
        {
          ...{ id: 41 + index, sku, title: 'Default Title', price: money(price), inventory_quantity: stock },
          ...{ inventory_policy: 'deny', inventory_management: 'shopify' },
        },
      ],
    })),
    ...[71, 72].map((id) => ({
      ...{
        id,
        email: `a${id}@example.com`,
        created_at: '2026-01-01T00:00:00Z',
        tags: 'VIP, B2B',
        orders_count: 1,
      },
      email_marketing_consent: { state: 'subscribed', consent_updated_at: '2026-01-03T00:00:00Z' },
    })),
  ];
  return documents.map((document) => `${JSON.stringify(document)}\n`).join('');
}

type Row = Readonly<Record<string, string>>;
export type Tables = Readonly<Record<string, readonly Row[]>>;

const SYNCED = { _fivetran_synced: '2026-04-01 05:00:00.123', _fivetran_deleted: 'false' };
const text = (value: unknown) => (value === null ? '' : String(value));

/** What Fivetran lands of it, in the columns of one of its two schemas. */
export function asTables({ orders, products }: Shop, schema: 'rest' | 'graphql'): Tables {
  const isRest = schema === 'rest';
  const set = (name: string, amount: string): Row =>
    isRest
      ? { [name]: amount }
      : { [`${name}_set_shop_amount`]: amount, [`${name}_set_pres_amount`]: '999.99' };
  const rows = <Item>(items: readonly Item[], of: (item: Item, index: number) => readonly Row[]) =>
    items.flatMap((item, index) => of(item, index).map((row) => ({ ...row, ...SYNCED })));
  return {
    order: rows(orders, (order, index) => [
      {
        ...{ id: text(orderId(index)), name: `#${1001 + index}`, created_at: `${day(index)} 10:00:00.000` },
        processed_at: `${day(index)} ${order.isLate ? '09' : '10'}:00:00.000`,
        updated_at: `${day(index)} 11:00:00.000`,
        cancelled_at: order.isCancelled ? `${day(index)} 12:00:00.000` : '',
        [isRest ? 'financial_status' : 'display_financial_status']: isRest
          ? order.status
          : order.status.toUpperCase(),
        [isRest ? 'fulfillment_status' : 'display_fulfillment_status']: order.isFulfilled ? 'FULFILLED' : '',
        ...{ test: isRest ? String(order.isTest).toUpperCase() : String(order.isTest) },
        ...{ email: `a${order.customer}@example.com`, customer_id: text(order.customer) },
        ...{ [isRest ? 'currency' : 'currency_code']: 'EUR', shipping_address_country_code: 'DE' },
        ...set('total_price', money(totalOf(order))),
        ...set('subtotal_price', money(subtotalOf(order))),
        ...set('total_tax', money(order.tax)),
        ...set('total_discounts', money(offOf(order))),
        ...(isRest
          ? { total_shipping_price_set: JSON.stringify({ shop_money: { amount: money(order.shipping) } }) }
          : { total_shipping_price_set_shop_amount: money(order.shipping) }),
        landing_site_base_url: '/mugs',
      },
    ]),
    order_line: rows(orders, (order, index) =>
      order.lines.map(({ quantity, price, sku }, place) => ({
        ...{ id: text(lineId(index, place)), order_id: text(orderId(index)), index: text(place + 1) },
        ...{ name: `Thing ${place}`, vendor: 'Us', sku: text(sku), quantity: text(quantity), product_id: '' },
        ...(isRest ? { price: money(price) } : { original_total_set_shop_amount: money(price * quantity) }),
      })),
    ),
    discount_allocation: rows(orders, (order, index) =>
      order.lines.flatMap(({ off }, place) =>
        off === 0
          ? []
          : [
              {
                ...{ order_line_id: text(lineId(index, place)), index: '0', discount_application_index: '0' },
                [isRest ? 'amount' : 'allocated_amount_set_shop_amount']: money(off),
              },
            ],
      ),
    ),
    order_shipping_line: rows(orders, (order, index) => [
      {
        ...{ id: text(100 + index), order_id: text(orderId(index)), title: 'DHL' },
        [isRest ? 'price' : 'original_price_set_shop_amount']: money(order.shipping),
      },
    ]),
    order_discount_code: rows(orders, (order, index) =>
      order.codes.map((code, place) => ({ order_id: text(orderId(index)), index: text(place + 1), code })),
    ),
    order_url_tag: rows(orders, (_, index) => [
      { order_id: text(orderId(index)), key: 'utm_source', value: 'news' },
      { order_id: text(orderId(index)), key: 'utm_medium', value: 'email' },
    ]),
    transaction: rows(orders, (order, index) => [
      {
        ...{ id: text(2 * index + 1), order_id: text(orderId(index)), refund_id: '', gateway: 'stripe' },
        ...{ kind: isRest ? 'sale' : 'SALE', status: isRest ? 'success' : 'SUCCESS' },
        [isRest ? 'amount' : 'amount_set_shop_amount']: money(totalOf(order)),
      },
      ...(order.refunded === null
        ? []
        : [
            {
              ...{ id: text(2 * index + 2), order_id: text(orderId(index)), refund_id: text(8001 + index) },
              ...{ kind: 'refund', status: 'success', gateway: 'stripe' },
              [isRest ? 'amount' : 'amount_set_shop_amount']: money(order.refunded),
            },
          ]),
    ]),
    refund: rows(orders, (order, index) =>
      order.refunded === null
        ? []
        : [
            {
              ...{
                id: text(8001 + index),
                order_id: text(orderId(index)),
                created_at: `${day(index)} 20:00:00.000`,
              },
              ...(isRest ? {} : { total_refunded_set_shop_amount: money(order.refunded) }),
            },
          ],
    ),
    [isRest ? 'order_line_refund' : 'refund_line_item']: rows(orders, (order, index) =>
      order.refunded === null
        ? []
        : [
            {
              ...{ id: text(9001 + index), refund_id: text(8001 + index), quantity: '1.0' },
              ...{ order_line_id: text(lineId(index, 0)), ...set('subtotal', money(order.refunded)) },
            },
          ],
    ),
    product: rows(products, ({ isArchived }, index) => [
      {
        ...{ id: text(31 + index), title: `Product ${index}`, handle: `product-${index}`, vendor: 'Us' },
        ...{ product_type: 'Things', status: isArchived ? 'ARCHIVED' : 'ACTIVE' },
        ...{ created_at: '2026-01-01 00:00:00', updated_at: '2026-01-02 00:00:00' },
      },
    ]),
    product_variant: rows(products, ({ sku, price, stock }, index) => [
      {
        ...{ id: text(41 + index), product_id: text(31 + index), sku: text(sku), title: 'Default Title' },
        ...{ price: money(price), inventory_quantity: text(stock), inventory_policy: 'deny' },
      },
    ]),
    customer: rows([71, 72], (id) => [
      {
        ...{
          id: text(id),
          email: `a${id}@example.com`,
          created_at: '2026-01-01 00:00:00',
          orders_count: '1',
        },
        email_marketing_consent_state: isRest ? 'subscribed' : 'SUBSCRIBED',
        [isRest ? 'email_marketing_consent_consent_updated_at' : 'email_marketing_consent_updated_at']:
          '2026-01-03 00:00:00',
      },
    ]),
    customer_tag: rows([71, 72], (id) => [
      { customer_id: text(id), index: '1', value: 'VIP' },
      { customer_id: text(id), index: '2', value: 'B2B' },
    ]),
  };
}

/** As CSV files. A table without rows has no file: nobody knows its columns. */
export function filesOf(
  tables: Tables,
  mutate: (table: string, columns: string[]) => string[] = (_, all) => all,
) {
  const files: Record<string, string> = {};
  for (const [table, rows] of Object.entries(tables)) {
    if (rows.length === 0) continue;
    const columns = mutate(table, [...new Set(rows.flatMap((row) => Object.keys(row)))]);
    const cell = (value = '') => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    files[`${table}.csv`] = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
      .map((cells) => `${cells.map(cell).join(',')}\n`)
      .join('');
  }
  return files;
}

const STORED = ['orders', 'order_items', 'refunds', 'refund_lines', 'products', 'profiles', 'consent_events'];

/** All that files become. */
export async function everythingOf(files: Files): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  await translateFiles(files, async ({ rows, rejects }) => {
    found.rejects = rejects;
    for (const table of STORED) found[table] = await rows(table, '*');
  });
  return found;
}
