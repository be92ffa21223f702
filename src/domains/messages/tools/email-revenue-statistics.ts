import { z } from 'zod';
import { bars, line, saying, WHOLE } from '../../../answers/chart.ts';
import { defineTool } from '../../../answers/tool.ts';
import { emailChannel } from '../queries/message-channels.ts';
import { planRevenue, revenueArguments, revenueHead, revenueParts } from '../revenue-tool.ts';

export const emailRevenueStatistics = defineTool({
  name: 'email_revenue_statistics',
  title: 'Email revenue statistics',
  group: 'Email analytics',
  description:
    "Revenue credited to e-mail, of orders placed in the range, beside the store's total and last click. E-mail and SMS credit add up; credit and last click do not.",
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', identity: ['period', 'period_start'] },
  chart: [
    saying(
      'Attributed: orders within the time set for the store after a message was opened, clicked or delivered. Last click: orders whose last visit came by the channel, whatever was sent.',
      bars(WHOLE, [], [['attributed_revenue', 'last_click_revenue', 'total_revenue']]),
    ),
    line('periods', 'period', [['attributed_revenue', 'last_click_revenue'], 'attributed_revenue_share']),
    bars('campaigns', ['campaign_name'], [['attributed_revenue', 'last_click_revenue']]),
    saying(
      'What other rules would credit: other events that count (opens by machines, clicks alone) and other times after them.',
      bars('attribution_scenarios', ['scenario'], ['revenue']),
    ),
  ],
  input: z.strictObject(revenueArguments),
  fields: [...revenueHead, ...revenueParts],
  plan: (context) => planRevenue(emailChannel, context),
});
