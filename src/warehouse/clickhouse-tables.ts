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
const SECONDS = 'Nullable(Int64) codec(ZSTD)';
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
      first_channel: NAME,
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
  sessions: {
    columns: {
      session_key: KEY,
      visitor_key: OPTIONAL_KEY,
      started_at: MOMENT,
      started_date: DATE,
      channel: NAME,
      source: NAME,
      medium: NAME,
      campaign: NAME,
      source_medium: NAME,
      landing_path: TEXT,
      referrer_host: TEXT,
      device: NAME,
      country: NAME,
      page_views: OPTIONAL_KEY,
      engagement_s: MONEY,
      is_engaged: FLAG,
      has_cart: FLAG,
      has_checkout: FLAG,
      is_converting: FLAG,
      is_identified: FLAG,
      is_suspected_bot: FLAG,
      first_started_at: OPTIONAL_MOMENT,
      first_started_date: OPTIONAL_DATE,
    },
    order: ['started_at'],
  },
  ad_costs: {
    columns: {
      spent_date: DATE,
      channel: NAME,
      source: NAME,
      medium: NAME,
      campaign: NAME,
      source_medium: NAME,
      cost: MONEY,
    },
    order: ['spent_date'],
  },
  order_traffic: {
    columns: {
      order_key: KEY,
      ordered_at: MOMENT,
      ordered_date: DATE,
      revenue: MONEY,
      own_session_key: OPTIONAL_KEY,
      last_session_key: OPTIONAL_KEY,
      last_click_channel: NAME,
      first_session_key: OPTIONAL_KEY,
      first_click_channel: NAME,
    },
    order: ['ordered_at'],
  },
  touches: {
    columns: {
      session_key: KEY,
      visitor_key: OPTIONAL_KEY,
      started_at: MOMENT,
      is_identified: FLAG,
      order_key: OPTIONAL_KEY,
      seconds_to_order: SECONDS,
      journey_key: OPTIONAL_KEY,
      channel_key: OPTIONAL_KEY,
      source_medium_key: OPTIONAL_KEY,
      campaign_key: OPTIONAL_KEY,
      next_channel_key: OPTIONAL_KEY,
      next_source_medium_key: OPTIONAL_KEY,
      next_campaign_key: OPTIONAL_KEY,
      seconds_since_previous: SECONDS,
      touches_left: OPTIONAL_KEY,
      channel_changes_left: OPTIONAL_KEY,
      source_medium_changes_left: OPTIONAL_KEY,
      campaign_changes_left: OPTIONAL_KEY,
    },
    order: ['started_at'],
  },
  touch_names: {
    columns: { kind: NAME, name: TEXT, touch_key: KEY },
    order: ['touch_key'],
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
