import { orders, orderTraffic, touches } from '../../../model-table/table-names.ts';
import { identifier, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn, type Range } from '../../../time/range.ts';

/** The kinds of touches. */
export const TOUCHES = ['channel', 'source_medium', 'campaign'] as const;
type Touch = (typeof TOUCHES)[number];

export const OUTCOMES = ['converted', 'not_converted', 'all'] as const;

export interface JourneySelection {
  readonly range: Range;
  readonly touch: Touch;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly lookbackDays: number;
}

/**
 * Stands where a channel would for orders that session statistics credit to a visit, but that no visit of a
 * journey leads to.
 */
export const NO_TOUCH = '(no touch)';

/** The orders of the range that session statistics credit to visits. */
export function clickedOrders(range: Range): Sql {
  return sql`${orderTraffic} where ${orderedIn(range)}`;
}

/**
 * CTE `journey_touches`: the touches of the journeys that ended in the range, each within the lookback before
 * the end and since the visitor's previous order. CTEs that it needs come with it.
 *
 * A journey converted when it ended in an order of the range: `journey` is the order. It did not when a
 * visitor's last session of the range is followed by no order within the lookback: `journey` is the negated
 * key of that session, without `revenue`. `order_number` is null also of an order without a customer. A
 * journey that an order after the range ends is neither converted nor not.
 *
 * Other columns are `visitor_key`; `touch_key`; `next_touch_key`, null of the last; `touches_after` and
 * `changes_after` it in the journey; `seconds_before_end`; `is_first`; `is_identified`.
 */
export function journeyTouches({ range, touch, outcome, lookbackDays }: JourneySelection): Sql {
  const start = parameter.timestamp(range.start);
  const end = parameter.timestamp(range.end);
  const lookback = parameter.integer(lookbackDays * 86_400);
  const key = identifier(`${touch}_key`);
  const nextKey = identifier(`next_${touch}_key`);
  const changesLeft = identifier(`${touch}_changes_left`);

  const converted = sql`
    select order_key as journey, 1 as is_converted, visitor_key, revenue, order_number, is_identified, seconds_to_order as seconds_before_end,
      ${key} as touch_key, ${nextKey} as next_touch_key, touches_left as touches_after,
      ${changesLeft} as changes_after, seconds_since_previous
    from ${touches}
    join (
      select order_key, revenue, order_number from ${orders}
      where is_valid and ${orderedIn(range)}
    ) as ends using (order_key)
    where seconds_to_order <= ${lookback}`;

  const notConverted = sql`
    select -last_session_key as journey, 0 as is_converted, visitor_key, cast(null as decimal(18,4)) as revenue, cast(null as integer) as order_number,
      is_identified, date_diff('second', started_at, last_started_at) as seconds_before_end,
      ${key} as touch_key, case when touches_left > last_touches_left then ${nextKey} end as next_touch_key,
      touches_left - last_touches_left as touches_after, ${changesLeft} - last_changes_left as changes_after,
      seconds_since_previous
    from ${touches}
    join (
      select session_key as last_session_key, journey_key, started_at as last_started_at,
        touches_left as last_touches_left, ${changesLeft} as last_changes_left
      from ${touches}
      where started_at >= ${start} and started_at < ${end}
        and (visitor_key, visitor_touch_number) in (
          select visitor_key, max(visitor_touch_number) from ${touches} where started_at >= ${start} and started_at < ${end}
          group by visitor_key
        )
        and (order_key is null or seconds_to_order > ${lookback})
    ) as ends using (journey_key)
    where touches_left >= last_touches_left and date_diff('second', started_at, last_started_at) <= ${lookback}`;

  const journeys = {
    converted,
    not_converted: notConverted,
    all: sql`${converted} union all ${notConverted}`,
  }[outcome];
  return sql`
    touched as (${journeys}),
    journey_touches as (
      select *,
        (seconds_since_previous is null or seconds_before_end + seconds_since_previous > ${lookback}) as is_first
      from touched
    )`;
}
