import { rangeArguments } from '../../answers/arguments.ts';
import { field } from '../../answers/fields/field.ts';
import { onlyRow, type RowsOf } from '../../answers/fields/query.ts';
import { coverage, periodFields } from '../../answers/fields/shared-fields.ts';
import { zeroFilled } from '../../answers/zero-filled.ts';
import type { SnapshotFacts } from '../../business/snapshot-facts.ts';
import { type Breakdown, coverWithPeriods } from '../../time/periods.ts';
import { type RangeArguments, readRange } from '../../time/range.ts';
import { campaignTypesFilter, optionalBreakdown, timesArgument } from './marketing-arguments.ts';
import { automatedIn, automatedTimeNotes } from './queries/automated-times.ts';
import { activityQueries, channelMetrics } from './queries/channel-activity.ts';
import { lateFollowed, lateFollowedNotes } from './queries/late-followed.ts';
import { leadingCampaignNotes, leadingCampaigns } from './queries/leading-campaigns.ts';
import type { MessageChannel } from './queries/message-channels.ts';
import { sendBasis } from './queries/message-fields.ts';
import { quietAutomationNotes, quietAutomations } from './queries/quiet-automations.ts';
import { type CampaignFilters, sentIn, unknownCampaignNotes } from './queries/sent-campaigns.ts';
import {
  comparesTimes,
  type emailThen,
  type smsThen,
  type Times,
  timeFields,
  timeNotes,
  timeRows,
  timesOfDay,
} from './queries/times-of-day.ts';

/** What a channel as a whole did in a range. */

export const channelArguments = {
  ...rangeArguments,
  ...optionalBreakdown,
  ...timesArgument,
  ...campaignTypesFilter,
};

export function channelHead<Channel extends MessageChannel>(channel: Channel) {
  return [...coverage, sendBasis, ...channelMetrics(channel)] as const;
}

export function channelPeriods<Channel extends MessageChannel>(channel: Channel) {
  return field({
    key: 'periods',
    type: 'list',
    null: 'no breakdown asked for',
    definition: 'Every period of the range.',
    fields: [...periodFields, ...(channel.activity as Channel['activity'])],
  });
}

export function channelTimes<Channel extends MessageChannel, Then extends typeof emailThen | typeof smsThen>(
  channel: Channel,
  then: Then,
) {
  return field({
    key: 'times',
    type: 'list',
    null: 'not asked for',
    definition: 'By when messages were sent, beside what people did then; times without sends are left out.',
    fields: timeFields(channel, then),
  });
}

interface ChannelContext {
  readonly args: RangeArguments &
    CampaignFilters & {
      readonly business_id: string;
      readonly breakdown: Breakdown | null;
      readonly times: Times | null;
    };
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

/**
 * The part of a tool's plan that is the same for every channel: `sent` and `periods` are what its own part
 * asks of.
 */
export function askChannel<Channel extends MessageChannel>(
  channel: Channel,
  { args, timezone, facts }: ChannelContext,
) {
  const range = readRange(args, timezone);
  const periods = args.breakdown && coverWithPeriods(range, args.breakdown);
  const sent = sentIn(channel, range, args);
  const queries = {
    ...timesOfDay(channel, sent, args.times),
    ...activityQueries(channel, range, periods, args),
    automated: args.times && automatedIn(sent),
    leading: leadingCampaigns(channel, range, periods, args),
    late: lateFollowed(channel, range, args, timezone, facts),
    quiet: quietAutomations(range, [channel.name], args, facts, timezone),
  };
  return {
    range,
    sent,
    periods,
    queries,
    answer: ({
      totals,
      buckets,
      known,
      automated,
      quiet,
      leading,
      late,
      sentThen,
      comparedThen,
      happenedThen,
    }: RowsOf<typeof queries>) => {
      const times = args.times && timeRows(channel, args.times, sentThen, comparedThen, happenedThen);
      return {
        result: {
          business_id: args.business_id,
          data_until: facts.messages_until,
          basis: 'send' as const,
          ...onlyRow(totals),
          periods: periods && zeroFilled(periods, channel.activity as Channel['activity'], buckets),
          times,
        },
        notes: [
          ...leadingCampaignNotes(leading, args.breakdown === 'day' ? null : periods),
          ...lateFollowedNotes(channel, late),
          ...automatedTimeNotes(
            automated,
            `For campaigns alone ask with filter_campaign_types${comparesTimes(times) ? '; for one time against another, look at click_rate_difference' : ''}.`,
          ),
          ...quietAutomationNotes(quiet),
          ...unknownCampaignNotes(channel, args, known),
          ...timeNotes(times, comparedThen),
        ],
      };
    },
  };
}
