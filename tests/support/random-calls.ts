import * as fc from 'fast-check';
import { DIMENSIONS } from '../../src/domains/orders/queries/order-distribution.ts';
import { FILTERABLE_METRICS } from '../../src/domains/products/queries/filter-metrics.ts';
import { groupRowMetrics, productRowMetrics } from '../../src/domains/products/queries/product-listing.ts';
import { RELATIONS } from '../../src/domains/products/queries/product-pairs.ts';
import type { Store } from '../oracle/store.ts';

export interface Call {
  readonly tool: string;
  readonly args: Record<string, unknown> & { business_id: string; from_date: string; to_date: string };
}

type Maker = Record<string, fc.Arbitrary<unknown>>;

const NAMES_ARE_ENOUGH = 4;

/**
 * Calls of every tool on a store: ranges around its orders and events, its names and some that do not exist,
 * any sorting, paging and metric filter.
 */
export function randomCalls(store: Store, businessId: string): fc.Arbitrary<Call> {
  const ids = names([
    ...store.products.map((row) => row.external_product_id),
    ...store.order_items.map((row) => row.external_product_id),
    ...store.product_events.map((row) => row.external_product_id),
  ]);
  const masters = names(
    store.products.map((row) => row.external_master_product_id ?? row.external_product_id),
  );
  const brands = names(store.products.map((row) => row.brand));
  const categories = names(store.products.flatMap((row) => (row.categories ?? '').split('|')));
  const filter = (values: string[]) =>
    fc.option(fc.uniqueArray(fc.constantFrom(...values, 'unknown'), { maxLength: NAMES_ARE_ENOUGH }));
  const chosen = (values: string[]) =>
    fc.array(fc.constantFrom(...values, 'unknown'), { minLength: 1, maxLength: NAMES_ARE_ENOUGH });
  const breakdown = { breakdown: fc.constantFrom('day', 'week', 'month') };
  const products = listing(productRowMetrics.map(({ key }) => key));
  const groups = listing(groupRowMetrics.map(({ key }) => key));

  const makers: Record<string, Maker> = {
    order_statistics: {},
    order_statistics_trend: breakdown,
    product_statistics: {
      ...products,
      filter_external_product_ids: filter(ids),
      filter_brands: filter(['', ...brands]),
      filter_categories: filter(categories),
      filter_discontinued: fc.option(fc.boolean()),
    },
    product_statistics_trend: { ...breakdown, external_product_ids: chosen(ids) },
    category_statistics: {
      ...groups,
      filter_categories: filter(categories),
      main_categories: fc.boolean(),
    },
    category_statistics_trend: { ...breakdown, categories: chosen(categories) },
    brand_statistics: { ...groups, filter_brands: filter(['', ...brands]) },
    brand_statistics_trend: { ...breakdown, brands: chosen(brands) },
    master_product_statistics: {
      ...groups,
      filter_external_master_product_ids: filter(masters),
      filter_brands: filter(['', ...brands]),
      filter_categories: filter(categories),
    },
    master_product_statistics_trend: { ...breakdown, external_master_product_ids: chosen(masters) },
    repeat_purchase_cycle: { from_order_number: fc.integer({ min: 1, max: 7 }) },
    order_distribution_statistics: {
      dimension: fc.constantFrom(...DIMENSIONS.filter((dimension) => !/_value|_decile/.test(dimension))),
      filter_customer_type: fc.constantFrom(null, 'new', 'returning'),
      limit: fc.constantFrom(1, 2, 1000),
    },
    order_distribution_of_values: {
      dimension: fc.constant('order_value'),
      bin_size: fc.constantFrom(null, null, 0.01, 2.5, 100),
    },
    product_affinity_statistics: {
      relation: fc.constantFrom(...RELATIONS),
      level: fc.constantFrom('product', 'master_product', 'category', 'brand'),
      filter_antecedents: filter([...ids, ...masters, ...brands, ...categories]),
      min_orders: fc.constantFrom(1, 1, 2),
      sort_by: fc.constantFrom('pair_orders_count', 'support', 'confidence', 'lift', 'pair_revenue'),
      sort_order: fc.constantFrom('asc', 'desc'),
      limit: fc.constantFrom(1, 3, 10, 1000),
      offset: fc.constantFrom(0, 0, 1, 4),
    },
    first_purchase_cohorts: {
      cohort_period: fc.constantFrom('week', 'month', 'all'),
      segment_by: fc.constantFrom(
        'none',
        'first_category',
        'first_brand',
        'first_product',
        'country',
        'first_coupon',
      ),
      segment_limit: fc.integer({ min: 1, max: 4 }),
      max_periods: fc.integer({ min: 1, max: 5 }),
    },
  };
  return fc.constantFrom(...Object.entries(makers)).chain(([tool, maker]) =>
    fc.record({ range: range(store), rest: fc.record(maker) }).map(({ range, rest }) => ({
      tool: tool.replace('_of_values', '_statistics'),
      args: { business_id: businessId, ...range, ...rest },
    })),
  );
}

function listing(metrics: readonly string[]): Maker {
  const bound = fc.option(fc.constantFrom(-100, 0, 0.5, 1, 2, 10, 50, 100, 1000));
  const filter = fc
    .record({
      metric: fc.constantFrom(...FILTERABLE_METRICS.filter((metric) => metrics.includes(metric))),
      from_value: bound,
      to_value: bound,
    })
    .filter(({ from_value, to_value }) => from_value !== null || to_value !== null);
  return {
    sort_by: fc.constantFrom(...metrics),
    sort_order: fc.constantFrom('asc', 'desc'),
    limit: fc.constantFrom(1, 3, 10, 1000),
    offset: fc.constantFrom(0, 0, 1, 4),
    filter_metrics: fc.option(fc.array(filter, { maxLength: 2 })),
  };
}

/** Bounds at or beside moments that occur, as local times or with an offset, at most about a year apart. */
function range(store: Store): fc.Arbitrary<{ from_date: string; to_date: string }> {
  const dates = names([
    ...store.orders.map((row) => row.ordered_at),
    ...store.product_events.map((row) => row.at),
  ]).map((moment) => moment.slice(0, 10));
  const time = fc.constantFrom(
    'T00:00:00',
    'T23:59:59',
    'T08:00:00',
    'T21:59:59',
    'T22:00:00Z',
    'T00:30:00+02:00',
  );
  const bound = fc
    .tuple(fc.constantFrom(...dates, '2024-05-10', '2024-06-20'), time)
    .map(([date, clock]) => `${date}${clock}`);
  return (
    fc
      .tuple(bound, bound)
      .map(([a, b]) => (a < b ? { from_date: a, to_date: b } : { from_date: b, to_date: a }))
      // Two days apart, so that no offset and no timezone can turn the range around.
      .filter(({ from_date, to_date }) => dayOf(to_date) - dayOf(from_date) >= 2)
  );
}

function dayOf(moment: string): number {
  return Date.parse(moment.slice(0, 10)) / 86_400_000;
}

/** Distinct and not empty. */
function names(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined && value !== ''))] as string[];
}
