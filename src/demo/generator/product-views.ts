import { localDay, momentText } from './calendar.ts';
import type { Shelf } from './carts.ts';
import { type Customer, makeBrowser } from './customers.ts';
import type { Order } from './orders.ts';
import { planted } from './planted-products.ts';
import type { Product } from './product.ts';
import type { RandomStream } from './random-stream.ts';
import type { ProductEventRow } from './tables.ts';
import type { World } from './world.ts';

/** A product page opened or used; `at` is a moment in UTC seconds. */
type ProductEvent = Omit<ProductEventRow, 'event_id' | 'at'> & { at: number };

/** Views and what was done on the page: before orders, by customers who only look, and by strangers. */
export function makeProductEvents(
  world: World,
  customers: readonly Customer[],
  orders: readonly Order[],
  shelf: Shelf,
): ProductEventRow[] {
  const events: ProductEvent[] = [];
  viewBeforeOrders(world, orders, shelf, events);
  browse(world, customers, shelf, events);
  return events
    .filter((event) => event.at <= world.end && localDay(event.at) >= world.firstDay)
    .sort((a, b) => a.at - b.at)
    .map(({ at, ...event }, index) => ({
      event_id: `e${String(index + 1).padStart(9, '0')}`,
      ...event,
      at: momentText(at),
    }));
}

/** Days before the order some products are looked at; minutes before it all of the cart, and a few more. */
function viewBeforeOrders(
  world: World,
  orders: readonly Order[],
  shelf: Shelf,
  events: ProductEvent[],
): void {
  const stream = world.stream('product-views before orders');
  for (const { browser, sold, at, day } of orders) {
    if (browser === null) continue;
    const { visitor_id } = browser;
    for (let visits = stream.int(1, 2); visits > 0; visits--) {
      const before = day - stream.int(1, 12);
      if (before < world.firstDay) continue;
      const start = world.rhythm.drawMoment(stream, before);
      const products = drawProducts(stream, shelf, before, stream.int(0, 2));
      const wanted = stream.pick(sold).product;
      if (wanted.created_day <= before) products.push(wanted);
      addVisit(stream, events, visitor_id, start, products);
    }
    addBuyingVisit(
      stream,
      events,
      visitor_id,
      at,
      sold.map((line) => line.product),
      shelf,
      day,
    );
  }
}

/** The visit that ends in the order: every step of it lies before the order. */
function addBuyingVisit(
  stream: RandomStream,
  events: ProductEvent[],
  visitor_id: string,
  orderedAt: number,
  bought: readonly Product[],
  shelf: Shelf,
  day: number,
): void {
  const visit: ProductEvent[] = [];
  const products = [...drawProducts(stream, shelf, day, stream.int(0, 3)), ...bought];
  let end = addVisit(stream, visit, visitor_id, 0, products, new Set(bought));
  end += stream.int(45, 400);
  for (const event of visit) events.push({ ...event, at: orderedAt - end + event.at });
}

/** Visits without an order: customers who look around, and strangers who come once or a few times. */
function browse(world: World, customers: readonly Customer[], shelf: Shelf, events: ProductEvent[]): void {
  const stream = world.stream('product-views browsing');
  const visitors = customers
    .filter(() => stream.chance(0.3))
    .map((customer) => stream.pick(customer.browsers));
  for (let strangers = world.scaled(3_700); strangers > 0; strangers--) visitors.push(makeBrowser(stream));
  for (const { visitor_id } of visitors) {
    for (let visits = stream.chance(0.25) ? 2 : 1; visits > 0; visits--) {
      const day = world.rhythm.drawDay(stream, world.firstDay, world.lastDay);
      const products = drawProducts(stream, shelf, day, stream.int(1, 7));
      if (stream.chance(0.12)) products.push(shelf.byId(planted.neverSold.external_product_id));
      addVisit(stream, events, visitor_id, world.rhythm.drawMoment(stream, day), products);
    }
  }
}

function drawProducts(stream: RandomStream, shelf: Shelf, day: number, count: number): Product[] {
  return Array.from({ length: count }, () => shelf.draw(stream, day));
}

/** Product pages one after another from a moment on; returns the moment the last one is left. */
function addVisit(
  stream: RandomStream,
  events: ProductEvent[],
  visitor_id: string,
  start: number,
  products: readonly Product[],
  bought: ReadonlySet<Product> = new Set(),
): number {
  let at = start;
  for (const product of products) {
    const engagement_s = drawEngagement(stream);
    const event = { visitor_id, external_product_id: product.external_product_id };
    events.push({ ...event, kind: 'view', at, engagement_s });
    const kind = bought.has(product) ? 'add_to_cart' : drawAction(stream, product);
    if (kind !== null) {
      const actedAt = at + Math.ceil(engagement_s * 0.8);
      events.push({ ...event, kind, at: actedAt, engagement_s: 0 });
      if (kind === 'add_to_cart' && !bought.has(product) && stream.chance(0.2)) {
        events.push({ ...event, kind: 'remove_from_cart', at: at + engagement_s + 5, engagement_s: 0 });
      }
    }
    at += engagement_s + stream.int(6, 40);
  }
  return at;
}

/** Seconds in the foreground: mostly short, sometimes minutes, rarely a page left open for an hour. */
function drawEngagement(stream: RandomStream): number {
  if (stream.chance(0.001)) return stream.int(1_900, 5_400);
  const share = stream.next();
  return 2 + Math.floor(share * share * share * 170);
}

function drawAction(stream: RandomStream, product: Product): ProductEventRow['kind'] | null {
  const chance = stream.next();
  if (chance < 0.045) return 'add_to_cart';
  if (chance < 0.07) return 'wishlist';
  return product.stock_quantity === 0 && chance < 0.15 ? 'watchdog' : null;
}
