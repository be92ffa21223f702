import { z } from 'zod';
import { bars, funnel, heat, line, WHOLE } from '../../../answers/chart.ts';
import { field } from '../../../answers/fields/field.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { askChannel, channelArguments, channelHead, channelPeriods, channelTimes } from '../channel-tool.ts';
import { smsChannel } from '../queries/message-channels.ts';
import { sentDuring } from '../queries/sent-campaigns.ts';
import {
  countries,
  countriesByPeriod,
  countryFields,
  countryPeriodFields,
  countryPeriods,
  failedAs,
  failedAsNotes,
  failureFields,
  failures,
  unicodeNotes,
  unicodeTexts,
} from '../queries/sms-delivery.ts';
import { smsThen } from '../queries/times-of-day.ts';

export const smsChannelStatistics = defineTool({
  name: 'sms_channel_statistics',
  title: 'SMS channel statistics',
  group: 'SMS analytics',
  description:
    'What SMS as a whole did: volume, billed parts, cost, deliveries and why they failed, clicks, opt-outs. No revenue.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start'] },
  chart: [
    heat('times', 'clicks_then_count'),
    bars('times', ['key'], ['clicks_then_count']),
    line('periods', 'period', ['sent_count', 'delivery_rate', 'click_rate']),
    funnel(WHOLE, [], ['sent_count', 'delivered_count', 'unique_clicks_count']),
  ],
  input: z.strictObject(channelArguments),
  fields: [
    ...channelHead(smsChannel),
    list('failures', 'Why messages failed.', failureFields),
    list('countries', 'By the prefix of the number.', countryFields),
    channelPeriods(smsChannel),
    field({
      key: 'country_periods',
      type: 'list',
      null: 'no breakdown asked for, or too many rows',
      definition: 'A row for each period and country that anything was sent to.',
      fields: countryPeriodFields,
    }),
    channelTimes(smsChannel, smsThen),
  ],
  plan(context) {
    const channel = askChannel(smsChannel, context);
    const { sent, periods } = channel;
    return plan({
      queries: {
        ...channel.queries,
        failures: failures(sent),
        failedAs: failedAs(sent),
        unicodeTexts: unicodeTexts(sent),
        countries: countries(sent),
        countryBuckets: periods && countriesByPeriod(sentDuring(smsChannel, periods, context.args), periods),
      },
      answer: ({ failures, failedAs: causes, unicodeTexts: texts, countries, countryBuckets, ...rows }) => {
        const { result, notes } = channel.answer(rows);
        const byCountry = countryPeriods(periods, countryBuckets);
        return {
          result: {
            ...result,
            failures,
            countries,
            country_periods: byCountry.periods,
            times: result.times?.map(({ opens_then_count: _, ...row }) => row) ?? null,
          },
          notes: [...failedAsNotes(causes), ...unicodeNotes(result, texts), ...notes, ...byCountry.notes],
        };
      },
    });
  },
});
