// When customers buy selected products again, from the rows of the import files.
import { isInRange, wholeDays } from './moments.ts';
import type { RangeArguments } from './order-statistics.ts';
import type { Order } from './orders.ts';
import { daysBetween } from './periods.ts';
import { notSet } from './product-names.ts';
import { percentile, percentOrNull, ratioOrNull } from './quantiles.ts';
import { shopOf } from './shop.ts';
import type { Store } from './store.ts';

export type SelectedCycleArguments = RangeArguments & {
  from_order_number: number;
  numbering: 'all_orders' | 'selection';
  return_with: 'selection' | 'anything';
  filter_external_product_ids?: string[] | null;
  filter_categories?: string[] | null;
  filter_brands?: string[] | null;
};

/** What does not depend on the end of the data. */
export function selectedCycle(store: Store, args: SelectedCycleArguments): object {
  const shop = shopOf(store);
  const range = wholeDays(args.from_date, args.to_date, shop.timezone);
  const isOneOf = (values: string[], names: string[] | null | undefined) =>
    !names?.length || values.some((value) => names.includes(value));
  const isSelectedProduct = (productId: string) => {
    const { brand = notSet, categoryNames = [] } = shop.products.get(productId) ?? {};
    return (
      isOneOf([productId], args.filter_external_product_ids) &&
      isOneOf(categoryNames, args.filter_categories) &&
      isOneOf([brand], args.filter_brands)
    );
  };
  const hasFilter = [args.filter_external_product_ids, args.filter_categories, args.filter_brands].some(
    (names) => names?.length,
  );
  const chosen = new Set(
    shop.lines.filter(({ productId }) => isSelectedProduct(productId)).map(({ order }) => order),
  );
  const isSelected = (order: Order) => !hasFilter || chosen.has(order);
  const ofCustomer = Map.groupBy(
    shop.validOrders.filter(({ customer }) => customer !== null),
    ({ customer }) => customer,
  );
  /**
   * Days to the next order, null where there is none, of everybody whose n-th order is selected and in the
   * range.
   */
  const waits = (number: number) =>
    [...ofCustomer.values()].flatMap((orders): (number | null)[] => {
      const selected = orders.filter(isSelected);
      const from = args.numbering === 'selection' ? selected[number - 1] : orders[number - 1];
      if (from === undefined || !isSelected(from) || !isInRange(from.moment, range)) return [];
      const later = orders.slice(orders.indexOf(from) + 1);
      const next = args.return_with === 'anything' ? later[0] : later.find(isSelected);
      return [next === undefined ? null : daysBetween(from.localDate, next.localDate)];
    });
  const counted = (number: number) => {
    const all = waits(number);
    const days = all.filter((one) => one !== null);
    const quantile = (p: number) => percentile(days.map(BigInt), p, 1);
    return { all, days, quantile };
  };
  const { all, days, quantile } = counted(args.from_order_number);
  return {
    eligible_customers_count: all.length,
    returned_customers_count: days.length,
    return_rate: percentOrNull(days.length, all.length),
    avg_days_to_next_order: ratioOrNull(
      days.reduce((sum, one) => sum + one, 0),
      days.length,
    ),
    ...{ median_days_to_next_order: quantile(50), p25_days: quantile(25), p75_days: quantile(75) },
    same_day_returned_count: days.filter((one) => one === 0).length,
    within: [7, 14, 30, 60, 90, 180, 365, 730].map((limit) => ({
      days: limit,
      returned_customers_count: days.filter((one) => one <= limit).length,
    })),
    by_order_number: [1, 2, 3, 4, 5].map((number) => {
      const step = counted(number);
      return {
        order_number: number,
        eligible_customers_count: step.all.length,
        returned_customers_count: step.days.length,
        median_days_to_next_order: step.quantile(50),
      };
    }),
  };
}
