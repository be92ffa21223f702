import type { Shelf } from './carts.ts';
import type { Product } from './product.ts';
import type { RandomStream } from './random-stream.ts';
import type { ProductEventRow } from './tables.ts';
import type { Visit } from './visit.ts';

/** A visit that begins and ends on the page of a product. */
export function leaveProductPage(stream: RandomStream, visit: Visit, [product]: readonly Product[]): void {
  if (product === undefined) return;
  const engagement_s = drawEngagement(stream);
  visit.landing_path = pathOf(product);
  visit.events.push({
    ...{ external_product_id: product.external_product_id, kind: 'view', at: visit.at, engagement_s },
  });
  visit.end = visit.at + engagement_s;
}

/** Lets a visit go through product pages, one after another, from its end on. */
export function seeProducts(
  stream: RandomStream,
  visit: Visit,
  products: readonly Product[],
  bought: ReadonlySet<Product> = new Set(),
): void {
  const [first] = products;
  visit.landing_path = first !== undefined && stream.chance(0.55) ? pathOf(first) : drawLandingPath(stream);
  for (const product of products) {
    const engagement_s = drawEngagement(stream);
    const { end } = visit;
    const event = { external_product_id: product.external_product_id };
    visit.events.push({ ...event, kind: 'view', at: end, engagement_s });
    const kind = bought.has(product) ? 'add_to_cart' : drawAction(stream, product);
    if (kind !== null) {
      visit.events.push({ ...event, kind, at: end + Math.ceil(engagement_s * 0.8), engagement_s: 0 });
      if (kind === 'add_to_cart' && !bought.has(product) && stream.chance(0.2)) {
        const at = end + engagement_s + 5;
        visit.events.push({ ...event, kind: 'remove_from_cart', at, engagement_s: 0 });
      }
    }
    visit.end = end + engagement_s + stream.int(6, 40);
  }
}

export function drawProducts(stream: RandomStream, shelf: Shelf, day: number, count: number): Product[] {
  return Array.from({ length: count }, () => shelf.draw(stream, day));
}

/** Pages visits begin on that are not of a product. */
export function drawLandingPath(stream: RandomStream): string {
  return stream.chance(0.4) ? '/' : stream.pick(landingPaths);
}
const landingPaths = [
  '/c/backpacks',
  '/c/camping',
  '/c/camping/tents',
  '/c/clothing',
  '/c/clothing/shoes',
  '/c/food',
  '/sale',
  '/blog/how-to-choose-a-tent',
  '/blog/packing-for-a-weekend',
] as const;

function pathOf({ external_product_id }: Product): string {
  return `/p/${external_product_id.toLowerCase()}`;
}

/** Seconds in the foreground: mostly short, sometimes minutes, rarely a page left open for an hour. */
function drawEngagement(stream: RandomStream): number {
  if (stream.chance(0.001)) return stream.int(1_900, 5_400);
  const share = stream.next();
  return 2 + Math.floor(share * share * share * 170);
}

function drawAction(stream: RandomStream, product: Product): ProductEventRow['kind'] | null {
  const chance = stream.next();
  if (chance < 0.055) return 'add_to_cart';
  if (chance < 0.075) return 'wishlist';
  return product.stock_quantity === 0 && chance < 0.15 ? 'watchdog' : null;
}
