import { rfmCells, rfmStates } from '../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { AsOf } from './as-of.ts';

/**
 * CTE `members`: every customer with a valid order until a moment, at each of the moments (`place` in their
 * list, from 0): the segment, the scores (0 for the lost, who have none) and what they are made of.
 * `recency_days` are days of the local calendar. By fifths, the segment of who ordered once is that of
 * frequency 1, however many do so: where most customers have, their middle rank is a higher one, and nobody
 * would be new.
 *
 * @param profile the row of `rfm_profiles` to score by; without a row there are no members
 */
export function membersAt(moments: readonly AsOf[], profile: Sql): Sql {
  return sql`
    profile as (${withThresholds(profile)}),
    moments as (${join(
      moments.map(
        ({ moment, date }, index) => sql`
          select ${parameter.integer(index)} as place,
            ${parameter.timestamp(moment)} as as_of, ${parameter.date(date)} as as_of_date`,
      ),
      sql` union all `,
    )}),
    states as (
      select place, customer_key, frequency, monetary, orders_before, window_days,
        date_diff('day', last_ordered_date, as_of_date) as recency_days
      from ${rfmStates}
      join profile using (window_days)
      cross join moments
      where starts_at <= as_of and (ends_at is null or ends_at > as_of)
    ),
    scored as (
      select place, customer_key, states.frequency as orders_count, states.monetary as revenue, orders_before, recency_days,
        case when states.frequency = 0 then 0 else ${recencyScore(sql`least(recency_days, profile.window_days)`)} end as recency,
        case when states.frequency = 0 then 0 else ${frequencyScore(sql`states.frequency`)} end as frequency,
        case when states.frequency = 0 then 0 else ${monetaryScore(sql`states.monetary`)} end as monetary
      from states cross join profile
      where states.frequency = 0 or scoring = 'thresholds'
      union all
      select place, customer_key, states.frequency as orders_count, states.monetary as revenue, orders_before, recency_days,
        ${fifth(sql`recency_days desc`)} as recency,
        ${fifth(sql`states.frequency`)} as frequency,
        ${fifth(sql`coalesce(states.monetary, 0)`)} as monetary
      from states cross join profile
      where states.frequency > 0 and scoring = 'quintiles'
    ),
    members as (
      select place, customer_key, orders_count, revenue, orders_before, recency_days,
        recency, scored.frequency as frequency, scored.monetary as monetary, segment
      from (
        select scored.*, case when scoring = 'quintiles' and orders_count = 1 then 1 else frequency end as rule_frequency
        from scored cross join profile
      ) as scored
      join (
        select recency, frequency as rule_frequency, monetary, segment from (${cellsOf(sql`profile`)}) as cells
      ) as ruled using (recency, rule_frequency, monetary)
    )`;
}

const PLACES = [1, 2, 3, 4] as const;
const RECENCY = 'recency_thresholds_days';
const FREQUENCY = 'frequency_thresholds';
const MONETARY = 'monetary_thresholds';

/**
 * The profile with each threshold as a column, such as `frequency_thresholds_1`: an element of a list would
 * be looked up for each row.
 */
export function withThresholds(profile: Sql): Sql {
  const columns = [RECENCY, FREQUENCY, MONETARY].flatMap((list) =>
    PLACES.map((place) => sql`${identifier(list)}[${parameter.integer(place)}] as ${threshold(list, place)}`),
  );
  return sql`select *, ${join(columns)} from (${profile}) as chosen_profile`;
}

function threshold(list: string, place: number): Sql {
  return identifier(`${list}_${place}`);
}

/** The condition that an order scores at a moment: that it was placed in the window that ends with it. */
export function inWindow({ moment }: AsOf, profile: Sql): Sql {
  const end = parameter.timestamp(moment);
  return sql`ordered_at <= ${end} and date_diff('microsecond', ordered_at, ${end})
    < cast(1000000 as bigint) * (1 + 86400 * (select window_days from (${profile}) as profile))`;
}

/** The segments of scores. @param profile a CTE */
export function cellsOf(profile: Sql): Sql {
  return sql`select recency, frequency, monetary, segment from ${rfmCells} join ${profile} using (rfm_profile_id)`;
}

/** The fewer days the better; the last threshold parts 2 from 1. */
function recencyScore(days: Sql): Sql {
  return sql`cast(case ${join(
    PLACES.map(
      (place) => sql`when ${days} <= ${threshold(RECENCY, place)} then ${parameter.integer(6 - place)}`,
    ),
    sql` `,
  )} else 1 end as integer)`;
}

export function frequencyScore(orders: Sql): Sql {
  return reached(orders, FREQUENCY);
}

export function monetaryScore(revenue: Sql): Sql {
  return reached(revenue, MONETARY);
}

/** The number of thresholds that the value has reached, plus one. */
function reached(value: Sql, thresholds: string): Sql {
  return sql`cast(case ${join(
    PLACES.toReversed().map(
      (place) => sql`when ${value} >= ${threshold(thresholds, place)} then ${parameter.integer(place + 1)}`,
    ),
    sql` `,
  )} else 1 end as integer)`;
}

/**
 * Fifths of the scored customers of a moment, the last one the best. Equal customers are never parted: all
 * have the score of their middle rank, so that fifths are as equal as values are different. `rank` is that of
 * the first of them, the running count that of the last.
 */
function fifth(order: Sql): Sql {
  const upTo = sql`over (partition by place order by ${order})`;
  return sql`cast(1 + floor(cast(5 * (rank() ${upTo} - 1 + count(*) ${upTo}) as double)
    / (2 * count(*) over (partition by place))) as integer)`;
}
