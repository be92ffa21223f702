import { flag } from '../../answers/fields/kinds-of-fields.ts';
import { onlyRow, type RowOf } from '../../answers/fields/query.ts';
import { plan } from '../../answers/tool.ts';
import type { SnapshotFacts } from '../../business/snapshot-facts.ts';
import { type RangeArguments, readRange } from '../../time/range.ts';
import { isMature } from '../messages/queries/data-until.ts';
import { largeCreditNotes, largeOrdersOfSends } from '../messages/queries/large-credited-orders.ts';
import { LOW_VOLUME } from '../messages/queries/low-volume.ts';
import type { MessageChannel } from '../messages/queries/message-channels.ts';
import { sendRevenueHeadOf } from '../messages/queries/message-fields.ts';
import { quietAutomationNotes, quietAutomations } from '../messages/queries/quiet-automations.ts';
import { knownCampaigns, sentIn, unknownCampaignNotes } from '../messages/queries/sent-campaigns.ts';
import {
  type CampaignListing,
  countCampaignResults,
  listCampaignResults,
} from './queries/campaign-listing.ts';

/** The campaigns of a channel, ranked by what they sent in a range and what came of it. */

interface CampaignsContext {
  readonly args: RangeArguments & CampaignListing & { readonly business_id: string };
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

/** @param shown the fields of a campaign in this channel */
export function planChannelCampaigns<Channel extends MessageChannel, Shown extends object>(
  channel: Channel,
  { args, timezone, facts }: CampaignsContext,
  shown: (campaign: RowOf<ReturnType<typeof listCampaignResults<Channel>>>) => Shown,
) {
  const range = readRange(args, timezone);
  return plan({
    queries: {
      rows: listCampaignResults(channel, range, args, facts),
      totals: countCampaignResults(channel, range, args),
      known: knownCampaigns(channel, args),
      large: largeOrdersOfSends(sentIn(channel, range, args)),
      quiet: quietAutomations(range, [channel.name], args, facts, timezone),
    },
    answer: ({ rows, totals, known, large, quiet }) => ({
      result: {
        ...sendRevenueHeadOf(args.business_id, channel, facts),
        ...onlyRow(totals),
        campaigns: rows.map(shown),
      },
      notes: [
        ...largeCreditNotes(large, rows),
        ...quietAutomationNotes(quiet),
        ...unknownCampaignNotes(channel, args, known),
      ],
    }),
  });
}

export function isLowVolumeField({ name }: MessageChannel) {
  return flag('is_low_volume', `delivered_count < ${LOW_VOLUME[name]}: rates are noise.`);
}

/** How far the revenue and the rates of a campaign can be relied on. */
export function reliability(
  { name }: MessageChannel,
  campaign: { readonly last_sent_at: string; readonly delivered_count: number },
  facts: SnapshotFacts,
) {
  return {
    is_mature: isMature(campaign.last_sent_at, facts),
    is_low_volume: campaign.delivered_count < LOW_VOLUME[name],
  };
}
