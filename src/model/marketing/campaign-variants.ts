import { parameter, type Sql, sql } from '../../sql/sql.ts';
import { type Metric, selectMetrics } from '../metrics/metric.ts';
import { messages, sends } from '../tables.ts';
import { isByOwnChannel, isOf } from './campaign-results.ts';
import type { MessageChannel } from './message-channels.ts';
import { sendRevenue, sendRevenueMeasures } from './send-revenue.ts';

/** What is known of a variant's messages: activity and SEND_REVENUE of their channel. */
export function variantMetrics(channel: MessageChannel, hasRefunds: boolean): readonly Metric[] {
  return [...channel.activity, ...sendRevenue(channel.delivered, hasRefunds)];
}

/** The messages of an e-mail or SMS campaign that are variants. */
export function variantsOf(campaignId: string, most: number): Sql {
  return sql`
    select message_id, position, variant, is_winner_send, subject, allocation
    from ${messages}
    where variant is not null and ${isByOwnChannel(isCampaign(campaignId))}
    order by variant, is_winner_send, position, message_id
    limit ${parameter.integer(most)}`;
}

/** How many there are, and how many messages are none. */
export function countVariants(campaignId: string): Sql {
  return sql`
    select count(variant) as variants_count, count(*) - count(variant) as others_count
    from ${messages} where ${isByOwnChannel(isCampaign(campaignId))}`;
}

/**
 * What came of each message of the campaign that was sent by the channel, and what tests need of it beyond that: the
 * sends with a credited order, and exact sums of what each send brought, and of its square.
 *
 * TRICKY: the square of a decimal of 18 digits takes 38, and the engines widen it only when told to.
 */
export function variantResults(campaignId: string, channel: MessageChannel, hasRefunds: boolean): Sql {
  return sql`
    select message_id, ${selectMetrics(variantMetrics(channel, hasRefunds))}, last_sent_at, converted as converted_count,
      cast(attributed_revenue as varchar) as revenue_sum, cast(revenue_squares as varchar) as revenue_squares
    from (
      select message_key, ${channel.measures}, ${sendRevenueMeasures},
        sum(cast(attributed_revenue as decimal(38,4)) * cast(attributed_revenue as decimal(38,4))) as revenue_squares
      from ${sends}
      where ${isOf(channel, isCampaign(campaignId))}
      group by message_key
    ) as measures
    join (select message_key, message_id from ${messages}) as named using (message_key)`;
}

export function isCampaign(campaignId: string): Sql {
  return sql`campaign_id = ${parameter.text(campaignId)}`;
}
