import { isSelected, type ListingArguments, page } from './listing.ts';
import { type ListingTotals, totalsOf } from './listing-totals.ts';
import { argumentRange, isInRange } from './moments.ts';
import type { TrendArguments } from './order-statistics.ts';
import type { PeriodPerformance } from './performance.ts';
import { type GroupFields, type Groups, groupFields, groupsOf, groupTrend } from './product-groups.ts';
import { type Scope, type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';

export type BrandStatistics = GroupFields & { brand: string };
export type BrandStatisticsByPeriod = PeriodPerformance & {
  brand: string;
  period: string;
  period_start: string;
};

/** Products without a brand, and those missing from the catalogue, form the brand "(not set)". */
function brandGroups(shop: Shop): Groups {
  return groupsOf(shop.products.values(), (product) => [product.brand]);
}

export function brandStatistics(
  store: Store,
  args: ListingArguments & { filter_brands?: string[] | null | undefined },
): ListingTotals & { business_id: string; brands: BrandStatistics[] } {
  const shop = shopOf(store);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const inScope: Scope = (timed) => isInRange(timed.moment, range);
  const groups = brandGroups(shop);
  const rows: BrandStatistics[] = [];
  for (const [brand, products] of groups) {
    if (!isSelected(brand, args.filter_brands)) continue;
    rows.push({ brand, ...groupFields(shop, products, inScope) });
  }
  const productsOf = ({ brand }: BrandStatistics) =>
    (groups.get(brand) ?? []).map(({ productId }) => productId);
  const totals = totalsOf(shop, rows, productsOf, { args, inScope });
  return { business_id: args.business_id, ...totals, brands: page(rows, (row) => row.brand, args) };
}

export function brandStatisticsTrend(
  store: Store,
  args: TrendArguments & { brands: string[] },
): { business_id: string; periods: BrandStatisticsByPeriod[] } {
  const shop = shopOf(store);
  const rows = groupTrend(shop, brandGroups(shop), args.brands, args);
  return {
    business_id: args.business_id,
    periods: rows.map(({ name, ...fields }) => ({ brand: name, ...fields })),
  };
}
