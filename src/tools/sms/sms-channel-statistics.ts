import { z } from 'zod';
import { activityQueries, pressureMetrics } from '../../model/marketing/channel-activity.ts';
import { smsChannel } from '../../model/marketing/message-channels.ts';
import { sentIn, unknownCampaignNotes } from '../../model/marketing/sent.ts';
import { countries, failures } from '../../model/marketing/sms-delivery.ts';
import { metricField, metricFields } from '../../model/metrics/metric.ts';
import { zeroFilled } from '../../model/metrics/zero-filled.ts';
import { coverWithPeriods } from '../../model/periods.ts';
import { readRange } from '../../model/range.ts';
import { rangeArguments } from '../arguments.ts';
import { campaignTypesFilter, optionalBreakdown } from '../marketing-arguments.ts';
import { sendBasis } from '../marketing-fields.ts';
import { coverageFields, percent, periodFields } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const ofActivity = (key: string) => metricField(smsChannel.activity, key);

export const smsChannelStatistics = defineTool({
  name: 'sms_channel_statistics',
  title: 'SMS channel statistics',
  group: 'SMS analytics',
  description:
    'What SMS as a whole did in one range: volume, billed parts, cost, deliveries and why they failed, clicks, ' +
    'opt-outs. No revenue: sms_revenue_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({ ...rangeArguments, ...optionalBreakdown, ...campaignTypesFilter }),
  output: z.strictObject({
    ...coverageFields,
    ...sendBasis,
    ...metricFields(smsChannel.activity),
    ...metricFields(pressureMetrics),
    failures: z
      .array(
        z.strictObject({
          reason: z
            .string()
            .describe('invalid_number, unreachable, blocked, expired, rejected, no_credit, unknown.'),
          failed_count: ofActivity('failed_count'),
          share: percent('Of failed_count.'),
        }),
      )
      .describe('Why messages failed.'),
    countries: z
      .array(
        z.strictObject({
          country: z.string().describe('ISO 3166-1 alpha-2; (not set) when unknown.'),
          sent_count: ofActivity('sent_count'),
          delivery_rate: ofActivity('delivery_rate'),
          segments_count: ofActivity('segments_count'),
          cost: ofActivity('cost'),
        }),
      )
      .describe('By the prefix of the number.'),
    periods: z.array(z.strictObject({ ...periodFields, ...metricFields(smsChannel.activity) })).nullable(),
  }),
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
    const sent = sentIn(smsChannel, range, args);
    return plan({
      queries: {
        ...activityQueries(smsChannel, range, periods, args),
        failures: failures(sent),
        countries: countries(sent),
      },
      answer: ({ totals, buckets, known, failures, countries }) => ({
        result: {
          business_id: args.business_id,
          data_until: facts.messages_until,
          basis: 'send',
          ...totals[0],
          failures,
          countries,
          periods: periods && zeroFilled(periods, smsChannel.activity, buckets),
        },
        notes: unknownCampaignNotes(smsChannel, args, known),
      }),
    });
  },
});
