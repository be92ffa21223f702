import { column } from '../../../answers/fields/field.ts';
import { selectMetrics } from '../../../answers/metric.ts';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { campaigns, sends } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { emailChannel, type MessageChannel, smsChannel } from '../../messages/queries/message-channels.ts';
import {
  matureMeasures,
  matureRevenue,
  sendRevenue,
  sendRevenueMeasures,
} from '../../messages/queries/send-revenue.ts';
import { messageActivity, messageMeasures } from './campaign-activity.ts';

/** The fields about campaigns of either channel. */
export function campaignMetrics(facts: SnapshotFacts) {
  return [...messageActivity, ...sendRevenue(sql`delivered`, hasRefunds(facts)), ...matureRevenue];
}

/** The columns of `campaignResults`. */
export const resultColumns = (facts: SnapshotFacts) => [
  column('campaign_key', 'integer'),
  ...campaignMetrics(facts),
  column('recipients', 'integer'),
  column('last_sent_at', 'moment'),
];

/**
 * A row for each of the campaigns with messages of its channel: `campaignMetrics`, how many people got them,
 * and when the last was sent.
 *
 * @param chosen a condition over `campaigns`
 * @param sent a condition over `sends`
 */
export function campaignResults(chosen: Sql, sent: Sql, facts: SnapshotFacts): Sql {
  return sql`
    select campaign_key, ${selectMetrics(campaignMetrics(facts))}, recipients, last_sent_at
    from (
      select campaign_key, ${messageMeasures}, ${sendRevenueMeasures}, ${matureMeasures(facts)},
        count(distinct customer_key) as recipients
      from ${sends} where ${isByOwnChannel(chosen)} and ${sent}
      group by campaign_key
    ) as measures`;
}

/**
 * The condition over `sends` or `messages` that one of the campaigns has the message, and is of its channel.
 */
export function isByOwnChannel(chosen: Sql): Sql {
  return sql`(${isOf(emailChannel, chosen)} or ${isOf(smsChannel, chosen)})`;
}

/** The same of one channel. */
export function isOf(channel: MessageChannel, chosen: Sql): Sql {
  const isOfChannel = sql`channel = ${parameter.text(channel.name)}`;
  return sql`${isOfChannel} and campaign_key in (
    select campaign_key from ${campaigns} where ${isOfChannel} and ${chosen}
  )`;
}
