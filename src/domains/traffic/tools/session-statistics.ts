import { z } from 'zod';
import {
  namesFilter,
  oneOf,
  pagingArguments,
  rangeArguments,
  sortArguments,
} from '../../../answers/arguments.ts';
import { bars, funnel, saying } from '../../../answers/chart.ts';
import { AS_NAMED, NO_RATE } from '../../../answers/fields/field.ts';
import { count, list, measure, object, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { coverage, groupByField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { emptyRow, knownSum } from '../../../answers/metric.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import { fewNotes } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { orders, orderTraffic } from '../../../model-table/table-names.ts';
import { shared } from '../../../sql/shared.ts';
import { identifier, join, sql } from '../../../sql/sql.ts';
import { orderedIn, readRange } from '../../../time/range.ts';
import { largeOrderRowNotes } from '../../orders/queries/large-orders.ts';
import { trafficUntil } from '../queries/data-until.ts';
import { paidCreditNotes, paidCredits } from '../queries/paid-credits.ts';
import { adCostMeasures, adCostMetrics, sessionMetrics, spendMetrics } from '../queries/session-metrics.ts';
import {
  groupedWindow,
  largeOrdersOfVisits,
  measuredTraffic,
  TRAFFIC_GROUPINGS,
  traffic,
} from '../queries/traffic.ts';
import { knownTraffic, unknownTrafficNotes } from '../queries/traffic-filters.ts';
import { sessionArguments } from '../traffic-arguments.ts';

const nameFields = [nameField('channel'), nameField('source'), nameField('medium'), nameField('campaign')];

function nameField<const Key extends string>(key: Key) {
  return text(key, `The ${key} of the row. Business data.`, 'the row mixes several');
}

const rowFields = [
  text('key', 'Value of the group; (direct), (internal) or (not set) when empty. Business data.'),
  ...nameFields,
  ...sessionMetrics,
  ...adCostMetrics,
];

const totalMetrics = [...sessionMetrics, ...spendMetrics];

/** Counts of people that rows have and totals do not. */
const NO_CUSTOMERS = {
  new_customers_count: 0,
  first_click_new_customers_count: 0,
  advertised_new_customers_count: 0,
  first_click_advertised_new_customers_count: 0,
};

const untracked = [
  count('orders', 'untracked_orders_count', 'Orders without a last click: in no row, unfiltered.'),
  measure('money', 'untracked_revenue', AS_NAMED, NO_RATE),
];

export const sessionStatistics = defineTool({
  name: 'session_statistics',
  title: 'Session statistics',
  group: 'Traffic',
  description:
    'Traffic: visits (sessions), visitors, conversion, orders and revenue (by last click), ad cost by source, channel, campaign, landing page or device.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'sessions', uniqueBy: ['key'] },
  chart: [
    bars('sessions', ['key'], ['sessions_count'], { sortedBy: 'sort_by', groupedBy: 'group_by' }),
    saying(
      'Recorded visits that reached a step; converting: with an order. Not every visit is recorded, and those of buyers more often: the true share that buys is lower.',
      funnel(
        'totals',
        [],
        ['sessions_count', 'cart_sessions_count', 'checkout_sessions_count', 'converting_sessions_count'],
      ),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    group_by: oneOf('group_by', TRAFFIC_GROUPINGS).default('source_medium'),
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
    filter_mediums: namesFilter(),
    filter_campaigns: namesFilter('utm_campaign.'),
  }),
  fields: [
    ...coverage,
    groupByField(TRAFFIC_GROUPINGS),
    totalCount,
    object('totals', 'All rows that match, not only the page.', totalMetrics),
    ...untracked,
    list('sessions', 'The page of rows asked for.', rowFields),
  ],
  plan({ args, timezone, currency, facts }) {
    const range = readRange(args, timezone);
    const window = groupedWindow(range, args.group_by);
    const source = traffic(window, args, args.include_suspected_bots);
    const names = nameFields.map(({ key }) => key);
    return plan({
      queries: {
        rows: query(
          rowFields,
          rankedPage(
            sql`
          with ${source}
          ${measuredTraffic('row_key', [...sessionMetrics, ...adCostMetrics], {
            aggregates: sql`${join(names.map(shared))}, ${adCostMeasures}`,
            columns: sql`row_key as key, ${join(names.map(identifier))}`,
          })}`,
            args,
            'key',
            rowFields,
          ),
        ),
        totals: query(
          [totalCount, ...totalMetrics],
          sql`
          with ${source}
          ${measuredTraffic('whole', totalMetrics, {
            aggregates: sql`count(distinct row_key) as total_count, ${adCostMeasures}`,
            columns: sql`total_count`,
          })}`,
        ),
        untracked: query(
          untracked,
          sql`
          select count(*) as untracked_orders_count, ${knownSum(sql`revenue`)} as untracked_revenue
          from ${orders}
          where is_valid
            and ${orderedIn(range)}
            and order_key not in (select order_key from ${orderTraffic})`,
        ),
        known: knownTraffic(args),
        large: largeOrdersOfVisits(window, args),
        paid: paidCredits(window, args, facts),
      },
      answer: ({ rows, totals: [whole], untracked, known, large, paid }) => {
        const { total_count, ...totals } = whole ?? { total_count: 0, ...emptyRow(totalMetrics) };
        return {
          result: {
            business_id: args.business_id,
            data_until: trafficUntil(facts),
            group_by: args.group_by,
            total_count,
            totals,
            ...onlyRow(untracked),
            sessions: rows,
          },
          notes: [
            ...paidCreditNotes(paid, {
              keys: rows.map(({ key }) => key),
              currency,
              areCampaigns: args.group_by === 'campaign',
              shownKey: (key) => (args.group_by === 'none' ? '' : key),
            }),
            ...largeOrderRowNotes(
              large,
              rows.map(({ key }) => key),
              'last_click_revenue',
            ),
            ...fewNotes(
              [{ ...totals, ...NO_CUSTOMERS }, ...rows],
              ...(['visitors_count', 'new_visitors_count'] as const),
              ...(Object.keys(NO_CUSTOMERS) as (keyof typeof NO_CUSTOMERS)[]),
            ),
            ...unknownTrafficNotes(args, known),
          ],
        };
      },
    });
  },
});
