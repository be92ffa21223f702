import { breakdownArgument, rangeArguments } from '../../../answers/arguments.ts';
import { column, type Field, type ObjectOf } from '../../../answers/fields/field.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { type Query, query, type RowsOf } from '../../../answers/fields/query.ts';
import { businessIdField, periodFields, periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { emptyRow, selectMetrics } from '../../../answers/metric.ts';
import { discountNotes, vatNotes } from '../../../answers/profit-notes.ts';
import type { BusinessContext } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { sql } from '../../../sql/sql.ts';
import { type Breakdown, coverWithPeriods, type Periods } from '../../../time/periods.ts';
import { type RangeArguments, readRange } from '../../../time/range.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { trendMetrics } from './performance-metrics.ts';
import { activity, attention, discountsKnown, periodsWindow } from './product-activity.ts';
import {
  knownNames,
  type NamingArguments,
  type ProductFilters,
  unknownNameNotes,
} from './product-filters.ts';
import { entityNames, type Level, members } from './product-level.ts';
import { noRefunds, refundNotes, refundsKnown } from './refund-metrics.ts';

/** The arguments of a trend tool beside the one that names its entities. */
export const trendArguments = { ...rangeArguments, ...breakdownArgument };

/** @param entity what tells in a row which entity it is about */
export function trendFields<const Entity extends readonly Field[]>(...entity: Entity) {
  return [
    businessIdField,
    list('periods', 'Every period of each of them, in the order asked.', [
      ...periodFields,
      ...entity,
      ...trendMetrics,
    ]),
  ] as const;
}

interface TrendArguments extends RangeArguments {
  readonly business_id: string;
  readonly breakdown: Breakdown;
  /** Every tool with rows has it: `rowArguments`. */
  readonly fields?: readonly string[];
}

/** The argument of a trend tool that names its entities, and the filter that lets only these through. */
const naming = {
  product: (names) => ({
    named: { external_product_ids: names },
    filters: { filter_external_product_ids: names },
  }),
  category: (names) => ({ named: { categories: names }, filters: { filter_categories: names } }),
  brand: (names) => ({ named: { brands: names }, filters: { filter_brands: names } }),
  master_product: (names) => ({
    named: { external_master_product_ids: names },
    filters: { filter_external_master_product_ids: names },
  }),
} satisfies Record<Level, (names: readonly string[]) => { named: NamingArguments; filters: ProductFilters }>;

/**
 * The plan of a trend tool: one row for every existing entity, in the order asked, and every period, zeros
 * where nothing happened. Unknown names are told in the notes.
 *
 * @param identify what tells in a row which entity it is about: its id or name as asked, and the name of what
 *   has an id
 * @throws InputError for a range that does not fit
 */
export function planTrend<Entity extends object>(
  level: Level,
  identify: (entity: string, name: string | null) => Entity,
  names: readonly string[],
  args: TrendArguments,
  {
    timezone,
    currency,
    facts,
    mostRows,
  }: Pick<BusinessContext<unknown>, 'timezone' | 'currency' | 'facts' | 'mostRows'>,
) {
  const entities = [...new Set(names)];
  const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, entities.length, mostRows);
  const { named, filters } = naming[level](entities);
  const queries = {
    buckets: performanceByPeriod(level, filters, periods, facts),
    known: knownNames(named),
    entityNames: entityNames(level, entities),
    withoutCustomer: ordersWithoutCustomer(periods, facts),
  };
  return {
    queries,
    answer: ({ buckets, known, entityNames, withoutCustomer }: RowsOf<typeof queries>) => {
      const existing = new Set(known.map(({ name }) => name));
      const nameOf = new Map(entityNames.map(({ entity, name }) => [entity, name]));
      const chosen = entities.filter((entity) => existing.has(entity));
      return {
        result: {
          business_id: args.business_id,
          periods: fillPeriods(chosen, periods, buckets, facts).map(({ entity, ...row }) => ({
            ...identify(entity, nameOf.get(entity) ?? null),
            ...row,
          })),
        },
        notes: [
          ...unknownNameNotes(named, known),
          ...withoutCustomerNotes(withoutCustomer, currency),
          ...vatNotes(buckets, facts),
          ...discountNotes(buckets),
          ...refundNotes(args, facts),
        ],
      };
    },
  };
}

const BUCKET = [column('entity', 'text'), periodStartColumn, ...trendMetrics];
type Bucket = ObjectOf<typeof BUCKET>;

/** Rows of the entities' periods in which anything happened. */
function performanceByPeriod(
  level: Level,
  filters: ProductFilters,
  periods: Periods,
  facts: SnapshotFacts,
): Query<Bucket> {
  return query(
    BUCKET,
    sql`
    with members as (${members(level, filters)}),
    ${activity(level, periodsWindow(periods), filters)},
    ${attention(periodsWindow(periods))},
    active as (
      select entity_key, period from sales
      union distinct
      select entity_key, period from attention
      union distinct
      select entity_key, period from returned
      union distinct
      select entity_key, period from refunded
    )
    select entity, period as period_start, ${selectMetrics(trendMetrics)}
    from active
    join (select distinct entity_key, entity from members) as entities using (entity_key)
    left join sales using (entity_key, period)
    left join attention using (entity_key, period)
    left join buyers using (entity_key, period)
    left join converted using (entity_key, period)
    left join returned using (entity_key, period)
    left join refunded using (entity_key, period)
    ${refundsKnown(facts)}
    ${discountsKnown(periodsWindow(periods))}`,
  );
}

function fillPeriods(
  entities: readonly string[],
  periods: Periods,
  buckets: readonly Bucket[],
  facts: SnapshotFacts,
) {
  const keyOf = (entity: string, start: string) => JSON.stringify([entity, start]);
  const bucketByKey = new Map(buckets.map((bucket) => [keyOf(bucket.entity, bucket.period_start), bucket]));
  return entities.flatMap((entity) =>
    periods.list.map((period) => ({
      ...emptyRow(trendMetrics),
      ...noRefunds(facts),
      ...bucketByKey.get(keyOf(entity, period.period_start)),
      ...period,
      entity,
    })),
  );
}
