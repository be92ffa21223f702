// Groups of products (categories, brands, master products), their aggregate rows and their trend rows.
import { grossProfitMargin, type Product } from './catalogue.ts';
import { amount, ratio } from './decimals.ts';
import { unknownMetrics } from './listing.ts';
import { argumentRange } from './moments.ts';
import type { TrendArguments } from './order-statistics.ts';
import {
  type AggregatePerformance,
  aggregatePerformance,
  type PeriodPerformance,
  periodPerformance,
} from './performance.ts';
import { periodOf, periodsOf } from './periods.ts';
import type { Scope, Shop } from './shop.ts';

/** Products by the name of their group. */
export type Groups = Map<string, Product[]>;

export function groupsOf(products: Iterable<Product>, namesOf: (product: Product) => string[]): Groups {
  const groups: Groups = new Map();
  for (const product of products) {
    for (const name of new Set(namesOf(product))) groups.set(name, [...(groups.get(name) ?? []), product]);
  }
  return groups;
}

export type GroupFields = AggregatePerformance & {
  products_count: number;
  avg_price: number;
  avg_gross_profit_margin: number;
};

function idsOf(products: Product[]): Set<string> {
  return new Set(products.map((product) => product.productId));
}

export function groupFields(shop: Shop, products: Product[], inScope: Scope): GroupFields {
  const listed = products.filter((product) => product.isInCatalogue);
  let prices = 0n;
  for (const product of listed) prices += product.price;
  const margins = listed.map(grossProfitMargin).filter((margin) => margin !== null);
  let marginSum = 0;
  for (const margin of margins) marginSum += margin;
  const performance = aggregatePerformance(shop, idsOf(products), inScope);
  const unknown = margins.length === 0 ? ['avg_gross_profit_margin'] : [];
  return {
    ...performance,
    [unknownMetrics]: [...performance[unknownMetrics], ...unknown],
    products_count: products.length,
    avg_price: ratio(amount(prices), listed.length),
    avg_gross_profit_margin: ratio(marginSum, margins.length),
  };
}

export type PeriodRow = PeriodPerformance & { name: string; period: string; period_start: string };

/** One row per known group and period: groups as requested without repeats, periods in order of time. */
export function groupTrend(
  shop: Shop,
  groups: Groups,
  requested: string[],
  args: TrendArguments,
): PeriodRow[] {
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const periods = periodsOf(range, args.breakdown, shop.timezone);
  const named = new Set(periods.map(({ period }) => period));
  const inRange: Scope = (timed) => named.has(periodOf(timed.localDate, args.breakdown).period);
  const rows: PeriodRow[] = [];
  for (const name of new Set(requested)) {
    const products = groups.get(name);
    if (products === undefined) continue;
    const ids = idsOf(products);
    for (const { period, period_start } of periods) {
      const inPeriod: Scope = (timed) => periodOf(timed.localDate, args.breakdown).period === period;
      rows.push({ name, period, period_start, ...periodPerformance(shop, ids, inPeriod, inRange) });
    }
  }
  return rows;
}
