/** What sources call a bounce by policy or reputation. */
const BLOCKED = 'block|policy|reputation|spam|blacklist|denylist';

/** What gateways call the ways in which an SMS fails; the first that fits. */
const FAILURES: Readonly<Record<string, string>> = {
  no_credit: 'credit|balance|funds',
  invalid_number: 'invalid|unknown_(subscriber|number)|not_exist|wrong_number|unallocated',
  blocked: 'block|barred|blacklist|denylist|spam|filter|opted_out|opt_out',
  expired: 'expired|timeout|timed_out',
  rejected: 'reject|refused',
  unreachable: 'unreachable|absent|switched_off|no_route|roaming|undeliver|unavailable',
};

/**
 * `known_sends`: every send of a known message, before what happened to it. `sends` follows with that.
 *
 * `outcome` is the final one as the source tells it. E-mail: `hard`, `soft`, `block` (also a soft bounce), else
 * `delivered`: a send without a bounce counts as delivered, one that only says `failed` as `soft`. SMS: `delivered`,
 * `pending` where no final report came, else `failed`.
 */
export const knownSends = `
create temp macro snake_case(value) as
  nullif(trim(regexp_replace(lower(value), '[^a-z0-9]+', '_', 'g'), '_'), '');
create temp macro email_outcome(outcome, bounce_class) as
  case
    when outcome = 'soft' and regexp_matches(bounce_class, '${BLOCKED}') then 'block'
    when outcome in ('hard', 'soft', 'block') then outcome
    when outcome = 'failed' then 'soft'
    else 'delivered'
  end;
create temp macro sms_outcome(outcome) as
  case coalesce(outcome, 'pending') when 'delivered' then 'delivered' when 'pending' then 'pending' else 'failed' end;
create temp macro failure_of(reason) as
  case
    ${Object.entries(FAILURES)
      .map(([failure, words]) => `when regexp_matches(reason, '${words}') then '${failure}'`)
      .join('\n    ')}
    else 'unknown'
  end;

create temp table known_sends as
with described as (
  select
    cast(row_number() over (order by s.sent_at, s.send_id) as integer) as send_key,
    s.send_id, message_key, campaign_key, m.channel, customer_key, s.sent_at, s.delivered_at,
    case when m.channel = 'email' then email_outcome(outcome, snake_case(bounce_class)) else sms_outcome(outcome) end
      as outcome,
    lower(coalesce(recipient_domain, s.email_domain, p.email_domain)) as recipient_domain,
    lower(sending_domain) as sending_domain, snake_case(bounce_class) as bounce_class, smtp_code,
    left(reason_text, 200) as reason_text, snake_case(failure_reason) as failure_reason,
    coalesce(s.sms_segments, m.sms_segments, 1) as sms_segments,
    coalesce(s.sms_encoding, m.sms_encoding) = 'ucs2' as is_unicode,
    upper(coalesce(sms_country, s.phone_country, p.phone_country)) as country,
    cost
  from store.sends as s
  join messages as m using (message_id)
  join persons on person = person_of(s.profile_id, s.email_hash, s.phone_hash)
  left join store.profiles as p on p.profile_id = s.profile_id
  where m.channel in ('email', 'sms')
)
select send_key, send_id, message_key, campaign_key, channel, customer_key, sent_at, delivered_at, outcome,
  case when channel = 'email' then recipient_domain end as recipient_domain,
  case when channel = 'email' then sending_domain end as sending_domain,
  case when channel = 'email' and outcome <> 'delivered' then coalesce(bounce_class, outcome) end as bounce_class,
  case when channel = 'email' then smtp_code end as smtp_code,
  case when channel = 'email' then reason_text end as reason_text,
  case when channel = 'sms' and outcome = 'failed' then failure_of(failure_reason) end as failure_reason,
  case when channel = 'sms' then cast(sms_segments as integer) end as sms_segments,
  case when channel = 'sms' then is_unicode end as is_unicode,
  case when channel = 'sms' then country end as country,
  case when channel = 'sms' then cost end as cost
from described;
`;

/**
 * `sends`: one row per send, with all that happened to it until now, so that tools that ask what became of the
 * messages of a range read one table. `is_opened`: a person opened it or clicked in it. Orders and revenue are those
 * credited to it. `is_mailbox_full` by what the source calls the bounce, or the status x.2.2 of RFC 3463.
 */
export const sends = `
create table sends as
with happened as (
  select send_key,
    count(*) filter (where kind = 'open' and not is_machine) as opens,
    count(*) filter (where kind = 'open' and is_machine) as machine_opens,
    count(*) filter (where kind = 'click' and is_content and not is_machine) as clicks,
    count(*) filter (where kind = 'click' and is_content and is_machine) as bot_clicks,
    count(*) filter (where kind = 'click' and not is_machine) as all_clicks,
    count(*) filter (where kind = 'unsubscribe') > 0 as is_unsubscribed,
    count(*) filter (where kind = 'complaint') > 0 as is_complained
  from message_events group by send_key
),
credited as (
  select send_key, count(*) as attributed_orders, sum(revenue) as attributed_revenue,
    sum(revenue) filter (where touch_kind = 'click') as click_attributed_revenue,
    sum(refunded) as refunded_revenue
  from order_attribution where scenario = 'configured' group by send_key
)
select send_key, message_key, campaign_key, s.channel, customer_key, sent_at, local_date(sent_at) as sent_date,
  outcome, recipient_domain, mailbox_provider(recipient_domain) as mailbox_provider, sending_domain, bounce_class,
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
  cast(coalesce(attributed_revenue, 0) as decimal(18,4)) as attributed_revenue,
  cast(coalesce(click_attributed_revenue, 0) as decimal(18,4)) as click_attributed_revenue,
  cast(coalesce(refunded_revenue, 0) as decimal(18,4)) as refunded_revenue
from known_sends as s
left join happened using (send_key)
left join credited using (send_key)
order by send_key;
`;
