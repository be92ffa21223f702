import { NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { counted, metric, ratio, selectMetrics } from '../../../answers/metric.ts';
import { sends } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { type Periods, periodStart } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';
import type { ActivityBy, MessageChannel } from './message-channels.ts';
import { type CampaignFilters, knownCampaigns, sentDuring, sentIn } from './sent-campaigns.ts';

/** The metrics that stand beside the activity of a channel as a whole. */
export const pressureMetrics = [
  counted('campaigns', 'campaigns_count', 'Campaigns that sent what is counted.', sql`campaigns`),
  metric({
    key: 'avg_messages_per_recipient',
    type: 'number',
    unit: 'messages',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'sent_count / unique_recipients_count.',
    value: ratio(sql`sent`, sql`recipients`),
  }),
];

/** The queries for what a channel sent in a range, and in whole periods. */
export function activityQueries<Channel extends MessageChannel>(
  channel: Channel,
  range: Range,
  periods: Periods | null,
  filters: CampaignFilters,
) {
  return {
    totals: query(
      channelMetrics(channel),
      sql`
      select ${selectMetrics(channelMetrics(channel))}
      from (
        select count(distinct campaign_key) as campaigns, ${channel.measures}
        from ${sends} where ${sentIn(channel, range, filters)}
      ) as measures`,
    ),
    buckets: periods && activityByPeriod(channel, periods, filters),
    known: knownCampaigns(channel, filters),
  };
}

/** The fields about a channel as a whole. */
export function channelMetrics<Channel extends MessageChannel>({ activity }: Channel) {
  return [...(activity as Channel['activity']), ...pressureMetrics];
}

function activityByPeriod<Channel extends MessageChannel>(
  channel: Channel,
  periods: Periods,
  filters: CampaignFilters,
) {
  return query(
    [periodStartColumn, ...(channel.activity as Channel['activity'])],
    sql`
    select period_start, ${selectMetrics(channel.activity)}
    from (
      select ${periodStart(periods.breakdown, sql`sent_date`)} as period_start, ${channel.measures}
      from ${sends} where ${sentDuring(channel, periods, filters)}
      group by period_start
    ) as measures`,
  ) as Query<ActivityBy<'period_start', Channel>>;
}
