import { plural } from '../../text/plural.ts';
import type { Source } from '../source.ts';
import { events, FIELDS, knownText } from './fields.ts';
import { PRODUCT_HITS, TRANSLATED_PRODUCT_EVENTS } from './product-events.ts';
import { ORDER_FACTS, purchases, TRANSLATED_ORDERS, TRANSLATED_VISITS } from './purchases.ts';
import { REFUND_FINDINGS, REFUNDS } from './refunds.ts';
import { SESSIONS, TRANSLATED_PROFILES, TRANSLATED_SESSIONS } from './sessions.ts';

/**
 * Events of Google Analytics 4 as its BigQuery export has them, saved as Parquet or as JSON lines. Its
 * purchases are orders only in a store without orders from a shop (`order-owner.ts`); in any other they say
 * in which visit an order was placed.
 */
export const ga4Events: Source = {
  name: 'ga4-events',
  title: 'Google Analytics 4 events, BigQuery export',
  beginsAs: (text) => FIELDS.signature.every((name) => text.includes(`"${name}"`)),
  records: FIELDS,
  ordersFrom: 'ga4',
  comparesBefore: true,
  columns: {},
  settings: ['currency', 'encoding'],
  questions: ({ makesOrders }) =>
    makesOrders
      ? [
          {
            setting: 'currency',
            condition: `event_name = 'purchase' and ${knownText('param_currency')} is null`,
            problem: 'a purchase without a currency',
            example: '--currency EUR',
          },
        ]
      : [],
  assumptions: ({ makesOrders }) => [
    'visits are those of Google Analytics: user_pseudo_id with ga_session_id',
    makesOrders
      ? 'the total of a purchase is the value that the tag sends: whether with tax and shipping is its setting'
      : "purchases make no orders: they come from the shop (or say --orders-from ga4, in a store without a shop's orders)",
  ],
  findings: ({ makesOrders }) => [
    {
      count: `(select count(*) from ga4_events where event_name is not null and at_us is not null)
        - (select coalesce(sum(rows), 0) from ga4_sessions)`,
      says: (count) =>
        `${plural(count, 'event has', 'events have')} no user_pseudo_id or no ga_session_id (no consent): of no visit`,
    },
    {
      count: 'select coalesce(sum(without_id), 0) from ga4_product_hits',
      says: (count) =>
        `${plural(count, 'product in views and carts has', 'products in views and carts have')} no item_id: not read`,
    },
    {
      count: 'select count(*) from ga4_purchases where transaction is null',
      says: (count) =>
        `${plural(count, 'purchase has', 'purchases have')} no transaction_id, and so no order`,
    },
    {
      count: 'select count(*) from ga4_purchases where not is_first',
      says: (count) =>
        `${plural(count, 'purchase repeats', 'purchases repeat')} a transaction_id: the earliest counts`,
    },
    {
      count:
        'select count(*) from ga4_purchases where is_first and transaction is not null and amount is null',
      says: (count) => `${plural(count, 'purchase has', 'purchases have')} no value: worth 0 as an order`,
    },
    ...(makesOrders ? REFUND_FINDINGS : []),
    {
      count: `select count(*) from ga4_visits_before where meets = 'overlapping'`,
      says: (count) =>
        `${plural(count, 'visit was', 'visits were')} imported before with other times that overlap: of page views and engagement the greater counts. ` +
        'Import all files of these days at once for their sum',
    },
  ],
  prepare: (raw) => [...events(raw.relation), ...SESSIONS, ...PRODUCT_HITS, ...purchases(raw), ...REFUNDS],
  translate: ({ makesOrders }) => ({
    ...(makesOrders ? TRANSLATED_ORDERS : {}),
    order_visits: TRANSLATED_VISITS,
    sessions: TRANSLATED_SESSIONS,
    product_events: TRANSLATED_PRODUCT_EVENTS,
    profiles: TRANSLATED_PROFILES,
  }),
  orderFacts: () => ORDER_FACTS,
};
