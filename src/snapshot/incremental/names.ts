import { BUYER, orderReference, personOf } from '../../domains/identity/tables/identity.ts';

/**
 * What the rows of a canonical table name, as SQL over a row `o`: persons (as `identity.ts` calls them), visitors, sessions,
 * orders and sends. Rows that name the same thing may tell something of each other, and so may all that hang together in this
 * way; rows that do not, never. A row can leave names empty.
 *
 * Tables that are missing here name nobody: products, campaigns, ….
 */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  profiles: [
    `'profile ' || o.profile_id`,
    `'email ' || o.email_hash`,
    `'phone ' || o.phone_hash`,
    `'external_customer_id ' || o.external_customer_id`,
  ],
  identities: [`'profile ' || o.profile_id`, `o.kind || ' ' || o."value"`],
  orders: [
    ...[`'order ' || o.order_id`, BUYER, `'visitor ' || o.visitor_id`, `'session ' || o.session_id`],
    ...[orderReference('o.order_id'), orderReference('o.number')].map(
      (called) => `'reference ' || ${called}`,
    ),
  ],
  order_visits: [
    `'reference ' || ${orderReference('o.reference')}`,
    `'visitor ' || o.visitor_id`,
    `'session ' || o.session_id`,
  ],
  order_items: [`'order ' || o.order_id`],
  refunds: [`'order ' || o.order_id`],
  refund_lines: [`'order ' || o.order_id`],
  sessions: [
    `'session ' || o.session_id`,
    `'visitor ' || o.visitor_id`,
    personOf('o.profile_id', 'o.email_hash', 'null'),
  ],
  product_events: [
    `'visitor ' || o.visitor_id`,
    // Where it has none, its session has a name made of its first event, and an order may happen to name that.
    `'session ' || coalesce(o.session_id, o.visitor_id || ' ' || o.event_id)`,
  ],
  consent_events: [personOf('o.profile_id', 'o.email_hash', 'o.phone_hash'), `'send ' || o.send_id`],
  sends: [`'send ' || o.send_id`, personOf('o.profile_id', 'o.email_hash', 'o.phone_hash')],
  message_events: [`'send ' || o.send_id`],
  audience_members: [personOf('o.profile_id', 'o.email_hash', 'null')],
  interest_list_events: [personOf('o.profile_id', 'o.email_hash', 'null')],
  popup_events: [`'visitor ' || o.visitor_id`, personOf('o.profile_id', 'o.email_hash', 'null')],
};
