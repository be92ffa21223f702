/**
 * The model tables on ClickHouse: what DuckDB builds, for all businesses and snapshots together.
 *
 * Rows of one snapshot of one business lie together, then by time, since every query reads one snapshot and most read
 * a range. Moments and keys grow slowly along that order, so differences of them compress well.
 */
interface ClickHouseTable {
  /** Types as in the snapshot; only what is never empty is not nullable. */
  readonly columns: Readonly<Record<string, string>>;
  /** After the business and the snapshot. */
  readonly order: readonly string[];
}

const KEY = 'Int32 codec(Delta, ZSTD)';
const OPTIONAL_KEY = 'Nullable(Int32) codec(ZSTD)';
const MOMENT = "DateTime64(6, 'UTC') codec(Delta, ZSTD)";
const OPTIONAL_MOMENT = "Nullable(DateTime64(6, 'UTC')) codec(ZSTD)";
const DATE = 'Date32 codec(Delta, ZSTD)';
const OPTIONAL_DATE = 'Nullable(Date32) codec(ZSTD)';
const MONEY = 'Nullable(Decimal(18, 4)) codec(ZSTD)';
const TEXT = 'Nullable(String) codec(ZSTD)';
/** Texts of which there are few. */
const NAME = 'LowCardinality(Nullable(String)) codec(ZSTD)';
const FLAG = 'Nullable(Bool)';

export const CLICKHOUSE_TABLES: Readonly<Record<string, ClickHouseTable>> = {
  orders: {
    columns: {
      order_key: KEY,
      order_id: TEXT,
      ordered_at: MOMENT,
      ordered_date: DATE,
      ordered_hour: OPTIONAL_KEY,
      ordered_weekday: OPTIONAL_KEY,
      customer_key: OPTIONAL_KEY,
      visitor_key: OPTIONAL_KEY,
      is_valid: FLAG,
      order_number: OPTIONAL_KEY,
      next_order_key: OPTIONAL_KEY,
      days_to_next_order: OPTIONAL_KEY,
      revenue: MONEY,
      refunded: MONEY,
      pieces: MONEY,
      has_catalogue_product: FLAG,
      is_test: FLAG,
      status: NAME,
      currency: NAME,
      country: NAME,
      payment_method: NAME,
      shipping_method: NAME,
      coupon_codes: 'Array(String) codec(ZSTD)',
    },
    order: ['ordered_at'],
  },
  order_coupons: {
    columns: { order_key: KEY, coupon: TEXT },
    order: ['order_key'],
  },
  order_products: {
    columns: {
      order_key: KEY,
      product_key: KEY,
      customer_key: OPTIONAL_KEY,
      visitor_key: OPTIONAL_KEY,
      ordered_at: MOMENT,
      ordered_date: DATE,
      order_number: OPTIONAL_KEY,
      first_ordered_at: OPTIONAL_MOMENT,
      first_ordered_date: OPTIONAL_DATE,
      order_revenue: MONEY,
      quantity: MONEY,
      revenue: MONEY,
      profit: MONEY,
    },
    order: ['ordered_at'],
  },
  customers: {
    columns: {
      customer_key: KEY,
      first_ordered_at: OPTIONAL_MOMENT,
      first_ordered_date: OPTIONAL_DATE,
      country: NAME,
      first_coupon: TEXT,
      first_product: TEXT,
      first_brand: NAME,
      first_category: NAME,
    },
    order: ['customer_key'],
  },
  products: {
    columns: {
      product_key: KEY,
      external_product_id: TEXT,
      master_product_id: TEXT,
      master_product_key: OPTIONAL_KEY,
      external_master_product_id: TEXT,
      is_in_catalogue: FLAG,
      name: TEXT,
      sku: TEXT,
      ean: TEXT,
      search_text: TEXT,
      brand: NAME,
      brand_key: OPTIONAL_KEY,
      brand_search_text: NAME,
      categories: 'Array(String) codec(ZSTD)',
      price: MONEY,
      original_price: MONEY,
      purchase_price: MONEY,
      in_stock: FLAG,
      stock_quantity: 'Nullable(Decimal(14, 4)) codec(ZSTD)',
      discontinued: FLAG,
      url: TEXT,
      image_url: TEXT,
      created_at: OPTIONAL_MOMENT,
      updated_at: OPTIONAL_MOMENT,
    },
    order: ['product_key'],
  },
  product_details: {
    columns: {
      product_key: KEY,
      description: TEXT,
      attribute_names: 'Array(String) codec(ZSTD)',
      attribute_values: 'Array(Nullable(String)) codec(ZSTD)',
      flags: 'Array(String) codec(ZSTD)',
    },
    order: ['product_key'],
  },
  product_prices: {
    columns: { product_key: KEY, valid_from: MOMENT, price: MONEY, original_price: MONEY },
    order: ['product_key', 'valid_from'],
  },
  product_categories: {
    columns: { product_key: KEY, category: NAME, category_key: OPTIONAL_KEY, category_search_text: NAME },
    order: ['product_key'],
  },
  product_events: {
    columns: {
      product_key: KEY,
      visitor_key: OPTIONAL_KEY,
      happened_at: MOMENT,
      happened_date: DATE,
      kind: NAME,
      engagement_s: MONEY,
      score: OPTIONAL_KEY,
    },
    order: ['happened_at'],
  },
  consent_states: {
    columns: { customer_key: KEY, channel: NAME, state: NAME, changed_at: OPTIONAL_MOMENT },
    order: ['customer_key'],
  },
  rfm_states: {
    columns: {
      window_days: KEY,
      customer_key: KEY,
      starts_at: MOMENT,
      starts_date: DATE,
      ends_at: OPTIONAL_MOMENT,
      ends_date: OPTIONAL_DATE,
      frequency: OPTIONAL_KEY,
      monetary: MONEY,
      orders_before: OPTIONAL_KEY,
      last_ordered_date: OPTIONAL_DATE,
    },
    order: ['window_days', 'starts_at'],
  },
  rfm_profiles: {
    columns: {
      rfm_profile_id: TEXT,
      name: TEXT,
      created_at: OPTIONAL_MOMENT,
      is_default: FLAG,
      window_days: OPTIONAL_KEY,
      scoring: NAME,
      recency_thresholds_days: 'Array(Int32) codec(ZSTD)',
      frequency_thresholds: 'Array(Int32) codec(ZSTD)',
      monetary_thresholds: 'Array(Decimal(18, 4)) codec(ZSTD)',
      rules: TEXT,
    },
    order: [],
  },
  rfm_cells: {
    columns: { rfm_profile_id: TEXT, recency: KEY, frequency: KEY, monetary: KEY, segment: NAME },
    order: ['recency', 'frequency', 'monetary'],
  },
};

/** The snapshots that arrived whole. Nothing is read of another. */
export const ARRIVED_SNAPSHOTS = 'arrived_snapshots';

export const ALL_CLICKHOUSE_TABLES: Readonly<Record<string, ClickHouseTable>> = {
  ...CLICKHOUSE_TABLES,
  [ARRIVED_SNAPSHOTS]: { columns: { arrived_at: MOMENT }, order: [] },
};
