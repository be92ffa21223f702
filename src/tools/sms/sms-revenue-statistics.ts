import { z } from 'zod';
import { messageRevenueUntil } from '../../model/marketing/data-until.ts';
import { smsChannel } from '../../model/marketing/message-channels.ts';
import { orderDateRevenue, periodRevenue } from '../../model/marketing/order-date-revenue.ts';
import { revenueQueries, scenarioRows, spendingOf } from '../../model/marketing/revenue-statistics.ts';
import { metricField, metricFields } from '../../model/metrics/metric.ts';
import { zeroFilled } from '../../model/metrics/zero-filled.ts';
import { coverWithPeriods } from '../../model/periods.ts';
import { readRange } from '../../model/range.ts';
import { hasRefunds } from '../../model/snapshot.ts';
import { rangeArguments } from '../arguments.ts';
import { optionalBreakdown } from '../marketing-arguments.ts';
import {
  attributionEcho,
  attributionFields,
  orderDateBasis,
  revenuePeriodFields,
  scenarioFields,
} from '../marketing-fields.ts';
import { coverageFields, money } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

export const smsRevenueStatistics = defineTool({
  name: 'sms_revenue_statistics',
  title: 'SMS revenue statistics',
  group: 'SMS analytics',
  description:
    'How much revenue SMS is credited with, of the orders placed in one range, beside the store total, what last ' +
    'click says and what the messages cost; not what single campaigns earned: sms_campaign_statistics. E-mail and SMS ' +
    'credit may be added up, credit and last click may not.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ ...rangeArguments, ...optionalBreakdown }),
  output: z.strictObject({
    ...coverageFields,
    ...attributionFields,
    ...orderDateBasis,
    ...metricFields(orderDateRevenue(true)),
    cost: metricField(smsChannel.activity, 'cost'),
    return_on_spend: metricField(smsChannel.spending, 'return_on_spend'),
    gross_profit_after_cost: money(
      'Gross profit of credited orders - cost; null: no cost or purchase prices.',
    ).nullable(),
    ...scenarioFields,
    ...revenuePeriodFields,
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
    return plan({
      queries: {
        ...revenueQueries(smsChannel, range, periods, hasRefunds(facts)),
        spending: spendingOf(smsChannel, range),
      },
      answer: ({ totals, scenarios, buckets, spending: [spent] }) => ({
        result: {
          business_id: args.business_id,
          data_until: messageRevenueUntil(facts),
          ...attributionEcho(smsChannel, facts),
          basis: 'order_date',
          ...totals[0],
          ...spent,
          attribution_scenarios: scenarioRows(smsChannel, scenarios),
          periods: periods && zeroFilled(periods, periodRevenue, buckets),
        },
      }),
    });
  },
});
