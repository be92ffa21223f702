import type { Row } from '../../sql/row.ts';
import { shared } from '../../sql/shared.ts';
import { identifier, type Sql, sql } from '../../sql/sql.ts';
import { type Metric, percent, selectMetrics } from '../metrics/metric.ts';
import type { Range } from '../range.ts';
import type { SnapshotFacts } from '../snapshot.ts';
import { campaigns, sends } from '../tables.ts';
import { isMature } from './data-until.ts';
import type { MessageChannel } from './message-channels.ts';
import { sendRevenue, sendRevenueMeasures } from './send-revenue.ts';
import { sentIn } from './sent.ts';

/** By what campaigns are put together. */
export const CAMPAIGN_GROUPINGS = ['campaign_type', 'campaign_category'] as const;
export type CampaignGrouping = (typeof CAMPAIGN_GROUPINGS)[number];

/** Over all rows of `typeStatistics`. */
export const shareMetrics: readonly Metric[] = [
  {
    key: 'sent_share',
    type: 'number',
    unit: 'percent',
    nullable: true,
    definition: 'Of the whole answer.',
    value: percent(sql`sent`, sql`(sum(sent) over ())`),
  },
  {
    key: 'revenue_share',
    type: 'number',
    unit: 'percent',
    nullable: true,
    definition: 'Of the whole answer.',
    value: percent(sql`attributed_revenue`, sql`(sum(attributed_revenue) over ())`),
  },
];

/** What was sent in the range by type or category of campaign, the most sent first, with what came of it. */
export function typeStatistics(
  channel: MessageChannel,
  range: Range,
  grouping: CampaignGrouping,
  hasRefunds: boolean,
): Sql {
  const metrics = [
    ...shareMetrics,
    ...channel.activity,
    ...sendRevenue(channel.delivered, hasRefunds),
    ...channel.spending,
  ];
  return sql`
    select campaign_type, campaign_category, campaigns_count, last_sent_at, ${selectMetrics(metrics)}
    from (
      select ${identifier(grouping)} as row_key, ${shared('campaign_type')}, ${shared('campaign_category')},
        count(distinct campaign_key) as campaigns_count, ${channel.measures}, ${sendRevenueMeasures}
      from ${sends}
      join (select campaign_key, campaign_type, campaign_category from ${campaigns}) as described
        using (campaign_key)
      where ${sentIn(channel, range)}
      group by row_key
    ) as measures
    order by sent desc, row_key`;
}

/** With their maturity. */
export function typeRows(rows: readonly Row[], facts: SnapshotFacts): object[] {
  return rows.map(({ last_sent_at, ...row }) => ({
    ...row,
    is_mature: isMature(String(last_sent_at), facts),
  }));
}
