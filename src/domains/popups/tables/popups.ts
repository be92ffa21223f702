import { localDate, secondsOf } from '../../../model-table/business-values.ts';
import { date, flag, integer, key, moment, money, name } from '../../../model-table/column-kinds.ts';
import { modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { personOf, persons, visitorKeys } from '../../identity/tables/identity.ts';
import { POPUP_WINDOWS_D } from '../../messages/definitions/popup-windows.ts';
import { knownCampaigns } from '../../messages/tables/campaign-contents.ts';
import { firstOrders, orders } from '../../orders/tables/orders.ts';
import { customerConsents } from '../../subscribers/tables/consents.ts';

const keyedPopupEvents = workTable({
  name: 'keyed_popup_events',
  types: {
    place: 'bigint',
    campaign_key: 'integer',
    visitor_key: 'integer',
    customer_key: 'integer',
    submitter_key: 'integer',
    happened_at: 'timestamp',
    happened_s: 'bigint',
    kind: 'varchar',
    device: 'varchar',
  },
  needs: [stored.popupEvents, knownCampaigns],
  rows: relation`
select row_number() over (order by "at", event_id) as place,
  campaign_key, visitor_key, coalesce(customer_key, case when is_identified then visitor_key end) as customer_key,
  coalesce(customer_key, visitor_key) as submitter_key, "at" as happened_at, ${secondsOf('"at"')} as happened_s, kind,
  case when device in ('desktop', 'mobile', 'tablet') then device when device is not null then 'other' end as device
from ${stored.popupEvents} as e
join ${knownCampaigns} using (campaign_id)
join ${visitorKeys} using (visitor_id)
left join ${persons} on person = ${personOf('e.profile_id', 'e.email_hash', 'null')}
where channel = 'popup'`,
});

const withinDays = (laterS: string, earlierS: string, days: number) =>
  `${laterS} between ${earlierS} and ${earlierS} + ${days} * 86400`;

export const popupEvents = modelTable({
  name: 'popup_events',
  scope: { person: 'visitor_key' },
  meaning: `Displays, closes and submissions of known popups; who submitted, where that is known. The last columns tell what came
of a submission, and of nothing else:

- \`is_new_subscriber\`: the submitter became subscribed, in one channel for the first time ever, with it or within days;
  \`is_new_email_subscriber\`: in that of e-mail; \`is_lost_subscriber\`: and unsubscribed there soon after.
- \`is_new_customer\`: the submitter's first order ever followed.
- Orders and revenue: those that the submitter placed within days. If there are several submissions of one popup, an order is credited to
  the latest, so that periods add up. An exchange rate is known for \`priced_orders\`.

A submitter whom nothing names is the visitor. Times are compared in whole seconds, both ends of a window included: the form
and the consent that it gives come from different clocks.`,
  columns: {
    campaign_key: key,
    visitor_key: key,
    customer_key: integer,
    happened_at: moment,
    happened_date: date,
    kind: name,
    device: name,
    is_new_subscriber: flag,
    is_new_email_subscriber: flag,
    is_lost_subscriber: flag,
    is_new_customer: flag,
    attributed_orders: integer,
    priced_orders: integer,
    attributed_revenue: money,
    refunded_revenue: money,
  },
  order: ['happened_at'],
  needs: [keyedPopupEvents],
  rows: relation`
with submissions as (
  select place, campaign_key, submitter_key, happened_s as submitted_s
  from ${keyedPopupEvents} where kind = 'submit'
),
credits as (
  select order_key, max(place) as place
  from submissions join ${orders} on coalesce(customer_key, visitor_key) = submitter_key
  where is_valid and ${withinDays(secondsOf('ordered_at'), 'submitted_s', POPUP_WINDOWS_D.order)}
  group by campaign_key, order_key
),
credited as (
  select place, count(*) as attributed_orders, count(revenue) as priced_orders,
    sum(revenue) as attributed_revenue, sum(refunded) as refunded_revenue
  from credits join ${orders} using (order_key)
  group by place
),
consents as (
  select customer_key, channel, state, ${secondsOf('changed_at')} as at_s from ${customerConsents}
),
joined as (
  select customer_key, channel, min(at_s) as subscribed_s from consents where state = 'subscribed'
  group by customer_key, channel
),
first_subscriptions as (
  select customer_key, channel, subscribed_s,
    coalesce(bool_or(state = 'unsubscribed' and ${withinDays('at_s', 'subscribed_s', POPUP_WINDOWS_D.unsubscription)}), false)
      as is_lost
  from joined join consents using (customer_key, channel)
  group by customer_key, channel, subscribed_s
),
new_subscribers as (
  select place, bool_or(is_lost) as is_lost, bool_or(channel = 'email') as is_by_email
  from submissions join first_subscriptions on customer_key = submitter_key
  where ${withinDays('subscribed_s', 'submitted_s', POPUP_WINDOWS_D.subscription)}
  group by place
),
new_customers as (
  select place
  from submissions join ${firstOrders} on customer_key = submitter_key
  where ${withinDays(secondsOf('first_ordered_at'), 'submitted_s', POPUP_WINDOWS_D.firstOrder)}
)
select campaign_key, visitor_key, customer_key, happened_at, ${localDate('happened_at')} as happened_date, kind, device,
  s.place is not null as is_new_subscriber, coalesce(is_by_email, false) as is_new_email_subscriber, coalesce(is_lost, false) as is_lost_subscriber,
  c.place is not null as is_new_customer,
  cast(coalesce(attributed_orders, 0) as integer) as attributed_orders,
  cast(coalesce(priced_orders, 0) as integer) as priced_orders,
  cast(case when attributed_orders is null then 0 else attributed_revenue end as decimal(18,4)) as attributed_revenue,
  cast(case when attributed_orders is null then 0 else refunded_revenue end as decimal(18,4)) as refunded_revenue
from ${keyedPopupEvents} as e
left join credited using (place)
left join new_subscribers as s using (place)
left join new_customers as c using (place)
order by e.place`,
});
