import { momentText } from './calendar.ts';
import { knownVisitors } from './customers.ts';
import type { Order } from './orders.ts';
import type { OrderRow, ProductEventRow, SessionRow } from './tables.ts';
import { paymentGateway } from './traffic-sources.ts';
import type { Visit } from './visit.ts';
import type { World } from './world.ts';

/** Visits as the shop's tracking knows them. */
export type Session = Visit & { session_id: string };

/**
 * Sessions in order of time: visits of one visitor with less than 30 minutes between them are one, whose
 * source is that of the first. A later visit has lost its tags then.
 */
export function makeSessions(world: World, visits: readonly Visit[]): Session[] {
  const merged = [...Map.groupBy(visits, ({ visitor_id }) => visitor_id).values()].flatMap(mergeTouching);
  return merged
    .sort((a, b) => a.at - b.at)
    .map((visit, index) => ({
      ...visit,
      end: Math.min(visit.end, world.end),
      events: visit.end > world.end ? visit.events.filter(({ at }) => at <= world.end) : visit.events,
      session_id: `s${String(index + 1).padStart(8, '0')}`,
    }));
}

/** @param visits of one visitor */
function mergeTouching(visits: readonly Visit[]): readonly Visit[] {
  if (visits.length === 1) return visits;
  const merged: Visit[] = [];
  for (const visit of [...visits].sort((a, b) => a.at - b.at)) {
    const previous = merged.at(-1);
    if (previous !== undefined && continues(visit, previous)) {
      merged[merged.length - 1] = mergeVisits(previous, visit);
    } else merged.push(visit);
  }
  return merged;
}

/** The way back from the payment gateway begins anew, as it does in the tracking of real shops. */
function continues(visit: Visit, previous: Visit): boolean {
  return visit.source !== paymentGateway && visit.at < previous.end + 30 * 60;
}

function mergeVisits(first: Visit, second: Visit): Visit {
  return {
    ...first,
    end: Math.max(first.end, second.end),
    other_pages: first.other_pages + second.other_pages,
    other_engagement_s: first.other_engagement_s + second.other_engagement_s,
    events: [...first.events, ...second.events].sort((a, b) => a.at - b.at),
    orders: [...first.orders, ...second.orders],
    hasCheckout: first.hasCheckout || second.hasCheckout,
    isRegistration: first.isRegistration && second.isRegistration,
  };
}

/**
 * A session knows its profile when the visitor is signed in, and a guest's address once it has been typed.
 */
export function* makeSessionRows(world: World, sessions: readonly Session[]): Generator<SessionRow> {
  const stream = world.stream('sessions');
  for (const session of sessions) {
    const { customer, source, events } = session;
    const isSignedIn =
      stream.chance(0.6) && customer !== null && knownVisitors(customer).includes(session.visitor_id);
    const engagement_s = events.reduce((sum, event) => sum + event.engagement_s, session.other_engagement_s);
    const isGuest = customer !== null && customer.profile_id === null;
    yield {
      session_id: session.session_id,
      visitor_id: session.visitor_id,
      profile_id: isSignedIn ? (customer?.profile_id ?? null) : null,
      email: isGuest && session.orders.length > 0 ? customer.email : null,
      started_at: momentText(session.at),
      ended_at: momentText(session.end),
      source: source.source,
      medium: source.medium,
      campaign: source.campaign,
      click_id_kind: source.click_id_kind,
      referrer_host: source.referrer_host,
      landing_path: session.landing_path,
      device: session.device,
      country: session.country,
      page_views: session.other_pages + events.filter(({ kind }) => kind === 'view').length,
      engagement_s: Math.min(engagement_s, session.end - session.at),
      cart: events.some(({ kind }) => kind === 'add_to_cart'),
      checkout: session.hasCheckout,
      suspected_bot: session.isBot,
    };
  }
}

/** Session by session, within one in order of time. */
export function* makeProductEventRows(sessions: readonly Session[]): Generator<ProductEventRow> {
  let number = 0;
  for (const { visitor_id, session_id, events } of sessions) {
    for (const { external_product_id, kind, at, engagement_s } of events) {
      number++;
      yield {
        event_id: `e${String(number).padStart(9, '0')}`,
        visitor_id,
        session_id,
        external_product_id,
        kind,
        at: momentText(at),
        engagement_s,
      };
    }
  }
}

/** Most orders name their session; the others lie in one of their visitor, if they have a visitor. */
export function* makeOrderRows(
  world: World,
  orders: readonly Order[],
  sessions: readonly Session[],
): Generator<OrderRow> {
  const stream = world.stream('sessions of orders');
  const ids = new Map<Order, string>();
  for (const session of sessions) for (const order of session.orders) ids.set(order, session.session_id);
  for (const order of orders) {
    yield { ...order.row, session_id: stream.chance(0.9) ? (ids.get(order) ?? null) : null };
  }
}
