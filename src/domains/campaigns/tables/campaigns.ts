import {
  flag,
  integer,
  key,
  name,
  optionalMoment,
  percent,
  text,
  texts,
} from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { knownCampaigns, messages } from '../../messages/tables/campaign-contents.ts';
import { sends } from '../../messages/tables/sends.ts';
import { popupEvents } from '../../popups/tables/popups.ts';
import { given } from '../../traffic/tables/known-sessions.ts';

export const campaigns = modelTable({
  name: 'campaigns',
  scope: 'whole',
  meaning: `What is set up, and when it was first and last sent or displayed. \`subject\` is that of the first message;
\`search_text\` has the name and each subject in a line of its own, \`delay_minutes\` is how long an automation waits after its trigger. The UTM tag is written as that of \`sessions\`.`,
  columns: {
    campaign_key: key,
    campaign_id: text,
    name: text,
    campaign_type: name,
    channel: name,
    campaign_category: name,
    is_automation: flag,
    state: name,
    trigger: text,
    delay_minutes: integer,
    labels: texts,
    created_at: optionalMoment,
    updated_at: optionalMoment,
    scheduled_at: optionalMoment,
    first_sent_at: optionalMoment,
    last_sent_at: optionalMoment,
    utm_source: name,
    utm_medium: name,
    utm_campaign: text,
    segment_query: text,
    exclude_segment_query: text,
    ab_test: text,
    control_group_share: percent,
    frequency_cap: text,
    sending_window: text,
    sender_name: text,
    sender_address: text,
    subject: text,
    search_text: text,
  },
  order: ['campaign_key'],
  needs: [knownCampaigns],
  rows: relation`
with sent as (
  select campaign_key, min(happened_at) as first_sent_at, max(happened_at) as last_sent_at
  from (
    select campaign_key, sent_at as happened_at from ${sends}
    union all
    select campaign_key, happened_at from ${popupEvents} where kind = 'display'
  )
  group by campaign_key
),
subjects as (
  select campaign_key, string_agg(subject, chr(10) order by message_id) as subjects,
    first(subject order by position, variant nulls first, message_id) as subject
  from ${messages} group by campaign_key
)
select campaign_key, campaign_id, name, campaign_type, channel, campaign_category, is_automation, state,
  "trigger", try_cast(json_extract_string("trigger", '$.delay_minutes') as integer) as delay_minutes, coalesce(labels, []) as labels, created_at, updated_at, scheduled_at, first_sent_at, last_sent_at,
  ${given('utm_source')} as utm_source, ${given('utm_medium')} as utm_medium, ${given('utm_campaign')} as utm_campaign,
  nullif(segment_query, 'null') as segment_query,
  nullif(exclude_segment_query, 'null') as exclude_segment_query, ab_test, control_group_share,
  frequency_cap, sending_window, sender_name, sender_address, subject,
  lower(strip_accents(concat_ws(chr(10), name, subjects))) as search_text
from ${knownCampaigns}
left join sent using (campaign_key)
left join subjects using (campaign_key)
order by campaign_key`,
});
