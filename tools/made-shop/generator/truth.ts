import { revenueOf } from './attribution.ts';
import { type BuyingTruth, countBuyingTruth } from './buying-truth.ts';
import { dateText } from './calendar.ts';
import { type CatalogueTruth, countCatalogueTruth } from './catalogue-truth.ts';
import type { Marketing } from './marketing/make-marketing.ts';
import { countMarketingTruth, type MarketingTruth } from './marketing/marketing-truth.ts';
import { moneyText, revenueText } from './money.ts';
import { isValid, type Order } from './orders.ts';
import { planted } from './planted-products.ts';
import { priceOn } from './prices.ts';
import type { Product } from './product.ts';
import { at } from './random-stream.ts';
import type { Session } from './sessions.ts';
import { countSubscribers, type SubscriberTruth } from './subscriber-truth.ts';
import type { AdCostRow } from './tables.ts';
import { mustBe, Tally } from './tally.ts';
import { countTrafficTruth, creditTraffic, type TrafficTruth } from './traffic-truth.ts';
import type { ProductEvent } from './visit.ts';
import { shop, type World } from './world.ts';

/**
 * What is true of the shop written. Counts and money are over valid orders (no test orders, none cancelled);
 * money is exact decimal text in CZK, EUR orders at their own fx_rate. Days and months are those of
 * Europe/Prague.
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
  /** A product on no order at all, though its page is viewed. `impressions` is over the whole history. */
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
  catalogue: CatalogueTruth;
  buying: BuyingTruth;
  traffic: TrafficTruth;
  subscribers: SubscriberTruth;
  marketing: MarketingTruth;
};

/** What was written, as the generator knows it. */
export type Written = {
  products: readonly Product[];
  /** The orders in order of time. */
  orders: readonly Order[];
  adCosts: readonly AdCostRow[];
  marketing: Marketing;
};

/**
 * Counts the planted truths. Throws when a plant did not take: a truth that is not one must not be returned.
 */
export function countTruth(
  world: World,
  { products, orders, adCosts, marketing }: Written,
  rows: Record<string, number>,
): DemoShopTruth {
  const { sessions, consents } = marketing;
  const valid = orders.filter(isValid);
  const months = new Tally();
  const coupons = new Tally();
  for (const order of valid) {
    months.add(monthOfOrder(order), 1);
    for (const code of order.row.coupon_codes) coupons.add(code, 1);
  }
  const traffic = creditTraffic(orders, sessions);
  const busiest = months.largest();
  const coupon = coupons.largest();
  return {
    shop,
    rows,
    totals: {
      orders_count: valid.length,
      revenue: revenueText(valid.reduce((sum, order) => sum + revenueOf(order), 0)),
      unique_customers_count:
        // An order that names nobody has no customer.
        new Set(valid.flatMap(({ customer }) => customer ?? [])).size,
    },
    busiest_month: { month: busiest.key, orders_count: busiest.count },
    best_selling_product: bestSellingProduct(products, valid),
    never_sold_product: neverSoldProduct(products, orders, sessions),
    best_brand: bestBrand(valid),
    most_used_coupon: { coupon_code: coupon.key, orders_count: coupon.count },
    price_rise: priceRise(world, products),
    catalogue: countCatalogueTruth(products),
    buying: countBuyingTruth(world, valid),
    traffic: countTrafficTruth(traffic, sessions, adCosts),
    subscribers: countSubscribers(consents),
    marketing: countMarketingTruth(world, marketing, orders, traffic.clicks),
  };
}

function bestSellingProduct(products: readonly Product[], valid: readonly Order[]) {
  const { month, external_product_id } = planted.bestSeller;
  const quantities = new Tally();
  for (const order of valid) {
    if (monthOfOrder(order) !== month) continue;
    for (const { product, quantity } of order.sold) quantities.add(product.external_product_id, quantity);
  }
  const best = quantities.largest();
  mustBe('best-selling product', best.key, external_product_id);
  const { name } = productById(products, external_product_id);
  return { month, external_product_id, name, total_quantity: best.count };
}

function neverSoldProduct(
  products: readonly Product[],
  orders: readonly Order[],
  sessions: readonly Session[],
) {
  const { external_product_id } = planted.neverSold;
  const isSold = orders.some(({ sold }) =>
    sold.some((line) => line.product.external_product_id === external_product_id),
  );
  mustBe('never-sold product', isSold ? 'sold' : 'never sold', 'never sold');
  const isImpression = (event: ProductEvent) =>
    event.kind === 'view' && event.external_product_id === external_product_id;
  const impressions = sessions.reduce((sum, { events }) => sum + events.filter(isImpression).length, 0);
  return { external_product_id, name: productById(products, external_product_id).name, impressions };
}

function bestBrand(valid: readonly Order[]) {
  const { quarter, from_date, to_date, brand } = planted.bestBrand;
  const revenues = new Tally();
  for (const { day, sold, fx_rate } of valid) {
    const date = dateText(day);
    if (date < from_date || date > to_date) continue;
    for (const { product, quantity, unit_price } of sold) {
      if (product.brand !== null) revenues.add(product.brand, quantity * unit_price * fx_rate);
    }
  }
  const best = revenues.largest();
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

function productById(products: readonly Product[], external_product_id: string): Product {
  const product = products.find((candidate) => candidate.external_product_id === external_product_id);
  if (product === undefined) throw new Error(`no product ${external_product_id}`);
  return product;
}
