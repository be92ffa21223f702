import { z } from 'zod';
import { breakdownArgument, rangeArguments, requiredNames } from '../../../answers/arguments.ts';
import { line } from '../../../answers/chart.ts';
import { shownNames } from '../../../answers/existing-names.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage, periodFields } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { earliest } from '../../../business/snapshot-facts.ts';
import { coverWithPeriods } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import { campaignRevenueUntil } from '../../messages/queries/data-until.ts';
import {
  attributionEcho,
  attributionFields,
  campaignId,
  isMatureField,
  nameOfCampaign,
  sendBasis,
  windowsOf,
} from '../../messages/queries/message-fields.ts';
import {
  campaignsById,
  campaignTrendMetrics,
  sentByPeriod,
  shownByPeriod,
  trendRows,
} from '../queries/campaign-trend.ts';

const MOST_CAMPAIGNS = 50;

export const campaignStatisticsTrend = defineTool({
  name: 'campaign_statistics_trend',
  title: 'Campaign statistics trend',
  group: 'Campaign statistics',
  description:
    'Results of chosen campaigns of any channel per day, week or month: how an automation or popup develops.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start', 'campaign_id'] },
  example: {
    campaign_ids: ['auto-vitame'],
    breakdown: 'month',
  },
  chart: [line('periods', 'period', ['delivered_count', 'attributed_revenue'], { by: ['campaign_name'] })],
  input: z.strictObject({
    ...rangeArguments,
    ...breakdownArgument,
    campaign_ids: requiredNames({ description: `At most ${MOST_CAMPAIGNS}.`, most: MOST_CAMPAIGNS }),
  }),
  fields: [
    ...coverage,
    ...attributionFields,
    sendBasis,
    list('periods', 'Every period of each campaign, in the order asked.', [
      ...periodFields,
      campaignId,
      nameOfCampaign,
      ...campaignTrendMetrics,
      isMatureField,
    ]),
  ],
  plan({ args, timezone, facts, mostRows }) {
    const ids = [...new Set(args.campaign_ids)];
    const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, ids.length, mostRows);
    return plan({
      queries: {
        known: campaignsById(ids),
        sent: sentByPeriod(ids, periods),
        shown: shownByPeriod(ids, periods),
      },
      answer: ({ known, sent, shown }) => {
        const byId = new Map(known.map((row) => [row.campaign_id, row]));
        const chosen = ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
        const channels = chosen.length === 0 ? ['email'] : chosen.map(({ channel }) => channel);
        return {
          result: {
            business_id: args.business_id,
            data_until: earliest(...channels.map((channel) => campaignRevenueUntil(channel, facts))),
            ...attributionEcho(windowsOf(channels), facts),
            basis: 'send',
            periods: trendRows(chosen, periods, [...sent, ...shown], facts, timezone),
          },
          notes: unknownNotes(ids.filter((id) => !byId.has(id))),
        };
      },
    });
  },
});

function unknownNotes(unknown: readonly string[]): string[] {
  return unknown.length === 0 ? [] : [`Unknown in campaign_ids, so without rows: ${shownNames(unknown)}`];
}
