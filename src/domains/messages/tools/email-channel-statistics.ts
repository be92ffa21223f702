import { z } from 'zod';
import { bars, funnel, heat, line, saying, WHOLE } from '../../../answers/chart.ts';
import { list } from '../../../answers/fields/kinds-of-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { askChannel, channelArguments, channelHead, channelPeriods, channelTimes } from '../channel-tool.ts';
import { complaintNotes, complaints } from '../queries/complaints.ts';
import {
  beforeFields,
  beforeRows,
  clientFields,
  openingClients,
  pressure,
  pressureBefore,
  pressureFields,
  pressureNotes,
  pressureRows,
} from '../queries/email-pressure.ts';
import { emailChannel } from '../queries/message-channels.ts';
import { emailThen } from '../queries/times-of-day.ts';

export const emailChannelStatistics = defineTool({
  name: 'email_channel_statistics',
  title: 'Email channel statistics',
  group: 'Email analytics',
  description:
    'E-mail as a whole: volume, opens, clicks, unsubscribes, complaints, frequency, programs. No revenue.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start'] },
  chart: [
    saying(
      'How many opens there were at each hour, and no share of what was sent: most follow soon after a message goes out, so the darkest hour is first of all when you sent. It is no reason to send then. Where no cell is, nothing was sent.',
      heat('times', 'opens_then_count'),
    ),
    bars('times', ['key'], ['opens_then_count', 'clicks_then_count']),
    line('periods', 'period', ['sent_count', 'open_rate', 'click_rate']),
    funnel(WHOLE, [], ['sent_count', 'delivered_count', 'unique_opens_count', 'unique_clicks_count']),
  ],
  input: z.strictObject(channelArguments),
  fields: [
    ...channelHead(emailChannel),
    list(
      'frequency',
      'Recipients by how many messages they got in the range: who leaves gets few. Judge by frequency_before.',
      pressureFields,
    ),
    list('frequency_before', 'Messages by how many the recipient had got before.', beforeFields),
    list('clients', 'Where messages were opened.', clientFields),
    channelPeriods(emailChannel),
    channelTimes(emailChannel, emailThen),
  ],
  plan(context) {
    const channel = askChannel(emailChannel, context);
    return plan({
      queries: {
        ...channel.queries,
        frequency: pressure(channel.sent),
        complaints: complaints('email', channel.range),
        before: pressureBefore(channel.sent, channel.range),
        clients: openingClients(channel.sent),
      },
      answer: ({ frequency, before, clients, complaints: complained, ...rows }) => {
        const { result, notes } = channel.answer(rows);
        const ofPeople = { frequency: pressureRows(frequency), frequency_before: beforeRows(before) };
        return {
          result: { ...result, ...ofPeople, clients },
          notes: [...notes, ...pressureNotes(frequency), ...complaintNotes(complained)],
        };
      },
    });
  },
});
