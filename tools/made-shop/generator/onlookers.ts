import { dayOf, localDay } from './calendar.ts';
import type { Shelf } from './carts.ts';
import { type Customer, makeBrowser } from './customers.ts';
import { planted } from './planted-products.ts';
import { plantedTraffic } from './planted-traffic.ts';
import { drawLandingPath, drawProducts, seeProducts } from './product-pages.ts';
import type { RandomStream } from './random-stream.ts';
import { direct, organicSearch, type TrafficSources } from './traffic-sources.ts';
import { startVisit, type Visit, type Visitor } from './visit.ts';
import type { World } from './world.ts';

/** Visits without an order that look at products: customers who look around, and strangers. */
export function makeBrowsing(
  world: World,
  customers: readonly Customer[],
  shelf: Shelf,
  sources: TrafficSources,
): Visit[] {
  const stream = world.stream('product-views browsing');
  const visitors = customers.filter(() => stream.chance(0.3)).map((customer) => asVisitor(stream, customer));
  for (let strangers = world.scaled(6_000); strangers > 0; strangers--) visitors.push(makeStranger(stream));
  const visits: Visit[] = [];
  for (const visitor of visitors) {
    for (let wanted = stream.chance(0.25) ? 2 : 1; wanted > 0; wanted--) {
      const visit = drawVisit(world, stream, visitor, sources);
      const products = drawProducts(stream, shelf, localDay(visit.at), stream.int(1, 7));
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
    for (let wanted = stream.int(1, 4); wanted > 0; wanted--) {
      visits.push(passBy(stream, drawVisit(world, stream, visitor, sources)));
    }
  }
  for (let strangers = world.scaled(12_500); strangers > 0; strangers--) {
    const visitor = makeStranger(stream);
    for (let wanted = stream.chance(0.2) ? 2 : 1; wanted > 0; wanted--) {
      visits.push(passBy(stream, drawVisit(world, stream, visitor, sources)));
    }
  }
  return visits;
}

/** The shop is on television one evening: many look, on their telephones, and hardly one buys. */
export function makeTelevisionEvening(world: World): Visit[] {
  const stream = world.stream('television evening');
  const day = dayOf(plantedTraffic.anomaly.date);
  return Array.from({ length: world.scaled(440) }, () => {
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

function makeStranger(stream: RandomStream): Visitor {
  const country = stream.chance(0.04) ? null : stream.pick(strangersCountries);
  return { browser: makeBrowser(stream), customer: null, country };
}
const strangersCountries = ['CZ', 'CZ', 'CZ', 'CZ', 'CZ', 'CZ', 'SK', 'SK', 'DE', 'PL', 'AT', 'GB'] as const;

/** Any day; newsletters and text messages bring only those who have bought before. */
function drawVisit(world: World, stream: RandomStream, visitor: Visitor, sources: TrafficSources): Visit {
  const day = world.rhythm.drawDay(stream, world.firstDay, world.lastDay);
  const isCustomer = visitor.customer !== null && visitor.customer.first_day < day;
  const source = sources.draw(stream, 'browses', day, isCustomer);
  return startVisit(visitor, source, day, world.rhythm.drawMoment(stream, day));
}

/** Fills in a visit that sees no product. */
function passBy(stream: RandomStream, visit: Visit): Visit {
  visit.landing_path = drawLandingPath(stream);
  visit.other_pages = stream.chance(0.55) ? 1 : stream.int(2, 5);
  const share = stream.next();
  visit.other_engagement_s = Math.floor(share * share * 40) * visit.other_pages;
  visit.end += visit.other_engagement_s + stream.int(0, 20) * visit.other_pages;
  return visit;
}
