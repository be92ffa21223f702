import { rangeArguments } from '../../answers/arguments.ts';
import { bars, line, saying, WHOLE } from '../../answers/chart.ts';
import { onlyRow, type Query } from '../../answers/fields/query.ts';
import { coverage } from '../../answers/fields/shared-fields.ts';
import { vatNotes } from '../../answers/profit-notes.ts';
import { plan } from '../../answers/tool.ts';
import { zeroFilled } from '../../answers/zero-filled.ts';
import { hasRefunds, type SnapshotFacts } from '../../business/snapshot-facts.ts';
import { type Breakdown, coverWithPeriods } from '../../time/periods.ts';
import { type Range, type RangeArguments, readRange } from '../../time/range.ts';
import { largeOrderNotes } from '../orders/queries/large-orders.ts';
import { campaignExclusions, optionalBreakdown } from './marketing-arguments.ts';
import { messageRevenueUntil } from './queries/data-until.ts';
import { largeCreditNotes, largeOrdersCredited } from './queries/large-credited-orders.ts';
import type { MessageChannel } from './queries/message-channels.ts';
import {
  attributionEcho,
  attributionFields,
  orderDateBasis,
  revenuePeriods,
} from './queries/message-fields.ts';
import { attributionScenarios, orderDateRevenue, periodRevenue } from './queries/order-date-revenue.ts';
import {
  byCampaignArgument,
  campaignRows,
  campaignsField,
  cutCampaignsNotes,
  revenueByCampaign,
} from './queries/revenue-by-campaign.ts';
import { revenueQueries, scenarioRows } from './queries/revenue-statistics.ts';
import { type CampaignFilters, unknownCampaignNotes } from './queries/sent-campaigns.ts';

/** The orders of a range that a channel is credited with, and their revenue. */

export const revenueArguments = {
  ...rangeArguments,
  ...optionalBreakdown,
  ...campaignExclusions,
  ...byCampaignArgument,
};

/** The fields before the cost of a channel. */
export const revenueHead = [
  ...coverage,
  ...attributionFields,
  orderDateBasis,
  ...orderDateRevenue(true),
] as const;
export const revenueParts = [attributionScenarios, campaignsField, revenuePeriods] as const;

export const revenueCharts = [
  saying(
    'Attributed: orders within the time set for the store after a message was opened, clicked or delivered. Last click: orders whose last visit came by the channel, whatever was sent. They are two ways to count, partly of the same orders: do not add them. Attributed is the one to quote.',
    bars(WHOLE, [], [['attributed_revenue', 'last_click_revenue', 'total_revenue']]),
  ),
  line('periods', 'period', [['attributed_revenue', 'last_click_revenue'], 'attributed_revenue_share']),
  bars('campaigns', ['campaign_name'], [['attributed_revenue', 'last_click_revenue']]),
  saying(
    'Configured is the rule that the store has set: its revenue stands above, and is the one to quote. The others are what other rules would credit: other events that count (opens by machines, clicks alone) and other times after them.',
    bars('attribution_scenarios', ['scenario'], ['revenue']),
  ),
] as const;

interface RevenueContext {
  readonly args: RangeArguments &
    CampaignFilters & {
      readonly business_id: string;
      readonly breakdown: Breakdown | null;
      readonly by_campaign: boolean;
    };
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

/** @param spending one row of what the messages of the range cost, for a channel that costs something */
export function planRevenue<Spent extends object = Record<never, never>>(
  channel: MessageChannel,
  { args, timezone, facts }: RevenueContext,
  spending?: (range: Range) => Query<Spent>,
) {
  const range = readRange(args, timezone);
  const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
  return plan({
    queries: {
      ...revenueQueries(channel, range, periods, args, hasRefunds(facts)),
      spending: spending?.(range) ?? null,
      campaigns: args.by_campaign ? revenueByCampaign(channel, range, args) : null,
      ...largeOrdersCredited(channel, range, args),
    },
    answer: ({ totals, scenarios, buckets, campaigns, known, large, largeByCampaign, spending: spent }) => ({
      result: {
        business_id: args.business_id,
        data_until: messageRevenueUntil(facts),
        ...attributionEcho(channel, facts),
        basis: 'order_date' as const,
        ...onlyRow(totals),
        ...(spent[0] as Spent),
        attribution_scenarios: scenarioRows(channel, scenarios),
        campaigns: args.by_campaign ? campaignRows(campaigns) : null,
        periods: periods && zeroFilled(periods, periodRevenue, buckets),
      },
      notes: [
        ...largeOrderNotes(large, 'attributed_revenue', 'average_order_value'),
        ...largeCreditNotes(largeByCampaign, campaigns),
        ...unknownCampaignNotes(channel, args, known),
        ...cutCampaignsNotes(campaigns),
        ...(spending === undefined ? [] : vatNotes(spent, facts)),
      ],
    }),
  });
}
