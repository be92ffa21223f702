import { z } from 'zod';
import { field } from '../../model/fields/field.ts';
import { coverage, periodFields } from '../../model/fields/shared-fields.ts';
import {
  campaignsById,
  campaignTrendMetrics,
  sentByPeriod,
  shownByPeriod,
  trendRows,
} from '../../model/marketing/campaign-trend.ts';
import { campaignRevenueUntil } from '../../model/marketing/data-until.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import {
  attributionEcho,
  attributionFields,
  campaignId,
  isMatureField,
  sendBasis,
} from '../../model/marketing/message-fields.ts';
import { coverWithPeriods } from '../../model/periods.ts';
import { readRange } from '../../model/range.ts';
import { earliest } from '../../model/snapshot.ts';
import { breakdownArgument, rangeArguments, requiredNames } from '../arguments.ts';
import { defineTool, plan } from '../tool.ts';

const MOST_CAMPAIGNS = 50;

export const campaignStatisticsTrend = defineTool({
  name: 'campaign_statistics_trend',
  title: 'Campaign statistics trend',
  group: 'Campaign statistics',
  description:
    'Results of chosen campaigns of any channel per day, week or month: use it to see how an automation or a popup ' +
    'develops. Every (campaign, period) has a row: what was sent in it, with revenue whenever ordered, in full units. ' +
    'SMS have no opens, and opt-outs are unsubscribes. Fields are defined in analytics://metrics.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...breakdownArgument,
    campaign_ids: requiredNames('The campaigns, at most 50.', MOST_CAMPAIGNS),
  }),
  fields: [
    ...coverage,
    ...attributionFields,
    sendBasis,
    field({
      key: 'periods',
      type: 'list',
      definition: 'Every period of each campaign, in the order asked.',
      fields: [...periodFields, campaignId, ...campaignTrendMetrics, isMatureField],
    }),
  ],
  plan({ args, timezone, facts }) {
    const ids = [...new Set(args.campaign_ids)];
    const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, ids.length);
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
            ...attributionEcho(emailChannel, facts),
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
  return unknown.length === 0 ? [] : [`Unknown in campaign_ids, so without rows: ${JSON.stringify(unknown)}`];
}
