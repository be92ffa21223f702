import { DEFAULT_PROFILE } from '../model/rfm/default-profile.ts';
import { LOST, RFM_SEGMENTS, SCORES } from '../model/rfm/segments.ts';

const { rfm_profile_id, name, window_days, recency_thresholds_days, frequency_thresholds } = DEFAULT_PROFILE;

const RULES_TYPE =
  'struct(segment varchar, scores struct(recency integer[], frequency integer[], monetary integer[])[])[]';
const DEFAULT_RULES = `cast('${JSON.stringify(
  RFM_SEGMENTS.map(({ key, scores }) => ({ segment: key, scores })),
)}'::json as ${RULES_TYPE})`;

/**
 * `rfm_states`: what the orders of every customer come to in a window that ends at a moment, for each length of
 * window that a profile has. It changes only when an order enters the window or leaves it, so a row holds from
 * `starts_at` to before `ends_at` (null: until the end of the data; both to whole seconds): at any moment from the
 * first order on, a customer is in exactly one. `frequency` and `monetary` are the orders in the window and their
 * revenue, `orders_before` those that left it, `last_ordered_date` that of the last order in the window or before.
 *
 * `rfm_profiles`: the loaded ones with what they leave open filled in, and the default one where none of them is it.
 * `rules` is JSON as in the canonical column.
 * `is_default` is true in exactly one row. `monetary_thresholds` that are not given part the customers of the window
 * that ends with the data into fifths: rounded to two digits, each greater than the one before.
 *
 * `rfm_cells`: the segment of each combination of scores, by profile; the lost, who have no scores, are that of zeros.
 */
export const rfm = `
create temp table chosen_profiles as
with loaded as (
  select rfm_profile_id, name, created_at, coalesce(window_days, ${window_days}) as window_days, scoring,
    coalesce(recency_thresholds_days, [${recency_thresholds_days.join(', ')}]) as recency_thresholds_days,
    coalesce(frequency_thresholds, [${frequency_thresholds.join(', ')}]) as frequency_thresholds,
    monetary_thresholds,
    coalesce(cast(rules as ${RULES_TYPE}), ${DEFAULT_RULES}) as rules,
    -- The default: the latest of those marked so, else the one with the name of ours.
    (is_default or rfm_profile_id = '${rfm_profile_id}') and row_number() over (
      order by is_default desc, rfm_profile_id = '${rfm_profile_id}' desc, created_at desc nulls last, rfm_profile_id
    ) = 1 as is_default
  from store.rfm_profiles
)
select * from loaded
union all by name
select '${rfm_profile_id}' as rfm_profile_id, '${name}' as name, ${window_days} as window_days, 'thresholds' as scoring,
  [${recency_thresholds_days.join(', ')}] as recency_thresholds_days,
  [${frequency_thresholds.join(', ')}] as frequency_thresholds,
  ${DEFAULT_RULES} as rules, true as is_default
where not exists (select 1 from loaded where is_default);

create table rfm_states as
with windows as (
  select distinct cast(window_days as integer) as window_days from chosen_profiles
),
valid_orders as (
  select customer_key, date_trunc('second', ordered_at) as ordered_at, ordered_date, revenue from orders where is_valid
),
changes as (
  select window_days, customer_key, ordered_at as starts_at, ordered_date, 1 as entered, 0 as "left", revenue
  from valid_orders cross join windows
  union all
  select window_days, customer_key, ordered_at + to_days(window_days) + interval 1 second, null, -1, 1, -revenue
  from valid_orders cross join windows
),
moments as (
  select window_days, customer_key, starts_at, max(ordered_date) as ordered_date,
    sum(entered) as entered, sum("left") as "left", sum(revenue) as revenue
  from changes
  where starts_at <= (select max(ordered_at) from orders)
  group by window_days, customer_key, starts_at
),
states as (
  select window_days, customer_key, starts_at,
    lead(starts_at) over own as ends_at,
    cast(sum(entered) over own as integer) as frequency,
    cast(sum(revenue) over own as decimal(18,4)) as monetary,
    cast(sum("left") over own as integer) as orders_before,
    max(ordered_date) over own as last_ordered_date
  from moments
  window own as (partition by window_days, customer_key order by starts_at)
)
select window_days, customer_key, starts_at, local_date(starts_at) as starts_date, ends_at, local_date(ends_at) as ends_date,
  frequency, monetary, orders_before, last_ordered_date
from states
order by window_days, starts_at, customer_key;

-- Two digits that matter; where they are not above the threshold before, the next such number.
create temp macro two_digits(amount) as
  case when amount = 0 then 0 else round(amount, 1 - cast(floor(log10(abs(amount))) as integer)) end;
create temp macro next_threshold(amount, before) as
  case
    when two_digits(amount) > before then two_digits(amount)
    when before > 0 then two_digits(before + greatest(0.0001, power(10, floor(log10(before)) - 1)))
    else two_digits(before + 1)
  end;

create table rfm_profiles as
with data_until as (
  select date_trunc('second', least(max(ordered_at), current_timestamp at time zone 'UTC')) as moment
  from orders
  having count(*) > 0
),
fifths as (
  select window_days, quantile_disc(cast(monetary as double), [0.2, 0.4, 0.6, 0.8]) as amounts
  from rfm_states, data_until
  where starts_at <= moment and (ends_at is null or ends_at > moment) and frequency > 0
  group by window_days
),
-- Step by step, since an alias stands for its whole expression where it is used.
amounts as materialized (
  select distinct window_days, coalesce(amounts, [0, 0, 0, 0]) as amounts
  from chosen_profiles left join fifths using (window_days)
),
first as materialized (select *, two_digits(amounts[1]) as at_20 from amounts),
second as materialized (select *, next_threshold(amounts[2], at_20) as at_40 from first),
third as materialized (select *, next_threshold(amounts[3], at_40) as at_60 from second),
thresholds as (select *, next_threshold(amounts[4], at_60) as at_80 from third)
select rfm_profile_id, name,
  coalesce(created_at, (select moment from data_until), timestamp '1970-01-01') as created_at,
  is_default, cast(window_days as integer) as window_days, scoring, recency_thresholds_days, frequency_thresholds,
  coalesce(monetary_thresholds, cast([at_20, at_40, at_60, at_80] as decimal(18,4)[])) as monetary_thresholds,
  cast(to_json(rules) as varchar) as rules
from chosen_profiles join thresholds using (window_days)
order by rfm_profile_id;

create table rfm_cells as
with segment_scores as (
  select rfm_profile_id, rule.segment, unnest(rule.scores) as score
  from (select rfm_profile_id, unnest(rules) as rule from chosen_profiles)
)
select rfm_profile_id, cast(recency as integer) as recency, cast(frequency as integer) as frequency,
  cast(monetary as integer) as monetary, segment
from segment_scores
cross join unnest(score.recency) as recencies(recency)
cross join unnest(score.frequency) as frequencies(frequency)
cross join unnest(coalesce(score.monetary, [${SCORES.join(', ')}])) as amounts(monetary)
union all
select rfm_profile_id, 0, 0, 0, '${LOST}' from chosen_profiles
order by rfm_profile_id, recency, frequency, monetary;
`;
