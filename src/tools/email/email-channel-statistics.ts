import { z } from 'zod';
import { activityQueries, pressureMetrics } from '../../model/marketing/channel-activity.ts';
import { openingClients, pressure, pressureRows } from '../../model/marketing/email-pressure.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import { sentIn, unknownCampaignNotes } from '../../model/marketing/sent.ts';
import { metricField, metricFields } from '../../model/metrics/metric.ts';
import { zeroFilled } from '../../model/metrics/zero-filled.ts';
import { coverWithPeriods } from '../../model/periods.ts';
import { readRange } from '../../model/range.ts';
import { rangeArguments } from '../arguments.ts';
import { campaignTypesFilter, optionalBreakdown } from '../marketing-arguments.ts';
import { sendBasis } from '../marketing-fields.ts';
import { count, coverageFields, periodFields } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const ofActivity = (key: string) => metricField(emailChannel.activity, key);

export const emailChannelStatistics = defineTool({
  name: 'email_channel_statistics',
  title: 'Email channel statistics',
  group: 'Email analytics',
  description:
    'What e-mail as a whole did in one range: volume, opens and clicks by people and by machines, unsubscribes, ' +
    'complaints, how often people are written to, and in which programs they read. No revenue: ' +
    'email_revenue_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ ...rangeArguments, ...optionalBreakdown, ...campaignTypesFilter }),
  output: z.strictObject({
    ...coverageFields,
    ...sendBasis,
    ...metricFields(emailChannel.activity),
    ...metricFields(pressureMetrics),
    frequency: z
      .array(
        z.strictObject({
          messages: z.string().describe('1, 2-3, 4-6, 7-12, 13+.'),
          recipients_count: count('Recipients of so many messages.'),
          open_rate: ofActivity('open_rate'),
          unsubscribe_rate: ofActivity('unsubscribe_rate'),
        }),
      )
      .describe('Recipients by how many messages they got in the range; rates of those messages.'),
    clients: z
      .array(
        z.strictObject({
          client: z.string().describe('apple_mail, gmail, outlook, yahoo, seznam, other, unknown.'),
          opens_count: ofActivity('opens_count'),
          machine_opens_count: ofActivity('machine_opens_count'),
        }),
      )
      .describe('Where messages were opened.'),
    periods: z.array(z.strictObject({ ...periodFields, ...metricFields(emailChannel.activity) })).nullable(),
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
    const sent = sentIn(emailChannel, range, args);
    return plan({
      queries: {
        ...activityQueries(emailChannel, range, periods, args),
        frequency: pressure(sent),
        clients: openingClients(sent),
      },
      answer: ({ totals, buckets, known, frequency, clients }) => ({
        result: {
          business_id: args.business_id,
          data_until: facts.messages_until,
          basis: 'send',
          ...totals[0],
          frequency: pressureRows(frequency),
          clients,
          periods: periods && zeroFilled(periods, emailChannel.activity, buckets),
        },
        notes: unknownCampaignNotes(emailChannel, args, known),
      }),
    });
  },
});
