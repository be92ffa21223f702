import { flag, integer, key, moment, name, seconds, text } from '../../../model-table/column-kinds.ts';
import { keyTable, modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { valuedOrders } from '../../orders/tables/orders.ts';
import { keyedSessions, orderPeople, orderSessions, sessions } from './sessions.ts';

const knownTouches = workTable({
  name: 'known_touches',
  types: { kind: 'varchar', name: 'varchar' },
  rows: relation`
select distinct 'channel' as kind, channel as name from ${sessions}
union all select distinct 'source_medium', source_medium from ${sessions}
union all select distinct 'campaign', campaign from ${sessions}`,
});

const touchKeys = keyTable({
  name: 'touch_keys',
  identity: { kind: 'varchar', name: 'varchar' },
  key: 'touch_key',
  order: 'kind, name',
  rows: relation`select kind, name from ${knownTouches}`,
});

export const touchNames = modelTable({
  name: 'touch_names',
  scope: 'whole',
  meaning: 'The names of the keys in `touches`.',
  columns: { kind: name, name: text, touch_key: key },
  order: ['touch_key'],
  rows: relation`
select kind, name, touch_key
from ${knownTouches} join ${touchKeys} using (kind, name)
order by kind, touch_key`,
});

export const touches = modelTable({
  name: 'touches',
  scope: { person: 'visitor_key' },
  meaning: `The sessions as steps of journeys, without those of suspected bots. A journey goes on until an order: its touches are
those of one visitor since the order before, up to the next one, or to the end where none follows; then \`order_key\` and the
seconds to it are null. \`journey_key\` is the first of these touches. If one session has two orders, the second has no touch of its own. \`visitor_touch_number\` counts the
visitor's touches over all history, by moment, then id of the session.

What journeys ask of a touch's place among the others is here, so that no call has to sort sessions: the touch after it, the
seconds since the one before, and what lies between it and the journey's last touch: other touches, and changes of the
channel, source and medium, campaign. Two touches with equally many changes left are one run of equal touches.`,
  columns: {
    session_key: key,
    visitor_key: integer,
    visitor_touch_number: integer,
    started_at: moment,
    is_identified: flag,
    order_key: integer,
    seconds_to_order: seconds,
    journey_key: integer,
    channel_key: integer,
    source_medium_key: integer,
    campaign_key: integer,
    next_channel_key: integer,
    next_source_medium_key: integer,
    next_campaign_key: integer,
    seconds_since_previous: seconds,
    touches_left: integer,
    channel_changes_left: integer,
    source_medium_changes_left: integer,
    campaign_changes_left: integer,
  },
  order: ['started_at'],
  needs: [sessions],
  rows: relation`
with next_orders as (
  select people.visitor_key, ordered_s, min_by(order_key, (ordered_at, order_id)) as order_key
  from ${orderPeople} as people join ${valuedOrders} using (order_key)
  group by people.visitor_key, ordered_s
),
-- Clocks of shop and website differ: an order that names its session follows it in any case.
walked as (
  select session_key, place, visitor_key, least(started_s, coalesce(min(ordered_s), started_s)) as touched_s
  from ${keyedSessions} left join ${orderSessions} using (session_key, started_s)
  group by session_key, place, visitor_key, started_s
),
followed as (
  select session_key, place, walked.visitor_key, touched_s, order_key, ordered_s
  from walked
  asof left join next_orders
    on next_orders.visitor_key = walked.visitor_key and next_orders.ordered_s >= walked.touched_s
),
named as (
  select session_key, place, l.visitor_key, s.started_at, s.is_identified, touched_s, order_key,
    ordered_s - touched_s as seconds_to_order, coalesce(order_key, -l.visitor_key) as journey,
    c.touch_key as channel_key, m.touch_key as source_medium_key, p.touch_key as campaign_key
  from followed as l
  join ${sessions} as s using (session_key)
  join ${touchNames} as c on c.kind = 'channel' and c.name = s.channel
  join ${touchNames} as m on m.kind = 'source_medium' and m.name = s.source_medium
  join ${touchNames} as p on p.kind = 'campaign' and p.name = s.campaign
  where not is_suspected_bot
),
neighbours as (
  select *,
    touched_s - lag(touched_s) over journey_touches as seconds_since_previous,
    lead(channel_key) over journey_touches as next_channel_key,
    lead(source_medium_key) over journey_touches as next_source_medium_key,
    lead(campaign_key) over journey_touches as next_campaign_key
  from named
  window journey_touches as (partition by journey order by place)
)
select session_key, visitor_key,
  cast(row_number() over (partition by visitor_key order by place) as integer) as visitor_touch_number,
  started_at, is_identified, order_key,
  seconds_to_order,
  first_value(session_key) over (partition by journey order by place) as journey_key,
  channel_key, source_medium_key, campaign_key,
  next_channel_key, next_source_medium_key, next_campaign_key,
  seconds_since_previous,
  cast(row_number() over from_last - 1 as integer) as touches_left,
  cast(count(*) filter (where channel_key <> next_channel_key) over from_last as integer) as channel_changes_left,
  cast(count(*) filter (where source_medium_key <> next_source_medium_key) over from_last as integer)
    as source_medium_changes_left,
  cast(count(*) filter (where campaign_key <> next_campaign_key) over from_last as integer) as campaign_changes_left
from neighbours
window from_last as (partition by journey order by place desc rows unbounded preceding)
order by started_at, session_key`,
});
