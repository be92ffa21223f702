import { column, fieldsNamed, nullableColumn, orNull } from '../../../answers/fields/field.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { knownSum, percent, selectMetrics } from '../../../answers/metric.ts';
import {
  campaigns,
  messages,
  orderTraffic,
  popupEvents,
  sends,
  sessions,
} from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { MessageChannel } from '../../messages/queries/message-channels.ts';
import { sendRevenue, sendRevenueMeasures } from '../../messages/queries/send-revenue.ts';
import { popupActivity, popupMeasures } from '../../popups/queries/popup-activity.ts';
import { messageActivity, messageMeasures } from './campaign-activity.ts';

/** One campaign, as the queries here are asked of it. */
export interface AskedCampaign {
  readonly campaignId: string;
  /** Conditions over `sent_at` of `sends`, `happened_at` of `popup_events` and `ordered_at`. */
  readonly sent: Sql;
  readonly happened: Sql;
  readonly ordered: Sql;
  /** Whether orders before the first message are left out. */
  readonly isFromFirstMessage: boolean;
}

/** The campaign, if it is there: one row of it or none. */
const described = ({ campaignId }: AskedCampaign, columns: Sql) => sql`(
  select campaign_key, ${columns} from ${campaigns} where campaign_id = ${parameter.text(campaignId)}
) as asked`;

const SENT = [
  nullableColumn('first_sent_at', 'moment'),
  nullableColumn('last_sent_at', 'moment'),
  // Credited orders whose money is known.
  column('priced_orders', 'integer'),
];

const POPUP = [
  ...SENT,
  nullableColumn('last_submitted_at', 'moment'),
  ...popupActivity,
  nullableColumn('click_attributed_revenue', 'number'),
  nullableColumn('refunded_revenue', 'number'),
  nullableColumn('conversion_rate', 'number'),
];

/** Activity and SEND_REVENUE of what the campaign sent by the channel: one row, also when that is nothing. */
export function sentResults<Channel extends MessageChannel>(
  channel: Channel,
  asked: AskedCampaign,
  hasRefunds: boolean,
) {
  const { activity }: Pick<Channel, 'activity'> = channel;
  const metrics = [...activity, ...sendRevenue(channel.delivered, hasRefunds)];
  return query(
    [...SENT, ...metrics],
    sql`
    select case when sent > 0 then first_sent_at end as first_sent_at,
      case when sent > 0 then last_sent_at end as last_sent_at, priced_orders,
      ${selectMetrics(metrics)}
    from (
      select min(sent_at) as first_sent_at, ${channel.measures}, ${sendRevenueMeasures}
      from ${sends} join ${described(asked, sql`channel`)} using (campaign_key, channel)
      where channel = ${parameter.text(channel.name)} and ${asked.sent}
    ) as measures`,
  );
}

/** The same of a popup; sent is what was displayed. */
export function popupResults(asked: AskedCampaign, hasRefunds: boolean) {
  return query(
    POPUP,
    sql`
    select first_displayed_at as first_sent_at, last_displayed_at as last_sent_at, priced_orders, last_submitted_at,
      ${selectMetrics(popupActivity)}, cast(0 as decimal(18,4)) as click_attributed_revenue,
      ${hasRefunds ? sql`refunded` : sql`cast(null as decimal(18,4))`} as refunded_revenue,
      ${percent(sql`converted`, sql`submitters`)} as conversion_rate
    from (select ${popupMeasures} from ${popupEvents} where ${ofPopup(asked)}) as measures`,
  );
}

/** The condition over `popup_events`. */
export function ofPopup(asked: AskedCampaign): Sql {
  return sql`${ofCampaign(asked)} and ${asked.happened}`;
}

function ofCampaign({ campaignId }: AskedCampaign): Sql {
  return sql`campaign_key in (
    select campaign_key from ${campaigns} where campaign_id = ${parameter.text(campaignId)})`;
}

export const stepNames = [
  text('message_id', 'As other tools take it.'),
  text('name', 'Business data.', 'it has none'),
  text('subject', 'Business data.', 'it has none'),
];

const stepMetrics = [
  ...fieldsNamed(messageActivity, ['delivered_count', 'open_rate', 'click_rate']),
  ...fieldsNamed(sendRevenue(sql`delivered`, true), ['attributed_revenue']),
];

/** What each message of the campaign did; also those that were not sent, whose numbers are null. */
export function stepResults(asked: AskedCampaign, mostSteps: number) {
  return query(
    [...stepNames, ...orNull(stepMetrics)],
    sql`
    select message_id, name, subject, ${selectMetrics(stepMetrics)}
    from (${stepsOf(asked)}) as steps
    left join (
      select message_key, ${messageMeasures}, ${sendRevenueMeasures}
      from ${sends} where ${ofCampaign(asked)} and ${asked.sent}
      group by message_key
    ) as measures using (message_key)
    order by position, coalesce(variant, ''), message_id
    limit ${parameter.integer(mostSteps)}`,
  );
}

export function countSteps(asked: AskedCampaign) {
  return query(
    [column('steps_count', 'integer')],
    sql`select count(*) as steps_count from (${stepsOf(asked)}) as steps`,
  );
}

/** Messages of the campaign's own channel. A popup sends none. */
function stepsOf(asked: AskedCampaign): Sql {
  return sql`
    select message_key, message_id, name, subject, position, variant
    from ${messages} join ${described(asked, sql`channel`)} using (campaign_key, channel)
    where channel <> 'popup'`;
}

/**
 * Revenue of orders whose last click is a visit with the tag of the campaign: each part of it that is known.
 */
export function lastClickRevenue(asked: AskedCampaign) {
  return query(
    [nullableColumn('last_click_revenue', 'number')],
    sql`
    select ${knownSum(sql`revenue`)} as last_click_revenue
    from ${orderTraffic}
    join (
      select session_key as last_session_key, first_sent_at
      from ${sessions}
      join ${described(asked, sql`utm_source, utm_medium, utm_campaign as campaign, first_sent_at`)} using (campaign)
      where (utm_source is null or source = utm_source) and (utm_medium is null or medium = utm_medium)
    ) as tagged using (last_session_key)
    where ${asked.ordered} and ${asked.isFromFirstMessage ? sql`ordered_at >= first_sent_at` : sql`true`}`,
  );
}
