import { makeBots } from './bots.ts';
import { momentOf } from './calendar.ts';
import type { Shelf } from './carts.ts';
import type { ConsentEvent } from './consents.ts';
import type { Customer } from './customers.ts';
import { makeBrowsing, makePassersBy, makeStrangers, makeTelevisionEvening } from './onlookers.ts';
import type { Order } from './orders.ts';
import { isTracked } from './planted-traffic.ts';
import { makeRegistrations } from './registrations.ts';
import { makeTrafficSources } from './traffic-sources.ts';
import type { Visit } from './visit.ts';
import { makeWaysToBuy } from './ways-to-buy.ts';
import type { World } from './world.ts';

/**
 * Every visit of the history: on the way to orders, of customers who register or only look, of strangers and
 * of bots.
 */
export function makeVisits(
  world: World,
  customers: readonly Customer[],
  orders: readonly Order[],
  consents: readonly ConsentEvent[],
  shelf: Shelf,
): Visit[] {
  const sources = makeTrafficSources(world);
  const visits = [
    ...makeWaysToBuy(world, orders, shelf, sources),
    ...makeBrowsing(world, customers, shelf, sources),
    ...makePassersBy(world, customers, sources),
    ...makeStrangers(world, shelf, sources),
    ...makeRegistrations(customers, consents),
    ...makeTelevisionEvening(world),
    ...makeBots(world),
  ];
  const start = momentOf(world.firstDay, 0);
  return visits.filter((visit) => visit.at >= start && visit.at <= world.end && isTracked(visit));
}
