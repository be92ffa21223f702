import { isSelected, type ListingArguments, page } from './listing.ts';
import { type ListingTotals, totalsOf } from './listing-totals.ts';
import { argumentRange, isInRange } from './moments.ts';
import type { TrendArguments } from './order-statistics.ts';
import type { PeriodPerformance } from './performance.ts';
import { type GroupFields, type Groups, groupFields, groupsOf, groupTrend } from './product-groups.ts';
import { type Scope, type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';

export type CategoryStatistics = GroupFields & { category: string };
export type CategoryStatisticsByPeriod = PeriodPerformance & {
  category: string;
  period: string;
  period_start: string;
};

/** A product counts in each of its categories, and one without any in "(not set)". */
function categoryGroups(shop: Shop, areMain = false): Groups {
  return groupsOf(shop.products.values(), ({ categoryNames }) =>
    areMain ? categoryNames.slice(0, 1) : categoryNames,
  );
}

export function categoryStatistics(
  store: Store,
  args: ListingArguments & {
    filter_categories?: string[] | null | undefined;
    main_categories?: boolean | undefined;
  },
): ListingTotals & { business_id: string; categories: CategoryStatistics[] } {
  const shop = shopOf(store);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const inScope: Scope = (timed) => isInRange(timed.moment, range);
  const groups = categoryGroups(shop, args.main_categories);
  const rows: CategoryStatistics[] = [];
  for (const [category, products] of groups) {
    if (!isSelected(category, args.filter_categories)) continue;
    rows.push({ category, ...groupFields(shop, products, inScope) });
  }
  const productsOf = ({ category }: CategoryStatistics) =>
    (groups.get(category) ?? []).map(({ productId }) => productId);
  const totals = totalsOf(shop, rows, productsOf, { args, inScope });
  return { business_id: args.business_id, ...totals, categories: page(rows, (row) => row.category, args) };
}

export function categoryStatisticsTrend(
  store: Store,
  args: TrendArguments & { categories: string[] },
): { business_id: string; periods: CategoryStatisticsByPeriod[] } {
  const shop = shopOf(store);
  const rows = groupTrend(shop, categoryGroups(shop), args.categories, args);
  return {
    business_id: args.business_id,
    periods: rows.map(({ name, ...fields }) => ({ category: name, ...fields })),
  };
}
