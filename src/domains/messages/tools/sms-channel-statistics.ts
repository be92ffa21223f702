import { z } from 'zod';
import { rangeArguments } from '../../../answers/arguments.ts';
import { bars, funnel, heat, line, WHOLE } from '../../../answers/chart.ts';
import { field } from '../../../answers/fields/field.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage, periodFields } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { zeroFilled } from '../../../answers/zero-filled.ts';
import { coverWithPeriods } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import { campaignTypesFilter, optionalBreakdown, timesArgument } from '../marketing-arguments.ts';
import { activityQueries, channelMetrics } from '../queries/channel-activity.ts';
import { smsChannel } from '../queries/message-channels.ts';
import { sendBasis } from '../queries/message-fields.ts';
import { sentDuring, sentIn, unknownCampaignNotes } from '../queries/sent.ts';
import {
  countries,
  countriesByPeriod,
  countryFields,
  countryPeriodFields,
  countryPeriods,
  failureFields,
  failures,
} from '../queries/sms-delivery.ts';
import { smsThen, timeFields, timeRows, timesOfDay } from '../queries/times-of-day.ts';

export const smsChannelStatistics = defineTool({
  name: 'sms_channel_statistics',
  title: 'SMS channel statistics',
  group: 'SMS analytics',
  description:
    'What SMS as a whole did: volume, billed parts, cost, deliveries and why they failed, clicks, opt-outs. No revenue.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', identity: ['period', 'period_start'] },
  chart: [
    heat('times', 'clicks_then_count'),
    bars('times', ['key'], ['clicks_then_count']),
    line('periods', 'period', ['sent_count', 'delivery_rate', 'click_rate']),
    funnel(WHOLE, [], ['sent_count', 'delivered_count', 'unique_clicks_count']),
  ],
  input: z.strictObject({
    ...rangeArguments,
    ...optionalBreakdown,
    ...timesArgument,
    ...campaignTypesFilter,
  }),
  fields: [
    ...coverage,
    sendBasis,
    ...channelMetrics(smsChannel),
    field({ key: 'failures', type: 'list', definition: 'Why messages failed.', fields: failureFields }),
    field({
      key: 'countries',
      type: 'list',
      definition: 'By the prefix of the number.',
      fields: countryFields,
    }),
    field({
      key: 'periods',
      type: 'list',
      null: 'no breakdown asked for',
      definition: 'Every period of the range.',
      fields: [...periodFields, ...smsChannel.activity],
    }),
    field({
      key: 'country_periods',
      type: 'list',
      null: 'no breakdown asked for, or too many rows',
      definition: 'Every period of each country.',
      fields: countryPeriodFields,
    }),
    field({
      key: 'times',
      type: 'list',
      null: 'not asked for',
      definition: 'Messages by when they were sent, beside what people did at that time.',
      fields: timeFields(smsChannel, smsThen),
    }),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
    const sent = sentIn(smsChannel, range, args);
    return plan({
      queries: {
        ...timesOfDay(smsChannel, sent, args.times),
        ...activityQueries(smsChannel, range, periods, args),
        failures: failures(sent),
        countries: countries(sent),
        countryBuckets: periods && countriesByPeriod(sent, sentDuring(smsChannel, periods, args), periods),
      },
      answer: ({ totals, buckets, known, sentThen, happenedThen, failures, countries, countryBuckets }) => {
        const byCountry = countryPeriods(periods, countryBuckets);
        return {
          result: {
            business_id: args.business_id,
            data_until: facts.messages_until,
            basis: 'send',
            ...onlyRow(totals),
            failures,
            countries,
            periods: periods && zeroFilled(periods, smsChannel.activity, buckets),
            country_periods: byCountry.periods,
            times:
              args.times &&
              timeRows(smsChannel, args.times, sentThen, happenedThen).map(
                ({ opens_then_count: _, ...row }) => row,
              ),
          },
          notes: [...unknownCampaignNotes(smsChannel, args, known), ...byCountry.notes],
        };
      },
    });
  },
});
