import type { PlainKey } from '../messages/catalogue.ts';
import { FILTERS, type FilterName } from './filters.ts';

/** A number of the page: where it stands in which tool's answer. Its unit is that of the field. */
export interface CardPart {
  /** Names it in addresses. */
  readonly key: string;
  readonly name: PlainKey;
  /** What the number is, in a sentence. */
  readonly meaning: PlainKey;
  readonly tool: string;
  /** `totals.sessions_count` lies within another field. */
  readonly field: string;
  /** What the tool is asked beside the store and its days. */
  readonly args?: Readonly<Record<string, unknown>>;
  /**
   * The same number by day or month, as a tool whose rows are periods and the field of a row; or the list
   * that tells more.
   */
  readonly more: { readonly trend: string; readonly field: string } | { readonly list: ListKey };
  /**
   * What stands in its place on a page about a part of the store: the first that all filters cut. None: it is
   * not known of a part.
   */
  readonly filtered: readonly Measure[];
}

/** A metric of `query_metrics`. */
export interface Measure {
  readonly metric: string;
  /** The name and the meaning, where it is another number than that of the card. */
  readonly other?: { readonly name: PlainKey; readonly meaning: PlainKey };
  /** The filters that cut the part. */
  readonly by: readonly FilterName[];
}

/** Names of lists in addresses, in the order of the page. */
export const LIST_KEYS = [
  ...(['products', 'categories', 'channels', 'advertising'] as const),
  ...(['campaigns', 'countries', 'coupons'] as const),
] as const;
export type ListKey = (typeof LIST_KEYS)[number];

/**
 * What the page is cut by: its values that bring most, as `query_metrics` tells them, of the whole store and
 * of a part alike.
 */
export interface DimensionList {
  readonly key: ListKey;
  readonly title: PlainKey;
  readonly dimension: FilterName;
  readonly isOfProducts: boolean;
}

/** Rows of another tool. */
export interface ToolList {
  readonly key: ListKey;
  readonly title: PlainKey;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly rows: string;
  /** What names a row. */
  readonly label: string;
  readonly columns: readonly { readonly name: PlainKey; readonly field: string }[];
  /** What a row's name filters the page by; none: nothing can be filtered by it. */
  readonly dimension?: FilterName;
}

/** The rows of a short list. */
export const FEW = 5;
/** The most rows of a list that is shown whole. */
export const MOST = 200;
/** All channels are few. */
export const VISITS = { tool: 'session_statistics', args: { group_by: 'channel', limit: 100 } } as const;
/** Totals do not depend on how many rows are asked for. */
export const PRODUCTS = {
  tool: 'product_statistics',
  args: { sort_by: 'estimated_revenue', limit: FEW },
} as const;

const OF_ORDERS: readonly FilterName[] = ['channel', 'country', 'coupon'];
const OF_VISITS: readonly FilterName[] = ['channel', 'country'];

const orders = (field: string, ...filtered: Measure[]) => ({
  tool: 'order_statistics',
  field,
  filtered,
  more: { trend: 'order_statistics_trend', field },
});
/** A measure of whole orders, and of lines where the page is about products. */
const ordered = (
  metric: string,
  ofProducts: string,
  name: PlainKey,
  meaning: PlainKey,
): readonly Measure[] => [
  { metric, by: OF_ORDERS },
  { metric: ofProducts, other: { name, meaning }, by: FILTERS },
];
const visits = (field: string) => ({
  ...VISITS,
  field: `totals.${field}`,
  more: { trend: 'session_statistics_trend', field },
  filtered: [{ metric: field, by: OF_VISITS }],
});
const sold = (field: string, metric: string) => ({
  ...PRODUCTS,
  field: `totals.${field}`,
  more: { list: 'products' as const },
  filtered: [{ metric, by: FILTERS }],
});

export const CARDS: readonly CardPart[] = [
  {
    key: 'revenue',
    name: 'number.revenue',
    meaning: 'meaning.revenue',
    ...orders(
      'orders_revenues',
      ...ordered('revenue', 'product_revenue', 'number.product-revenue', 'meaning.product-revenue'),
    ),
  },
  {
    key: 'orders',
    name: 'number.orders',
    meaning: 'meaning.orders',
    ...orders(
      'orders_count',
      ...ordered('orders_count', 'product_orders_count', 'number.product-orders', 'meaning.product-orders'),
    ),
  },
  {
    key: 'average',
    name: 'number.average',
    meaning: 'meaning.average',
    ...orders(
      'average_order_value',
      ...ordered(
        'average_order_value',
        'product_average_order_value',
        'number.product-average',
        'meaning.product-average',
      ),
    ),
  },
  {
    key: 'new',
    name: 'number.new',
    meaning: 'meaning.new',
    ...orders(
      'new_customers_count',
      ...ordered(
        'new_customers_count',
        'product_new_customers_count',
        'number.product-new',
        'meaning.product-new',
      ),
    ),
  },
  {
    key: 'returning',
    name: 'number.returning',
    meaning: 'meaning.returning',
    ...orders(
      'returning_customers_count',
      ...ordered(
        ...(['returning_customers_count', 'product_returning_customers_count'] as const),
        'number.product-returning',
        'meaning.product-returning',
      ),
    ),
  },
  {
    key: 'refunds',
    name: 'number.refunds',
    meaning: 'meaning.refunds',
    ...orders('refunded_revenue_by_refund_date', {
      metric: 'refunded_revenue_by_refund_date',
      by: OF_ORDERS,
    }),
  },
  {
    key: 'profit',
    name: 'number.profit',
    meaning: 'meaning.profit',
    ...sold('estimated_gross_profit', 'gross_profit'),
  },
  {
    key: 'known',
    name: 'number.known',
    meaning: 'meaning.known',
    ...sold('revenue_with_known_cost', 'revenue_with_known_cost'),
  },
  { key: 'visits', name: 'number.visits', meaning: 'meaning.visits', ...visits('sessions_count') },
  {
    key: 'conversion',
    name: 'number.conversion',
    meaning: 'meaning.conversion',
    ...visits('conversion_rate'),
  },
  {
    key: 'email',
    name: 'number.email',
    meaning: 'meaning.email',
    filtered: [],
    tool: 'email_revenue_statistics',
    field: 'attributed_revenue',
    more: { list: 'campaigns' },
  },
  {
    key: 'advertising',
    name: 'number.advertising',
    meaning: 'meaning.advertising',
    ...VISITS,
    field: 'totals.ad_cost',
    more: { list: 'advertising' },
    filtered: [{ metric: 'ad_cost', by: ['channel'] }],
  },
];

export const DIMENSION_LISTS: readonly DimensionList[] = [
  { key: 'products', title: 'list.products', dimension: 'product', isOfProducts: true },
  { key: 'categories', title: 'list.categories', dimension: 'category', isOfProducts: true },
  { key: 'channels', title: 'list.channels', dimension: 'channel', isOfProducts: false },
  { key: 'countries', title: 'list.countries', dimension: 'country', isOfProducts: false },
  { key: 'coupons', title: 'list.coupons', dimension: 'coupon', isOfProducts: false },
];

/** The rows of each are in the order of their first column. */
export const TOOL_LISTS: readonly ToolList[] = [
  {
    key: 'campaigns',
    title: 'list.campaigns',
    tool: 'email_campaign_statistics',
    rows: 'campaigns',
    label: 'name',
    args: { sort_by: 'attributed_revenue' },
    columns: [
      { name: 'number.credited-revenue', field: 'attributed_revenue' },
      { name: 'number.delivered', field: 'delivered_count' },
    ],
  },
  {
    key: 'advertising',
    title: 'list.advertising',
    ...VISITS,
    rows: 'sessions',
    label: 'key',
    dimension: 'channel',
    columns: [
      { name: 'number.advertising', field: 'ad_cost' },
      { name: 'number.last-click-revenue', field: 'last_click_revenue' },
    ],
  },
];
