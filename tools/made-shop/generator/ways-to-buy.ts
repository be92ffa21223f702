import type { Shelf } from './carts.ts';
import type { Browser } from './customers.ts';
import { drawJourney } from './journeys.ts';
import type { Order } from './orders.ts';
import { drawProducts, seeProducts } from './product-pages.ts';
import { at, cumulative, type RandomStream } from './random-stream.ts';
import { paymentGateway, type Source, type TrafficSources } from './traffic-sources.ts';
import { startVisit, type Visit } from './visit.ts';
import type { World } from './world.ts';

/**
 * The visits that lead to orders: on days before some products are looked at; minutes before it all of the
 * cart, and a few more. Orders of nobody's browser have none: taken on the phone, or cookies were refused.
 */
export function makeWaysToBuy(
  world: World,
  orders: readonly Order[],
  shelf: Shelf,
  sources: TrafficSources,
): Visit[] {
  const stream = world.stream('product-views before orders');
  const journeys = world.stream('journeys');
  return orders.flatMap((order) => {
    const { browser } = order;
    if (browser === null) return [];
    const moments = drawMomentsBefore(world, stream, order);
    const journey = drawJourney(journeys, sources, order, moments.length + 1);
    const before = moments.map((moment, index) =>
      visitBefore(stream, order, browser, shelf, at(journey, index), moment),
    );
    const buying = visitOfOrder(stream, order, browser, shelf, at(journey, moments.length));
    return [...before, ...throughGateway(journeys, order, buying)];
  });
}

type Moment = { day: number; at: number };

/** None to two moments before an order, oldest first. */
function drawMomentsBefore(world: World, stream: RandomStream, order: Order): Moment[] {
  const moments: Moment[] = [];
  const visitsBefore = order.is_first ? visitsBeforeFirst : visitsBeforeAnother;
  for (let wanted = stream.index(visitsBefore); wanted > 0; wanted--) {
    const day = order.day - stream.int(1, 12);
    if (day >= world.firstDay) moments.push({ day, at: world.rhythm.drawMoment(stream, day) });
  }
  return moments.sort((a, b) => a.at - b.at);
}
/** Half of the newcomers buy at their first visit. */
const visitsBeforeFirst = cumulative([50, 20, 30]);
const visitsBeforeAnother = cumulative([25, 40, 35]);

function visitBefore(
  stream: RandomStream,
  { customer, sold }: Order,
  browser: Browser,
  shelf: Shelf,
  source: Source,
  { day, at }: Moment,
): Visit {
  // Some use the telephone first and the computer then on the way to one order.
  const used = customer !== null && stream.chance(0.15) ? stream.pick(customer.browsers) : browser;
  const country = customer?.country ?? null;
  const visit = startVisit({ browser: used, customer, country }, source, day, at);
  const products = drawProducts(stream, shelf, day, stream.int(0, 2));
  const wanted = stream.pick(sold).product;
  if (wanted.created_day <= day) products.push(wanted);
  seeProducts(stream, visit, products);
  return visit;
}

/** Every step of it lies before the order, but the page that says thank you. */
function visitOfOrder(
  stream: RandomStream,
  order: Order,
  browser: Browser,
  shelf: Shelf,
  source: Source,
): Visit {
  const { customer, day } = order;
  const bought = order.sold.map((line) => line.product);
  const products = [...drawProducts(stream, shelf, day, stream.int(0, 3)), ...bought];
  const visit = startVisit({ browser, customer, country: order.row.country }, source, day, 0);
  seeProducts(stream, visit, products, new Set(bought));
  const checkout_s = stream.int(45, 400);
  const shift = order.at - checkout_s - visit.end;
  for (const event of visit.events) event.at += shift;
  return {
    ...visit,
    at: shift,
    end: order.at + stream.int(5, 90),
    other_pages: 4,
    other_engagement_s: Math.floor(checkout_s * 0.6),
    orders: [order],
    hasCheckout: true,
  };
}

/** Some who pay online come back from the gateway in a session of its own, and that one has the order. */
function throughGateway(stream: RandomStream, order: Order, buying: Visit): Visit[] {
  const isOnline = order.row.payment_method === 'card' || order.row.payment_method === 'wallet';
  if (!isOnline || !stream.chance(0.05)) return [buying];
  return [
    { ...buying, end: order.at - 30, other_pages: 3, orders: [] },
    {
      ...buying,
      source: paymentGateway,
      at: order.at - 2,
      landing_path: '/order/thank-you',
      other_pages: 1,
      other_engagement_s: 3,
      events: [],
    },
  ];
}
