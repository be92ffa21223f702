/**
 * Rows of the canonical tables this generator writes; the words are those of the canonical format. Timestamps
 * are ISO 8601 text with an offset, money is decimal text.
 */

export type OrderRow = {
  order_id: string;
  number: string;
  ordered_at: string;
  profile_id: string | null;
  email: string | null;
  external_customer_id: string | null;
  status: OrderStatus;
  is_test: boolean;
  currency: Currency;
  fx_rate: string | null;
  total: string;
  subtotal: string;
  tax: string;
  shipping: string;
  payment_fee: string;
  discount: string;
  coupon_codes: string[];
  payment_method: string;
  shipping_method: string;
  country: string;
  device: Device | null;
  visitor_id: string | null;
  session_id: string | null;
  cancelled_at: string | null;
};

export type OrderStatus = 'pending' | 'paid' | 'fulfilled' | 'cancelled' | 'returned';
export type Currency = 'CZK' | 'EUR' | 'PLN';
export type Device = 'desktop' | 'mobile' | 'tablet';

export type OrderItemRow = {
  order_id: string;
  line_no: number;
  kind: 'product' | 'shipping' | 'payment' | 'discount' | 'gift';
  external_product_id: string | null;
  name: string;
  quantity: number;
  unit_price: string;
  unit_cost: string | null;
  /** The rate in percent. */
  tax_rate: string | null;
};

export type RefundLineRow = {
  refund_id: string;
  order_id: string;
  line_no: number;
  external_product_id: string;
  quantity: number;
  amount: string;
};

export type RefundRow = { refund_id: string; order_id: string; refunded_at: string; amount: string };

export type ProductRow = {
  external_product_id: string;
  external_master_product_id: string | null;
  name: string;
  sku: string;
  ean: string;
  brand: string | null;
  categories: string[];
  price: string;
  original_price: string | null;
  purchase_price: string | null;
  in_stock: boolean;
  stock_quantity: number;
  discontinued: boolean;
  url: string;
  image_url: string;
  description: string;
  attributes: Record<string, string>;
  flags: string[];
  created_at: string;
  updated_at: string;
};

export type ProductPriceRow = {
  external_product_id: string;
  valid_from: string;
  price: string;
  original_price: string | null;
  purchase_price: string | null;
};

export type StockReadingRow = {
  external_product_id: string;
  read_on: string;
  read_at: string;
  in_stock: boolean;
  stock_quantity: number;
};

export type ProfileRow = {
  profile_id: string;
  email: string;
  external_customer_id: string | null;
  country: string;
  language: string;
  gender: 'female' | 'male' | null;
  birthday: string | null;
  attributes: Record<string, string>;
  tags: string[];
  created_at: string;
};

export type IdentityRow = {
  profile_id: string;
  kind: 'visitor' | 'email' | 'external_customer_id';
  value: string;
};

export type SessionRow = {
  session_id: string;
  visitor_id: string;
  profile_id: string | null;
  email: string | null;
  started_at: string;
  ended_at: string;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  click_id_kind: string | null;
  referrer_host: string | null;
  landing_path: string;
  device: Device | 'other';
  country: string | null;
  page_views: number;
  engagement_s: number;
  cart: boolean;
  checkout: boolean;
  suspected_bot: boolean;
};

export type ProductEventRow = {
  event_id: string;
  visitor_id: string;
  session_id: string;
  external_product_id: string;
  kind: 'view' | 'add_to_cart' | 'remove_from_cart' | 'wishlist' | 'watchdog';
  at: string;
  engagement_s: number;
};

export type AdCostRow = {
  day: string;
  source: string;
  medium: string;
  campaign: string | null;
  cost: string;
  clicks: number;
  impressions: number;
};

export type CalendarEventRow = {
  first_date: string;
  last_date: string | null;
  name: string;
  kind: 'tv' | 'price_change' | 'site_change';
};

export type ConsentEventRow = {
  profile_id: string;
  channel: ConsentChannel;
  at: string;
  state: ConsentState;
  source: 'popup' | 'checkout' | 'registration' | 'import' | null;
  source_detail: string | null;
  reason: string | null;
  /** The message that led to it; left out where the shop does not know. */
  send_id?: string;
};

export type ConsentChannel = 'email' | 'sms';
export type ConsentState =
  | 'subscribed'
  | 'pending'
  | 'unsubscribed'
  | 'bounced'
  | 'complained'
  | 'suppressed';
