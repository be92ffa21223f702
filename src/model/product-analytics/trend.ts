import type { Row } from '../../sql/row.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { emptyRow, selectMetrics } from '../metrics/metric.ts';
import { type Breakdown, coverWithPeriods, type Periods } from '../periods.ts';
import {
  knownNames,
  type NamingArguments,
  type ProductFilters,
  unknownNameNotes,
} from '../product-filters.ts';
import { type RangeArguments, readRange } from '../range.ts';
import { activity, periodsWindow } from './activity.ts';
import { IDENTITY_FIELD, type Level, members } from './level.ts';
import { trendMetrics } from './performance-metrics.ts';

type Rows = Readonly<Record<'buckets' | 'known', readonly Row[]>>;

interface TrendArguments extends RangeArguments {
  readonly business_id: string;
  readonly breakdown: Breakdown;
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
 * The plan of a trend tool: one row for every existing entity, in the order asked, and every period, zeros where
 * nothing happened. Unknown names are told in the notes.
 *
 * @throws InputError for a range that does not fit
 */
export function planTrend(level: Level, names: readonly string[], args: TrendArguments, timezone: string) {
  const entities = [...new Set(names)];
  const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, entities.length);
  const { named, filters } = naming[level](entities);
  return {
    queries: {
      buckets: performanceByPeriod(level, filters, periods),
      known: knownNames(named),
    },
    answer: ({ buckets, known }: Rows) => {
      const existing = new Set(known.map((row) => row.name));
      const rows = fillPeriods(
        entities.filter((entity) => existing.has(entity)),
        periods,
        buckets,
      );
      return {
        result: {
          business_id: args.business_id,
          periods: rows.map(({ entity, ...row }) => ({ [IDENTITY_FIELD[level]]: entity, ...row })),
        },
        notes: unknownNameNotes(named, known),
      };
    },
  };
}

/** Rows of the entities' periods in which anything happened. */
function performanceByPeriod(level: Level, filters: ProductFilters, periods: Periods): Sql {
  return sql`
    with members as (${members(level, filters)}),
    ${activity(level, periodsWindow(periods))},
    active as (
      select entity_key, period from sales
      union distinct
      select entity_key, period from attention
    )
    select entity, period as period_start, ${selectMetrics(trendMetrics)}
    from active
    join (select distinct entity_key, entity from members) as entities using (entity_key)
    left join sales using (entity_key, period)
    left join attention using (entity_key, period)
    left join buyers using (entity_key, period)
    left join converted using (entity_key, period)`;
}

function fillPeriods(entities: readonly string[], periods: Periods, rows: readonly Row[]) {
  const rowByKey = new Map(rows.map((row) => [JSON.stringify([row.entity, row.period_start]), row]));
  return entities.flatMap((entity) =>
    periods.list.map((period) => ({
      ...emptyRow(trendMetrics),
      ...rowByKey.get(JSON.stringify([entity, period.period_start])),
      ...period,
      entity,
    })),
  );
}
