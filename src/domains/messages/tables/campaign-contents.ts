import { flag, integer, key, moment, name, percent, text, texts } from '../../../model-table/column-kinds.ts';
import { keyTable, modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { CAMPAIGN_CATEGORIES } from '../definitions/campaign-categories.ts';
import { linkTypeOf, plainUrl, smsEncoding, smsSegments, urlDomain } from './texts.ts';

const categoryKey = (value: string) =>
  `trim(regexp_replace(lower(strip_accents(${value})), '[^a-z0-9]+', '_', 'g'), '_')`;

const knownCategory = (value: string) =>
  `case when ${categoryKey(value)} in (${CAMPAIGN_CATEGORIES.map(({ key }) => `'${key}'`).join(', ')})
    then ${categoryKey(value)} end`;

const categoryOfTrigger = (value: string) => `case ${categoryKey(value)}
    ${CAMPAIGN_CATEGORIES.flatMap(({ key, triggers }) => triggers.map((trigger) => `when '${trigger}' then '${key}'`)).join('\n    ')}
    else 'other'
  end`;

const campaignKeys = keyTable({
  name: 'campaign_keys',
  identity: { campaign_id: 'varchar' },
  key: 'campaign_key',
  order: 'campaign_id',
  rows: relation`select campaign_id from ${stored.campaigns}`,
});

/**
 * A campaign's category is what it says, else the first of its labels that is one, else by its type and
 * trigger: an automation the category of its trigger (`other` without one that is known), a popup with a form
 * `popup_lead` and without `popup_info`, a one-off SMS `promotion`, a one-off e-mail `newsletter`.
 */
export const knownCampaigns = workTable({
  name: 'known_campaigns',
  types: {
    campaign_key: 'integer',
    campaign_id: 'varchar',
    name: 'varchar',
    campaign_type: 'varchar',
    category: 'varchar',
    state: 'varchar',
    trigger: 'varchar',
    labels: 'varchar[]',
    created_at: 'timestamp',
    updated_at: 'timestamp',
    scheduled_at: 'timestamp',
    utm_source: 'varchar',
    utm_medium: 'varchar',
    utm_campaign: 'varchar',
    segment_query: 'varchar',
    exclude_segment_query: 'varchar',
    ab_test: 'varchar',
    control_group_share: 'decimal(7,4)',
    frequency_cap: 'varchar',
    sending_window: 'varchar',
    sender_name: 'varchar',
    sender_address: 'varchar',
    channel: 'varchar',
    is_automation: 'boolean',
    campaign_category: 'varchar',
  },
  needs: [stored.campaigns],
  rows: relation`
with popups_with_form as (
  select distinct campaign_id from ${stored.messages} where len(popup_fields) > 0
)
select campaign_key, c.*,
  case when campaign_type like '%-sms' then 'sms' when campaign_type = 'popup' then 'popup' else 'email' end as channel,
  campaign_type like 'incremental-%' as is_automation,
  coalesce(
    ${knownCategory('category')},
    list_filter(list_transform(labels, lambda label: ${knownCategory('label')}), lambda label: label is not null)[1],
    case
      when campaign_type like 'incremental-%'
        then ${categoryOfTrigger(`coalesce(json_extract_string("trigger", '$.type'), '')`)}
      when campaign_type = 'popup' then case when f.campaign_id is null then 'popup_info' else 'popup_lead' end
      when campaign_type = 'targeted-sms' then 'promotion'
      else 'newsletter'
    end
  ) as campaign_category
from ${stored.campaigns} as c
join ${campaignKeys} using (campaign_id)
left join popups_with_form as f using (campaign_id)`,
});

const messageKeys = keyTable({
  name: 'message_keys',
  identity: { message_id: 'varchar' },
  key: 'message_key',
  order: 'message_id',
  rows: relation`select message_id from ${stored.messages}`,
});

export const messages = modelTable({
  name: 'messages',
  scope: 'whole',
  meaning: 'What campaigns send: e-mails, SMS, popups.',
  columns: {
    message_key: key,
    message_id: text,
    campaign_key: key,
    name: text,
    position: integer,
    variant: name,
    is_winner_send: flag,
    allocation: percent,
    channel: name,
    subject: text,
    preheader: text,
    html: text,
    text,
    delay_minutes: integer,
    is_active: flag,
    product_ids: texts,
    has_recommendations: flag,
    popup_fields: texts,
    size_bytes: integer,
    sms_encoding: name,
    sms_segments: integer,
  },
  order: ['message_key'],
  needs: [stored.messages, knownCampaigns],
  rows: relation`
select message_key, message_id, campaign_key, m.name, cast(coalesce(m.position, 1) as integer) as position, variant, is_winner_send,
  allocation, m.channel, subject, preheader, html, "text", cast(delay_minutes as integer) as delay_minutes, is_active,
  coalesce(product_ids, []) as product_ids, has_recommendations, coalesce(popup_fields, []) as popup_fields,
  cast(octet_length(encode(html)) as integer) as size_bytes,
  case when m.channel = 'sms' then ${smsEncoding('"text"')} end as sms_encoding,
  case when m.channel = 'sms' then ${smsSegments('"text"')} end as sms_segments
from ${stored.messages} as m
join ${messageKeys} using (message_id)
join ${knownCampaigns} using (campaign_id)
order by message_key`,
});

const everyLink = workTable({
  name: 'every_link',
  types: {
    link_id: 'varchar',
    is_loaded: 'boolean',
    message_id: 'varchar',
    url: 'varchar',
    label: 'varchar',
    link_type: 'varchar',
    position: 'bigint',
  },
  needs: [messages],
  rows: relation`
with clicked_urls as (
  select distinct message_id, e.url
  from ${stored.messageEvents} as e
  join ${stored.sends} using (send_id)
  left join ${stored.links} as named using (link_id, message_id)
  where kind = 'click' and e.url is not null and named.link_id is null
)
select link_id, true as is_loaded, message_id, url, label, link_type, position from ${stored.links}
union all
select message_id || ' ' || url, false, message_id, url, null, null, null
from clicked_urls anti join ${stored.links} using (message_id, url)`,
});

const linkKeys = keyTable({
  name: 'link_keys',
  identity: { link_id: 'varchar', is_loaded: 'boolean', message_id: 'varchar' },
  key: 'link_key',
  order: 'link_id, url',
  rows: relation`select link_id, is_loaded, message_id, url from ${everyLink}`,
});

export const links = modelTable({
  name: 'links',
  scope: 'whole',
  meaning: `The links in messages. A URL that was clicked in a message and is no link of it is one more, without label and
position.`,
  columns: {
    link_key: key,
    link_id: text,
    message_key: key,
    url: text,
    plain_url: text,
    domain: name,
    label: text,
    link_type: name,
    position: integer,
  },
  order: ['link_key'],
  needs: [messages],
  rows: relation`
select link_key, link_id, message_key, url, ${plainUrl('url')} as plain_url, ${urlDomain('url')} as domain, label,
  coalesce(link_type, ${linkTypeOf('url')}) as link_type, cast(l.position as integer) as position
from ${everyLink} as l
join ${linkKeys} using (link_id, is_loaded, message_id)
join ${messages} using (message_id)
order by link_key`,
});

export const campaignHistory = modelTable({
  name: 'campaign_history',
  scope: 'whole',
  meaning: 'What was changed of a campaign, and when.',
  columns: { campaign_key: key, changed_at: moment, change: text },
  order: ['changed_at'],
  needs: [stored.campaignHistory, knownCampaigns],
  rows: relation`
select campaign_key, "at" as changed_at, change
from ${stored.campaignHistory} join ${knownCampaigns} using (campaign_id)
order by campaign_key, changed_at`,
});
