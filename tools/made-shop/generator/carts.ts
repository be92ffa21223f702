import { dateText, monthOf } from './calendar.ts';
import { planted } from './planted-products.ts';
import { priceOn } from './prices.ts';
import type { Product } from './product.ts';
import { at, cumulative, type RandomStream } from './random-stream.ts';
import type { Stock } from './stock.ts';

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
        const isWanted = stream.chance(
          seasonShare(product, monthOf(day)) * (isReduced(product, day) ? 1 : 0.45),
        );
        if (isOnSale(product, day) && isWanted) return product;
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

/** A lower price doubles what is looked at and bought. */
function isReduced({ prices }: Product, day: number): boolean {
  return prices.length > 1 && priceOn(prices, day).original_price !== null;
}

function seasonShare(product: Product, month: number): number {
  if (product.season === null) return 0.75;
  const isWinter = month <= 2 || month >= 10;
  return (product.season === 'winter') === isWinter ? 1 : 0.3;
}

/** What one purchase takes: one to seven different products, cheap ones often several at once. */
export function makeCart(
  stream: RandomStream,
  shelf: Shelf,
  stock: Stock,
  day: number,
  isOfCompany: boolean,
  emphasis: number,
): CartLine[] {
  const cart = new Map<Product, number>();
  const wanted = 1 + stream.index(productsPerCart);
  for (let i = 0; i < wanted; i++) {
    const product = shelf.draw(stream, day);
    if (!cart.has(product))
      cart.set(product, isOfCompany ? stream.int(6, 20) : drawQuantity(stream, product));
  }
  putPlanted(stream, shelf, day, cart, emphasis);
  return inStock(stock, day, cart);
}

/** What is gone cannot be bought: the sale is lost, or there are fewer pieces. */
function inStock(stock: Stock, day: number, cart: ReadonlyMap<Product, number>): CartLine[] {
  return [...cart].flatMap(([product, wanted]) => {
    const quantity = Math.min(wanted, stock.available(product, day));
    return quantity > 0 ? [{ product, quantity }] : [];
  });
}

function drawQuantity(stream: RandomStream, product: Product): number {
  if (at(product.prices, 0).price > 30_000) return stream.chance(0.04) ? 2 : 1;
  return stream.chance(0.3) ? stream.int(2, 4) : 1;
}

function putPlanted(
  stream: RandomStream,
  shelf: Shelf,
  day: number,
  cart: Map<Product, number>,
  emphasis: number,
): void {
  const { bestSeller, bestBrand } = planted;
  const date = dateText(day);
  if (date >= bestSeller.from_date && date <= bestSeller.to_date && stream.chance(0.13 * emphasis)) {
    cart.set(shelf.byId(bestSeller.external_product_id), stream.chance(0.4) ? stream.int(2, 5) : 1);
  }
  if (date >= bestBrand.from_date && date <= bestBrand.to_date && stream.chance(0.05 * emphasis)) {
    cart.set(shelf.byId(bestBrand.external_product_id), 1);
  }
}

const productsPerCart = cumulative([50, 26, 13, 6, 3, 1, 1]);
