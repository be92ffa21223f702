import { isOneOf } from '../../../../answers/existing-names.ts';
import {
  campaigns,
  links,
  messageEvents,
  orderAttribution,
  sends,
} from '../../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { inPeriod } from '../condition-periods.ts';
import { boundsOf, byNumber, whole } from './by-number.ts';
import { type Matching, type MatchingOf, those } from './matching.ts';

/**
 * What somebody did counts when they did it, in any of the named campaigns. What they did not do is asked of
 * messages sent in the period: at least one, and nothing was done with any of them since. Types of campaigns
 * without ids mean any of the type.
 */
export const campaign: MatchingOf<'campaign'> = ({ operator, value, campaign_type, link, period }, at) => {
  const ofCampaigns = sql`campaign_key in (
    select campaign_key from ${campaigns}
    where ${isOneOf(sql`campaign_id`, value)} and ${isOneOf(sql`campaign_type`, campaign_type)})`;
  const untilThen = at.isPast ? sql` and ${inPeriod(sql`happened_at`, undefined, at)}` : sql``;
  const sent = sql`
    select send_key, customer_key from ${sends}
    where ${ofCampaigns} and ${inPeriod(sql`sent_at`, period, at)}`;
  const didIn = (deeds: Sql): Matching =>
    those(sql`
      select distinct customer_key
      from (select send_key from ${deeds} and ${inPeriod(sql`happened_at`, period, at)}) as deeds
      join (select send_key, customer_key from ${sends} where ${ofCampaigns}) as sent using (send_key)`);
  const didNotIn = (deeds: Sql): Matching =>
    those(sql`
      select customer_key
      from (
        select customer_key, case when send_key in (select send_key from ${deeds}${untilThen}) then 1 else 0 end as is_done
        from (${sent}) as sent
      ) as messages
      group by customer_key
      having max(is_done) = 0`);
  switch (operator) {
    case 'sent':
      return those(sql`select distinct customer_key from (${sent}) as sent`);
    case 'opened':
      return didIn(opens);
    case 'clicked':
      return didIn(clicks(link));
    case 'not_opened':
      return didNotIn(opens);
    case 'not_clicked':
      return didNotIn(clicks(link));
    case 'ordered':
      return those(sql`
        select distinct customer_key from ${orderAttribution}
        where scenario = 'configured' and ${ofCampaigns} and ${inPeriod(sql`ordered_at`, period, at)}`);
  }
};

/** A click proves that the message was opened, whatever the link. */
const opens: Sql = sql`${messageEvents} where kind in ('open', 'click') and not is_machine`;

/** Clicks on content, or on the named links whatever they are, by id or by URL. */
function clicks(link: readonly string[] | undefined): Sql {
  const ids = link === undefined ? null : sql`(${parameter.texts(link)})`;
  const target =
    ids === null
      ? sql`is_content`
      : sql`link_key in (select link_key from ${links} where link_id in ${ids} or url in ${ids} or plain_url in ${ids})`;
  return sql`${messageEvents} where kind = 'click' and not is_machine and ${target}`;
}

/** Delivered messages. */
export const messagesReceived: MatchingOf<'messages_received'> = (
  { operator, value, channel, period },
  at,
) => {
  const inChannel = channel === undefined ? sql`true` : sql`channel = ${parameter.text(channel)}`;
  const received = sql`
    select customer_key from ${sends}
    where outcome = 'delivered' and ${inChannel} and ${inPeriod(sql`sent_at`, period, at)}
    group by customer_key`;
  return byNumber(received, sql`count(*)`, boundsOf(operator, value), whole);
};
