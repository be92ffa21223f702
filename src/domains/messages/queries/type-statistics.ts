import { column, field, fieldNamed } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { rate, selectMetrics } from '../../../answers/metric.ts';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { campaigns, sends } from '../../../model-table/table-names.ts';
import { shared } from '../../../sql/shared.ts';
import { identifier, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';
import { pressureMetrics } from './channel-activity.ts';
import { isMature } from './data-until.ts';
import type { MessageChannel } from './message-channels.ts';
import { matureMeasures, matureRevenue, sendRevenue, sendRevenueMeasures } from './send-revenue.ts';
import { type CampaignFilters, sentIn } from './sent-campaigns.ts';

/** How campaigns are put together. */
export const CAMPAIGN_GROUPINGS = ['campaign_type', 'campaign_category'] as const;
export type CampaignGrouping = (typeof CAMPAIGN_GROUPINGS)[number];

/** The metrics over all rows of `typeStatistics`. */
export const shareMetrics = [
  rate('sent_share', 'sent_count / sent_count of all rows.', sql`sent`, sql`(sum(sent) over ())`),
  rate(
    'revenue_share',
    'attributed_revenue / attributed_revenue of all rows.',
    sql`attributed_revenue`,
    sql`(sum(attributed_revenue) over ())`,
  ),
];

/** The fields of rows by type or category of campaign. */
export const campaignTypeFields = [
  field({
    key: 'campaign_type',
    type: 'text',
    isKey: true,
    null: 'the row mixes types',
    definition: 'One-off or automation, and of which channel.',
  }),
  field({
    key: 'campaign_category',
    type: 'text',
    isKey: true,
    null: 'the row mixes categories',
    definition: 'What it is for: see analytics://campaign-categories.',
  }),
  fieldNamed(pressureMetrics, 'campaigns_count'),
];

/** What was sent in the range by type or category of campaign, the most sent first, with what came of it. */
export function typeStatistics<Channel extends MessageChannel>(
  channel: Channel,
  range: Range,
  grouping: CampaignGrouping,
  filters: CampaignFilters,
  facts: SnapshotFacts,
) {
  const { activity, spending }: Pick<Channel, 'activity' | 'spending'> = channel;
  const metrics = [
    ...shareMetrics,
    ...activity,
    ...sendRevenue(channel.delivered, hasRefunds(facts)),
    ...matureRevenue,
    ...spending,
  ];
  return query(
    [...campaignTypeFields, column('last_sent_at', 'moment'), ...metrics],
    sql`
    select campaign_type, campaign_category, campaigns_count, last_sent_at, ${selectMetrics(metrics)}
    from (
      select ${identifier(grouping)} as row_key, ${shared('campaign_type')}, ${shared('campaign_category')},
        count(distinct campaign_key) as campaigns_count, ${channel.measures}, ${sendRevenueMeasures}, ${matureMeasures(facts)}
      from ${sends}
      join (select campaign_key, campaign_type, campaign_category from ${campaigns}) as described
        using (campaign_key)
      where ${sentIn(channel, range, filters)}
      group by row_key
    ) as measures
    order by sent desc, row_key`,
  );
}

/** The rows with their maturity. */
export function typeRows<One extends { readonly last_sent_at: string }>(
  rows: readonly One[],
  facts: SnapshotFacts,
) {
  return rows.map(({ last_sent_at, ...row }) => ({ ...row, is_mature: isMature(last_sent_at, facts) }));
}
