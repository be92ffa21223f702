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
import { emailChannel } from '../queries/message-channels.ts';
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
import { revenueQueries, scenarioRows } from '../queries/revenue-statistics.ts';
import { unknownCampaignNotes } from '../queries/sent.ts';

export const emailRevenueStatistics = defineTool({
  name: 'email_revenue_statistics',
  title: 'Email revenue statistics',
  group: 'Email analytics',
  description:
    "Revenue credited to e-mail, of orders placed in the range, beside the store's total and last click. E-mail and SMS credit add up; credit and last click do not.",
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
    attributionScenarios,
    campaignsField,
    revenuePeriods,
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
    return plan({
      queries: {
        ...revenueQueries(emailChannel, range, periods, args, hasRefunds(facts)),
        campaigns: args.by_campaign ? revenueByCampaign(emailChannel, range, args) : null,
      },
      answer: ({ totals, scenarios, buckets, campaigns, known }) => ({
        result: {
          business_id: args.business_id,
          data_until: messageRevenueUntil(facts),
          ...attributionEcho(emailChannel, facts),
          basis: 'order_date',
          ...onlyRow(totals),
          attribution_scenarios: scenarioRows(emailChannel, scenarios),
          campaigns: args.by_campaign ? campaignRows(campaigns) : null,
          periods: periods && zeroFilled(periods, periodRevenue, buckets),
        },
        notes: [...unknownCampaignNotes(emailChannel, args, known), ...cutCampaignsNotes(campaigns)],
      }),
    });
  },
});
