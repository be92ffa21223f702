/** A number of the page: where it stands in which tool's answer. Its unit and its definition are those of the field. */
export interface CardPart {
  readonly name: string;
  readonly tool: string;
  /** `totals.sessions_count` lies within another field. */
  readonly field: string;
  /** What the tool is asked beside the store and its days. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A list of the page: the first rows of an answer. */
export interface ListPart {
  readonly title: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly rows: string;
  /** What names a row. */
  readonly label: string;
  readonly columns: readonly { readonly name: string; readonly field: string }[];
}

const FEW = 5;
/** Totals do not depend on how many rows are asked for. */
const VISITS = { tool: 'session_statistics', args: { group_by: 'channel', limit: FEW } } as const;
const PRODUCTS = {
  tool: 'product_statistics',
  args: { sort_by: 'estimated_revenue', limit: FEW },
} as const;

export const CARDS: readonly CardPart[] = [
  { name: 'Revenue', tool: 'order_statistics', field: 'orders_revenues' },
  { name: 'Orders', tool: 'order_statistics', field: 'orders_count' },
  { name: 'Average order', tool: 'order_statistics', field: 'average_order_value' },
  { name: 'New customers', tool: 'order_statistics', field: 'new_customers_count' },
  { name: 'Returning customers', tool: 'order_statistics', field: 'returning_customers_count' },
  { name: 'Refunds', tool: 'order_statistics', field: 'refunded_revenue_by_refund_date' },
  { name: 'Gross profit', ...PRODUCTS, field: 'totals.estimated_gross_profit' },
  { name: 'Revenue whose costs are known', ...PRODUCTS, field: 'totals.revenue_with_known_cost' },
  { name: 'Visits', ...VISITS, field: 'totals.sessions_count' },
  { name: 'Conversion', ...VISITS, field: 'totals.conversion_rate' },
  { name: 'Revenue after e-mails', tool: 'email_revenue_statistics', field: 'attributed_revenue' },
  { name: 'Advertising cost', ...VISITS, field: 'totals.ad_cost' },
];

const SOLD = [
  { name: 'Revenue', field: 'estimated_revenue' },
  { name: 'Orders', field: 'unique_orders_count' },
] as const;
const ORDERED = [
  { name: 'Revenue', field: 'revenue' },
  { name: 'Orders', field: 'orders_count' },
] as const;

export const LISTS: readonly ListPart[] = [
  { title: 'Products', ...PRODUCTS, rows: 'products', label: 'name', columns: SOLD },
  {
    title: 'Categories',
    tool: 'category_statistics',
    args: PRODUCTS.args,
    rows: 'categories',
    label: 'category',
    columns: SOLD,
  },
  {
    title: 'Channels',
    ...VISITS,
    rows: 'sessions',
    label: 'key',
    columns: [
      { name: 'Visits', field: 'sessions_count' },
      { name: 'Revenue of last clicks', field: 'last_click_revenue' },
    ],
  },
  {
    title: 'E-mail campaigns',
    tool: 'email_campaign_statistics',
    rows: 'campaigns',
    label: 'name',
    args: { sort_by: 'attributed_revenue', limit: FEW },
    columns: [
      { name: 'Revenue', field: 'attributed_revenue' },
      { name: 'Delivered', field: 'delivered_count' },
    ],
  },
  {
    title: 'Countries',
    tool: 'order_distribution_statistics',
    rows: 'rows',
    label: 'key',
    args: { dimension: 'country', limit: FEW },
    columns: ORDERED,
  },
  {
    title: 'Coupons',
    tool: 'order_distribution_statistics',
    rows: 'rows',
    label: 'key',
    args: { dimension: 'coupon', limit: FEW },
    columns: ORDERED,
  },
];
