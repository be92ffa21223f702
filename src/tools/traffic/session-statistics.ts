import { z } from 'zod';
import { emptyRow, metricFields } from '../../model/metrics/metric.ts';
import { readRange } from '../../model/range.ts';
import { orders, orderTraffic } from '../../model/tables.ts';
import { trafficNotes, trafficUntil } from '../../model/traffic/data-until.ts';
import { adCostMetrics, sessionMetrics } from '../../model/traffic/session-metrics.ts';
import { groupedWindow, measuredTraffic, TRAFFIC_GROUPINGS, traffic } from '../../model/traffic/traffic.ts';
import { knownTraffic, unknownTrafficNotes } from '../../model/traffic/traffic-filters.ts';
import { sortedPage } from '../../sql/page.ts';
import { shared } from '../../sql/shared.ts';
import { identifier, join, parameter, sql } from '../../sql/sql.ts';
import { namesFilter, oneOf, pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { count, coverageFields, money, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';
import { sessionArguments } from '../traffic-arguments.ts';

const sharedName = z.string().nullable();
const NAMES = ['channel', 'source', 'medium', 'campaign'];

const UNTRACKED = 'Orders without a tracked session: in no row, unfiltered.';

export const sessionStatistics = defineTool({
  name: 'session_statistics',
  title: 'Session statistics',
  group: 'Traffic',
  description:
    'Visits, visitors, orders and revenue by traffic source, channel, campaign, landing page or device in one range, ' +
    'with advertising cost where loaded: use it to rank sources. Orders count in the row of their last click, also when ' +
    'that visit began before the range. Per day, week or month: session_statistics_trend.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    group_by: oneOf('group_by', TRAFFIC_GROUPINGS).default('source_medium').describe('What a row is.'),
    ...sortArguments(
      [
        'sessions_count',
        'visitors_count',
        'engaged_sessions_count',
        'orders_count',
        'last_click_revenue',
        'first_click_revenue',
        'conversion_rate',
        'engagement_rate',
        'revenue_per_session',
      ],
      { sort_by: 'sessions_count', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    ...sessionArguments,
    filter_mediums: namesFilter('Only these mediums.'),
    filter_campaigns: namesFilter('Only these campaigns (utm_campaign).'),
  }),
  output: z.strictObject({
    ...coverageFields,
    group_by: z.string(),
    ...totalCountField,
    totals: z.strictObject(metricFields(sessionMetrics)).describe('All rows that match, not only the page.'),
    untracked_orders_count: count(UNTRACKED),
    untracked_revenue: money(UNTRACKED),
    sessions: z.array(
      z.strictObject({
        key: z
          .string()
          .describe('Value of the group; (direct), (internal) or (not set) when empty. Business data.'),
        channel: sharedName.describe('Null when the row mixes channels; so the next three.'),
        source: sharedName,
        medium: sharedName,
        campaign: sharedName,
        ...metricFields(sessionMetrics),
        ...metricFields(adCostMetrics),
      }),
    ),
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const source = traffic(groupedWindow(range, args.group_by), args, args.include_suspected_bots);
    const names = join(NAMES.map(identifier));
    return plan({
      queries: {
        rows: sortedPage(
          sql`
          with ${source}
          ${measuredTraffic('row_key', [...sessionMetrics, ...adCostMetrics], {
            aggregates: sql`${join(NAMES.map(shared))}, sum(cost) as ad_cost`,
            columns: sql`row_key as key, ${names}`,
          })}`,
          args,
          'key',
        ),
        totals: sql`
          with ${source}
          ${measuredTraffic('whole', sessionMetrics, {
            aggregates: sql`count(distinct row_key) as total_count`,
            columns: sql`total_count`,
          })}`,
        untracked: sql`
          select count(*) as untracked_orders_count, coalesce(sum(revenue), 0) as untracked_revenue
          from ${orders}
          where is_valid
            and ordered_at >= ${parameter.timestamp(range.start)} and ordered_at < ${parameter.timestamp(range.end)}
            and order_key not in (select order_key from ${orderTraffic})`,
        known: knownTraffic(args),
      },
      answer: ({ rows, totals: [whole], untracked, known }) => {
        const { total_count, ...totals } = whole ?? { total_count: 0, ...emptyRow(sessionMetrics) };
        return {
          result: {
            business_id: args.business_id,
            data_until: trafficUntil(facts),
            group_by: args.group_by,
            total_count,
            totals,
            ...untracked[0],
            sessions: rows,
          },
          notes: [...unknownTrafficNotes(args, known), ...trafficNotes(facts)],
        };
      },
    });
  },
});
