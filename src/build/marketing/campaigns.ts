import { CAMPAIGN_CATEGORIES } from '../../model/marketing/campaign-categories.ts';

/**
 * `messages`, `links`, `campaign_history`: what campaigns send. `campaigns` itself follows when the sends are known.
 * A URL that was clicked in a message and is no link of it is one more, without label and position.
 *
 * A campaign's category is what it says, else the first of its labels that is one, else by its type and trigger:
 * an automation the category of its trigger (`other` without one that is known), a popup with a form `popup_lead` and
 * without `popup_info`, a one-off SMS `promotion`, a one-off e-mail `newsletter`.
 */
export const campaignContents = `
create temp macro category_key(value) as trim(regexp_replace(lower(strip_accents(value)), '[^a-z0-9]+', '_', 'g'), '_');
create temp macro known_category(value) as
  case when category_key(value) in (${CAMPAIGN_CATEGORIES.map(({ key }) => `'${key}'`).join(', ')})
    then category_key(value) end;
create temp macro category_of_trigger(value) as
  case category_key(value)
    ${CAMPAIGN_CATEGORIES.flatMap(({ key, triggers }) => triggers.map((trigger) => `when '${trigger}' then '${key}'`)).join('\n    ')}
    else 'other'
  end;

create temp table known_campaigns as
with popups_with_form as (
  select distinct campaign_id from store.messages where len(popup_fields) > 0
)
select cast(row_number() over (order by campaign_id) as integer) as campaign_key, c.*,
  case when campaign_type like '%-sms' then 'sms' when campaign_type = 'popup' then 'popup' else 'email' end as channel,
  campaign_type like 'incremental-%' as is_automation,
  coalesce(
    known_category(category),
    list_filter(list_transform(labels, lambda label: known_category(label)), lambda label: label is not null)[1],
    case
      when campaign_type like 'incremental-%'
        then category_of_trigger(coalesce(json_extract_string("trigger", '$.type'), ''))
      when campaign_type = 'popup' then case when f.campaign_id is null then 'popup_info' else 'popup_lead' end
      when campaign_type = 'targeted-sms' then 'promotion'
      else 'newsletter'
    end
  ) as campaign_category
from store.campaigns as c
left join popups_with_form as f using (campaign_id);

create table messages as
select
  cast(row_number() over (order by message_id) as integer) as message_key,
  message_id, campaign_key, m.name, cast(coalesce(m.position, 1) as integer) as position, variant, is_winner_send,
  allocation, m.channel, subject, preheader, html, "text", cast(delay_minutes as integer) as delay_minutes, is_active,
  coalesce(product_ids, []) as product_ids, has_recommendations, coalesce(popup_fields, []) as popup_fields,
  cast(octet_length(encode(html)) as integer) as size_bytes,
  case when m.channel = 'sms' then sms_encoding("text") end as sms_encoding,
  case when m.channel = 'sms' then sms_segments("text") end as sms_segments
from store.messages as m
join known_campaigns using (campaign_id)
order by message_key;

create table links as
with clicked_urls as (
  select distinct message_id, e.url
  from store.message_events as e
  join store.sends using (send_id)
  left join store.links as named using (link_id, message_id)
  where kind = 'click' and e.url is not null and named.link_id is null
),
every_link as (
  select link_id, message_id, url, label, link_type, position from store.links
  union all
  select message_id || ' ' || url, message_id, url, null, null, null
  from clicked_urls anti join store.links using (message_id, url)
)
select
  cast(row_number() over (order by link_id, url) as integer) as link_key,
  link_id, message_key, url, plain_url(url) as plain_url, url_domain(url) as domain, label,
  coalesce(link_type, link_type_of(url)) as link_type, cast(l.position as integer) as position
from every_link as l
join messages using (message_id)
order by link_key;

create table campaign_history as
select campaign_key, "at" as changed_at, change
from store.campaign_history join known_campaigns using (campaign_id)
order by campaign_key, changed_at;
`;

/**
 * `campaigns`: what is set up, and when it was first and last sent or displayed. `subject` is that of the first message;
 * `search_text` has the name and each subject in a line of its own. The UTM tag is written as that of `sessions`.
 */
export const campaigns = `
create table campaigns as
with sent as (
  select campaign_key, min(happened_at) as first_sent_at, max(happened_at) as last_sent_at
  from (
    select campaign_key, sent_at as happened_at from sends
    union all
    select campaign_key, happened_at from popup_events where kind = 'display'
  )
  group by campaign_key
),
subjects as (
  select campaign_key, string_agg(subject, chr(10) order by message_key) as subjects,
    first(subject order by position, variant nulls first, message_id) as subject
  from messages group by campaign_key
)
select campaign_key, campaign_id, name, campaign_type, channel, campaign_category, is_automation, state,
  "trigger", coalesce(labels, []) as labels, created_at, updated_at, scheduled_at, first_sent_at, last_sent_at,
  given(utm_source) as utm_source, given(utm_medium) as utm_medium, given(utm_campaign) as utm_campaign,
  nullif(segment_query, 'null') as segment_query,
  nullif(exclude_segment_query, 'null') as exclude_segment_query, ab_test, control_group_share,
  frequency_cap, sending_window, sender_name, sender_address, subject,
  lower(strip_accents(concat_ws(chr(10), name, subjects))) as search_text
from known_campaigns
left join sent using (campaign_key)
left join subjects using (campaign_key)
order by campaign_key;
`;
