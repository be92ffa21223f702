import { dateText, momentOf, momentText } from './calendar.ts';
import type { Product } from './product.ts';
import type { RandomStream } from './random-stream.ts';
import type { StockReadingRow } from './tables.ts';
import type { World } from './world.ts';

type Shelf = {
  product: Product;
  quantity: number;
  /** Pieces that are asked for on a usual day. */
  demand: number;
  delivery: { day: number; pieces: number } | null;
  readings: { day: number; quantity: number }[];
};

/**
 * The stock of the warehouse: sales take from it, deliveries that were ordered when little was left add to it
 * in the morning. Some suppliers are late, and then the product is gone for weeks, and nobody can buy it. Ask
 * it in order of time.
 *
 * To be asked in order of time.
 */
export class Stock {
  readonly #world: World;
  readonly #stream: RandomStream;
  readonly #shelves = new Map<Product, Shelf>();

  constructor(world: World, products: readonly Product[]) {
    this.#world = world;
    this.#stream = world.stream('stock');
    const popularity = products.reduce((sum, product) => sum + product.popularity, 0);
    for (const product of products) {
      // About 60 pieces a day at scale 1 are spread over all of the catalogue.
      const drawn = (60 * product.popularity) / popularity;
      const demand = Math.max(0.02, world.scale * (drawn + (product.demand ?? 0) * world.emphasis));
      const quantity = Math.max(4, Math.round(demand * this.#stream.int(20, 70)));
      const day = Math.max(product.created_day, world.firstDay);
      const { planned } = product;
      const delivery =
        planned === undefined ? null : { ...planned, pieces: world.scaled(planned.pieces * world.emphasis) };
      this.#shelves.set(product, {
        product,
        quantity,
        demand,
        delivery,
        readings: [{ day, quantity }],
      });
    }
  }

  /** How many pieces can be bought on a day. */
  available(product: Product, day: number): number {
    return this.#on(product, day).quantity;
  }

  /** @throws Error when there are fewer */
  take(product: Product, pieces: number, day: number): void {
    const shelf = this.#on(product, day);
    if (shelf.quantity < pieces)
      throw new Error(`${product.external_product_id} has no ${pieces} pieces left`);
    shelf.quantity -= pieces;
    // Readings are of the morning, so what is sold today is seen tomorrow.
    this.#read(shelf, day + 1);
    if (shelf.delivery === null && shelf.quantity <= Math.max(3, shelf.demand * 18)) this.#order(shelf, day);
  }

  /** The last day's stock becomes that of the product. */
  readings(): StockReadingRow[] {
    const rows: { day: number; row: StockReadingRow }[] = [];
    for (const shelf of this.#shelves.values()) {
      const { product, readings } = this.#on(shelf.product, this.#world.lastDay);
      if (product.discontinued_day !== null) this.#clear(shelf, product.discontinued_day);
      // What is sold on the last day is read on no morning any more.
      const known = readings.filter(({ day }) => day <= this.#world.lastDay);
      product.stock_quantity = known.at(-1)?.quantity ?? shelf.quantity;
      for (const { day, quantity } of known) {
        const row = {
          external_product_id: product.external_product_id,
          read_on: dateText(day),
          read_at: momentText(momentOf(day, 6 * 3_600)),
          in_stock: quantity > 0,
          stock_quantity: quantity,
        };
        rows.push({ day, row });
      }
    }
    return rows.sort((a, b) => a.day - b.day).map(({ row }) => row);
  }

  #on(product: Product, day: number): Shelf {
    const shelf = this.#shelves.get(product);
    if (shelf === undefined) throw new Error(`${product.external_product_id} is not in the catalogue`);
    const { delivery } = shelf;
    if (delivery !== null && delivery.day <= day) {
      shelf.delivery = null;
      shelf.quantity += delivery.pieces;
      this.#read(shelf, delivery.day);
    }
    return shelf;
  }

  #order(shelf: Shelf, day: number): void {
    const isLate = this.#stream.chance(0.1);
    const days = isLate ? this.#stream.int(25, 70) : this.#stream.int(4, 16);
    shelf.delivery = {
      day: day + days,
      pieces: Math.max(6, Math.round(shelf.demand * this.#stream.int(40, 75))),
    };
  }

  #read(shelf: Shelf, day: number): void {
    const last = shelf.readings.at(-1);
    if (last?.day === day) last.quantity = shelf.quantity;
    else shelf.readings.push({ day, quantity: shelf.quantity });
  }

  /** What is left of a product that is given up goes to somebody else. */
  #clear(shelf: Shelf, day: number): void {
    if (shelf.quantity === 0) return;
    shelf.quantity = 0;
    this.#read(shelf, Math.max(day, (shelf.readings.at(-1)?.day ?? day) + 1));
  }
}
