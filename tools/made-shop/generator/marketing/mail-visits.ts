import { localDay } from '../calendar.ts';
import type { Shelf } from '../carts.ts';
import { makeBrowser } from '../customers.ts';
import { lookAround } from '../onlookers.ts';
import { isTracked } from '../planted-traffic.ts';
import type { Session } from '../sessions.ts';
import { startVisit, type Visit, type Visitor } from '../visit.ts';
import type { World } from '../world.ts';
import type { CampaignSources } from './clicks.ts';
import type { Recipient } from './recipients.ts';
import type { Send } from './send.ts';

/**
 * The visits that clicks on messages begin: eight in ten, since trackers are refused. Clicks that led to a
 * visit before, because an order or the visit was given, are not followed again.
 */
export function visitClicks(
  world: World,
  sends: readonly Send[],
  sessions: readonly Session[],
  shelf: Shelf,
  sources: CampaignSources,
): Session[] {
  const stream = world.stream('visits of clicks');
  const browsers = new Map<Recipient, Visitor>();
  const known = Map.groupBy(sessions, ({ visitor_id }) => visitor_id);
  const taken = new Map<string, Visit[]>();
  // A visit within half an hour goes on with another visit, which is known already.
  const isApart = (visit: Visit) =>
    [...(known.get(visit.visitor_id) ?? []), ...(taken.get(visit.visitor_id) ?? [])].every(
      ({ at, end }) => visit.at >= end + 1_800 || at >= visit.end + 1_800,
    );
  const visits = sends.flatMap((send) =>
    send.events.flatMap(({ kind, at, isMachine, link, isFollowed }) => {
      const isOffer =
        link !== null && !['unsubscribe', 'preferences', 'view_online'].includes(link.link_type);
      if (kind !== 'click' || isMachine || !isOffer || isFollowed === true || !stream.chance(0.82)) return [];
      const { recipient } = send;
      const visitor = browsers.get(recipient) ?? visitorOf(recipient);
      browsers.set(recipient, visitor);
      const visit = startVisit(visitor, sources.of(send.campaign), localDay(at), at + stream.int(1, 3));
      const seen = lookAround(stream, visit, shelf);
      if (visit.at > world.end - 3_600 || !isTracked(seen) || !isApart(seen)) return [];
      taken.set(seen.visitor_id, [...(taken.get(seen.visitor_id) ?? []), seen]);
      return [seen];
    }),
  );
  return visits
    .sort((a, b) => a.at - b.at)
    .map((visit, index) => ({
      ...visit,
      session_id: `s${String(sessions.length + index + 1).padStart(8, '0')}`,
    }));

  function visitorOf({ customer, country }: Recipient): Visitor {
    const browser = customer === null ? makeBrowser(stream) : stream.pick(customer.browsers);
    return { browser, customer, country };
  }
}
