import { whenThen } from './value-lists.ts';

/** What Klaviyo calls the state of a campaign, and what it is to us. */
const STATES: Readonly<Record<string, string>> = {
  draft: 'draft',
  scheduled: 'scheduled',
  'preparing to schedule': 'scheduled',
  sent: 'sent',
  'variations sent': 'sent',
};

/** The states of flows. One that is tried by hand sends nothing by itself. */
const STATES_OF_FLOWS: Readonly<Record<string, string>> = {
  live: 'active',
  manual: 'paused',
  draft: 'draft',
};

const at = (name: string) => `resource->>'$.attributes.${name}'`;

/**
 * Campaigns and flows as Klaviyo tells of them, by each id that their events may have: a campaign's own, or
 * that of its message.
 */
export const campaignsOfEvents = `create or replace temp table klaviyo_told_campaigns as
  with flow as (
    select _row, id as campaign_id, ${at('name')} as name, lower(${at('status')}) as status, ${at('archived')} as archived,
      ${at('created')} as created_at, ${at('updated')} as updated_at, cast(null as varchar) as scheduled_at
    from klaviyo_resources where type = 'flow'
  ),
  campaign as (
    select _row, unnest([id] || json_extract_string(resource, '$.relationships.campaign-messages.data[*].id')) as campaign_id,
      ${at('name')} as name, lower(${at('status')}) as status, ${at('archived')} as archived, ${at('created_at')} as created_at,
      ${at('updated_at')} as updated_at, coalesce(${at('send_time')}, ${at('scheduled_at')}) as scheduled_at
    from klaviyo_resources where type = 'campaign'
  ),
  told as (
    select *, case when archived = 'true' then 'archived' else case status ${whenThen(STATES_OF_FLOWS)} else 'paused' end end as state,
      true as is_flow
    from flow
    union all
    select *, case when archived = 'true' then 'archived' when status like 'cancel%' then 'canceled'
      else case status ${whenThen(STATES)} else 'active' end end, false
    from campaign
  )
  select _row, campaign_id, name, created_at, updated_at, scheduled_at, state, is_flow from told
  qualify row_number() over (partition by campaign_id order by _row desc) = 1`;

/** A moment of a table of ours as a cell. */
const cell = (moment: string) => `strftime(${moment}, '%Y-%m-%dT%H:%M:%S.%fZ')`;

/**
 * Flows, and what events name, now or in an import before: of a campaign that sent nothing yet it is not
 * known by which id its events will name it. What is not told now stays as it was.
 */
export const CAMPAIGNS = `
  select coalesce(e._row, t._row) as _row, campaign_id, coalesce(t.name, e.name, b.name, campaign_id) as name,
    case when e._row is null then coalesce(b.campaign_type, 'incremental-emailing')
      else case when e.is_flow then 'incremental' else 'targeted' end || '-' || case e.channel when 'sms' then 'sms' else 'emailing' end
    end as campaign_type,
    coalesce(t.state, b.state, case when e.is_flow then 'active' else 'sent' end) as state,
    coalesce(t.created_at, ${cell(`least(b.created_at, timezone('UTC', e.created_at))`)}) as created_at,
    coalesce(t.updated_at, ${cell('b.updated_at')}) as updated_at,
    coalesce(t.scheduled_at, ${cell('b.scheduled_at')}) as scheduled_at
  from klaviyo_campaigns as e
  full join klaviyo_told_campaigns as t using (campaign_id)
  left join before_campaigns as b using (campaign_id)
  where e._row is not null or b.campaign_id is not null or t.is_flow
  order by _row`;
