import { type Customer, knownVisitors } from './customers.ts';
import type { Order } from './orders.ts';
import type { Session } from './sessions.ts';
import { Tally } from './tally.ts';
import type { Channel, Source } from './traffic-sources.ts';

/**
 * Finds whose a visitor is: tied by an identity, or by any order with it. Other visitors stand for
 * themselves.
 */
export function findOwners(orders: readonly Order[]): (visitor: Visitor) => Customer | string {
  const buyers = new Map<string, Customer>();
  for (const { row, customer } of orders) {
    if (row.visitor_id !== null && customer !== null) buyers.set(row.visitor_id, customer);
  }
  return ({ visitor_id, customer }) =>
    customer !== null && knownVisitors(customer).includes(visitor_id)
      ? customer
      : (buyers.get(visitor_id) ?? visitor_id);
}

type Visitor = Pick<Session, 'visitor_id' | 'customer'>;

export type Touch = { session: Session; channel: Channel; owner: Customer | string };

/**
 * Sessions with their channel: the one back from the payment gateway has that of the owner's session before
 * it.
 */
export function findTouches(
  sessions: readonly Session[],
  ownerOf: (session: Session) => Customer | string,
): Touch[] {
  const channels = new Map<Customer | string, Channel>();
  return sessions.map((session) => {
    const owner = ownerOf(session);
    const own = session.source.channel;
    const channel = own === 'Internal' ? (channels.get(owner) ?? own) : own;
    channels.set(owner, channel);
    return { session, channel, owner };
  });
}

/**
 * An order with its customer's touches of the 30 days before, oldest first, and the customer's order before
 * it.
 */
export type Journey = { order: Order; touches: Touch[]; previous: Order | null };

export function findJourneys(orders: readonly Order[], touches: readonly Touch[]): Journey[] {
  const byOwner = Map.groupBy(touches, ({ owner }) => owner);
  const previous = new Map<Customer, Order>();
  return orders.map((order) => {
    const { customer } = order;
    if (customer === null) return { order, touches: [], previous: null };
    const journey = {
      order,
      touches: (byOwner.get(customer) ?? []).filter(
        ({ session }) => session.at <= order.at && session.at >= order.at - 30 * 86_400,
      ),
      previous: previous.get(customer) ?? null,
    };
    previous.set(customer, order);
    return journey;
  });
}

/** Revenue by channel and source; the unit is that of `revenueOf`. */
export type Clicks = {
  last: Tally<Channel>;
  first: Tally<Channel>;
  ordersByLast: Tally<Channel>;
  lastBySource: Tally<Source>;
  ordersByLastSource: Tally<Source>;
  untracked: Order[];
};

/** The last click is the last touch that is not Direct and not the way back from the gateway, else Direct. */
export function creditClicks(journeys: readonly Journey[]): Clicks {
  const clicks: Clicks = {
    last: new Tally(),
    first: new Tally(),
    ordersByLast: new Tally(),
    lastBySource: new Tally(),
    ordersByLastSource: new Tally(),
    untracked: [],
  };
  for (const { order, touches } of journeys) {
    const [first] = touches;
    if (first === undefined) {
      clicks.untracked.push(order);
      continue;
    }
    const last = touches.findLast(
      ({ session, channel }) => channel !== 'Direct' && session.source.channel !== 'Internal',
    );
    clicks.first.add(first.channel, revenueOf(order));
    clicks.last.add(last?.channel ?? 'Direct', revenueOf(order));
    clicks.ordersByLast.add(last?.channel ?? 'Direct', 1);
    if (last === undefined) continue;
    clicks.lastBySource.add(last.session.source, revenueOf(order));
    clicks.ordersByLastSource.add(last.session.source, 1);
  }
  return clicks;
}

/** Hundredths × thousandths of a rate, as `revenueText` takes it. */
export function revenueOf({ total, fx_rate }: Order): number {
  return total * fx_rate;
}
