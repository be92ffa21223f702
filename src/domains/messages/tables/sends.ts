import { localDate, localHour, localWeekday } from '../../../model-table/business-values.ts';
import {
  date,
  flag,
  hour,
  integer,
  key,
  moment,
  money,
  name,
  text,
  weekday,
} from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { orderAttribution } from './attribution.ts';
import { knownSends } from './known-sends.ts';
import { mailboxProvider } from './mailbox-providers.ts';
import { deliveredSends, messageEvents } from './message-events.ts';

export const sends = modelTable({
  name: 'sends',
  scope: { person: 'customer_key' },
  meaning: `One row per send, with all that happened to it until now, so that tools that ask what became of the messages of a
range read one table. \`is_opened\`: a person opened it or clicked in it. Orders and revenue are those credited to it; of \`priced_orders\` a rate is known.
\`reason_text\`: why it was not delivered, as whoever sent it calls that.
\`is_mailbox_full\` by what the source calls the bounce, or the status x.2.2 of RFC 3463.`,
  columns: {
    send_key: key,
    message_key: key,
    campaign_key: key,
    channel: name,
    customer_key: key,
    sent_at: moment,
    sent_date: date,
    sent_weekday: weekday,
    sent_hour: hour,
    outcome: name,
    recipient_domain: name,
    mailbox_provider: name,
    sending_domain: name,
    bounce_class: name,
    smtp_code: name,
    reason_text: text,
    is_mailbox_full: flag,
    failure_reason: name,
    sms_segments: integer,
    is_unicode: flag,
    country: name,
    cost: money,
    opens: integer,
    machine_opens: integer,
    clicks: integer,
    bot_clicks: integer,
    is_opened: flag,
    is_unsubscribed: flag,
    is_complained: flag,
    attributed_orders: integer,
    priced_orders: integer,
    attributed_revenue: money,
    click_attributed_revenue: money,
    refunded_revenue: money,
  },
  order: ['sent_at'],
  needs: [knownSends],
  rows: relation`
with happened as (
  select send_key,
    count(*) filter (where kind = 'open' and not is_machine) as opens,
    count(*) filter (where kind = 'open' and is_machine) as machine_opens,
    count(*) filter (where kind = 'click' and is_content and not is_machine) as clicks,
    count(*) filter (where kind = 'click' and is_content and is_machine) as bot_clicks,
    count(*) filter (where kind = 'click' and not is_machine) as all_clicks,
    count(*) filter (where kind = 'unsubscribe') > 0 as is_unsubscribed,
    count(*) filter (where kind = 'complaint') > 0 as is_complained
  from ${messageEvents} group by send_key
),
credited as (
  select send_key, count(*) as attributed_orders, sum(revenue) as attributed_revenue,
    case when bool_or(touch_kind = 'click' and revenue is null) and coalesce(sum(revenue) filter (where touch_kind = 'click'), 0) = 0 then null
      else coalesce(sum(revenue) filter (where touch_kind = 'click'), 0) end as click_attributed_revenue,
    count(revenue) as priced_orders,
    sum(refunded) as refunded_revenue
  from ${orderAttribution} where scenario = 'configured' group by send_key
)
select send_key, message_key, campaign_key, s.channel, customer_key, sent_at, ${localDate('sent_at')} as sent_date,
  ${localWeekday('sent_at')} as sent_weekday, ${localHour('sent_at')} as sent_hour,
  outcome, recipient_domain, ${mailboxProvider('recipient_domain')} as mailbox_provider, sending_domain, bounce_class,
  smtp_code, reason_text,
  outcome <> 'delivered' and coalesce(regexp_matches(bounce_class, 'full|quota') or regexp_matches(smtp_code, '[245][.]2[.]2'), false)
    as is_mailbox_full,
  failure_reason, sms_segments, is_unicode, country, cost,
  cast(coalesce(opens, 0) as integer) as opens,
  cast(coalesce(machine_opens, 0) as integer) as machine_opens,
  cast(coalesce(clicks, 0) as integer) as clicks,
  cast(coalesce(bot_clicks, 0) as integer) as bot_clicks,
  coalesce(opens > 0 or all_clicks > 0, false) as is_opened,
  coalesce(is_unsubscribed, false) as is_unsubscribed,
  coalesce(is_complained, false) as is_complained,
  cast(coalesce(attributed_orders, 0) as integer) as attributed_orders,
  cast(coalesce(priced_orders, 0) as integer) as priced_orders,
  cast(case when attributed_orders is null then 0 else attributed_revenue end as decimal(18,4)) as attributed_revenue,
  cast(case when attributed_orders is null then 0 else click_attributed_revenue end as decimal(18,4)) as click_attributed_revenue,
  cast(case when attributed_orders is null then 0 else refunded_revenue end as decimal(18,4)) as refunded_revenue
from ${deliveredSends} as s
left join happened using (send_key)
left join credited using (send_key)
order by sent_at, send_key`,
});
