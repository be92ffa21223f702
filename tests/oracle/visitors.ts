// Who a visitor is: views and orders of one person count as one visitor where the data tie them.
import { customersOf } from './customers.ts';
import { cell } from './loaded-rows.ts';
import type { Order } from './orders.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';

export type Visitors = { ofVisitorId(visitorId: string): string; ofOrder(order: Order): string };

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
  for (const order of orders) {
    if (order.visitorId === null || customerOf.has(order.visitorId)) continue;
    customerOf.set(order.visitorId, order.customer);
  }
  const ofVisitorId = (visitorId: string) => customerOf.get(visitorId) ?? `visitor:${visitorId}`;
  return {
    ofVisitorId,
    ofOrder: (order) => (order.visitorId === null ? order.customer : ofVisitorId(order.visitorId)),
  };
}
