import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, ratio, selectMetrics } from '../metrics/metric.ts';
import { type Periods, periodStart } from '../periods.ts';
import type { Range } from '../range.ts';
import { sends } from '../tables.ts';
import type { MessageChannel } from './message-channels.ts';
import { type CampaignFilters, knownCampaigns, sentDuring, sentIn } from './sent.ts';

/** Beside the activity of a channel as a whole. */
export const pressureMetrics: readonly Metric[] = [
  {
    key: 'campaigns_count',
    type: 'integer',
    unit: 'campaigns',
    definition: 'Campaigns with a message sent in the range.',
    value: sql`campaigns`,
  },
  {
    key: 'avg_messages_per_recipient',
    type: 'number',
    unit: 'messages',
    nullable: true,
    definition: 'sent_count / unique_recipients_count.',
    value: ratio(sql`sent`, sql`recipients`),
  },
];

/** The queries for what a channel sent in a range, and in whole periods. */
export function activityQueries(
  channel: MessageChannel,
  range: Range,
  periods: Periods | null,
  filters: CampaignFilters,
): { totals: Sql; buckets: Sql | null; known: Sql | null } {
  return {
    totals: sql`
      select ${selectMetrics([...channel.activity, ...pressureMetrics])}
      from (
        select count(distinct campaign_key) as campaigns, ${channel.measures}
        from ${sends} where ${sentIn(channel, range, filters)}
      ) as measures`,
    buckets: periods && activityByPeriod(channel, periods, filters),
    known: knownCampaigns(channel, filters),
  };
}

function activityByPeriod(channel: MessageChannel, periods: Periods, filters: CampaignFilters): Sql {
  return sql`
    select period_start, ${selectMetrics(channel.activity)}
    from (
      select ${periodStart(periods.breakdown, sql`sent_date`)} as period_start, ${channel.measures}
      from ${sends} where ${sentDuring(channel, periods, filters)}
      group by period_start
    ) as measures`;
}
