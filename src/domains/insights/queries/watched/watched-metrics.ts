import type { PlainKey } from '../../../../answers/sentences.ts';
import { FOLLOWED_DAYS } from '../../../messages/queries/late-followed.ts';
import type { DimensionName } from '../dimensions.ts';

/** What pages call the metrics, by their English nouns: a noun without words does not compile. */
export const WATCHED_IN_WORDS = {
  orders: 'number.orders',
  revenue: 'number.revenue',
  'revenue per order': 'part.revenue-an-order',
  'first orders of new customers': 'watch.first-orders',
  discounts: 'watch.discounts',
  refunds: 'watch.refunds',
  visits: 'number.visits',
  'conversion rate': 'watch.conversion',
  'share of visits with a cart': 'part.carts',
  'share of carts with a checkout': 'part.checkouts',
  'advertising cost': 'number.advertising',
  'orders by last click': 'watch.last-clicks',
  'share of hard bounces': 'watch.bounces',
  'e-mail open rate': 'watch.opens',
  'e-mail click rate': 'watch.clicks',
  'e-mail unsubscribe rate': 'watch.unsubscribes',
} as const satisfies Readonly<Record<string, PlainKey>>;
type WatchedNoun = keyof typeof WATCHED_IN_WORDS;

/** A number that is looked at each day: a sum, or a sum by another one, as orders by visits. */
export interface WatchedMetric {
  /** As query_metrics takes it, or the two sums that it is made of. */
  readonly name: string;
  readonly noun: WatchedNoun;
  readonly sum: string;
  readonly per: string | null;
  /** A sum of money is made of many of these, and one of them brings about the unit in which it varies. */
  readonly pieces: string | null;
  /** The sum is shown by the other one times this. */
  readonly times: 1 | 100;
}

const plain = (name: string, noun: WatchedNoun): WatchedMetric => ({
  name,
  noun,
  sum: name,
  per: null,
  pieces: null,
  times: 1,
});
const money = (name: string, noun: WatchedNoun, pieces: string | null): WatchedMetric => ({
  name,
  noun,
  sum: name,
  per: null,
  pieces,
  times: 1,
});
const share = (name: string, noun: WatchedNoun, sum: string, per: string): WatchedMetric => ({
  name,
  noun,
  sum,
  per,
  pieces: null,
  times: 100,
});

/** What follows an e-mail takes days, so e-mails are judged this many days later. */
export const EMAIL_LAG_DAYS = FOLLOWED_DAYS;

/** The kinds of data, each with the days that are known of it. */
export type WatchedSource = 'orders' | 'sessions' | 'messages';

export interface WatchedGroup {
  readonly source: WatchedSource;
  readonly metrics: readonly WatchedMetric[];
  /** Each value of it that is large enough is looked at by itself; null: the whole store. */
  readonly dimension: DimensionName | null;
}

/** All that is looked at. Each sum is the metric of that name in the metric layer. */
export const WATCHED: readonly WatchedGroup[] = [
  {
    source: 'orders',
    dimension: null,
    metrics: [
      plain('orders_count', 'orders'),
      money('revenue', 'revenue', 'orders_count'),
      {
        name: 'average_order_value',
        noun: 'revenue per order',
        sum: 'revenue',
        per: 'orders_count',
        pieces: 'orders_count',
        times: 1,
      },
      plain('new_orders_count', 'first orders of new customers'),
      money('discount', 'discounts', 'orders_count'),
      money('refunded_revenue_by_refund_date', 'refunds', null),
    ],
  },
  { source: 'orders', dimension: 'country', metrics: [plain('orders_count', 'orders')] },
  { source: 'orders', dimension: 'payment_method', metrics: [plain('orders_count', 'orders')] },
  { source: 'orders', dimension: 'category', metrics: [plain('product_orders_count', 'orders')] },
  { source: 'orders', dimension: 'product', metrics: [plain('product_orders_count', 'orders')] },
  {
    source: 'sessions',
    dimension: null,
    metrics: [
      plain('sessions_count', 'visits'),
      share('conversion_rate', 'conversion rate', 'converting_sessions_count', 'sessions_count'),
      share(
        'cart_sessions_count / sessions_count',
        'share of visits with a cart',
        'cart_sessions_count',
        'sessions_count',
      ),
      share(
        'checkout_sessions_count / cart_sessions_count',
        'share of carts with a checkout',
        'checkout_sessions_count',
        'cart_sessions_count',
      ),
      money('ad_cost', 'advertising cost', null),
    ],
  },
  {
    source: 'sessions',
    dimension: 'channel',
    metrics: [plain('sessions_count', 'visits'), plain('last_click_orders_count', 'orders by last click')],
  },
  { source: 'sessions', dimension: 'country', metrics: [plain('sessions_count', 'visits')] },
  { source: 'sessions', dimension: 'device', metrics: [plain('sessions_count', 'visits')] },
  {
    source: 'messages',
    dimension: null,
    metrics: [
      share(
        'email_hard_bounces_count / emails_sent_count',
        'share of hard bounces',
        'email_hard_bounces_count',
        'emails_sent_count',
      ),
    ],
  },
  {
    // What newsletters and automations do differs, and how many of each are sent on a day.
    source: 'messages',
    dimension: 'campaign_type',
    metrics: [
      share('email_open_rate', 'e-mail open rate', 'email_unique_opens_count', 'emails_delivered_count'),
      share('email_click_rate', 'e-mail click rate', 'email_unique_clicks_count', 'emails_delivered_count'),
      share(
        'email_unsubscribe_rate',
        'e-mail unsubscribe rate',
        'email_unsubscribes_count',
        'emails_delivered_count',
      ),
    ],
  },
];
