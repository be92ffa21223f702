import { z } from 'zod';
import { breakdownArgument, rangeArguments } from '../../../answers/arguments.ts';
import { line } from '../../../answers/chart.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { coverage, periodFields } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { consentNotes } from '../../../business/subscribers-until.ts';
import { coverWithPeriods } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import { flowByPeriod, flowPeriods } from '../queries/flow.ts';
import { flowMetrics } from '../queries/flow-metrics.ts';
import { channelArgument, channelField } from '../subscriber-fields.ts';

export const subscriberStatisticsTrend = defineTool({
  name: 'subscriber_statistics_trend',
  title: 'Subscriber statistics trend',
  group: 'Subscribers',
  description:
    'The subscriber base of e-mail or SMS per day, week or month: who joined, and why others left. Rates do not add up.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start'] },
  example: { breakdown: 'month' },
  chart: [
    line('periods', 'period', [
      'subscribed_at_end_count',
      ['subscribed_count', 'unsubscribed_count', 'bounced_out_count'],
      'net_growth',
    ]),
  ],
  input: z.strictObject({ ...rangeArguments, ...breakdownArgument, ...channelArgument }),
  fields: [
    ...coverage,
    channelField,
    list('periods', 'Every period of the range.', [...periodFields, ...flowMetrics]),
  ],
  plan({ args, timezone, facts, mostRows }) {
    const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, 1, mostRows);
    return plan({
      queries: { buckets: flowByPeriod(args.channel, periods) },
      answer: ({ buckets }) => ({
        result: {
          business_id: args.business_id,
          data_until: facts.consents_until,
          channel: args.channel,
          periods: flowPeriods(periods, buckets),
        },
        notes: consentNotes(facts),
      }),
    });
  },
});
