import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { emptyRow, selectMetrics } from '../../../answers/metric.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { campaigns, knownProfiles } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';
import type { AsOf } from '../../rfm/queries/as-of.ts';
import { chosenProfile } from '../../rfm/queries/profiles.ts';
import { membersAt } from '../../rfm/queries/scoring.ts';
import { type ConsentChannel, consentsOf, holdsBefore } from './consents.ts';
import {
  confirmationMeasures,
  confirmationMetrics,
  flowMeasures,
  flowMetrics,
  netGrowth,
} from './flow-metrics.ts';

/** How rows can be grouped: by the subscription's source or popup, by whose it is, or by how it ended. */
export const SUBSCRIBER_GROUPINGS = [
  'source',
  'popup',
  'country',
  'state',
  'rfm_segment',
  'exit_reason',
  'exit_campaign',
  'none',
] as const;
export type SubscriberGrouping = (typeof SUBSCRIBER_GROUPINGS)[number];

/** Columns of which the answer tells only rates: who is hidden must not follow from these. */
const HIDING = [
  column('churned_count', 'integer'),
  column('requested_count', 'integer'),
  column('confirmed_count', 'integer'),
];
const hidingColumns = sql`churned as churned_count, requested as requested_count, confirmed as confirmed_count`;

/** The flow of all subscribers of the channel: one row. */
export function flow(channel: ConsentChannel, range: Range) {
  return query(
    flowMetrics,
    sql`
    select ${selectMetrics(flowMetrics)}
    from (select ${flowMeasures} from (${movements(channel, range, rowsOfAll)}) as movements) as measures`,
  );
}

const FLOW_ROW = [
  nullableColumn('key', 'text'),
  nullableColumn('campaign_name', 'text'),
  column('groups_count', 'integer'),
  ...flowMetrics,
  ...confirmationMetrics,
  ...HIDING,
];
export type FlowRow = ObjectOf<typeof FLOW_ROW>;

/** The row of subscriptions that did not end in the range, where rows are of how they ended. */
export const STAYED = '(stayed)';

const LEAST = parameter.integer(LEAST_SHARING);

/**
 * The same by group, the largest first. What is beyond the limit is one row together, without a key, and so
 * are the groups of few people; where these would be few themselves, the group listed that has the fewest
 * people joins them, not `(stayed)` if there is another one. `groups_count` is how many groups the row is of.
 */
export function flowRows(channel: ConsentChannel, range: Range, grouping: Grouping, limit: number) {
  const most = parameter.integer(limit);
  return query(
    FLOW_ROW,
    sql`
    with movements as (${movements(channel, range, grouping)}),
    ranked as (
      select row_key, people, is_small,
        row_number() over (order by is_small, size desc, ${grouping.isByExit ? sql`people desc,` : sql``} row_key) as rank
      from (
        select row_key, people, people < ${LEAST} as is_small, at_start + ${netGrowth} as size
        from (
          select row_key, count(distinct customer_key) as people, ${flowMeasures} from movements group by row_key
        ) as measured
      ) as sized
    ),
    listable as (
      select row_key, people, case when is_small then ${most} + 1 else least(rank, ${most} + 1) end as place from ranked
    ),
    others as (
      select count(distinct customer_key) as other_people
      from movements join listable using (row_key) where place > ${most}
    ),
    partner as (
      select row_key as partner_key from listable where place <= ${most}
      order by case when row_key = ${parameter.text(STAYED)} then 1 else 0 end, people, place desc
      limit 1
    ),
    places as (
      select row_key,
        case when row_key = partner_key and other_people > 0 and other_people < ${LEAST} then ${most} + 1
          else place end as place
      from listable cross join others left join partner on row_key = partner_key
    )
    select key, ${grouping.names === undefined ? sql`cast(null as varchar) as campaign_name` : sql`campaign_name`}, groups_count,
      ${selectMetrics([...flowMetrics, ...confirmationMetrics])}, ${hidingColumns}
    from (
      select place, case when place <= ${most} then row_key end as key, count(distinct row_key) as groups_count,
        ${flowMeasures}, ${confirmationMeasures}
      from movements join places using (row_key)
      group by place, key
    ) as measures
    ${grouping.names ?? nobody}
    order by place`,
  );
}

/** A row's key over movements, and a join that gives what it is made of. */
export interface Grouping {
  readonly key: Sql;
  readonly owners: Sql;
  /** A join that gives the `campaign_name` of a `key`. */
  readonly names?: Sql;
  /** Nobody is there at the end then but in one row, so those of most people come first. */
  readonly isByExit?: true;
}

const nobody = sql``;
const rowsOfAll: Grouping = { key: sql`'(all)'`, owners: nobody };

/**
 * Subscriptions that held at some time of the range, and requests to confirm one that were made in it, each
 * with its row. A subscription stays in the row that it began in, so every row has its own balance.
 */
function movements(channel: ConsentChannel, { start, end }: Range, { key, owners }: Grouping): Sql {
  const first = parameter.timestamp(start);
  const after = parameter.timestamp(end);
  return sql`
    select ${key} as row_key, customer_key, is_first,
      state = 'subscribed' and changed_at < ${first} as is_at_start,
      state = 'subscribed' and changed_at >= ${first} as joins,
      left_for, state = 'subscribed' and changed_at < ${first} and ends_at < ${after} as is_churn,
      state = 'pending' as requests,
      state = 'pending' and next_state = 'subscribed' and ends_at < ${after} as confirms
    from (
      select customer_key, state, changed_at, ends_at, next_state, is_first, source, popup, next_reason, next_campaign_key,
        case when state = 'subscribed' and ends_at < ${after} then next_state end as left_for
      from ${consentsOf(channel)} and changed_at < ${after} and (
        state = 'subscribed' and (ends_at is null or ends_at >= ${first})
        or state = 'pending' and changed_at >= ${first})
    ) as consents
    ${owners}`;
}

/**
 * The campaign as `shownName` writes names: what looks like a row of ours gets quotation marks, and what has
 * these gets them too.
 */
const campaignKey = sql`case
    when replace(campaign_id, '"', '') in ('(stayed)', '(no campaign)', '(other)', '(not set)') then '"' || campaign_id || '"'
    else campaign_id
  end`;

/** @param before the moment of data just before the range, by which customers are scored */
export function groupingOf(
  grouping: SubscriberGrouping,
  { channel, range, before }: { channel: ConsentChannel; range: Range; before: AsOf },
): Grouping {
  const { end } = range;
  const groupings: Readonly<Record<SubscriberGrouping, Grouping>> = {
    source: { key: sql`source`, owners: nobody },
    popup: { key: sql`coalesce(popup, '(no popup)')`, owners: nobody },
    country: {
      key: sql`coalesce(country, '(not set)')`,
      owners: sql`left join (select customer_key, country from ${knownProfiles}) as owners using (customer_key)`,
    },
    state: {
      key: sql`state_at_end`,
      owners: sql`join (
        select customer_key, state as state_at_end from ${consentsOf(channel)} and ${holdsBefore(end)}
      ) as owners using (customer_key)`,
    },
    rfm_segment: {
      key: sql`coalesce(segment, '(no order)')`,
      owners: sql`left join (
        with ${membersAt([before], chosenProfile(null))} select customer_key, segment from members
      ) as owners using (customer_key)`,
    },
    exit_reason: {
      key: sql`case when left_for is null then '(stayed)' else next_reason end`,
      owners: nobody,
      isByExit: true,
    },
    exit_campaign: {
      key: sql`case when left_for is null then '(stayed)' else coalesce(${campaignKey}, '(no campaign)') end`,
      owners: sql`left join (select campaign_key as next_campaign_key, campaign_id from ${campaigns}) as owners
        using (next_campaign_key)`,
      names: sql`left join (select ${campaignKey} as key, name as campaign_name from ${campaigns}) as named using (key)`,
      isByExit: true,
    },
    none: rowsOfAll,
  };
  return groupings[grouping];
}

const BUCKET = [periodStartColumn, ...flowMetrics];

/**
 * The flow by period: rows of those periods in which anything changes, and of the first one. A subscription
 * counts where it begins and where it ends, and what there is at the start of a period is what came of those
 * before.
 */
export function flowByPeriod(channel: ConsentChannel, periods: Periods) {
  const first = parameter.date(periods.firstDate);
  const last = parameter.date(periods.lastDate);
  const joined = periodStart(periods.breakdown, sql`changed_date`);
  const left = periodStart(periods.breakdown, sql`ends_date`);
  return query(
    BUCKET,
    sql`
    with subscriptions as (
      select customer_key, is_first, changed_date, ends_date, next_state
      from ${consentsOf(channel)} and state = 'subscribed'
        and changed_date <= ${last} and (ends_date is null or ends_date >= ${first})
    ),
    movements as (
      select ${first} as period_start, customer_key, is_first,
        true as is_at_start, false as joins, cast(null as varchar) as left_for, false as is_churn
      from subscriptions where changed_date < ${first}
      union all
      select ${joined}, customer_key, is_first, false, true, cast(null as varchar), false
      from subscriptions where changed_date >= ${first}
      union all
      select ${left}, customer_key, is_first, false, false, next_state, ${joined} < ${left}
      from subscriptions where ends_date <= ${last}
    ),
    measures as (
      select period_start, ${flowMeasures} from movements group by period_start
    ),
    chained as (
      select period_start, joined, rejoined, unsubscribed, bounced, complained, removed, churned, leavers,
        cast(at_start + coalesce(sum(at_start + ${netGrowth}) over (
          order by period_start rows between unbounded preceding and 1 preceding), 0) as bigint) as at_start
      from measures
    )
    select period_start, ${selectMetrics(flowMetrics)} from chained`,
  );
}

/** Every period; in one without a row nobody came or left. */
export function flowPeriods(periods: Periods, buckets: readonly ObjectOf<typeof BUCKET>[]) {
  const byStart = new Map(buckets.map((bucket) => [bucket.period_start, bucket]));
  let subscribed = 0;
  return periods.list.map((period) => {
    const bucket = byStart.get(period.period_start) ?? {
      ...emptyRow(flowMetrics),
      subscribed_at_start_count: subscribed,
      subscribed_at_end_count: subscribed,
      churn_rate: subscribed === 0 ? null : 0,
    };
    subscribed = bucket.subscribed_at_end_count;
    return { ...bucket, ...period };
  });
}
