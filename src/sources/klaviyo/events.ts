import { areMissing } from '../missing-values.ts';
import type { Source } from '../source.ts';
import { strictestConsents } from '../strictest-consents.ts';
import { CAMPAIGNS, campaignsOfEvents } from './campaigns.ts';
import { consentsOfProfiles } from './consents.ts';
import { FINDING_OF_PROFILES, FINDINGS_OF_EVENTS } from './events-not-imported.ts';
import { CONSENTS, MESSAGE_EVENTS, METRICS_OF_CONSENT, METRICS_OF_SENDS, SENDS } from './metrics.ts';
import { isOneOf, whenThen } from './value-lists.ts';

/** A value of the event's properties, whose names begin with a dollar sign where they are Klaviyo's own. */
const property = (name: string) => `resource->>'$.attributes.event_properties."${name}"'`;

const isTrue = (value: string) => `lower(coalesce(${value}, 'false')) in ('true', '1')`;

const channelOf = `case metric ${SENDS.map(({ metric, channel }) => `when '${metric}' then '${channel}'`).join(' ')}
  else case when metric like '%SMS%' then 'sms' else 'email' end end`;

/**
 * Answers of Klaviyo's API, or their resources one a line: events, with the metrics that name them, profiles,
 * campaigns and flows. An order among the events never becomes one of ours: orders come from the shop.
 */
export const klaviyoEvents: Source = {
  name: 'klaviyo-events-json',
  title: 'Klaviyo events, JSON of the API',
  beginsAs: (text) =>
    /"type"\s*:\s*"(event|metric|profile|flow|campaign)"/.test(text) && /"attributes"\s*:\s*\{/.test(text),
  columns: {},
  settings: ['encoding'],
  comparesBefore: true,
  questions: () => [],
  assumptions: () => [
    'a message that was received counts as delivered; one that Klaviyo dropped was never sent',
    "orders among the events are not imported, and neither is Klaviyo's own attribution of them",
    'campaigns have the names and the first moments that their events have, where they do not stand in the files themselves',
  ],
  findings: () => [...FINDINGS_OF_EVENTS, FINDING_OF_PROFILES],
  prepare: ({ relation }) => [
    `create or replace temp table klaviyo_documents as
      select rowid as _row, try(cast(document as json)) as document from "${relation}"`,
    `create or replace temp table klaviyo_resources as
      with parts as (
        select _row, generate_subscripts(resources, 1) as place, unnest(resources) as resource from (select _row, case
          when document is null then [null]
          when json_type(document) = 'ARRAY' then from_json(document, '["JSON"]')
          when json_exists(document, '$.data') then list_concat(
            case json_type(document->'$.data') when 'ARRAY' then from_json(document->'$.data', '["JSON"]') else [document->'$.data'] end,
            coalesce(from_json(document->'$.included', '["JSON"]'), []))
          else [document] end as resources
        from klaviyo_documents)
      )
      select _row, place, resource->>'$.type' as type, resource->>'$.id' as id, resource from parts`,
    `create or replace temp table klaviyo_events as
      with metrics as (
        select id as metric_id, any_value(resource->>'$.attributes.name') as metric,
          any_value(resource->>'$.attributes.integration.name') as integration
        from klaviyo_resources where type = 'metric' group by id
      ),
      -- The same event may stand in several answers.
      events as (
        select * from klaviyo_resources where type = 'event'
        qualify row_number() over (partition by id order by _row desc) = 1
      )
      select _row, id, metric, metric_id is not null and metric is null as is_unnamed, coalesce(integration, 'Klaviyo') = 'Klaviyo' as is_own,
        resource->>'$.attributes.datetime' as happened_at, resource->>'$.relationships.profile.data.id' as profile_id,
        ${property('$message')} as message_id, ${property('$flow')} as flow_id, ${property('$variation')} as variation,
        ${property('$_cohort$message_send_cohort')} as cohort, ${property('Campaign Name')} as campaign_name,
        ${property('Subject')} as subject, ${property('Email Domain')} as domain, ${property('Bounce Type')} as bounce_type,
        ${property('URL')} as url, ${property('Client Name')} as client,
        ${isTrue(property('machine_open'))} as is_machine, ${isTrue(property('Bot Click'))} as is_bot,
        ${channelOf} as channel, concat_ws('/', message_id, variation, profile_id, cohort) as send_id
      from (select *, resource->>'$.relationships.metric.data.id' as metric_id from events)
      left join metrics using (metric_id)`,
    campaignsOfEvents,
    `create or replace temp table klaviyo_campaigns as
      select min(_row) as _row, coalesce(flow_id, message_id) as campaign_id, flow_id is not null as is_flow,
        case when flow_id is null then any_value(campaign_name) end as name, any_value(channel) as channel,
        min(try_cast(happened_at as timestamptz)) as created_at
      from klaviyo_events where is_own and message_id is not null and ${isOneOf(METRICS_OF_SENDS)}
      group by flow_id, coalesce(flow_id, message_id)`,
  ],
  translate: () => ({
    profiles: `
      select _row, ${NEWER_PROFILES} as _newer, id as profile_id, resource->>'$.attributes.email' as email, resource->>'$.attributes.phone_number' as phone,
        resource->>'$.attributes.external_id' as external_customer_id, resource->>'$.attributes.location.country' as country,
        resource->>'$.attributes.created' as created_at, coalesce(json_keys(resource, '$.attributes'), []) as keys,
        coalesce(json_keys(resource, '$.attributes.location'), []) as location_keys
      from klaviyo_resources where type = 'profile' order by _row`,
    campaigns: CAMPAIGNS,
    messages: `
      select min(_row) as _row, message_id, any_value(coalesce(flow_id, message_id)) as campaign_id,
        any_value(campaign_name) as name, any_value(channel) as channel, any_value(subject) as subject
      from klaviyo_events where is_own and message_id is not null and ${isOneOf(METRICS_OF_SENDS)}
      group by message_id order by _row`,
    sends: `
      select _row, send_id, message_id, profile_id, happened_at as sent_at,
        case metric ${SENDS.map(({ metric, outcome }) => `when '${metric}' then ${outcome}`).join(' ')} end as outcome, domain as recipient_domain
      from klaviyo_events
      where is_own and message_id is not null and ${isOneOf(METRICS_OF_SENDS)}
      -- A send that was deferred and then received was delivered.
      qualify row_number() over (partition by send_id
        order by case metric ${SENDS.map(({ metric, rank }) => `when '${metric}' then ${rank}`).join(' ')} end, happened_at) = 1
        -- What an import before knows to be delivered stays so.
        and (outcome = 'delivered' or send_id not in (select send_id from before_sends where outcome = 'delivered'))
      order by _row`,
    message_events: `
      select _row, id as event_id, send_id, case metric ${whenThen(MESSAGE_EVENTS)} end as kind, happened_at as "at", url, client,
        case when is_machine then 'true' end as is_machine, case when is_bot then 'true' end as is_bot,
        case when is_unnamed then 'is an event whose metric has no name in the files: export the metrics too, or the events with include=metric'
        end as _malformed
      from klaviyo_events
      where is_unnamed or is_own and message_id is not null and ${isOneOf(Object.keys(MESSAGE_EVENTS))}
      union all
      select _row, null, null, null, null, null, null, null, null, 'is no JSON document' from klaviyo_documents where document is null
      order by _row`,
    consent_events: strictestConsents(`
      select _row, profile_id, case metric ${CONSENTS.map(({ metric, channel }) => `when '${metric}' then '${channel}'`).join(' ')} end as channel, happened_at as "at",
        case metric ${CONSENTS.map(({ metric, state }) => `when '${metric}' then '${state}'`).join(' ')} end as state
      from klaviyo_events where is_own and ${isOneOf(METRICS_OF_CONSENT)}
      union all
      ${consentsOfProfiles}`),
  }),
  missing: () => ({ profiles: MISSING_OF_PROFILES }),
};

/**
 * SQL: how many newer copies of a profile there are: files and answers may have several, the newest first or
 * last.
 */
const NEWER_PROFILES = `row_number() over (partition by id
  order by try_cast(resource->>'$.attributes.updated' as timestamptz) desc nulls last, _row desc, place desc) - 1`;

/** A profile that came beside events, or was asked for with fewer fields, does not have all of them. */
const MISSING_OF_PROFILES = {
  ...areMissing('keys', {
    email: ['email'],
    phone: ['phone_number'],
    external_customer_id: ['external_id'],
    created_at: ['created'],
  }),
  ...areMissing('location_keys', { country: ['country'] }),
};
