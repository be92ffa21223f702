import { grossProfit, grossProfitMargin, type Product } from './catalogue.ts';
import { amount, round4 } from './decimals.ts';
import { isAnySelected, isSelected, type ListingArguments, page } from './listing.ts';
import { type ListingTotals, totalsOf } from './listing-totals.ts';
import { argumentRange, isInRange, type Moment } from './moments.ts';
import type { TrendArguments } from './order-statistics.ts';
import { type AggregatePerformance, aggregatePerformance, type PeriodPerformance } from './performance.ts';
import { groupsOf, groupTrend } from './product-groups.ts';
import { type Scope, type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';

export type ProductStatisticsArguments = ListingArguments & {
  filter_external_product_ids?: string[] | null | undefined;
  filter_brands?: string[] | null | undefined;
  filter_categories?: string[] | null | undefined;
  filter_discontinued?: boolean | null | undefined;
};

export type ProductStatistics = AggregatePerformance & {
  external_product_id: string;
  name: string | null;
  price: number;
  purchase_price: number | null;
  gross_profit: number | null;
  gross_profit_margin: number | null;
  brand: string;
  categories: string[];
  discontinued: boolean;
  waiting_count: number | null;
};

/** Who asked to be told of the product and has not ordered it since; one to four people are not told. */
function waitingFor(shop: Shop, productId: string, inScope: Scope): number | null {
  const asked = new Map<string, Moment>();
  for (const { visitor, moment } of shop.events.filter(
    (event) => event.productId === productId && event.kind === 'watchdog' && inScope(event),
  )) {
    if (moment > (asked.get(visitor) ?? -1n << 80n)) asked.set(visitor, moment);
  }
  const orders = shop.lines
    .filter((line) => line.productId === productId && inScope(line.order))
    .map(({ order }) => ({ moment: order.moment, who: [shop.visitorOfOrder(order), order.customer] }));
  const waiting = [...asked].filter(
    ([visitor, moment]) => !orders.some((order) => order.who.includes(visitor) && order.moment >= moment),
  );
  return waiting.length >= 1 && waiting.length <= 4 ? null : waiting.length;
}

function productRow(shop: Shop, product: Product, inScope: Scope): ProductStatistics {
  const profit = grossProfit(product);
  const margin = grossProfitMargin(product);
  return {
    external_product_id: product.productId,
    name: product.name,
    ...aggregatePerformance(shop, new Set([product.productId]), inScope),
    price: amount(product.price),
    purchase_price: product.purchasePrice === null ? null : amount(product.purchasePrice),
    gross_profit: profit === null ? null : amount(profit),
    gross_profit_margin: margin === null ? null : round4(margin),
    brand: product.brand,
    categories: product.categories,
    discontinued: product.discontinued,
    waiting_count: waitingFor(shop, product.productId, inScope),
  };
}

export function productStatistics(
  store: Store,
  args: ProductStatisticsArguments,
): ListingTotals & { business_id: string; products: ProductStatistics[]; price_changes: null } {
  const shop = shopOf(store);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const inRange: Scope = (timed) => isInRange(timed.moment, range);
  const discontinued = args.filter_discontinued ?? null;
  const products = [...shop.products.values()].filter(
    (product) =>
      isSelected(product.productId, args.filter_external_product_ids) &&
      isSelected(product.brand, args.filter_brands) &&
      isAnySelected(product.categoryNames, args.filter_categories) &&
      (discontinued === null || product.discontinued === discontinued),
  );
  const rows = products.map((product) => productRow(shop, product, inRange));
  const listed = page(rows, (row) => row.external_product_id, args);
  const productsOf = (row: ProductStatistics) => [row.external_product_id];
  const totals = totalsOf(shop, rows, productsOf, { args, inScope: inRange });
  // The price changes are not asked for.
  return { business_id: args.business_id, ...totals, products: listed, price_changes: null };
}

export type ProductStatisticsByPeriod = PeriodPerformance & {
  external_product_id: string;
  name: string | null;
  period: string;
  period_start: string;
};

export function productStatisticsTrend(
  store: Store,
  args: TrendArguments & { external_product_ids: string[] },
): { business_id: string; periods: ProductStatisticsByPeriod[] } {
  const shop = shopOf(store);
  const groups = groupsOf(shop.products.values(), (product) => [product.productId]);
  const rows = groupTrend(shop, groups, args.external_product_ids, args);
  return {
    business_id: args.business_id,
    periods: rows.map(({ name, ...fields }) => ({
      external_product_id: name,
      name: shop.products.get(name)?.name ?? null,
      ...fields,
    })),
  };
}
