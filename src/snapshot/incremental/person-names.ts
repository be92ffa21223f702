import { BUYER, orderReference, personOf } from '../../domains/identity/tables/identity.ts';
import { CANONICAL_TABLES } from '../../store/tables/all-tables.ts';

/** What a row calls a person, a visitor, a session, an order or a send: `email 3f2a…`, a kind and a value. */
interface Name {
  /** SQL over a row `o`; null where the row leaves it empty. */
  readonly text: string;
  /**
   * The place of the value, by the kinds that the name may be of. A row may have a value there, and another
   * name.
   */
  readonly values: Readonly<Record<string, string>>;
}

const named = (kind: string, value: string): Name => ({
  text: `'${kind} ' || ${value}`,
  values: { [kind]: value },
});

/** @param hasPhone whether rows of the table may name a person by phone */
const person = ({ hasPhone }: { readonly hasPhone: boolean }): Name => ({
  text: personOf('o.profile_id', 'o.email_hash', hasPhone ? 'o.phone_hash' : 'null'),
  values: {
    profile: 'o.profile_id',
    email: 'o.email_hash',
    ...(hasPhone ? { phone: 'o.phone_hash' } : {}),
  },
});

const buyer: Name = {
  text: BUYER,
  values: {
    ...person({ hasPhone: true }).values,
    external_customer_id: 'o.external_customer_id',
  },
};

const identity: Name = {
  text: `o.kind || ' ' || o."value"`,
  values: Object.fromEntries(
    ['visitor', 'email', 'phone', 'external_customer_id'].map((kind) => [kind, 'o."value"']),
  ),
};

/**
 * What the rows of a canonical table name. Rows that name the same thing may tell something of each other,
 * and so may all that hang together in this way; rows that do not, never. A row can leave names empty, but
 * not a first one that is of one kind.
 *
 * Tables that are missing here name nobody: products, campaigns, ….
 */
export const NAMES: Readonly<Record<string, readonly [Name, ...Name[]]>> = {
  profiles: [
    named('profile', 'o.profile_id'),
    named('email', 'o.email_hash'),
    named('phone', 'o.phone_hash'),
    named('external_customer_id', 'o.external_customer_id'),
  ],
  identities: [named('profile', 'o.profile_id'), identity],
  orders: [
    named('order', 'o.order_id'),
    ...[buyer, named('visitor', 'o.visitor_id'), named('session', 'o.session_id')],
    ...['o.order_id', 'o.number'].map((called) => named('reference', orderReference(called))),
  ],
  order_visits: [
    named('reference', orderReference('o.reference')),
    ...[named('visitor', 'o.visitor_id'), named('session', 'o.session_id')],
  ],
  order_items: [named('order', 'o.order_id')],
  refunds: [named('order', 'o.order_id')],
  refund_lines: [named('order', 'o.order_id')],
  sessions: [
    named('session', 'o.session_id'),
    ...[named('visitor', 'o.visitor_id'), person({ hasPhone: false })],
  ],
  product_events: [
    named('visitor', 'o.visitor_id'),
    // Where it has none, its session has a name made of its first event, and an order may happen to name
    // that.
    named('session', `coalesce(o.session_id, o.visitor_id || ' ' || o.event_id)`),
  ],
  consent_events: [person({ hasPhone: true }), named('send', 'o.send_id')],
  sends: [named('send', 'o.send_id'), person({ hasPhone: true })],
  message_events: [named('send', 'o.send_id')],
  audience_members: [person({ hasPhone: false })],
  interest_list_events: [person({ hasPhone: false })],
  popup_events: [named('visitor', 'o.visitor_id'), person({ hasPhone: false })],
};

/**
 * The kind of the names that are the key of a table's rows: no two rows of `orders` have the same `order …`.
 */
export function keyKind(table: string): string | undefined {
  const [column, ...others] = CANONICAL_TABLES.find(({ name }) => name === table)?.key ?? [];
  if (others.length > 0) return undefined;
  const values = (NAMES[table] ?? []).flatMap((name) => Object.entries(name.values));
  return values.find(([, value]) => value === `o.${column}`)?.[0];
}
