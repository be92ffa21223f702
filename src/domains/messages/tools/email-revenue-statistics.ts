import { z } from 'zod';
import { defineTool } from '../../../answers/tool.ts';
import { emailChannel } from '../queries/message-channels.ts';
import { planRevenue, revenueArguments, revenueCharts, revenueHead, revenueParts } from '../revenue-tool.ts';

export const emailRevenueStatistics = defineTool({
  name: 'email_revenue_statistics',
  title: 'Email revenue statistics',
  group: 'Email analytics',
  description:
    "Revenue credited to e-mail, of orders placed in the range, beside the store's total and last click. E-mail and SMS credit add up; credit and last click do not.",
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start'] },
  chart: revenueCharts,
  input: z.strictObject(revenueArguments),
  fields: [...revenueHead, ...revenueParts],
  plan: (context) => planRevenue(emailChannel, context),
});
