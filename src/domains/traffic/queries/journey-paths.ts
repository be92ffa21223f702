import { column, field, NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { percent, ratio } from '../../../answers/metric.ts';
import { orders, touchNames } from '../../../model-table/table-names.ts';
import { type Paging, type Sorting, sortedPage } from '../../../sql/page.ts';
import { quantile, ranked } from '../../../sql/quantile.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { clickedOrders, type JourneySelection, journeyTouches, NO_TOUCH } from './journey-touches.ts';

export interface PathSelection extends JourneySelection {
  readonly collapsesRepeats: boolean;
  /** Of longer journeys the last touches are told. */
  readonly maxTouches: number;
}

/** Stands for the touches before those that are told. */
const CUT = '(…)';

/** Between the names of a path; sorts before everything that names are made of. */
export const PATH_SEPARATOR = '\u001f';

/**
 * CTE `journeys`, one row each: its number of `touches`, the keys of the last ones `t0` (the last), `t1`, …,
 * `seconds_to_order` since the first touch, `revenue` (null where it did not convert) and `order_number` (null
 * also where no customer is known).
 */
function journeys(selection: PathSelection): Sql {
  const after = selection.collapsesRepeats ? sql`changes_after` : sql`touches_after`;
  // Equal touches in a row have the same place, so any of them will do.
  const keys = placesOf(selection).map(
    (place) =>
      sql`max(case when ${after} = ${parameter.integer(place)} then touch_key end) as ${keyAt(place)}`,
  );
  return sql`
    ${journeyTouches(selection)},
    journeys as (
      select journey, max(${after}) + 1 as touches, max(seconds_before_end) as seconds_to_order,
        max(revenue) as revenue, max(order_number) as order_number,
        max(case when is_identified then 1 else 0 end) as is_identified, ${join(keys)}
      from journey_touches
      group by journey
    )`;
}

/**
 * CTE `no_touch`, one row: the orders that session statistics credit to a visit, and no journey has: the second one of a visit,
 * or one whose visits all lie before an earlier order. Needs the CTE `journeys`.
 */
function noTouch({ range, outcome }: PathSelection): Sql {
  if (outcome === 'not_converted')
    return sql`no_touch as (
      select 0 as orders_count, cast(0 as decimal(18,4)) as revenue, 0 as new_customers_count
    )`;
  return sql`
    no_touch as (
      select count(*) as orders_count, coalesce(sum(revenue), 0) as revenue,
        count(*) filter (where order_number = 1) as new_customers_count
      from ${orders}
      where order_key in (select order_key from ${clickedOrders(range)})
        and order_key not in (select journey from journeys where revenue is not null)
    )`;
}

/** CTE `paths`: one row per path, with `path`, the names joined, and the columns that a listing sorts by. */
function paths(selection: PathSelection): Sql {
  const keys = join(placesOf(selection).map(keyAt));
  const most = parameter.integer(selection.maxTouches);
  return sql`
    ${journeys(selection)},
    paths as (
      select ${keys}, case when touches > ${most} then 1 else 0 end as is_cut,
        least(any_value(touches), ${most}) as touches_count,
        count(*) as journeys_count,
        count(revenue) as converted_journeys_count,
        coalesce(sum(revenue), 0) as revenue,
        count(*) filter (where order_number = 1) as new_customers_count,
        sum(seconds_to_order) filter (where revenue is not null) as seconds_to_orders
      from journeys
      group by ${keys}, is_cut
    )`;
}

const converted = field({
  key: 'converted_journeys_count',
  type: 'integer',
  unit: 'journeys',
  definition: 'Journeys that ended in an order.',
});
const revenue = field({
  key: 'revenue',
  type: 'number',
  unit: 'money',
  definition: 'Revenue of the orders counted.',
});

/** Of a path. */
export const pathFields = [
  field({ key: 'touches_count', type: 'integer', unit: 'touches', definition: 'Touches in path.' }),
  field({ key: 'journeys_count', type: 'integer', unit: 'journeys', definition: 'Journeys that took it.' }),
  converted,
  revenue,
  field({
    key: 'new_customers_count',
    type: 'integer',
    unit: 'journeys',
    definition: "Journeys to a customer's first order ever.",
  }),
  field({
    key: 'avg_days_to_conversion',
    type: 'number',
    unit: 'days',
    null: 'no order',
    definition: 'First touch to order, days of 24 h.',
  }),
];

/** Part of all journeys. */
const noTouchFields = [
  field({
    key: 'no_touch_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Orders of session_statistics without a touch since the order before.',
  }),
  field({
    key: 'no_touch_revenue',
    type: 'number',
    unit: 'money',
    definition: 'Revenue of no_touch_orders_count.',
  }),
];

/** Of all journeys. */
export const summaryFields = [
  field({
    key: 'journeys_count',
    type: 'integer',
    unit: 'journeys',
    definition: 'Journeys, also (no touch): orders of session_statistics without a touch.',
  }),
  converted,
  revenue,
  ...noTouchFields,
  field({
    key: 'single_touch_share',
    type: 'number',
    unit: 'percent',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'Journeys of one touch, of those with any.',
  }),
  field({
    key: 'avg_touches',
    type: 'number',
    unit: 'touches',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'Touches per journey that has any, also those left out.',
  }),
  field({
    key: 'median_days_to_conversion',
    type: 'number',
    unit: 'days',
    null: 'no order',
    definition: 'First touch to order, days of 24 h.',
  }),
  field({
    key: 'identified_share',
    type: 'number',
    unit: 'percent',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'Journeys of known customers, of those with a touch; others: one cookie.',
  }),
];

/** One page of the paths. */
export function listPaths(selection: PathSelection, page: Sorting & Paging) {
  const places = placesOf(selection);
  const separator = parameter.text(PATH_SEPARATOR);
  const earlier = places
    .slice(1)
    .reverse()
    .map((place) => sql`coalesce(${nameAt(place)} || ${separator}, '')`);
  const parts = [
    sql`case when is_cut = 1 then ${parameter.text(CUT + PATH_SEPARATOR)} else '' end`,
    ...earlier,
  ];
  const names = places.map(
    (place) => sql`
      left join (
        select touch_key as ${keyAt(place)}, name as ${nameAt(place)} from ${touchNames}
        where kind = ${parameter.text(selection.touch)}
      ) as ${identifier(`names_${place}`)} using (${keyAt(place)})`,
  );
  return query(
    [column('path', 'text'), ...pathFields],
    sortedPage(
      sql`
    with ${paths(selection)}, ${noTouch(selection)}
    select ${join(parts, sql` || `)} || ${nameAt(0)} as path, touches_count, journeys_count,
      converted_journeys_count, revenue, new_customers_count,
      ${ratio(sql`seconds_to_orders`, sql`(86400 * converted_journeys_count)`)} as avg_days_to_conversion
    from paths ${join(names, sql``)}
    union all
    select ${parameter.text(NO_TOUCH)}, 0, orders_count, orders_count, revenue, new_customers_count, cast(null as double)
    from no_touch where orders_count > 0`,
      page,
      'path',
    ),
  );
}

/** All journeys together, one row, also when there are none. */
export function summarizePaths(selection: PathSelection) {
  return query(
    [...summaryFields, totalCount],
    sql`
    with ${paths(selection)},
    ${noTouch(selection)},
    middle as (
      select ${quantile(sql`seconds`, 50)} as median
      from (
        select seconds, ${ranked(sql`seconds`, {})}
        from (select case when revenue is not null then seconds_to_order end as seconds from journeys) as waits
      ) as places
    )
    select count(*) + (select orders_count from no_touch) as journeys_count,
      count(revenue) + (select orders_count from no_touch) as converted_journeys_count,
      coalesce(sum(revenue), 0) + (select revenue from no_touch) as revenue,
      (select orders_count from no_touch) as no_touch_orders_count,
      (select revenue from no_touch) as no_touch_revenue,
      ${percent(sql`count(*) filter (where touches = 1)`, sql`count(*)`)} as single_touch_share,
      ${ratio(sql`sum(touches)`, sql`count(*)`)} as avg_touches,
      ${percent(sql`sum(is_identified)`, sql`count(*)`)} as identified_share,
      (select ${ratio(sql`median`, sql`86400`)} from middle) as median_days_to_conversion,
      (select count(*) from paths) + (select count(*) from no_touch where orders_count > 0) as total_count
    from journeys`,
  );
}

function placesOf({ maxTouches }: PathSelection): number[] {
  return Array.from({ length: maxTouches }, (_, place) => place);
}

function keyAt(place: number): Sql {
  return identifier(`t${place}`);
}

function nameAt(place: number): Sql {
  return identifier(`name_${place}`);
}
