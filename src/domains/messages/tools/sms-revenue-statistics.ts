import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { zeroFilled } from '../../../answers/zero-filled.ts';
import { hasRefunds } from '../../../business/snapshot-facts.ts';
import { coverWithPeriods } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import { campaignExclusions, optionalBreakdown } from '../marketing-arguments.ts';
import { messageRevenueUntil } from '../queries/data-until.ts';
import { smsChannel } from '../queries/message-channels.ts';
import {
  attributionEcho,
  attributionFields,
  orderDateBasis,
  revenuePeriods,
} from '../queries/message-fields.ts';
import { attributionScenarios, orderDateRevenue, periodRevenue } from '../queries/order-date-revenue.ts';
import {
  byCampaignArgument,
  campaignRows,
  campaignsField,
  cutCampaignsNotes,
  revenueByCampaign,
} from '../queries/revenue-by-campaign.ts';
import { revenueQueries, scenarioRows, spendingFields, spendingOf } from '../queries/revenue-statistics.ts';
import { unknownCampaignNotes } from '../queries/sent.ts';

export const smsRevenueStatistics = defineTool({
  name: 'sms_revenue_statistics',
  title: 'SMS revenue statistics',
  group: 'SMS analytics',
  description:
    "Revenue credited to SMS, of orders placed in the range, beside the store's total, last click and cost. E-mail and SMS credit add up; credit and last click do not.",
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    ...optionalBreakdown,
    ...campaignExclusions,
    ...byCampaignArgument,
  }),
  fields: [
    ...coverage,
    ...attributionFields,
    orderDateBasis,
    ...orderDateRevenue(true),
    ...spendingFields,
    attributionScenarios,
    campaignsField,
    revenuePeriods,
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
    return plan({
      queries: {
        ...revenueQueries(smsChannel, range, periods, args, hasRefunds(facts)),
        spending: spendingOf(smsChannel, range, args),
        campaigns: args.by_campaign ? revenueByCampaign(smsChannel, range, args) : null,
      },
      answer: ({ totals, scenarios, buckets, campaigns, known, spending }) => ({
        result: {
          business_id: args.business_id,
          data_until: messageRevenueUntil(facts),
          ...attributionEcho(smsChannel, facts),
          basis: 'order_date',
          ...onlyRow(totals),
          ...onlyRow(spending),
          attribution_scenarios: scenarioRows(smsChannel, scenarios),
          campaigns: args.by_campaign ? campaignRows(campaigns) : null,
          periods: periods && zeroFilled(periods, periodRevenue, buckets),
        },
        notes: [...unknownCampaignNotes(smsChannel, args, known), ...cutCampaignsNotes(campaigns)],
      }),
    });
  },
});
