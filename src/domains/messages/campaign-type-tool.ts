import { oneOf, rangeArguments } from '../../answers/arguments.ts';
import { groupByField } from '../../answers/fields/shared-fields.ts';
import { plan } from '../../answers/tool.ts';
import type { SnapshotFacts } from '../../business/snapshot-facts.ts';
import { type RangeArguments, readRange } from '../../time/range.ts';
import { campaignExclusions } from './marketing-arguments.ts';
import type { MessageChannel } from './queries/message-channels.ts';
import { sendRevenueHead, sendRevenueHeadOf } from './queries/message-fields.ts';
import { quietAutomationNotes, quietAutomations } from './queries/quiet-automations.ts';
import { type CampaignFilters, knownCampaigns, unknownCampaignNotes } from './queries/sent-campaigns.ts';
import {
  CAMPAIGN_GROUPINGS,
  type CampaignGrouping,
  typeRows,
  typeStatistics,
} from './queries/type-statistics.ts';

/** The results of a channel by type or category of campaign. */

export const campaignTypeArguments = {
  ...rangeArguments,
  group_by: oneOf('group_by', CAMPAIGN_GROUPINGS).default('campaign_category'),
  ...campaignExclusions,
};

export const campaignTypeHead = [...sendRevenueHead, groupByField(CAMPAIGN_GROUPINGS)];

interface CampaignTypeContext {
  readonly args: RangeArguments &
    CampaignFilters & { readonly business_id: string; readonly group_by: CampaignGrouping };
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

export function planCampaignTypes<Channel extends MessageChannel>(
  channel: Channel,
  { args, timezone, facts }: CampaignTypeContext,
) {
  const { business_id, group_by } = args;
  const range = readRange(args, timezone);
  return plan({
    queries: {
      types: typeStatistics(channel, range, group_by, args, facts),
      quiet: quietAutomations(range, [channel.name], args, facts, timezone),
      known: knownCampaigns(channel, args),
    },
    answer: ({ types, known, quiet }) => ({
      result: {
        ...sendRevenueHeadOf(business_id, channel, facts),
        group_by,
        types: typeRows(types, facts),
      },
      notes: [...quietAutomationNotes(quiet), ...unknownCampaignNotes(channel, args, known)],
    }),
  });
}
