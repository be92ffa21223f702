/**
 * What `contract.md` says of its 11 tools, copied as facts; `contract-document.test.ts` holds them against
 * the text.
 */

const statistics = [
  'orders_count',
  'new_orders_count',
  'returning_orders_count',
  'orders_revenues',
  'new_orders_revenues',
  'returning_orders_revenues',
  'average_order_value',
  'new_orders_average_order_value',
  'returning_orders_average_order_value',
  'unique_customers_count',
  'new_customers_count',
  'returning_customers_count',
];

const performance = [
  'unique_orders_count',
  'new_orders_count',
  'returning_orders_count',
  'total_quantity',
  'estimated_revenue',
  'unique_customers_count',
  'new_customers_count',
  'returning_customers_count',
  'avg_order_value',
  'impressions',
  'reach',
  'total_engagement_time_s',
  'total_engagement_score',
  'avg_engagement_time_s',
  'avg_engagement_score',
  'conversion_rate',
  'first_order_occurrences',
  'second_order_occurrences',
];

export const INTEGERS = [
  ...['orders_count', 'new_orders_count', 'returning_orders_count', 'unique_orders_count', 'total_quantity'],
  ...['unique_customers_count', 'new_customers_count', 'returning_customers_count', 'impressions', 'reach'],
  ...['first_order_occurrences', 'second_order_occurrences', 'products_count'],
];

const bucket = ['period', 'period_start'];
const trendRow = (identity: string) => [...bucket, ...performance, 'estimated_gross_profit', identity];
const groupRow = (identity: string) => [
  ...performance,
  ...['products_count', 'avg_price', 'estimated_gross_profit', 'avg_gross_profit_margin'],
  identity,
];

const range = ['business_id', 'from_date', 'to_date'];
const listing = ['sort_by', 'sort_order', 'limit', 'offset', 'filter_metrics'];

export interface ToolFacts {
  readonly group: string;
  /** Null: none. */
  readonly permission: string | null;
  readonly arguments: readonly string[];
  readonly required: readonly string[];
  /** The array of rows; null when the fields stand at the top. */
  readonly rows: string | null;
  readonly fields: readonly string[];
  readonly nullable: readonly string[];
}

const PERMISSION = 'DISPLAY_ANALYTICS_DASHBOARD';

function orders(facts: Pick<ToolFacts, 'rows' | 'fields'>, more: readonly string[] = []): ToolFacts {
  const names = [...range, ...more];
  return {
    group: 'Orders',
    permission: PERMISSION,
    arguments: names,
    required: names,
    nullable: [],
    ...facts,
  };
}

function products(
  filters: readonly string[],
  rows: string,
  fields: readonly string[],
  nullable: readonly string[] = [],
): ToolFacts {
  const names = [...range, ...listing, ...filters];
  return {
    group: 'Product analytics',
    permission: PERMISSION,
    arguments: names,
    required: range,
    rows,
    fields,
    nullable,
  };
}

function trend(entities: string, identity: string): ToolFacts {
  const names = [...range, 'breakdown', entities];
  return {
    group: 'Product analytics',
    permission: PERMISSION,
    arguments: names,
    required: names,
    rows: 'periods',
    fields: trendRow(identity),
    nullable: ['estimated_gross_profit'],
  };
}

const business = ['business_id', 'name', 'link', 'timezone', 'primary_currency'];

export const CONTRACT_TOOLS: Readonly<Record<string, ToolFacts>> = {
  list_businesses: {
    group: 'Businesses',
    permission: null,
    arguments: [],
    required: [],
    rows: 'result',
    fields: business,
    nullable: ['link', 'timezone', 'primary_currency'],
  },
  order_statistics: orders({ rows: null, fields: [...statistics, 'business_id'] }),
  order_statistics_trend: orders({ rows: 'periods', fields: [...statistics, ...bucket] }, ['breakdown']),
  product_statistics: products(
    ['filter_external_product_ids', 'filter_brands', 'filter_categories', 'filter_discontinued'],
    'products',
    [
      ...performance,
      ...['external_product_id', 'price', 'purchase_price', 'gross_profit', 'gross_profit_margin'],
      ...['estimated_gross_profit', 'brand', 'categories', 'discontinued'],
    ],
    ['purchase_price', 'gross_profit', 'gross_profit_margin'],
  ),
  product_statistics_trend: trend('external_product_ids', 'external_product_id'),
  category_statistics: products(['filter_categories'], 'categories', groupRow('category')),
  category_statistics_trend: trend('categories', 'category'),
  brand_statistics: products(['filter_brands'], 'brands', groupRow('brand')),
  brand_statistics_trend: trend('brands', 'brand'),
  master_product_statistics: products(
    ['filter_external_master_product_ids', 'filter_brands', 'filter_categories'],
    'master_products',
    groupRow('external_master_product_id'),
  ),
  master_product_statistics_trend: trend('external_master_product_ids', 'external_master_product_id'),
};

/** They stand in the contract's order. */
export const FILTER_METRICS = [
  ...performance.slice(0, 16),
  ...['price', 'purchase_price', 'gross_profit', 'gross_profit_margin', 'estimated_gross_profit'],
  ...['first_order_occurrences', 'second_order_occurrences'],
  ...['products_count', 'avg_price', 'avg_gross_profit_margin'],
];
