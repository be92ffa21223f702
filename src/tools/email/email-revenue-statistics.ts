import { z } from 'zod';
import { onlyRow } from '../../model/fields/query.ts';
import { coverage } from '../../model/fields/shared-fields.ts';
import { messageRevenueUntil } from '../../model/marketing/data-until.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import {
  attributionEcho,
  attributionFields,
  orderDateBasis,
  revenuePeriods,
} from '../../model/marketing/message-fields.ts';
import {
  attributionScenarios,
  orderDateRevenue,
  periodRevenue,
} from '../../model/marketing/order-date-revenue.ts';
import { revenueQueries, scenarioRows } from '../../model/marketing/revenue-statistics.ts';
import { zeroFilled } from '../../model/metrics/zero-filled.ts';
import { coverWithPeriods } from '../../model/periods.ts';
import { readRange } from '../../model/range.ts';
import { hasRefunds } from '../../model/snapshot.ts';
import { rangeArguments } from '../arguments.ts';
import { optionalBreakdown } from '../marketing-arguments.ts';
import { defineTool, plan } from '../tool.ts';

export const emailRevenueStatistics = defineTool({
  name: 'email_revenue_statistics',
  title: 'Email revenue statistics',
  group: 'Email analytics',
  description:
    'How much revenue e-mail is credited with, of the orders placed in one range, beside the store total and what ' +
    'last click says; not what single campaigns earned: email_campaign_statistics. E-mail and SMS credit may be added ' +
    'up, credit and last click may not.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ ...rangeArguments, ...optionalBreakdown }),
  fields: [
    ...coverage,
    ...attributionFields,
    orderDateBasis,
    ...orderDateRevenue(true),
    attributionScenarios,
    revenuePeriods,
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
    return plan({
      queries: revenueQueries(emailChannel, range, periods, hasRefunds(facts)),
      answer: ({ totals, scenarios, buckets }) => ({
        result: {
          business_id: args.business_id,
          data_until: messageRevenueUntil(facts),
          ...attributionEcho(emailChannel, facts),
          basis: 'order_date',
          ...onlyRow(totals),
          attribution_scenarios: scenarioRows(emailChannel, scenarios),
          periods: periods && zeroFilled(periods, periodRevenue, buckets),
        },
      }),
    });
  },
});
