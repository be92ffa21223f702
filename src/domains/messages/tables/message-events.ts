import { localHour, localWeekday } from '../../../model-table/business-values.ts';
import { choice, flag, hour, integer, key, moment, weekday } from '../../../model-table/column-kinds.ts';
import { modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { MESSAGE_EVENT_KINDS } from '../../../store/message-event-kinds.ts';
import { NO_CONTENT } from '../../../text/link-types.ts';
import { personOf, persons } from '../../identity/tables/identity.ts';
import { links } from './campaign-contents.ts';
import { knownSends } from './known-sends.ts';

/** Agents that fetch what is in a message before anybody reads it. */
const SCANNERS =
  'barracuda|proofpoint|mimecast|symantec|messagelabs|sophos|forcepoint|fireeye|trend ?micro|ironport';

const eventKind = choice(...MESSAGE_EVENT_KINDS);
const mailClient = choice('apple_mail', 'gmail', 'outlook', 'yahoo', 'seznam', 'other', 'unknown');

/**
 * `apple_mail`, `gmail`, … of what a source calls the client: a name or a user agent. Browsers, whose agents
 * name Apple too, are others: webmail is known only by the proxies that fetch its images.
 */
const clientOf = (client: string) => `cast(case
    when coalesce(${client}, '') = '' then 'unknown'
    when regexp_matches(lower(${client}), 'gmail|googleimageproxy') then 'gmail'
    when regexp_matches(lower(${client}), 'outlook|microsoft') then 'outlook'
    when regexp_matches(lower(${client}), 'yahoo') then 'yahoo'
    when regexp_matches(lower(${client}), 'seznam') then 'seznam'
    when regexp_matches(lower(${client}), 'chrome|firefox|safari/|opera|edg/|trident') then 'other'
    when regexp_matches(lower(${client}), 'apple|iphone|ipad|^ios') then 'apple_mail'
    else 'other'
  end as ${mailClient.duckdb})`;

const rawEvents = workTable({
  name: 'raw_events',
  types: {
    send_key: 'integer',
    kind: eventKind.duckdb,
    happened_at: 'timestamp',
    link_key: 'integer',
    is_content: 'boolean',
    client: mailClient.duckdb,
    is_flagged: 'boolean',
    is_instant: 'boolean',
  },
  needs: [stored.messageEvents, knownSends],
  rows: relation`
with known_links as (
  select link_key, link_id, message_key, url, link_type not in ('${NO_CONTENT.join("', '")}') as is_content from ${links}
),
links_by_url as (
  select message_key, url, min_by(link_key, link_id) as link_key, min_by(is_content, link_id) as is_content
  from known_links group by message_key, url
)
select send_key, cast(e.kind as ${eventKind.duckdb}) as kind, "at" as happened_at,
  coalesce(named.link_key, by_url.link_key) as link_key,
  coalesce(named.is_content, by_url.is_content, true) as is_content,
  ${clientOf('e.client')} as client,
  coalesce(is_machine, false) or coalesce(is_bot, false)
    or coalesce(regexp_matches(lower(e.client), '${SCANNERS}'), false) as is_flagged,
  "at" < coalesce(delivered_at, sent_at) + interval 3 seconds as is_instant
from ${stored.messageEvents} as e
join ${knownSends} as s using (send_id)
left join known_links as named on named.link_id = e.link_id and named.message_key = s.message_key
left join links_by_url as by_url on by_url.message_key = s.message_key
  -- Any other event would have the link only where somebody else clicked it. As a condition of its own, DuckDB would
  -- compare every event with every link.
  and by_url.url = case when e.kind = 'click' then e.url end`,
});

/** `event` is the row of `raw_events`. */
const botClicks = workTable({
  name: 'bot_clicks',
  types: { event: 'bigint' },
  rows: relation`
with scattered as (
  select send_key from ${rawEvents} where kind = 'click' group by send_key having count(distinct link_key) >= 3
),
clicks as (
  select raw_events.rowid as event, send_key, happened_at, link_key
  from ${rawEvents} semi join scattered using (send_key)
  where kind = 'click'
),
bursts as (
  select distinct first.send_key, first.happened_at as starts_at
  from clicks as first
  join clicks as next on next.send_key = first.send_key
    and next.happened_at between first.happened_at and first.happened_at + interval 5 seconds
  group by first.event, first.send_key, first.happened_at
  having count(distinct next.link_key) >= 3
)
select distinct event
from clicks join bursts on bursts.send_key = clicks.send_key
  and happened_at between starts_at and starts_at + interval 5 seconds
union
select rowid from ${rawEvents} where kind = 'click' and is_instant`,
});

const machineOpens = workTable({
  name: 'machine_opens',
  types: { send_key: 'integer' },
  rows: relation`
with instant as (
  select distinct send_key from ${rawEvents} where kind = 'open' and is_instant and not is_flagged
),
by_people as (
  select send_key from ${rawEvents} left join ${botClicks} as bot on bot.event = raw_events.rowid
  where kind in ('open', 'click') and not is_instant and not is_flagged and bot.event is null
)
select send_key from instant anti join by_people using (send_key)`,
});

/** Exits that only a consent event tells. */
const consentExits = workTable({
  name: 'consent_exits',
  types: { send_key: 'integer', kind: 'varchar', happened_at: 'timestamp' },
  needs: [stored.consentEvents, knownSends],
  rows: relation`
with exits as (
  select customer_key, channel, "at" as happened_at, state, send_id
  from ${stored.consentEvents} as e join ${persons} on person = ${personOf('e.profile_id', 'e.email_hash', 'e.phone_hash')}
  where state in ('unsubscribed', 'complained')
)
select send_key, case state when 'complained' then 'complaint' else 'unsubscribe' end as kind, happened_at
from exits join ${knownSends} using (send_id)
union all
select s.send_key, 'unsubscribe', e.happened_at
from exits as e
asof join (
  select customer_key, sent_at, max_by(send_key, send_id) as send_key from ${knownSends}
  where channel = 'sms' and outcome <> 'failed'
  group by customer_key, sent_at
) as s on s.customer_key = e.customer_key and s.sent_at <= e.happened_at
where e.channel = 'sms' and e.state = 'unsubscribed' and e.send_id is null
  and e.happened_at <= s.sent_at + interval 72 hours`,
});

export const messageEvents = modelTable({
  name: 'message_events',
  scope: { person: 'send_key' },
  meaning: `What happened to sends. \`is_machine\` marks opens by machines and clicks by bots: where the source says so or the
client is a known scanner, and

- an open within 3 seconds of the delivery that no other open or click by a person follows,
- a click within 3 seconds of the delivery, and all clicks within 5 seconds in which three or more links of one send are
  clicked.

\`is_content\` is false for clicks on unsubscribe, preference and view-online links. An unsubscribe or complaint that only a
consent event tells is an event too, of the send that it names; an SMS withdrawal without one belongs to the last SMS of the 72
hours before that did not fail.`,
  columns: {
    send_key: key,
    happened_at: moment,
    happened_weekday: weekday,
    happened_hour: hour,
    kind: eventKind,
    link_key: integer,
    is_content: flag,
    client: mailClient,
    is_machine: flag,
  },
  order: ['send_key'],
  rows: relation`
select send_key, happened_at, ${localWeekday('happened_at')} as happened_weekday,
  ${localHour('happened_at')} as happened_hour, kind, link_key, is_content, client,
  is_flagged or bot.event is not null or (kind = 'open' and is_instant and o.send_key is not null) as is_machine
from ${rawEvents}
left join ${botClicks} as bot on bot.event = raw_events.rowid
left join ${machineOpens} as o using (send_key)
union all
select send_key, happened_at, ${localWeekday('happened_at')}, ${localHour('happened_at')}, cast(kind as ${eventKind.duckdb}), null, false,
  cast('unknown' as ${mailClient.duckdb}), false
from ${consentExits}
order by send_key`,
});

const provenSends = workTable({
  name: 'proven_sends',
  types: { send_key: 'integer' },
  needs: [knownSends, messageEvents],
  rows: relation`
select send_key from ${knownSends}
semi join (select send_key from ${messageEvents} where not is_machine or kind in ('unsubscribe', 'complaint')) using (send_key)
where outcome <> 'delivered'`,
});

/**
 * The sends; what people did with a message proves that it was delivered, whatever its outcome says. Of few
 * this changes anything, so there is no second table of all.
 */
export const deliveredSends = relation`(
  select * exclude (is_proven) replace (
    case when is_proven then 'delivered' else outcome end as outcome,
    case when is_proven then null else bounce_class end as bounce_class,
    case when is_proven then null else failure_reason end as failure_reason
  )
  from ${knownSends} left join (select send_key, true as is_proven from ${provenSends}) using (send_key)
)`;
