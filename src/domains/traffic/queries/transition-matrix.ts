import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { knownSum } from '../../../answers/metric.ts';
import { orders, touches, touchNames } from '../../../model-table/table-names.ts';
import { identifier, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { clickedOrders, type JourneySelection, journeyTouches } from './journey-touches.ts';

export const MATRIX_TOUCHES = ['channel', 'source_medium'] as const;

export interface MatrixSelection extends JourneySelection {
  readonly touch: (typeof MATRIX_TOUCHES)[number];
}

/** The most states that are told apart. There are fewer channels than this. */
export const MOST_STATES = 30;
export const OTHER = '(other)';

/**
 * CTEs `journey_touches` and `states`: their most frequent keys, with names. What is in no state is
 * `(other)`.
 */
function withStates(selection: MatrixSelection): Sql {
  return sql`
    ${journeyTouches(selection)},
    touch_counts as (
      select touch_key, count(*) as touches_count from journey_touches group by touch_key
    ),
    states as (
      select touch_key as state_key, name as state
      from ${touchNames} join touch_counts using (touch_key)
      where kind = ${parameter.text(selection.touch)}
      order by touches_count desc, name
      limit ${parameter.integer(MOST_STATES)}
    )`;
}

const TRANSITION = [
  column('kind', 'text'),
  nullableColumn('origin', 'text'),
  nullableColumn('destination', 'text'),
  column('transitions_count', 'integer'),
  column('people', 'integer'),
  nullableColumn('revenue', 'number'),
];
export type Transition = ObjectOf<typeof TRANSITION>;

/**
 * One row per transition that occurs, and whose it is: its `kind` is `start` (into its destination), `step`,
 * or, out of its origin, `conversion` (with what it earned) and `exit`.
 */
export function countTransitions(selection: MatrixSelection) {
  const other = parameter.text(OTHER);
  return query(
    TRANSITION,
    sql`
    with ${withStates(selection)},
    steps as (
      select visitor_key, is_start, coalesce(s.state, ${other}) as state, coalesce(n.state, ${other}) as next_state, revenue, is_converted,
        case when is_start = 1 then 'start' when touches_after > 0 then 'step'
          when is_converted = 1 then 'conversion' else 'exit' end as kind
      from journey_touches
      cross join (select 1 as is_start union all select 0 as is_start) as directions
      left join states as s on s.state_key = touch_key
      left join states as n on n.state_key = next_touch_key
      where is_start = 0 or is_first
    ),
    named as (
      select visitor_key, kind,
        case when kind <> 'start' then state end as origin,
        case when kind = 'start' then state when kind = 'step' then next_state end as destination,
        case when kind = 'conversion' then revenue end as revenue
      from steps
    )
    select kind, origin, destination, count(*) as transitions_count, count(distinct visitor_key) as people,
      sum(revenue) as revenue
    from named
    group by kind, origin, destination`,
  );
}

const STATE = [column('state', 'text'), column('journeys_count', 'integer'), column('people', 'integer')];
export type StateJourneys = ObjectOf<typeof STATE>;

/** One row per state: the journeys that contain it, and whose they are. */
export function countJourneys(selection: MatrixSelection) {
  return query(
    STATE,
    sql`
    with ${withStates(selection)}
    select state, count(*) as journeys_count, count(distinct visitor_key) as people
    from (
      select distinct coalesce(state, ${parameter.text(OTHER)}) as state, journey, visitor_key
      from journey_touches left join states on state_key = touch_key
    ) as containing
    group by state`,
  );
}

const NO_TOUCH_ORDERS = [
  column('orders_count', 'integer'),
  nullableColumn('revenue', 'number'),
  nullableColumn('older_revenue', 'number'),
  column('people', 'integer'),
  column('travellers', 'integer'),
  column('travelling_buyers', 'integer'),
];
export type NoTouchOrders = ObjectOf<typeof NO_TOUCH_ORDERS>;

/**
 * What keeps journeys and clicks apart: orders that have a click and no journey, and the revenue of journeys
 * without a click, since all their touches are older than the 30 days in which a click counts. With the
 * people of these orders, of all journeys, and of those with an order.
 */
export function countNoTouch(selection: MatrixSelection) {
  return query(
    NO_TOUCH_ORDERS,
    sql`
    with ${journeyTouches(selection)},
    travelled as (
      select distinct journey as order_key, revenue from journey_touches where is_converted = 1
    ),
    clicked as (
      select order_key, customer_key, revenue
      from ${orders} where order_key in (select order_key from ${clickedOrders(selection.range)})
    )
    select count(*) as orders_count, ${knownSum(sql`revenue`)} as revenue,
      count(distinct coalesce(customer_key, -order_key)) as people,
      (select count(distinct visitor_key) from journey_touches) as travellers,
      (select count(distinct visitor_key) from journey_touches where is_converted = 1) as travelling_buyers,
      (
        select ${knownSum(sql`revenue`)} from travelled where order_key not in (select order_key from clicked)
      ) as older_revenue
    from clicked where order_key not in (select order_key from travelled)`,
  );
}

const CLICKS = [
  column('name', 'text'),
  nullableColumn('last_click_revenue', 'number'),
  nullableColumn('first_click_revenue', 'number'),
];
export type StateClicks = ObjectOf<typeof CLICKS>;

/**
 * What the orders of the range are worth, by the touch of their last and first click, whatever their
 * journeys.
 */
export function sumClicks({ range, touch }: MatrixSelection) {
  const credited = clickedOrders(range);
  return query(
    CLICKS,
    sql`
    with credits as (
      select last_session_key as session_key, revenue as last_click_revenue,
        cast(0 as decimal(18,4)) as first_click_revenue
      from ${credited}
      union all
      select first_session_key, cast(0 as decimal(18,4)), revenue from ${credited}
    ),
    clicks as (
      select ${identifier(`${touch}_key`)} as touch_key, ${knownSum(sql`last_click_revenue`)} as last_click_revenue,
        ${knownSum(sql`first_click_revenue`)} as first_click_revenue
      from ${touches} join credits using (session_key)
      group by touch_key
    )
    select name, last_click_revenue, first_click_revenue
    from clicks join ${touchNames} using (touch_key)
    where kind = ${parameter.text(touch)}
    order by name`,
  );
}
