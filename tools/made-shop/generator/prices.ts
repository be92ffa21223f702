import { at, type RandomStream } from './random-stream.ts';
import type { World } from './world.ts';

/** What a product costs from a local day on; hundredths of CZK. */
export type PriceOfDay = {
  day: number;
  price: number;
  /** The price before a sale, null outside of sales. */
  original_price: number | null;
  purchase_price: number | null;
};

/**
 * The prices of one product: a third of them change (sales, later a rise), purchase prices are known for
 * most.
 */
export function makePrices(
  world: World,
  stream: RandomStream,
  created_day: number,
  list_price: number,
): PriceOfDay[] {
  const purchase_price = stream.chance(0.85) ? purchasePrice(stream, list_price) : null;
  const prices: PriceOfDay[] = [
    { day: created_day, price: list_price, original_price: null, purchase_price },
  ];
  let day = Math.max(created_day, world.firstDay) + stream.int(30, 240);
  if (stream.chance(0.25)) {
    const sale = wholeCrowns(list_price * stream.pick([0.7, 0.8, 0.85, 0.9]));
    const saleEnds = day + stream.int(5, 30);
    prices.push({ day, price: sale, original_price: list_price, purchase_price });
    prices.push({ day: saleEnds, price: list_price, original_price: null, purchase_price });
    day = saleEnds + stream.int(20, 200);
  }
  if (stream.chance(0.2)) {
    prices.push({
      day,
      price: wholeCrowns(list_price * stream.pick([1.04, 1.06, 1.1])),
      original_price: null,
      purchase_price: purchase_price === null ? null : wholeCrowns(purchase_price * 1.05),
    });
  }
  return prices.filter((price) => price.day <= world.lastDay);
}

function purchasePrice(stream: RandomStream, list_price: number): number {
  return Math.round(list_price * (0.42 + 0.26 * stream.next()));
}

function wholeCrowns(hundredths: number): number {
  return Math.round(hundredths / 100) * 100;
}

/** The price that holds on a local day (the first one before the product was created). */
export function priceOn(prices: readonly PriceOfDay[], day: number): PriceOfDay {
  let current = at(prices, 0);
  for (const price of prices) if (price.day <= day) current = price;
  return current;
}
