import { dateText } from './calendar.ts';
import { moneyText, scaledText } from './money.ts';
import type { Order } from './orders.ts';
import { planted } from './planted-products.ts';
import { priceOn } from './prices.ts';
import type { Product } from './product.ts';
import { at } from './random-stream.ts';
import type { ProductEventRow } from './tables.ts';
import { shop, type World } from './world.ts';

/**
 * What is true of the shop written. Counts and money are over valid orders (no test orders, none cancelled); money
 * is exact decimal text in CZK, EUR orders at their own fx_rate. Days and months are those of Europe/Prague.
 */
export type DemoShopTruth = {
  shop: typeof shop;
  /** Rows written, by table. */
  rows: Record<string, number>;
  /** The whole history. `unique_customers_count` after identity resolution. */
  totals: { orders_count: number; revenue: string; unique_customers_count: number };
  busiest_month: { month: string; orders_count: number };
  /** The product with the highest total quantity in a month. */
  best_selling_product: { month: string; external_product_id: string; name: string; total_quantity: number };
  /** On no order at all, though its page is viewed; `impressions` over the whole history. */
  never_sold_product: { external_product_id: string; name: string; impressions: number };
  /** The brand with the highest estimated revenue (sum of quantity × unit price) in a quarter. */
  best_brand: {
    quarter: string;
    from_date: string;
    to_date: string;
    brand: string;
    estimated_revenue: string;
  };
  most_used_coupon: { coupon_code: string; orders_count: number };
  /** The price changes at the start of this day. */
  price_rise: { external_product_id: string; date: string; price_before: string; price_after: string };
};

/** Counts the planted truths. Throws when a plant did not take: a truth that is not one must not be returned. */
export function countTruth(
  world: World,
  products: readonly Product[],
  orders: readonly Order[],
  productEvents: readonly ProductEventRow[],
  rows: Record<string, number>,
): DemoShopTruth {
  const valid = orders.filter(({ row }) => !row.is_test && row.status !== 'cancelled');
  const busiest = largest(tally(valid, (add, order) => add(monthOfOrder(order), 1)));
  const coupon = largest(
    tally(valid, (add, { row }) => {
      for (const code of row.coupon_codes) add(code, 1);
    }),
  );
  return {
    shop,
    rows,
    totals: {
      orders_count: valid.length,
      revenue: revenueText(valid.reduce((sum, order) => sum + order.total * order.fx_rate, 0)),
      unique_customers_count:
        // An order that names nobody is a customer of its own.
        new Set(valid.map(({ customer, row }) => customer ?? row.order_id)).size,
    },
    busiest_month: { month: busiest.key, orders_count: busiest.count },
    best_selling_product: bestSellingProduct(products, valid),
    never_sold_product: neverSoldProduct(products, orders, productEvents),
    best_brand: bestBrand(valid),
    most_used_coupon: { coupon_code: coupon.key, orders_count: coupon.count },
    price_rise: priceRise(world, products),
  };
}

function bestSellingProduct(products: readonly Product[], valid: readonly Order[]) {
  const { month, external_product_id } = planted.bestSeller;
  const best = largest(
    tally(valid, (add, order) => {
      if (monthOfOrder(order) !== month) return;
      for (const { product, quantity } of order.sold) add(product.external_product_id, quantity);
    }),
  );
  mustBe('best-selling product', best.key, external_product_id);
  const { name } = productById(products, external_product_id);
  return { month, external_product_id, name, total_quantity: best.count };
}

function neverSoldProduct(
  products: readonly Product[],
  orders: readonly Order[],
  productEvents: readonly ProductEventRow[],
) {
  const { external_product_id } = planted.neverSold;
  const isSold = orders.some(({ sold }) =>
    sold.some((line) => line.product.external_product_id === external_product_id),
  );
  mustBe('never-sold product', isSold ? 'sold' : 'never sold', 'never sold');
  const impressions = productEvents.filter(
    (event) => event.kind === 'view' && event.external_product_id === external_product_id,
  ).length;
  return { external_product_id, name: productById(products, external_product_id).name, impressions };
}

function bestBrand(valid: readonly Order[]) {
  const { quarter, from_date, to_date, brand } = planted.bestBrand;
  const best = largest(
    tally(valid, (add, { day, sold, fx_rate }) => {
      const date = dateText(day);
      if (date < from_date || date > to_date) return;
      for (const { product, quantity, unit_price } of sold) {
        if (product.brand !== null) add(product.brand, quantity * unit_price * fx_rate);
      }
    }),
  );
  mustBe('best brand', best.key, brand);
  return { quarter, from_date, to_date, brand, estimated_revenue: revenueText(best.count) };
}

function priceRise(world: World, products: readonly Product[]) {
  const { external_product_id, date } = planted.priceRise;
  const { prices } = productById(products, external_product_id);
  return {
    external_product_id,
    date,
    price_before: moneyText(at(prices, 0).price),
    price_after: moneyText(priceOn(prices, world.lastDay).price),
  };
}

function monthOfOrder(order: Order): string {
  return dateText(order.day).slice(0, 7);
}

/** Adds up counts by key. */
function tally(
  orders: readonly Order[],
  count: (add: (key: string, count: number) => void, order: Order) => void,
) {
  const counts = new Map<string, number>();
  const add = (key: string, more: number) => counts.set(key, (counts.get(key) ?? 0) + more);
  for (const order of orders) count(add, order);
  return counts;
}

function largest(counts: ReadonlyMap<string, number>): { key: string; count: number } {
  let best = { key: '', count: 0 };
  for (const [key, count] of counts) if (count > best.count) best = { key, count };
  return best;
}

function productById(products: readonly Product[], external_product_id: string): Product {
  const product = products.find((candidate) => candidate.external_product_id === external_product_id);
  if (product === undefined) throw new Error(`no product ${external_product_id}`);
  return product;
}

function mustBe(what: string, found: string, plantedTruth: string): void {
  if (found !== plantedTruth) {
    throw new Error(
      `the planted ${what} did not take at this seed and scale: ${plantedTruth} planted, ${found} found`,
    );
  }
}

/** Hundredths × thousandths of a rate → CZK with five places, exact. */
function revenueText(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError('revenue exceeds exact whole numbers');
  return scaledText(BigInt(value), 5);
}
