import {
  AS_NAMED,
  column,
  field,
  NO_RATE,
  NOTHING_TO_DIVIDE_BY,
  type ObjectOf,
} from '../../../answers/fields/field.ts';
import { count, measure } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { knownSum, percent, ratio } from '../../../answers/metric.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import { type FollowedPeople, hideable, OTHERS, unlessFew } from '../../../answers/small-groups.ts';
import { orders, touchNames } from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { quantile, ranked } from '../../../sql/quantile.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { clickedOrders, type JourneySelection, journeyTouches, NO_TOUCH } from './journey-touches.ts';

export interface PathSelection extends JourneySelection {
  readonly collapsesRepeats: boolean;
  /** The most touches of a journey that are told. Of longer journeys these are the last ones. */
  readonly maxTouches: number;
  /** Nothing is told of fewer people than this. */
  readonly leastFollowed: number;
}

/** Stands for the touches before those that are told. */
const CUT = '(…)';

/** The sign between the names of a path. It sorts before everything that names are made of. */
export const PATH_SEPARATOR = '\u001f';

/**
 * CTE `journeys`, one row each: its number of `touches`, the keys of the last ones `t0` (the last), `t1`, …,
 * `seconds_to_order` since the first touch, `revenue` (null where it did not convert), `order_number` (null
 * also where no customer is known) and `person`, whose it is.
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
      select journey, max(visitor_key) as person, max(${after}) + 1 as touches, max(seconds_before_end) as seconds_to_order,
        max(is_converted) as is_converted, max(revenue) as revenue, max(order_number) as order_number,
        max(case when is_identified then 1 else 0 end) as is_identified, ${join(keys)}
      from journey_touches
      group by journey
    )`;
}

/**
 * CTE `no_touch`: the orders that session statistics credit to a visit, and no journey has: the second one of
 * a visit, or one whose visits all lie before an earlier order. Needs the CTE `journeys`.
 */
function noTouch({ range, outcome }: PathSelection): Sql {
  return sql`
    no_touch as (
      select coalesce(customer_key, -order_key) as person, 1 as is_converted, revenue, order_number
      from ${orders}
      where ${outcome === 'not_converted' ? sql`false` : sql`true`}
        and order_key in (select order_key from ${clickedOrders(range)})
        and order_key not in (select journey from journeys where is_converted = 1)
    )`;
}

/** The sums over rows of `journeys` or `no_touch`. */
const sums = sql`
  count(*) as journeys_count, count(distinct person) as people, min(person) as somebody,
  count(*) filter (where is_converted = 1) as converted_journeys_count,
  count(distinct case when is_converted = 1 then person end) as buyers,
  min(case when is_converted = 1 then person end) as some_buyer,
  ${knownSum(sql`revenue`, sql`is_converted = 1`)} as revenue,
  count(*) filter (where order_number = 1) as new_customers_count`;

/**
 * CTE `shown`: one row per path, one of the orders without a touch (`is_no_touch`), and one of all paths of
 * few people (`is_other`): a path is what somebody did one time after another, so theirs has no name. Where
 * they are few together the smallest other path joins them, since they would be the difference to the whole.
 * Needs the CTEs `journeys` and `no_touch`.
 *
 * For a row of several paths, `people` and `buyers` are lower bounds: one for each path.
 */
function shownPaths({ maxTouches, leastFollowed }: PathSelection): Sql {
  const keys = placesOf({ maxTouches }).map(keyAt);
  const noKeys = join(keys.map(() => sql`null`));
  const [most, least] = [parameter.integer(maxTouches), parameter.integer(leastFollowed)];
  const measures = sql`journeys_count, people, somebody, converted_journeys_count, buyers, some_buyer, revenue, new_customers_count`;
  return sql`
    grouped as (
      select ${join(keys)}, case when touches > ${most} then 1 else 0 end as is_cut, 0 as is_no_touch,
        least(any_value(touches), ${most}) as touches_count, ${sums},
        sum(seconds_to_order) filter (where is_converted = 1) as seconds_to_orders
      from journeys
      group by ${join(keys)}, is_cut
      union all
      select ${noKeys}, 0, 1, 0, ${measures}, null from (select ${sums} from no_touch) as without_touch
      where journeys_count > 0
    ),
    placed as (
      select *, case when people < ${least} then 1 else 0 end as is_few,
        row_number() over (
          partition by case when people < ${least} then 1 else 0 end
          order by people, is_no_touch, ${join(keys.map((key) => sql`coalesce(${key}, -1)`))}, is_cut
        ) as place
      from grouped
    ),
    few as (select count(distinct somebody) as few_people from placed where is_few = 1),
    paths as (
      select *, case when is_few = 1 or (place = 1 and few_people > 0 and few_people < ${least}) then 1 else 0 end as is_other
      from placed cross join few
    ),
    shown as (
      select ${join(keys)}, is_cut, is_no_touch, is_other, touches_count, ${measures}, seconds_to_orders
      from paths where is_other = 0
      union all
      select ${noKeys}, 0, 0, 1, null, ${measures}, seconds_to_orders
      from (
        select sum(journeys_count) as journeys_count, greatest(max(people), count(distinct somebody)) as people,
          min(somebody) as somebody, sum(converted_journeys_count) as converted_journeys_count,
          greatest(max(buyers), count(distinct some_buyer)) as buyers, min(some_buyer) as some_buyer,
          ${knownSum(sql`revenue`)} as revenue, sum(new_customers_count) as new_customers_count,
          sum(seconds_to_orders) as seconds_to_orders
        from (
          select ${measures}, seconds_to_orders from paths where is_other = 1
        ) as others
      ) as together
      where journeys_count > 0
    )`;
}

/** The sum of two sums of which each may be unknown. It is null where what is known makes 0. */
function addKnown(one: Sql, other: Sql): Sql {
  const both = sql`(coalesce(${one}, 0) + coalesce(${other}, 0))`;
  return sql`(case when ${both} = 0 and (${one} is null or ${other} is null) then null else ${both} end)`;
}

const converted = count('journeys', 'converted_journeys_count', 'Journeys that ended in an order.');
const revenue = measure('money', 'revenue', 'Revenue of the orders counted.', NO_RATE);

/** The fields of a path. */
export const pathFields = [
  count('touches', 'touches_count', 'Touches in path.', OTHERS),
  ...hideable([
    count('journeys', 'journeys_count', 'Journeys that took it.'),
    converted,
    revenue,
    field({
      key: 'new_customers_count',
      sinceFirst: true,
      type: 'integer',
      unit: 'journeys',
      definition: 'Journeys, not customers, to a first order ever.',
    }),
    field({
      key: 'avg_days_to_conversion',
      type: 'number',
      unit: 'days',
      null: 'no order',
      definition: 'Mean from first touch to order, days of 24 h.',
      base: 'converted_journeys_count',
    }),
  ]),
];

/** Part of all journeys. */
const noTouchFields = [
  field({
    key: 'no_touch_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: 'Orders of session_statistics without a touch since the order before.',
  }),
  measure('money', 'no_touch_revenue', AS_NAMED, NO_RATE),
];

const summedFields = [
  field({
    key: 'journeys_count',
    type: 'integer',
    unit: 'journeys',
    definition: 'Journeys, also (no touch): orders of session_statistics without a touch.',
  }),
  converted,
  revenue,
  ...noTouchFields,
  measure('percent', 'single_touch_share', 'Journeys of one touch / those with any.', NOTHING_TO_DIVIDE_BY),
  field({
    key: 'avg_touches',
    type: 'number',
    unit: 'touches',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'Touches, also those left out, / journeys with any.',
  }),
  measure('days', 'median_days_to_conversion', 'Median from first touch to order, days of 24 h.', 'no order'),
  field({
    key: 'identified_share',
    type: 'number',
    unit: 'percent',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'Journeys of known customers / those with a touch; others: one cookie.',
  }),
];

/** The fields of all journeys together. */
export const summaryFields = hideable(summedFields);

/** One page of the paths. */
export function listPaths(selection: PathSelection, page: Sorting & Paging) {
  const { leastFollowed } = selection;
  const told = (value: Sql) => unlessFew(sql`people`, value, leastFollowed);
  const ofBuyers = (value: Sql) => unlessFew(sql`buyers`, told(value), leastFollowed);
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
    rankedPage(
      sql`
    with ${journeys(selection)}, ${noTouch(selection)}, ${shownPaths(selection)}
    select
      case when is_no_touch = 1 then ${parameter.text(NO_TOUCH)} when is_other = 1 then ${parameter.text(OTHERS)}
        else ${join(parts, sql` || `)} || ${nameAt(0)} end as path,
      touches_count, ${told(sql`journeys_count`)} as journeys_count,
      ${ofBuyers(sql`converted_journeys_count`)} as converted_journeys_count, ${ofBuyers(sql`revenue`)} as revenue,
      ${unlessFew(sql`new_customers_count`, told(sql`new_customers_count`), leastFollowed)} as new_customers_count,
      ${ofBuyers(ratio(sql`seconds_to_orders`, sql`(86400 * converted_journeys_count)`))} as avg_days_to_conversion
    from shown ${join(names, sql``)}`,
      page,
      'path',
      pathFields,
    ),
  );
}

/**
 * The people whose journeys the summary tells of: all, those with an order, and those of orders without a
 * touch.
 */
const PEOPLE = [
  column('people', 'integer'),
  column('buyers', 'integer'),
  column('no_touch_people', 'integer'),
];
export type PathSummary = ObjectOf<typeof SUMMARY>;
const SUMMARY = [...summedFields, totalCount, ...PEOPLE];

/** All journeys together, one row, also when there are none. */
export function summarizePaths(selection: PathSelection) {
  return query(
    SUMMARY,
    sql`
    with ${journeys(selection)},
    ${noTouch(selection)},
    ${shownPaths(selection)},
    middle as (
      select ${quantile(sql`seconds`, 50)} as median
      from (
        select seconds, ${ranked(sql`seconds`, {})}
        from (select case when is_converted = 1 then seconds_to_order end as seconds from journeys) as waits
      ) as places
    ),
    everybody as (
      select count(distinct person) as people, count(distinct case when is_converted = 1 then person end) as buyers
      from (select person, is_converted from journeys union all select person, is_converted from no_touch) as persons
    ),
    without_touch as (select ${sums} from no_touch)
    select count(*) + (select journeys_count from without_touch) as journeys_count,
      count(*) filter (where is_converted = 1) + (select journeys_count from without_touch) as converted_journeys_count,
      ${addKnown(knownSum(sql`revenue`, sql`is_converted = 1`), sql`(select revenue from without_touch)`)} as revenue,
      (select journeys_count from without_touch) as no_touch_orders_count,
      (select revenue from without_touch) as no_touch_revenue,
      ${percent(sql`count(*) filter (where touches = 1)`, sql`count(*)`)} as single_touch_share,
      ${ratio(sql`sum(touches)`, sql`count(*)`)} as avg_touches,
      ${percent(sql`sum(is_identified)`, sql`count(*)`)} as identified_share,
      (select ${ratio(sql`median`, sql`86400`)} from middle) as median_days_to_conversion,
      (select count(*) from shown) as total_count,
      (select people from everybody) as people, (select buyers from everybody) as buyers,
      (select people from without_touch) as no_touch_people
    from journeys`,
  );
}

/** The part of it that is shown. */
export function shownSummary(row: PathSummary, followed: FollowedPeople) {
  const { people, buyers, no_touch_people, total_count, ...all } = row;
  const told = <Value>(value: Value) => followed.told([people], value);
  const ofBuyers = <Value>(value: Value) => followed.told([people, buyers], value);
  const ofNoTouch = <Value>(value: Value) => followed.told([people, no_touch_people], value);
  return {
    journeys_count: told(all.journeys_count),
    converted_journeys_count: ofBuyers(all.converted_journeys_count),
    revenue: ofBuyers(all.revenue),
    no_touch_orders_count: ofNoTouch(all.no_touch_orders_count),
    no_touch_revenue: ofNoTouch(all.no_touch_revenue),
    single_touch_share: told(all.single_touch_share),
    avg_touches: told(all.avg_touches),
    median_days_to_conversion: ofBuyers(all.median_days_to_conversion),
    identified_share: told(all.identified_share),
    total_count,
  };
}

function placesOf({ maxTouches }: Pick<PathSelection, 'maxTouches'>): number[] {
  return Array.from({ length: maxTouches }, (_, place) => place);
}

function keyAt(place: number): Sql {
  return identifier(`t${place}`);
}

function nameAt(place: number): Sql {
  return identifier(`name_${place}`);
}
