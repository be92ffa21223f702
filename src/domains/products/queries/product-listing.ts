import { type Column, column, field, type ObjectOf } from '../../../answers/fields/field.ts';
import { flag, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query, type RowsOf } from '../../../answers/fields/query.ts';
import { type Metric, selectMetrics } from '../../../answers/metric.ts';
import { discountNotes, unknownProfitNotes, vatNotes } from '../../../answers/profit-notes.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import { type Answer, type BusinessContext, type Plan, plan } from '../../../answers/tool.ts';
import { hasProductEvents, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orderProducts, productEvents, products } from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { identifier, join, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn, type Range, type RangeArguments, readRange } from '../../../time/range.ts';
import {
  LARGEST_ORDER,
  largeOrderRowNotes,
  largeOrders,
  withLargeOrders,
} from '../../orders/queries/large-orders.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { CAME_AT, cameWithinNotes, firstSales, groupCameAt, newRows } from './came-within.ts';
import { groupCatalogueMetrics, productCatalogueMetrics } from './catalogue-metrics.ts';
import { type MetricRangeFilter, metricsCondition } from './filter-metrics.ts';
import { listingTotals, totalsOf } from './listing-totals.ts';
import { paidPriceNotes } from './paid-prices.ts';
import { partlyKnownProfitNotes, unseenBuyersNotes } from './part-known-notes.ts';
import { listingMetrics, nullWhereUnknown, zeroWhereUnknown } from './performance-metrics.ts';
import { activity, attention, discountsKnown, exactWindow, NO_ATTENTION } from './product-activity.ts';
import { knownNames, type ProductFilters, unknownNameNotes } from './product-filters.ts';
import { groupName, type Level, masterName, members, productName } from './product-level.ts';
import { refundNotes, refundsKnown, returnedMoneyNotes } from './refund-metrics.ts';
import { NOBODY_WAITS, waiting, waitingMetrics } from './waiting-customers.ts';

/** The metrics of a row of `product_statistics`. */
export const productRowMetrics = [...listingMetrics, ...waitingMetrics, ...productCatalogueMetrics];

/** The metrics of a row of `category_statistics`, `brand_statistics` and `master_product_statistics`. */
export const groupRowMetrics = [...listingMetrics, ...groupCatalogueMetrics];

const groupColumns = nullWhereUnknown([
  column('entity', 'text'),
  masterName,
  ...groupRowMetrics,
  ...LARGEST_ORDER,
  CAME_AT,
]);

/** What a row of `product_statistics` tells of the product beside its numbers. */
export const catalogueFields = [
  productName,
  text('brand', '(not set): none. Business data.'),
  field({
    key: 'categories',
    type: 'list',
    of: 'text',
    definition: 'The first is the main one. Business data.',
  }),
  flag('discontinued', 'True: no longer sold.'),
];

interface ListingArguments extends ProductFilters, Sorting, Paging {
  readonly filter_metrics: readonly MetricRangeFilter[] | null;
}

interface GroupArguments extends ListingArguments, RangeArguments {
  readonly business_id: string;
  /** Every tool with rows has it: `rowArguments`. */
  readonly fields?: readonly string[];
}

/**
 * One page of the products that pass the filters, each with its catalogue values and its performance in the
 * range, zeros where nothing happened. `entity` is the id.
 *
 * @throws InputError for a metric filter that does not fit
 */
export function listProductPerformance(range: Range, args: ListingArguments, facts: SnapshotFacts) {
  const columns = nullWhereUnknown([
    column('entity', 'text'),
    ...catalogueFields,
    ...productRowMetrics,
    ...LARGEST_ORDER,
    CAME_AT,
  ]);
  return pageOfListing(columns, 'product', range, productEntities(range, facts), args, facts);
}

function productEntities(range: Range, facts: SnapshotFacts): ListedEntities {
  const entities = sql`
    select entity_key, entity, name, brand, categories, discontinued, created_at as came_at,
      ${selectMetrics(productCatalogueMetrics)}
    from ${products} join members using (product_key)`;
  const columns = join([
    sql`name`,
    sql`brand`,
    sql`categories`,
    sql`discontinued`,
    sql`came_at`,
    ...keysOf(productCatalogueMetrics),
  ]);
  return {
    entities,
    columns,
    metrics: productRowMetrics,
    performance: [...listingMetrics, ...waitingMetrics],
    more: hasProductEvents(facts)
      ? { tables: sql`, ${waiting(range)}`, joins: sql`left join waiting using (entity_key)` }
      : { tables: sql``, joins: NOBODY_WAITS },
  };
}

/** The total over all rows of a listing, whatever its page. */
export function listingTotal(level: Level, range: Range, args: ListingArguments, facts: SnapshotFacts) {
  const listed = level === 'product' ? productEntities(range, facts) : groupEntities(level);
  const matching = args.filter_metrics?.length ? listing(level, range, listed, args, facts) : null;
  return listingTotals(range, members(level, args), matching);
}

type Listed = {
  readonly entity: string;
  readonly estimated_revenue: number | null;
  readonly came_at: string | null;
} & ObjectOf<typeof LARGEST_ORDER>;

/**
 * An answer with notes on rows of a page that mislead by themselves: what came during the range, and what one
 * order makes a large part of. Only of these more is asked.
 *
 * @param answer made of these notes
 */
export function withRowNotes<Result>(
  {
    level,
    range,
    timezone,
    filters,
  }: { level: Level; range: Range; timezone: string; filters: ProductFilters },
  rows: readonly Listed[],
  answer: (notes: readonly string[]) => Answer<Result>,
): Answer<Result> | Plan<Result> {
  const large = largeOrders(sql`
    select entity as row_key, ordered_date, sum(revenue) as revenue
    from ${orderProducts} join (${members(level, filters)}) as members using (product_key)
    where ${orderedIn(range)}
    group by entity, order_key, ordered_date`);
  const sums = rows.map((row) => ({ ...row, whole: row.estimated_revenue }));
  const keys = rows.map(({ entity }) => entity);
  const young = newRows(rows, range, timezone);
  const withLarge = (notes: readonly string[]) =>
    withLargeOrders(sums, large, (found) =>
      answer([...notes, ...largeOrderRowNotes(found, keys, 'estimated_revenue')]),
    );
  if (young.length === 0) return withLarge([]);
  return plan({
    queries: { sales: firstSales(level, filters, young) },
    answer: ({ sales }) => withLarge(cameWithinNotes(level, young, sales)),
  });
}

/** A row as the contract shows it. */
export function shownRow<Row extends Listed>({
  priced_orders_count: _,
  largest_order: __,
  came_at: ___,
  ...row
}: Row) {
  return zeroWhereUnknown(row);
}

/**
 * The plan of a listing tool of groups of products: one page of the groups, each with its catalogue values
 * and its performance in the range. The notes tell of names in the filters that do not exist, and of orders
 * without a customer.
 *
 * @param shown the rows under the name of their list; `entity` is what a group goes by
 * @throws InputError for a range or metric filter that does not fit
 */
export function planGroups<Shown extends object>(
  level: Exclude<Level, 'product'>,
  args: GroupArguments,
  { timezone, currency, facts }: Pick<BusinessContext<unknown>, 'timezone' | 'currency' | 'facts'>,
  shown: (groups: readonly ReturnType<typeof shownRow<ObjectOf<typeof groupColumns>>>[]) => Shown,
) {
  const range = readRange(args, timezone);
  const queries = {
    groups: pageOfListing(groupColumns, level, range, groupEntities(level), args, facts),
    totals: listingTotal(level, range, args, facts),
    known: knownNames(args),
    withoutCustomer: ordersWithoutCustomer(range, facts),
  };
  return {
    queries,
    answer: ({ groups, totals, known, withoutCustomer }: RowsOf<typeof queries>) =>
      withRowNotes({ level, range, timezone, filters: args }, groups, (rowNotes) => ({
        result: {
          business_id: args.business_id,
          ...totalsOf(onlyRow(totals)),
          ...shown(groups.map(shownRow)),
        },
        notes: [
          ...unknownNameNotes(args, known),
          ...rowNotes,
          ...paidPriceNotes(groups, args, 'avg_price'),
          ...returnedMoneyNotes(groups, args),
          ...unseenBuyersNotes(groups, args),
          ...partlyKnownProfitNotes(groups, args),
          ...withoutCustomerNotes(withoutCustomer, currency),
          ...vatNotes(groups, facts),
          ...discountNotes(groups),
          ...unknownProfitNotes(groups),
          ...refundNotes(args, facts),
        ],
      })),
  };
}

function groupEntities(level: Exclude<Level, 'product'>): ListedEntities {
  const entities = sql`
    select entity_key, entity, ${groupName(level)} as name, ${groupCameAt}, ${selectMetrics(groupCatalogueMetrics)}
    from ${products} join members using (product_key)
    group by entity_key, entity`;
  const columns = join([sql`name`, sql`came_at`, ...keysOf(groupCatalogueMetrics)]);
  return { entities, columns, metrics: groupRowMetrics, performance: listingMetrics };
}

interface ListedEntities {
  /** A select of `entity` and the catalogue columns. */
  readonly entities: Sql;
  readonly columns: Sql;
  readonly metrics: readonly Metric[];
  /** The metrics that tell of the range. */
  readonly performance: readonly Metric[];
  /** What these need beside `activity`. */
  readonly more?: { readonly tables: Sql; readonly joins: Sql };
}

function pageOfListing<const Columns extends readonly Column[]>(
  columns: Columns,
  level: Level,
  range: Range,
  listed: ListedEntities,
  args: ListingArguments,
  facts: SnapshotFacts,
) {
  const rows = listing(level, range, listed, args, facts);
  return {
    ...query(columns, rankedPage(rows, args, 'entity', listed.metrics)),
    leavesOut: hasProductEvents(facts) ? [] : [productEvents],
  };
}

/** All rows that pass the filters. */
function listing(
  level: Level,
  range: Range,
  listed: ListedEntities,
  args: ListingArguments,
  facts: SnapshotFacts,
): Sql {
  const window = exactWindow(range);
  const seen = hasProductEvents(facts)
    ? {
        tables: sql`, ${attention(window)}`,
        joins: sql`left join attention using (entity_key) left join converted using (entity_key)`,
      }
    : { tables: sql``, joins: NO_ATTENTION };
  return sql`
    with members as (${members(level, args)}),
    entities as (${listed.entities}),
    ${activity(level, window, args)}${seen.tables}${listed.more?.tables ?? sql``},
    performance as (
      select entity, ${listed.columns}, ${selectMetrics(listed.performance)},
        priced_orders_count, largest_order
      from entities
      left join sales using (entity_key)
      left join buyers using (entity_key)
      ${seen.joins}
      left join returned using (entity_key)
      left join refunded using (entity_key)
      ${listed.more?.joins ?? sql``}
      ${refundsKnown(facts)}
      ${discountsKnown(window)}
    )
    select * from performance
    where ${metricsCondition(args.filter_metrics, listed.metrics)}`;
}

function keysOf(metrics: readonly Metric[]): Sql[] {
  return metrics.map(({ key }) => identifier(key));
}
