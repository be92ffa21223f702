import { column, fieldsNamed, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import { emptyRow, selectMetrics } from '../../../answers/metric.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { campaigns, popupEvents, sends } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { shortText } from '../../../text/business-text.ts';
import { endOfPeriod, type Periods, periodStart } from '../../../time/periods.ts';
import { isCampaignMature } from '../../messages/queries/data-until.ts';
import { sendRevenue, sendRevenueMeasures } from '../../messages/queries/send-revenue.ts';
import { popupActivity, popupMeasures } from '../../popups/queries/popup-activity.ts';
import { messageActivity, messageMeasures } from './campaign-activity.ts';

const REVENUE = ['attributed_orders_count', 'attributed_revenue'] as const;
const messageRow = [...messageActivity, ...fieldsNamed(sendRevenue(sql``, true), REVENUE)];
const popupRow = fieldsNamed(popupActivity, ['displays_count', 'submissions_count', ...REVENUE]);

/** The metrics of a campaign of any channel in a period. */
export const campaignTrendMetrics = [
  ...messageActivity,
  ...fieldsNamed(popupActivity, ['displays_count', 'submissions_count']),
  ...fieldsNamed(sendRevenue(sql``, true), REVENUE),
];

const CAMPAIGN = [
  column('campaign_key', 'integer'),
  column('campaign_id', 'text'),
  column('name', 'text'),
  column('channel', 'text'),
];
const BUCKET = [column('campaign_id', 'text'), periodStartColumn, nullableColumn('last_at', 'moment')];
type Bucket = ObjectOf<typeof BUCKET> & Partial<ObjectOf<typeof campaignTrendMetrics>>;

/** The campaigns of these ids that exist. */
export function campaignsById(ids: readonly string[]) {
  return query(CAMPAIGN, withIds(ids));
}

function withIds(ids: readonly string[]): Sql {
  return sql`select campaign_key, campaign_id, name, channel from ${campaigns} where campaign_id in (${parameter.texts(ids)})`;
}

/**
 * What campaigns sent in each period by their own channel, with all that came of it; only periods with
 * something.
 */
export function sentByPeriod(ids: readonly string[], periods: Periods) {
  return query(
    [...BUCKET, ...messageRow],
    sql`
    select campaign_id, period_start, last_sent_at as last_at, ${selectMetrics(messageRow)}
    from (
      select campaign_id, ${periodStart(periods.breakdown, sql`sent_date`)} as period_start, ${messageMeasures},
        ${sendRevenueMeasures}
      from ${sends} join (${withIds(ids)}) as asked using (campaign_key, channel)
      where ${within(sql`sent_date`, periods)}
      group by campaign_id, period_start
    ) as measures`,
  );
}

/** The same of popups. */
export function shownByPeriod(ids: readonly string[], periods: Periods) {
  return query(
    [...BUCKET, ...popupRow],
    sql`
    select campaign_id, period_start, last_submitted_at as last_at, ${selectMetrics(popupRow)}
    from (
      select campaign_id, ${periodStart(periods.breakdown, sql`happened_date`)} as period_start, ${popupMeasures}
      from ${popupEvents} join (${withIds(ids)}) as asked using (campaign_key)
      where ${within(sql`happened_date`, periods)}
      group by campaign_id, period_start
    ) as measures`,
  );
}

function within(date: Sql, periods: Periods): Sql {
  return sql`${date} between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}`;
}

/**
 * Every campaign in every period, in this order. Where a campaign did nothing, the end of the period decides
 * whether that is mature.
 *
 * @param chosen of `campaignsById`
 * @param rows of `sentByPeriod` and `shownByPeriod`
 */
export function trendRows(
  chosen: readonly ObjectOf<typeof CAMPAIGN>[],
  periods: Periods,
  rows: readonly Bucket[],
  facts: SnapshotFacts,
  timezone: string,
) {
  const keyOf = (campaign_id: string, period_start: string) => JSON.stringify([campaign_id, period_start]);
  const rowByKey = new Map(rows.map((row) => [keyOf(row.campaign_id, row.period_start), row]));
  return chosen.flatMap(({ campaign_id, name, channel }) =>
    periods.list.map((period) => {
      const { last_at, ...row } = rowByKey.get(keyOf(campaign_id, period.period_start)) ?? { last_at: null };
      const end = endOfPeriod(period.period_start, periods.breakdown)
        .add({ days: 1 })
        .toZonedDateTime(timezone)
        .toInstant();
      return {
        ...emptyRow(campaignTrendMetrics),
        ...row,
        ...period,
        campaign_id,
        campaign_name: shortText(name, 300),
        is_mature: isCampaignMature(channel, last_at ?? end.toString(), facts),
      };
    }),
  );
}
