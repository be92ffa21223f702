import { LAST_ORDERED_AT, localDate } from '../../../model-table/business-values.ts';
import {
  amounts,
  date,
  flag,
  integer,
  integers,
  key,
  moment,
  money,
  name as nameColumn,
  optionalDate,
  optionalMoment,
  text,
} from '../../../model-table/column-kinds.ts';
import { modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { LOST, RFM_SEGMENTS, SCORES } from '../../../store/rfm-segments.ts';
import { orders } from '../../orders/tables/orders.ts';
import { DEFAULT_PROFILE } from '../definitions/default-profile.ts';

const { rfm_profile_id, name, window_days, recency_thresholds_days, frequency_thresholds } = DEFAULT_PROFILE;

const RULES_TYPE =
  'struct(segment varchar, scores struct(recency integer[], frequency integer[], monetary integer[])[])[]';
const DEFAULT_RULES = `cast('${JSON.stringify(
  RFM_SEGMENTS.map(({ key, scores }) => ({ segment: key, scores })),
)}'::json as ${RULES_TYPE})`;

/**
 * The loaded profiles with defaults for what they leave open, and the default profile if no loaded one is
 * marked so.
 */
const chosenProfiles = workTable({
  name: 'chosen_profiles',
  types: {
    rfm_profile_id: 'varchar',
    name: 'varchar',
    created_at: 'timestamp',
    window_days: 'bigint',
    scoring: 'varchar',
    recency_thresholds_days: 'integer[]',
    frequency_thresholds: 'integer[]',
    monetary_thresholds: 'decimal(18,4)[]',
    rules: RULES_TYPE,
    is_default: 'boolean',
  },
  hasRowsOfItsOwn: true,
  rows: relation`
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
  from ${stored.rfmProfiles}
)
select * from loaded
union all by name
select '${rfm_profile_id}' as rfm_profile_id, '${name}' as name, ${window_days} as window_days, 'thresholds' as scoring,
  [${recency_thresholds_days.join(', ')}] as recency_thresholds_days,
  [${frequency_thresholds.join(', ')}] as frequency_thresholds,
  ${DEFAULT_RULES} as rules, true as is_default
where not exists (select 1 from loaded where is_default)`,
});

export const rfmStates = modelTable({
  name: 'rfm_states',
  scope: { person: 'customer_key' },
  meaning: `What the orders of every customer come to in a window that ends at a moment, for each length of window that a
profile has. It changes only when an order enters the window or leaves it, so a row holds from \`starts_at\` to before
\`ends_at\` (null: until the end of the data; both to whole seconds): at any moment from the first order on, a customer is in
exactly one. \`frequency\` and \`monetary\` are the orders in the window and their revenue, \`orders_before\` those that left it,
\`last_ordered_date\` that of the last order in the window or before.`,
  columns: {
    window_days: key,
    customer_key: key,
    starts_at: moment,
    starts_date: date,
    ends_at: optionalMoment,
    ends_date: optionalDate,
    frequency: integer,
    monetary: money,
    orders_before: integer,
    last_ordered_date: optionalDate,
  },
  order: ['window_days', 'starts_at'],
  needs: [orders],
  rows: relation`
with windows as (
  select distinct cast(window_days as integer) as window_days from ${chosenProfiles}
),
valid_orders as (
  select customer_key, date_trunc('second', ordered_at) as ordered_at, ordered_date, revenue from ${orders}
  where is_valid and customer_key is not null
),
-- An order enters the window, and then has a date, or leaves it.
changes as (
  select window_days, customer_key, ordered_at as starts_at, ordered_date, revenue
  from valid_orders cross join windows
  union all
  select window_days, customer_key, ordered_at + to_days(window_days) + interval 1 second, null, -revenue
  from valid_orders cross join windows
),
moments as (
  select *,
    -- Asked of the calendar only where no order says it: that takes longer than all the rest.
    coalesce(ordered_date, ${localDate('starts_at')}) as starts_date
  from changes
  where starts_at <= ${LAST_ORDERED_AT}
),
states as (
  select window_days, customer_key, starts_at, starts_date,
    lead(starts_at) over own as ends_at, lead(starts_date) over own as ends_date,
    row_number() over own as changes_count, count(ordered_date) over own as entered,
    sum(revenue) over own as monetary, max(ordered_date) over own as last_ordered_date
  from moments
  window own as (partition by window_days, customer_key order by starts_at)
)
select window_days, customer_key, starts_at, starts_date, ends_at, ends_date,
  cast(2 * entered - changes_count as integer) as frequency,
  cast(case when 2 * entered = changes_count then 0 else monetary end as decimal(18,4)) as monetary,
  cast(changes_count - entered as integer) as orders_before, last_ordered_date
from states
-- Of changes in one second the last one has counted all of them.
where ends_at is distinct from starts_at
order by window_days, starts_at, customer_key`,
});

/** Two digits that matter. */
const twoDigits = (amount: string) =>
  `case when ${amount} = 0 then 0 else round(${amount}, 1 - cast(floor(log10(abs(${amount}))) as integer)) end`;

/** The next number of two digits. */
const next = (threshold: string) =>
  `${threshold} + case when ${threshold} > 0 then greatest(0.0001, power(10, floor(log10(${threshold})) - 1)) else 1 end`;

/**
 * The threshold for each amount. Where that is not above the threshold before it, the next number after that
 * one.
 */
const thresholdsOf = (
  amounts: string,
) => `list_reduce(list_transform(${amounts}, lambda amount: [amount]), lambda found, amount:
    found || [list_transform([amount[1], ${next('found[-1]')}], lambda candidate: ${twoDigits('candidate')})
      .list_filter(lambda candidate, place: place = 2 or candidate > coalesce(found[-1], candidate - 1))[1]],
    cast([] as double[]))`;

export const rfmProfiles = modelTable({
  name: 'rfm_profiles',
  scope: 'whole',
  meaning: `The loaded profiles with what they leave open filled in, and the default one where none of them is it. \`rules\` is
JSON as in the canonical column. \`is_default\` is true in exactly one row. \`monetary_thresholds\` that are not given part the
customers of the window that ends with the data into fifths: rounded to two digits, each greater than the one before. Where no revenue of that
window is known, they stand for nothing, and \`has_monetary_thresholds\` is false.`,
  columns: {
    rfm_profile_id: text,
    name: text,
    created_at: optionalMoment,
    is_default: flag,
    window_days: integer,
    scoring: nameColumn,
    recency_thresholds_days: integers,
    frequency_thresholds: integers,
    monetary_thresholds: amounts,
    has_monetary_thresholds: flag,
    rules: text,
  },
  order: [],
  rows: relation`
with data_until as (
  select date_trunc('second', least(max(ordered_at), current_timestamp at time zone 'UTC')) as moment
  from ${orders}
  having count(*) > 0
),
fifths as (
  select window_days, quantile_disc(cast(monetary as double), [0.2, 0.4, 0.6, 0.8]) as amounts
  from ${rfmStates}, data_until
  where starts_at <= moment and (ends_at is null or ends_at > moment) and frequency > 0
  group by window_days
),
thresholds as (
  select distinct window_days, amounts is not null as has_amounts, ${thresholdsOf('coalesce(amounts, [0, 0, 0, 0])')} as thresholds
  from ${chosenProfiles} left join fifths using (window_days)
)
select rfm_profile_id, name,
  coalesce(created_at, (select moment from data_until), timestamp '1970-01-01') as created_at,
  is_default, cast(window_days as integer) as window_days, scoring, recency_thresholds_days, frequency_thresholds,
  coalesce(monetary_thresholds, cast(thresholds as decimal(18,4)[])) as monetary_thresholds,
  monetary_thresholds is not null or has_amounts as has_monetary_thresholds,
  cast(to_json(rules) as varchar) as rules
from ${chosenProfiles} join thresholds using (window_days)
order by rfm_profile_id`,
});

export const rfmCells = modelTable({
  name: 'rfm_cells',
  scope: 'whole',
  meaning:
    'The segment of each combination of scores, by profile; the lost, who have no scores, are that of zeros.',
  columns: { rfm_profile_id: text, recency: key, frequency: key, monetary: key, segment: nameColumn },
  order: ['recency', 'frequency', 'monetary'],
  rows: relation`
with segment_scores as (
  select rfm_profile_id, rule.segment, unnest(rule.scores) as score
  from (select rfm_profile_id, unnest(rules) as rule from ${chosenProfiles})
)
select rfm_profile_id, cast(recency as integer) as recency, cast(frequency as integer) as frequency,
  cast(monetary as integer) as monetary, segment
from segment_scores
cross join unnest(score.recency) as recencies(recency)
cross join unnest(score.frequency) as frequencies(frequency)
cross join unnest(coalesce(score.monetary, [${SCORES.join(', ')}])) as amounts(monetary)
union all
select rfm_profile_id, 0, 0, 0, '${LOST}' from ${chosenProfiles}
order by rfm_profile_id, recency, frequency, monetary`,
});
