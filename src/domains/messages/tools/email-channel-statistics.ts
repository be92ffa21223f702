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
import {
  clientFields,
  openingClients,
  pressure,
  pressureFields,
  pressureRows,
} from '../queries/email-pressure.ts';
import { emailChannel } from '../queries/message-channels.ts';
import { sendBasis } from '../queries/message-fields.ts';
import { sentIn, unknownCampaignNotes } from '../queries/sent.ts';
import { emailThen, timeFields, timeRows, timesOfDay } from '../queries/times-of-day.ts';

export const emailChannelStatistics = defineTool({
  name: 'email_channel_statistics',
  title: 'Email channel statistics',
  group: 'Email analytics',
  description:
    'What e-mail as a whole did: volume, opens and clicks, unsubscribes, complaints, frequency, programs. No revenue.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', identity: ['period', 'period_start'] },
  chart: [
    heat('times', 'opens_then_count'),
    bars('times', ['key'], ['opens_then_count', 'clicks_then_count']),
    line('periods', 'period', ['sent_count', 'open_rate', 'click_rate']),
    funnel(WHOLE, [], ['sent_count', 'delivered_count', 'unique_opens_count', 'unique_clicks_count']),
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
    ...channelMetrics(emailChannel),
    field({
      key: 'frequency',
      type: 'list',
      definition: 'Recipients by how many messages they got in the range; rates of those messages.',
      fields: pressureFields,
    }),
    field({ key: 'clients', type: 'list', definition: 'Where messages were opened.', fields: clientFields }),
    field({
      key: 'periods',
      type: 'list',
      null: 'no breakdown asked for',
      definition: 'Every period of the range.',
      fields: [...periodFields, ...emailChannel.activity],
    }),
    field({
      key: 'times',
      type: 'list',
      null: 'not asked for',
      definition: 'Messages by when they were sent, beside what people did at that time.',
      fields: timeFields(emailChannel, emailThen),
    }),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
    const sent = sentIn(emailChannel, range, args);
    return plan({
      queries: {
        ...timesOfDay(emailChannel, sent, args.times),
        ...activityQueries(emailChannel, range, periods, args),
        frequency: pressure(sent),
        clients: openingClients(sent),
      },
      answer: ({ totals, buckets, known, sentThen, happenedThen, frequency, clients }) => ({
        result: {
          business_id: args.business_id,
          data_until: facts.messages_until,
          basis: 'send',
          ...onlyRow(totals),
          frequency: pressureRows(frequency),
          clients,
          periods: periods && zeroFilled(periods, emailChannel.activity, buckets),
          times: args.times && timeRows(emailChannel, args.times, sentThen, happenedThen),
        },
        notes: unknownCampaignNotes(emailChannel, args, known),
      }),
    });
  },
});
