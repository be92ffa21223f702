import { dateText, monthOf } from './calendar.ts';
import { planted } from './planted-products.ts';
import type { Product } from './product.ts';
import { at, cumulative, type RandomStream } from './random-stream.ts';

export type CartLine = { product: Product; quantity: number };

/** The catalogue as a buyer sees it: draws products by popularity, season and what is on sale that day. */
export type Shelf = {
  draw(stream: RandomStream, day: number): Product;
  byId(external_product_id: string): Product;
};

export function makeShelf(products: readonly Product[]): Shelf {
  const weights = cumulative(products.map((product) => product.popularity));
  const ids = new Map(products.map((product) => [product.external_product_id, product]));
  return {
    draw: (stream, day) => {
      for (;;) {
        const product = at(products, stream.index(weights));
        if (isOnSale(product, day) && stream.chance(seasonShare(product, monthOf(day)))) return product;
      }
    },
    byId: (id) => {
      const product = ids.get(id);
      if (product === undefined) throw new Error(`no product ${id}`);
      return product;
    },
  };
}

function isOnSale(product: Product, day: number): boolean {
  return day >= product.created_day && (product.discontinued_day === null || day < product.discontinued_day);
}

function seasonShare(product: Product, month: number): number {
  if (product.season === null) return 0.75;
  const isWinter = month <= 2 || month >= 10;
  return (product.season === 'winter') === isWinter ? 1 : 0.3;
}

/** What one purchase takes: one to seven different products, cheap ones often several at once. */
export function makeCart(stream: RandomStream, shelf: Shelf, day: number): CartLine[] {
  const cart = new Map<Product, number>();
  const wanted = 1 + stream.index(productsPerCart);
  for (let i = 0; i < wanted; i++) {
    const product = shelf.draw(stream, day);
    if (!cart.has(product)) cart.set(product, drawQuantity(stream, product));
  }
  putPlanted(stream, shelf, day, cart);
  return Array.from(cart, ([product, quantity]) => ({ product, quantity }));
}

function drawQuantity(stream: RandomStream, product: Product): number {
  if (at(product.prices, 0).price > 30_000) return stream.chance(0.04) ? 2 : 1;
  return stream.chance(0.3) ? stream.int(2, 4) : 1;
}

function putPlanted(stream: RandomStream, shelf: Shelf, day: number, cart: Map<Product, number>): void {
  const { bestSeller, bestBrand } = planted;
  const date = dateText(day);
  if (date.startsWith(bestSeller.month) && stream.chance(0.42)) {
    cart.set(shelf.byId(bestSeller.external_product_id), stream.chance(0.4) ? stream.int(2, 5) : 1);
  }
  if (date >= bestBrand.from_date && date <= bestBrand.to_date && stream.chance(0.24)) {
    cart.set(shelf.byId(bestBrand.external_product_id), 1);
  }
}

const productsPerCart = cumulative([50, 26, 13, 6, 3, 1, 1]);
