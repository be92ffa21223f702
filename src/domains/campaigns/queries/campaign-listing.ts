import { nullableColumn } from '../../../answers/fields/field.ts';
import { count, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { selectMetrics } from '../../../answers/metric.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { campaigns, messages, sends } from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';
import type { MessageChannel } from '../../messages/queries/message-channels.ts';
import { channelCampaignFields } from '../../messages/queries/message-fields.ts';
import {
  matureMeasures,
  matureRevenue,
  sendRevenue,
  sendRevenueMeasures,
} from '../../messages/queries/send-revenue.ts';
import { type CampaignFilters, sentIn } from '../../messages/queries/sent-campaigns.ts';

export interface CampaignListing extends CampaignFilters, Sorting, Paging {
  readonly min_delivered: number;
}

/** Decides which of the messages sent stands for its campaign: the e-mail sent most, or the first SMS. */
const shownFirst = {
  email: sql`sent_messages desc, message_id`,
  sms: sql`position, message_id`,
} satisfies Record<MessageChannel['name'], Sql>;

export const subject = text('subject', 'Of the message sent most. Business data.', 'it has none');
export const messagesCount = count('messages', 'messages_count', 'Distinct messages and variants sent.');
const messageText = nullableColumn('message_text', 'text');

/** Campaigns of the channel with what they sent in the range, one page of them. */
export function listCampaignResults<Channel extends MessageChannel>(
  channel: Channel,
  range: Range,
  listing: CampaignListing,
  facts: SnapshotFacts,
) {
  const sentInRange = sentIn(channel, range, listing);
  const columns = [
    ...channelCampaignFields,
    subject,
    messageText,
    messagesCount,
    ...campaignMetrics(channel, facts),
  ];
  return query(
    columns,
    rankedPage(
      sql`
    select campaign_id, name, subject, message_text, campaign_type, campaign_category, first_sent_at, last_sent_at,
      messages_count, ${selectMetrics(campaignMetrics(channel, facts))}
    from (
      select campaign_key, count(distinct message_key) as messages_count, min(sent_at) as first_sent_at,
        ${channel.measures}, ${sendRevenueMeasures}, ${matureMeasures(facts)}
      from ${sends} where ${sentInRange}
      group by campaign_key
    ) as measures
    join (
      select campaign_key, campaign_id, name, campaign_type, campaign_category from ${campaigns}
    ) as described using (campaign_key)
    join (
      select campaign_key, subject, message_text,
        row_number() over (partition by campaign_key order by ${shownFirst[channel.name]}) as place
      from (
        select campaign_key, message_key, count(*) as sent_messages from ${sends} where ${sentInRange}
        group by campaign_key, message_key
      ) as sent
      join (select message_key, message_id, position, subject, text as message_text from ${messages}) as content
        using (message_key)
    ) as shown using (campaign_key)
    where place = 1 and (${channel.delivered}) >= ${parameter.integer(listing.min_delivered)}`,
      listing,
      'campaign_id',
      campaignMetrics(channel, facts),
    ),
  );
}

export function countCampaignResults(channel: MessageChannel, range: Range, listing: CampaignListing) {
  return query(
    [totalCount],
    sql`
    select count(*) as total_count
    from (
      select campaign_key from ${sends} where ${sentIn(channel, range, listing)}
      group by campaign_key
      having count(*) filter (where outcome = 'delivered') >= ${parameter.integer(listing.min_delivered)}
    ) as matching`,
  );
}

function campaignMetrics<Channel extends MessageChannel>(channel: Channel, facts: SnapshotFacts) {
  const { activity, spending }: Pick<Channel, 'activity' | 'spending'> = channel;
  return [...activity, ...sendRevenue(channel.delivered, hasRefunds(facts)), ...matureRevenue, ...spending];
}
