// Who a visitor is: views and orders of one person count as one visitor where the data tie them.
import { customersOf } from './customers.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { importedMoment, type Moment } from './moments.ts';
import type { Order } from './orders.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';
import { visitsOf } from './visits.ts';

export type Visitors = {
  ofVisitorId(visitorId: string): string;
  /** Null when nobody is known who ordered, not even a visitor. */
  ofOrder(order: Order): string | null;
  /** Who the order's visitor is known to be. */
  customerOf(order: Order): string | null;
};

/** `orders` are in the order of their times, so the first with a visitor_id is the earliest. */
export function visitorsOf(store: Store, orders: Order[]): Visitors {
  const customers = customersOf(store);
  const customerOf = new Map<string, string>();
  const identities = [...store.identities].sort((a, b) =>
    compareText(a.profile_id ?? '', b.profile_id ?? ''),
  );
  for (const row of identities) {
    const visitorId = cell(row.value);
    if (row.kind !== 'visitor' || visitorId === null || customerOf.has(visitorId)) continue;
    customerOf.set(visitorId, customers.ofProfile(row.profile_id ?? ''));
  }
  const sessions = loadedRows(store.sessions, (row) => row.session_id ?? '');
  const visits = visitsOf(store, store.business.timezone ?? 'UTC');
  const rows = new Map(
    loadedRows(store.orders, (row) => row.order_id ?? '').map((row) => [row.order_id, row]),
  );
  const seenIn = ({ orderId }: Order) => {
    const row = rows.get(orderId);
    return (row && visits.ofOrder(row)?.visitor_id) ?? null;
  };
  const visitorOf = (order: Order) => {
    const session = cell(rows.get(order.orderId)?.session_id);
    const named = sessions.find((row) => session !== null && row.session_id === session);
    return order.visitorId ?? named?.visitor_id ?? seenIn(order);
  };
  const ties: Tie[] = [];
  for (const order of orders) {
    const { customer, moment, orderId } = order;
    if (customer === null) continue;
    for (const visitorId of [visitorOf(order), seenIn(order)])
      ties.push({ visitorId, customer, moment, id: `order ${orderId}` });
  }
  for (const row of sessions) {
    const customer = customers.ofReference({ profile_id: row.profile_id, email: row.email });
    const moment = importedMoment(row.started_at ?? '', store.business.timezone ?? 'UTC');
    if (customer === null) continue;
    ties.push({ visitorId: row.visitor_id ?? null, customer, moment, id: `session ${row.session_id}` });
  }
  // What happened first ties the visitor, an order before a session of the same moment.
  ties.sort((a, b) => Number(a.moment - b.moment) || compareText(a.id, b.id));
  for (const { visitorId, customer } of ties) {
    if (visitorId !== null && !customerOf.has(visitorId)) customerOf.set(visitorId, customer);
  }
  const ofVisitorId = (visitorId: string) => customerOf.get(visitorId) ?? `visitor:${visitorId}`;
  return {
    ofVisitorId,
    ofOrder: (order) => {
      const visitorId = visitorOf(order);
      return visitorId === null ? order.customer : ofVisitorId(visitorId);
    },
    customerOf: (order) => customerOf.get(visitorOf(order) ?? '') ?? null,
  };
}

type Tie = { visitorId: string | null; customer: string; moment: Moment; id: string };
