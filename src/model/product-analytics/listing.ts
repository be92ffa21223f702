import { type Paging, type Sorting, sortedPage } from '../../sql/page.ts';
import type { Row } from '../../sql/row.ts';
import { identifier, join, type Sql, sql } from '../../sql/sql.ts';
import { type Metric, selectMetrics } from '../metrics/metric.ts';
import { knownNames, type ProductFilters, unknownNameNotes } from '../product-filters.ts';
import { type Range, type RangeArguments, readRange } from '../range.ts';
import { products } from '../tables.ts';
import { activity, exactWindow } from './activity.ts';
import { groupCatalogueMetrics, productCatalogueMetrics } from './catalogue-metrics.ts';
import { type MetricRangeFilter, metricsCondition } from './filter-metrics.ts';
import { IDENTITY_FIELD, type Level, members } from './level.ts';
import { listingMetrics } from './performance-metrics.ts';

/** The metrics of a row of `product_statistics`. */
export const productRowMetrics: readonly Metric[] = [...listingMetrics, ...productCatalogueMetrics];

/** The metrics of a row of `category_statistics`, `brand_statistics` and `master_product_statistics`. */
export const groupRowMetrics: readonly Metric[] = [...listingMetrics, ...groupCatalogueMetrics];

interface ListingArguments extends ProductFilters, Sorting, Paging {
  readonly filter_metrics: readonly MetricRangeFilter[] | null;
}

/**
 * One page of the products that pass the filters, each with its catalogue values and its performance in the range,
 * zeros where nothing happened. Besides the metrics a row has `entity` (the id), `brand`, `categories`,
 * `discontinued`.
 *
 * @throws InputError for a metric filter that does not fit
 */
export function listProductPerformance(range: Range, args: ListingArguments): Sql {
  const entities = sql`
    select entity_key, entity, brand, categories, discontinued, ${selectMetrics(productCatalogueMetrics)}
    from ${products} join members using (product_key)`;
  const columns = join([sql`brand`, sql`categories`, sql`discontinued`, ...keysOf(productCatalogueMetrics)]);
  return listing('product', range, { entities, columns, metrics: productRowMetrics }, args);
}

/**
 * The plan of a listing tool of groups of products: one page of the groups, each with its catalogue values and its
 * performance in the range. Unknown names in filters are told in the notes.
 *
 * @param rowsField the field of the answer that holds the rows
 * @throws InputError for a range or metric filter that does not fit
 */
export function planGroupListing(
  level: Exclude<Level, 'product'>,
  rowsField: string,
  args: GroupListingArguments,
  timezone: string,
) {
  return {
    queries: {
      groups: listGroupPerformance(level, readRange(args, timezone), args),
      known: knownNames(args),
    },
    answer: ({ groups, known }: Readonly<Record<'groups' | 'known', readonly Row[]>>) => ({
      result: {
        business_id: args.business_id,
        [rowsField]: groups.map(({ entity, ...group }) => ({ [IDENTITY_FIELD[level]]: entity, ...group })),
      },
      notes: unknownNameNotes(args, known),
    }),
  };
}

interface GroupListingArguments extends ListingArguments, RangeArguments {
  readonly business_id: string;
}

function listGroupPerformance(level: Exclude<Level, 'product'>, range: Range, args: ListingArguments): Sql {
  const entities = sql`
    select entity_key, entity, ${selectMetrics(groupCatalogueMetrics)}
    from ${products} join members using (product_key)
    group by entity_key, entity`;
  const columns = join(keysOf(groupCatalogueMetrics));
  return listing(level, range, { entities, columns, metrics: groupRowMetrics }, args);
}

interface ListedEntities {
  /** A select of `entity` and the catalogue columns. */
  readonly entities: Sql;
  readonly columns: Sql;
  readonly metrics: readonly Metric[];
}

function listing(level: Level, range: Range, listed: ListedEntities, args: ListingArguments): Sql {
  return sortedPage(
    sql`
    with members as (${members(level, args)}),
    entities as (${listed.entities}),
    ${activity(level, exactWindow(range))},
    performance as (
      select entity, ${listed.columns}, ${selectMetrics(listingMetrics)}
      from entities
      left join sales using (entity_key)
      left join attention using (entity_key)
      left join buyers using (entity_key)
      left join converted using (entity_key)
    )
    select * from performance
    where ${metricsCondition(args.filter_metrics, listed.metrics)}`,
    args,
    'entity',
  );
}

function keysOf(metrics: readonly Metric[]): Sql[] {
  return metrics.map(({ key }) => identifier(key));
}
