import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { emptyRow, selectMetrics } from '../../../answers/metric.ts';
import { knownProfiles } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';
import { type ConsentChannel, consentsOf, holdsBefore } from './consents.ts';
import {
  confirmationMeasures,
  confirmationMetrics,
  flowMeasures,
  flowMetrics,
  netGrowth,
} from './flow-metrics.ts';

/** How rows can be grouped: by the subscription's source or popup, or by whose it is. */
export const SUBSCRIBER_GROUPINGS = ['source', 'popup', 'country', 'state', 'none'] as const;
export type SubscriberGrouping = (typeof SUBSCRIBER_GROUPINGS)[number];

/** The flow of all subscribers of the channel: one row. */
export function flow(channel: ConsentChannel, range: Range) {
  return query(
    flowMetrics,
    sql`
    select ${selectMetrics(flowMetrics)}
    from (select ${flowMeasures} from (${movements(channel, range, 'none')}) as movements) as measures`,
  );
}

const FLOW_ROW = [
  column('key', 'text'),
  column('groups_count', 'integer'),
  ...flowMetrics,
  ...confirmationMetrics,
];

/** The same by group, the largest first. `groups_count` is the number of all of them. */
export function flowRows(channel: ConsentChannel, range: Range, grouping: SubscriberGrouping, limit: number) {
  return query(
    FLOW_ROW,
    sql`
    select * from (
      select row_key as key, count(*) over () as groups_count,
        ${selectMetrics([...flowMetrics, ...confirmationMetrics])}
      from (
        select row_key, ${flowMeasures}, ${confirmationMeasures}
        from (${movements(channel, range, grouping)}) as movements
        group by row_key
      ) as measures
    ) as unsorted
    order by subscribed_at_end_count desc, key
    limit ${parameter.integer(limit)}`,
  );
}

/**
 * Subscriptions that held at some time of the range, and requests to confirm one that were made in it, each with its
 * row. A subscription stays in the row that it began in, so every row has its own balance.
 */
function movements(channel: ConsentChannel, { start, end }: Range, grouping: SubscriberGrouping): Sql {
  const first = parameter.timestamp(start);
  const after = parameter.timestamp(end);
  const { key, owners } = groupings(channel, end)[grouping];
  return sql`
    select ${key} as row_key, customer_key, is_first,
      state = 'subscribed' and changed_at < ${first} as is_at_start,
      state = 'subscribed' and changed_at >= ${first} as joins,
      case when state = 'subscribed' and ends_at < ${after} then next_state end as left_for,
      state = 'subscribed' and changed_at < ${first} and ends_at < ${after} as is_churn,
      state = 'pending' as requests,
      state = 'pending' and next_state = 'subscribed' and ends_at < ${after} as confirms
    from (
      select customer_key, state, changed_at, ends_at, next_state, is_first, source, popup
      from ${consentsOf(channel)} and changed_at < ${after} and (
        state = 'subscribed' and (ends_at is null or ends_at >= ${first})
        or state = 'pending' and changed_at >= ${first})
    ) as consents
    ${owners}`;
}

function groupings(
  channel: ConsentChannel,
  end: string,
): Record<SubscriberGrouping, { key: Sql; owners: Sql }> {
  const nobody = sql``;
  return {
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
    none: { key: sql`'(all)'`, owners: nobody },
  };
}

const BUCKET = [periodStartColumn, ...flowMetrics];

/**
 * The flow by period: rows of those periods in which anything changes, and of the first one. A subscription counts where
 * it begins and where it ends, and what there is at the start of a period is what came of those before.
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
