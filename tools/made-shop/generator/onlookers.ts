import { dayOf, localDay } from './calendar.ts';
import type { Shelf } from './carts.ts';
import { type Customer, makeStrangersBrowser } from './customers.ts';
import { planted } from './planted-products.ts';
import { plantedTraffic } from './planted-traffic.ts';
import { drawLandingPath, drawProducts, leaveProductPage, seeProducts } from './product-pages.ts';
import { cumulative, type RandomStream, at as valueAt } from './random-stream.ts';
import { direct, organicSearch, type TrafficSources } from './traffic-sources.ts';
import { startVisit, type Visit, type Visitor } from './visit.ts';
import type { World } from './world.ts';

/** Visits of customers who look around at products, without an order. */
export function makeBrowsing(
  world: World,
  customers: readonly Customer[],
  shelf: Shelf,
  sources: TrafficSources,
): Visit[] {
  const stream = world.stream('product-views browsing');
  const visitors = customers.filter(() => stream.chance(0.65)).map((customer) => asVisitor(stream, customer));
  const visits: Visit[] = [];
  for (const visitor of visitors) {
    for (let wanted = stream.int(2, 6); wanted > 0; wanted--) {
      const visit = drawVisit(world, stream, visitor, sources);
      if (visit === null) continue;
      const products = drawProducts(stream, shelf, localDay(visit.at), stream.int(1, 5));
      if (stream.chance(0.12)) products.push(shelf.byId(planted.neverSold.external_product_id));
      seeProducts(stream, visit, products);
      visit.hasCheckout = visit.events.some(({ kind }) => kind === 'add_to_cart') && stream.chance(0.35);
      visits.push(visit);
    }
  }
  return visits;
}

/** Visits that see no product: most leave after a page. */
export function makePassersBy(
  world: World,
  customers: readonly Customer[],
  sources: TrafficSources,
): Visit[] {
  const stream = world.stream('passers-by');
  const visits: Visit[] = [];
  for (const customer of customers) {
    if (!stream.chance(0.5)) continue;
    const visitor = asVisitor(stream, customer);
    for (let wanted = stream.int(2, 6); wanted > 0; wanted--) {
      const visit = drawVisit(world, stream, visitor, sources);
      if (visit !== null) visits.push(passBy(stream, visit));
    }
  }
  return visits;
}

/** Most visits of a shop: people who never buy there. Half of them see one page. */
export function makeStrangers(world: World, shelf: Shelf, sources: TrafficSources): Visit[] {
  const stream = world.stream('strangers');
  const visits: Visit[] = [];
  for (let strangers = world.scaled(206_000); strangers > 0; strangers--) {
    // Numbers are a third as long in the shipped files as digits that are drawn.
    const visitor = makeStranger(stream, `w${strangers}`);
    let day = world.rhythm.drawDay(stream, world.firstDay, world.lastDay);
    for (let wanted = stream.chance(0.38) ? stream.int(2, 4) : 1; wanted > 0; wanted--) {
      visits.push(lookAround(stream, visitOn(world, stream, visitor, sources, day), shelf));
      // Who comes again after the last day is not seen.
      const known = Math.min(MOST_DAYS_AWAY, world.lastDay - day);
      if (stream.int(1, MOST_DAYS_AWAY) > known) break;
      day = world.rhythm.drawDay(stream, day + 1, day + known);
    }
  }
  return visits;
}

/** The most days between two visits of a stranger. */
const MOST_DAYS_AWAY = 45;

/** Half leave after a page; the others see a few, of products most of the time. */
export function lookAround(stream: RandomStream, visit: Visit, shelf: Shelf): Visit {
  const day = localDay(visit.at);
  if (stream.chance(0.5)) {
    const isOnProduct = stream.chance(0.25);
    if (isOnProduct) leaveProductPage(stream, visit, drawProducts(stream, shelf, day, 1));
    else visit.landing_path = drawLandingPath(stream);
    visit.other_pages = isOnProduct ? 0 : 1;
    const seconds = stream.chance(0.4) ? 0 : stream.int(1, 40);
    visit.other_engagement_s = isOnProduct ? 0 : seconds;
    visit.end = Math.max(visit.end, visit.at + seconds);
    return visit;
  }
  if (stream.chance(0.3)) return passBy(stream, visit, stream.int(2, 6));
  const products = drawProducts(stream, shelf, day, stream.int(1, 4));
  if (stream.chance(0.02)) products.push(shelf.byId(planted.neverSold.external_product_id));
  seeProducts(stream, visit, products);
  visit.other_pages = stream.int(1, 6);
  visit.hasCheckout = visit.events.some(({ kind }) => kind === 'add_to_cart') && stream.chance(0.3);
  return visit;
}

/** The shop is on television one evening: many look, on their telephones, and few buy. */
export function makeTelevisionEvening(world: World): Visit[] {
  const stream = world.stream('television evening');
  const day = dayOf(plantedTraffic.anomaly.date);
  return Array.from({ length: world.scaled(2_200) }, () => {
    const stranger = makeStranger(stream);
    const visitor: Visitor = { ...stranger, browser: { ...stranger.browser, device: 'mobile' } };
    const source = stream.chance(0.7) ? direct : organicSearch;
    const at = world.rhythm.drawEvening(stream, day);
    return passBy(stream, startVisit(visitor, source, day, at));
  });
}

function asVisitor(stream: RandomStream, customer: Customer): Visitor {
  return { browser: stream.pick(customer.browsers), customer, country: customer.country };
}

function makeStranger(stream: RandomStream, visitor_id?: string): Visitor {
  const country = stream.chance(0.02) ? null : valueAt(strangersCountries, stream.index(strangersWeights));
  return { browser: makeStrangersBrowser(stream, visitor_id), customer: null, country };
}
/** Nobody delivers to GB. */
const strangersCountries = ['CZ', 'SK', 'DE', 'AT', 'PL', 'GB'] as const;
const strangersWeights = cumulative([70, 14, 6, 5, 4, 1]);

/**
 * Any day from the first order on: what came before it is on the way to it (ways-to-buy.ts). A customer who
 * is known for a tenth of the shop's years makes a tenth of the visits that are wanted: the others would come
 * after the last day, and are null.
 */
function drawVisit(
  world: World,
  stream: RandomStream,
  visitor: Visitor,
  sources: TrafficSources,
): Visit | null {
  const from = Math.min(Math.max(world.firstDay, visitor.customer?.first_day ?? 0), world.lastDay);
  if (stream.int(0, world.lastDay - world.firstDay) > world.lastDay - from) return null;
  return visitOn(world, stream, visitor, sources, world.rhythm.drawDay(stream, from, world.lastDay));
}

/** Newsletters and text messages bring only those who have bought before. */
function visitOn(
  world: World,
  stream: RandomStream,
  visitor: Visitor,
  sources: TrafficSources,
  day: number,
): Visit {
  const isCustomer = visitor.customer !== null && visitor.customer.first_day < day;
  const source = sources.draw(stream, 'browses', day, isCustomer);
  return startVisit(visitor, source, day, world.rhythm.drawMoment(stream, day));
}

/** Fills in a visit that sees no product. */
function passBy(stream: RandomStream, visit: Visit, pages?: number): Visit {
  visit.landing_path = drawLandingPath(stream);
  visit.other_pages = pages ?? (stream.chance(0.55) ? 1 : stream.int(2, 5));
  const share = stream.next();
  visit.other_engagement_s = Math.floor(share * share * 40) * visit.other_pages;
  visit.end += visit.other_engagement_s + stream.int(0, 20) * visit.other_pages;
  return visit;
}
