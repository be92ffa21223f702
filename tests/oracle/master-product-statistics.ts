import type { Product } from './catalogue.ts';
import { isAnySelected, isSelected, type ListingArguments, page } from './listing.ts';
import { type ListingTotals, totalsOf } from './listing-totals.ts';
import { argumentRange, isInRange } from './moments.ts';
import type { TrendArguments } from './order-statistics.ts';
import type { PeriodPerformance } from './performance.ts';
import { type GroupFields, groupFields, groupsOf, groupTrend } from './product-groups.ts';
import { type Scope, shopOf } from './shop.ts';
import type { Store } from './store.ts';

export type MasterProductStatisticsArguments = ListingArguments & {
  filter_external_master_product_ids?: string[] | null | undefined;
  filter_brands?: string[] | null | undefined;
  filter_categories?: string[] | null | undefined;
};

export type MasterProductStatistics = GroupFields & {
  external_master_product_id: string;
  name: string | null;
};
export type MasterProductStatisticsByPeriod = PeriodPerformance & {
  external_master_product_id: string;
  name: string | null;
  period: string;
  period_start: string;
};

const masterOf = (product: Product) => [product.masterId];

/** Brand and category filters keep a master by its matching products, and its row covers only those. */
export function masterProductStatistics(
  store: Store,
  args: MasterProductStatisticsArguments,
): ListingTotals & { business_id: string; master_products: MasterProductStatistics[] } {
  const shop = shopOf(store);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const matching = [...shop.products.values()].filter(
    (product) =>
      isSelected(product.masterId, args.filter_external_master_product_ids) &&
      isSelected(product.brand, args.filter_brands) &&
      isAnySelected(product.categoryNames, args.filter_categories),
  );
  const inScope: Scope = (timed) => isInRange(timed.moment, range);
  const groups = groupsOf(matching, masterOf);
  const rows: MasterProductStatistics[] = [];
  for (const [master, products] of groups) {
    rows.push({
      external_master_product_id: master,
      name: products[0]?.masterName ?? null,
      ...groupFields(shop, products, inScope),
    });
  }
  const productsOf = (row: MasterProductStatistics) =>
    (groups.get(row.external_master_product_id) ?? []).map(({ productId }) => productId);
  return {
    business_id: args.business_id,
    ...totalsOf(shop, rows, productsOf, { args, inScope }),
    master_products: page(rows, (row) => row.external_master_product_id, args),
  };
}

export function masterProductStatisticsTrend(
  store: Store,
  args: TrendArguments & { external_master_product_ids: string[] },
): { business_id: string; periods: MasterProductStatisticsByPeriod[] } {
  const shop = shopOf(store);
  const groups = groupsOf(shop.products.values(), masterOf);
  const rows = groupTrend(shop, groups, args.external_master_product_ids, args);
  return {
    business_id: args.business_id,
    periods: rows.map(({ name, ...fields }) => ({
      external_master_product_id: name,
      name: groups.get(name)?.[0]?.masterName ?? null,
      ...fields,
    })),
  };
}
