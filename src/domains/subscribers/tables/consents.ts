import { localDate } from '../../../model-table/business-values.ts';
import {
  date,
  flag,
  integer,
  key,
  moment,
  name,
  optionalDate,
  optionalMoment,
  text,
} from '../../../model-table/column-kinds.ts';
import { modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { shownName } from '../../../model-table/shown-name.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { SUBSCRIPTION_SOURCES } from '../../../store/subscription-sources.ts';
import { CONSENT_STATES } from '../../../store/tables/consent-events.ts';
import { personOf, persons } from '../../identity/tables/identity.ts';
import { knownCampaigns } from '../../messages/tables/campaign-contents.ts';
import { knownSends } from '../../messages/tables/known-sends.ts';
import { messageEvents } from '../../messages/tables/message-events.ts';

const subscriptionSource = (source: string) => `case
    when regexp_replace(lower(${source}), '[^a-z]', '', 'g') in (${SUBSCRIPTION_SOURCES.map((known) => `'${known}'`).join(', ')})
    then regexp_replace(lower(${source}), '[^a-z]', '', 'g') end`;

/** Consent events of customers. */
export const customerConsents = workTable({
  name: 'customer_consents',
  types: {
    customer_key: 'integer',
    channel: 'varchar',
    changed_at: 'timestamp',
    state: 'varchar',
    known_source: 'varchar',
    source_detail: 'varchar',
    reason: 'varchar',
    phone_country: 'varchar',
  },
  needs: [stored.consentEvents],
  rows: relation`
select customer_key, channel, "at" as changed_at, state, ${subscriptionSource('e.source')} as known_source,
  nullif(trim(source_detail), '') as source_detail, nullif(trim(reason), '') as reason, phone_country
from ${stored.consentEvents} as e join ${persons} on person = ${personOf('e.profile_id', 'e.email_hash', 'e.phone_hash')}`,
});

/**
 * Here alone it is decided what consent events mean:
 *
 * - What happened last counts; of what happens at one moment, the strictest.
 * - A bounce, a complaint and a suppression hold until the person subscribes again, whatever else comes after
 *   them; of several that hold, the strictest. So in a state that holds nobody is pending.
 * - What repeats the state that was is no change.
 */
export const sourcedChanges = workTable({
  name: 'sourced_changes',
  types: {
    customer_key: 'integer',
    channel: 'varchar',
    changed_at: 'timestamp',
    known_source: 'varchar',
    source_detail: 'varchar',
    reason: 'varchar',
    state: 'varchar',
    ends_at: 'timestamp',
    next_state: 'varchar',
    next_reason: 'varchar',
    is_first: 'boolean',
    is_confirmation: 'boolean',
    requested_source: 'varchar',
    requested_detail: 'varchar',
  },
  rows: relation`
with placed as (
  select *, row_number() over (
    partition by customer_key, channel
    order by changed_at,
      list_position([${CONSENT_STATES.map((state) => `'${state}'`).join(', ')}], state),
      known_source desc nulls first, source_detail desc nulls first, reason desc nulls first
  ) as place
  from ${customerConsents}
),
last_places as (
  select *,
    coalesce(max(place) filter (where state = 'subscribed') over own, 0) as subscribed,
    max(place) filter (where state = 'suppressed') over own as suppressed,
    max(place) filter (where state = 'complained') over own as complained,
    max(place) filter (where state = 'bounced') over own as bounced,
    lead(changed_at) over own as next_at
  from placed
  window own as (partition by customer_key, channel order by place)
),
moments as (
  select customer_key, channel, changed_at, known_source, source_detail, reason,
    case
      when suppressed > subscribed then 'suppressed'
      when complained > subscribed then 'complained'
      when bounced > subscribed then 'bounced'
      else state
    end as state
  from last_places
  where next_at is distinct from changed_at
),
changes as (
  select *
  from moments
  qualify lag(state) over (partition by customer_key, channel order by changed_at) is distinct from state
),
validities as (
  select *, lead(changed_at) over own as ends_at, lead(state) over own as next_state,
    lead(reason) over own as next_reason,
    state = 'subscribed' and count(*) filter (where state = 'subscribed') over own = 1 as is_first,
    coalesce(state = 'subscribed' and lag(state) over own = 'pending', false) as is_confirmation,
    lag(known_source) over own as requested_source, lag(source_detail) over own as requested_detail
  from changes
  window own as (partition by customer_key, channel order by changed_at)
)
select * replace (
    case
      when not is_confirmation then source_detail
      when known_source is null then requested_detail
      when known_source = requested_source then coalesce(source_detail, requested_detail)
      else source_detail
    end as source_detail,
    case when is_confirmation then coalesce(known_source, requested_source) else known_source end as known_source
  )
from validities`,
});

/** When somebody unsubscribed or complained by a message, and by which: the latest campaign of a moment. */
const messageExits = workTable({
  name: 'message_exits',
  types: { customer_key: 'integer', channel: 'varchar', happened_at: 'timestamp', campaign_key: 'integer' },
  needs: [messageEvents],
  rows: relation`
select customer_key, channel, happened_at, max_by(campaign_key, send_key) as campaign_key
from ${messageEvents} join ${knownSends} using (send_key)
where kind in ('unsubscribe', 'complaint')
group by customer_key, channel, happened_at`,
});

export const consentChanges = modelTable({
  name: 'consent_changes',
  scope: { person: 'customer_key' },
  meaning: `Every state that a customer was in, in each channel, from \`changed_at\` to before \`ends_at\` (null: until now), and
which one came next. Before the first one a customer never subscribed.

\`is_first\` marks the first subscription of a customer in the channel. A subscription that confirms a request has its own
source, else that of the request; \`popup\` is the name of the popup, as rows show it, and null where there was none.
\`next_reason\` is what was said when the state ended, as rows show it, \`next_campaign_key\` the campaign by whose message it ended: the last one by
which the customer unsubscribed or complained in the channel in the 24 hours up to then.`,
  columns: {
    customer_key: key,
    channel: name,
    state: name,
    changed_at: moment,
    changed_date: date,
    ends_at: optionalMoment,
    ends_date: optionalDate,
    next_state: name,
    next_reason: text,
    next_campaign_key: integer,
    is_first: flag,
    source: name,
    popup: text,
  },
  order: ['changed_at'],
  needs: [sourcedChanges],
  rows: relation`
select s.customer_key, s.channel, s.state, changed_at, ${localDate('changed_at')} as changed_date,
  ends_at, ${localDate('ends_at')} as ends_date, next_state,
  case when ends_at is not null then ${shownName('next_reason', ['(stayed)', '(other)'])} end as next_reason,
  case when x.happened_at > ends_at - interval 24 hours then x.campaign_key end as next_campaign_key, is_first, coalesce(known_source, 'unknown') as source,
  case when known_source = 'popup' then ${shownName("coalesce(nullif(trim(c.name), ''), source_detail)", ['(no popup)', '(other)'])} end as popup
from ${sourcedChanges} as s
asof left join ${messageExits} as x
  on x.customer_key = s.customer_key and x.channel = s.channel and x.happened_at <= s.ends_at
left join ${knownCampaigns} as c on c.campaign_id = source_detail and c.channel = 'popup'
order by changed_at, s.customer_key, s.channel`,
});

export const consentStates = modelTable({
  name: 'consent_states',
  scope: { person: 'customer_key' },
  meaning: 'The state of each customer in each channel now.',
  columns: { customer_key: key, channel: name, state: name, changed_at: optionalMoment },
  order: ['customer_key'],
  rows: relation`
select customer_key, channel, state, changed_at from ${consentChanges} where ends_at is null
order by customer_key, channel`,
});
