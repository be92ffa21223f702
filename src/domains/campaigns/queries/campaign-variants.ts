import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { selectMetrics } from '../../../answers/metric.ts';
import { messages, sends } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { MessageChannel } from '../../messages/queries/message-channels.ts';
import { sendRevenue, sendRevenueMeasures } from '../../messages/queries/send-revenue.ts';
import { isByOwnChannel, isOf } from './campaign-results.ts';

/** The results of a variant's messages: activity and SEND_REVENUE of their channel. */
export function variantMetrics<Channel extends MessageChannel>(channel: Channel, hasRefunds: boolean) {
  const { activity }: Pick<Channel, 'activity'> = channel;
  return [...activity, ...sendRevenue(channel.delivered, hasRefunds)];
}

const VARIANT = [
  column('message_id', 'text'),
  column('position', 'integer'),
  column('variant', 'text'),
  column('is_winner_send', 'boolean'),
  nullableColumn('subject', 'text'),
  nullableColumn('allocation', 'number'),
];
export type Variant = ObjectOf<typeof VARIANT>;

const RESULT = [
  column('message_id', 'text'),
  column('last_sent_at', 'moment'),
  column('converted_count', 'integer'),
  column('revenue_sum', 'text'),
  column('revenue_squares', 'text'),
];
/** The result of a message of either channel, with what tests and decisions need. */
export type VariantResult = ObjectOf<typeof RESULT> & {
  readonly sent_count: number;
  readonly delivered_count: number;
  readonly unique_opens_count?: number;
  readonly unique_clicks_count: number;
  readonly attributed_orders_count: number;
  readonly open_rate?: number | null;
  readonly click_rate: number | null;
  readonly conversion_rate: number | null;
  readonly revenue_per_recipient: number | null;
};

/** The messages of an e-mail or SMS campaign that are variants. */
export function variantsOf(campaignId: string, most: number) {
  return query(
    VARIANT,
    sql`
    select message_id, position, variant, is_winner_send, subject, allocation
    from ${messages}
    where variant is not null and ${isByOwnChannel(isCampaign(campaignId))}
    order by variant, is_winner_send, position, message_id
    limit ${parameter.integer(most)}`,
  );
}

/** Counts the variants of a campaign, and its messages that belong to no variant. */
export function countVariants(campaignId: string) {
  return query(
    [column('variants_count', 'integer'), column('others_count', 'integer')],
    sql`
    select count(variant) as variants_count, count(*) - count(variant) as others_count
    from ${messages} where ${isByOwnChannel(isCampaign(campaignId))}`,
  );
}

/**
 * What came of each message of the campaign that was sent by the channel, and what tests need of it beyond
 * that: the sends with a credited order, and exact sums of what each send brought, and of its square.
 *
 * TRICKY: the square of a decimal of 18 digits takes 38, and the engines widen it only when told to.
 */
export function variantResults<Channel extends MessageChannel>(
  campaignId: string,
  channel: Channel,
  hasRefunds: boolean,
) {
  return query(
    [...RESULT, ...variantMetrics(channel, hasRefunds)],
    sql`
    select message_id, ${selectMetrics(variantMetrics(channel, hasRefunds))}, last_sent_at, converted as converted_count,
      cast(coalesce(attributed_revenue, 0) as varchar) as revenue_sum, cast(coalesce(revenue_squares, 0) as varchar) as revenue_squares
    from (
      select message_key, ${channel.measures}, ${sendRevenueMeasures},
        sum(cast(attributed_revenue as decimal(38,4)) * cast(attributed_revenue as decimal(38,4))) as revenue_squares
      from ${sends}
      where ${isOf(channel, isCampaign(campaignId))}
      group by message_key
    ) as measures
    join (select message_key, message_id from ${messages}) as named using (message_key)`,
  );
}

export function isCampaign(campaignId: string): Sql {
  return sql`campaign_id = ${parameter.text(campaignId)}`;
}
