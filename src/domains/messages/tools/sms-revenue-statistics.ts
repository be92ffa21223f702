import { z } from 'zod';
import { defineTool } from '../../../answers/tool.ts';
import { smsChannel } from '../queries/message-channels.ts';
import { spendingFields, spendingOf } from '../queries/revenue-statistics.ts';
import { planRevenue, revenueArguments, revenueCharts, revenueHead, revenueParts } from '../revenue-tool.ts';

export const smsRevenueStatistics = defineTool({
  name: 'sms_revenue_statistics',
  title: 'SMS revenue statistics',
  group: 'SMS analytics',
  description:
    "Revenue credited to SMS, of orders placed in the range, beside the store's total, last click and cost. E-mail and SMS credit add up; credit and last click do not.",
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start'] },
  chart: revenueCharts,
  input: z.strictObject(revenueArguments),
  fields: [...revenueHead, ...spendingFields, ...revenueParts],
  plan: (context) => planRevenue(smsChannel, context, (range) => spendingOf(smsChannel, range, context.args)),
});
