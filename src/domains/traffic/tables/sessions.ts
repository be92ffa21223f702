import {
  INTERNAL_HOSTS,
  localDate,
  localHour,
  localWeekday,
  secondsOf,
} from '../../../model-table/business-values.ts';
import {
  date,
  flag,
  hour,
  integer,
  key,
  moment,
  money,
  name,
  optionalDate,
  optionalMoment,
  text,
  weekday,
} from '../../../model-table/column-kinds.ts';
import { keyTable, modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { visitorKeys } from '../../identity/tables/identity.ts';
import { valuedOrders } from '../../orders/tables/orders.ts';
import { channelCase } from './channels.ts';
import { KNOWN_SESSION, referringHostsAmong } from './known-sessions.ts';
import { detourParts, visits } from './visits.ts';

const sessionKeys = keyTable({
  name: 'session_keys',
  identity: { session_id: 'varchar', has_own_id: 'boolean', visitor_id: 'varchar' },
  key: 'session_key',
  order: 'started_at, session_id, visitor_id, has_own_id',
  rows: relation`select session_id, has_own_id, visitor_id, started_at from ${visits}`,
});

const KEYED_SESSION = {
  session_key: 'integer',
  place: 'bigint',
  visitor_key: 'integer',
  is_identified: 'boolean',
  started_s: 'bigint',
  open_until_s: 'bigint',
  ...KNOWN_SESSION,
};

/** `place`: where it stands among the sessions of this build, by their moments, then by their ids. */
export const keyedSessions = workTable({
  name: 'keyed_sessions',
  types: KEYED_SESSION,
  needs: [visits],
  rows: relation`
select session_key, row_number() over (order by started_at, session_id, visitor_id, has_own_id) as place,
  visitor_key, is_identified, ${secondsOf('started_at')} as started_s, ${secondsOf('open_until')} as open_until_s,
  visits.*
from ${visits}
join ${sessionKeys} using (session_id, has_own_id, visitor_id)
join ${visitorKeys} using (visitor_id)`,
});

/** The ids by which orders name a session: its own, and those of the parts that it has. */
const namedSessions = workTable({
  name: 'named_sessions',
  types: { session_id: 'varchar', session_key: 'integer' },
  needs: [keyedSessions],
  rows: relation`
select session_id, session_key from ${keyedSessions}
union all
select p.session_id, session_key
from ${detourParts} as p
join ${keyedSessions} as s
  on s.session_id = p.visit_session_id and s.has_own_id = p.visit_has_own_id and s.visitor_id = p.visit_visitor_id
where not is_first`,
});

/**
 * The people whose sessions lead to an order: its customer, the visitor who placed it, and the visitor whose
 * session it names.
 */
export const orderPeople = workTable({
  name: 'order_people',
  types: { order_key: 'integer', visitor_key: 'integer', ordered_s: 'bigint' },
  needs: [valuedOrders],
  rows: relation`
select order_key, visitor_key, ${secondsOf('ordered_at')} as ordered_s from ${valuedOrders} where is_valid
union
select order_key, customer_key, ${secondsOf('ordered_at')} from ${valuedOrders} where is_valid and customer_key is not null
union
select order_key, s.visitor_key, ${secondsOf('ordered_at')}
from ${valuedOrders}
join ${namedSessions} using (session_id)
join ${keyedSessions} as s using (session_key)
where is_valid`,
});

/** The session that an order was placed in: the one that it names, else the latest that was open. */
export const orderSessions = workTable({
  name: 'order_sessions',
  types: {
    order_key: 'integer',
    session_key: 'integer',
    started_s: 'bigint',
    ordered_s: 'bigint',
    is_named: 'boolean',
  },
  needs: [keyedSessions, valuedOrders],
  rows: relation`
select order_key, session_key, started_s, ordered_s, source = 1 as is_named
from (
  select order_key, session_key, place, started_s, ${secondsOf('ordered_at')} as ordered_s, suspected_bot, 1 as source
  from ${valuedOrders} join ${namedSessions} using (session_id) join ${keyedSessions} using (session_key)
  where is_valid
  union all
  select order_key, session_key, place, started_s, ordered_s, suspected_bot, 2
  from ${orderPeople} as o
  join ${keyedSessions} as s on s.visitor_key = o.visitor_key and ordered_s between started_s and open_until_s
)
qualify row_number() over (partition by order_key order by source, suspected_bot, place desc) = 1`,
});

export const sourcedSessions = workTable({
  name: 'sourced_sessions',
  types: { ...KEYED_SESSION, is_internal: 'boolean', is_untold: 'boolean' },
  rows: relation`
with by_referrer as (
  select *,
    coalesce(referring_host in ${referringHostsAmong(keyedSessions, INTERNAL_HOSTS)}, false) as is_internal,
    has_source and source is null and medium is null as is_untold
  from ${keyedSessions}
)
select * replace (
    case
      when not is_untold or is_internal then source
      when click_id in ('gclid', 'gbraid', 'wbraid') then 'google'
      when click_id = 'msclkid' then 'bing'
      else referrer_host
    end as source,
    case
      when not is_untold or is_internal then medium
      when click_id in ('gclid', 'gbraid', 'wbraid', 'msclkid') then 'cpc'
      when referrer_host is not null then 'referral'
    end as medium
  )
from by_referrer`,
});

/** The rules are asked once for each kind of session. */
const sessionChannels = workTable({
  name: 'session_channels',
  types: {
    loaded_source: 'varchar',
    loaded_medium: 'varchar',
    loaded_campaign: 'varchar',
    is_internal: 'boolean',
    has_source: 'boolean',
    channel: 'varchar',
  },
  rows: relation`
select loaded_source, loaded_medium, loaded_campaign, is_internal, has_source,
  case when has_source then ${channelCase()} else 'Unassigned' end as channel
from (
  select distinct coalesce(source, '') as loaded_source, coalesce(medium, '') as loaded_medium,
    coalesce(campaign, '') as loaded_campaign, lower(source) as source, lower(medium) as medium,
    lower(campaign) as campaign, is_internal, has_source
  from ${sourcedSessions}
)`,
});

const firstSessions = workTable({
  name: 'first_sessions',
  types: { visitor_key: 'integer', first_started_at: 'timestamp' },
  rows: relation`
select visitor_key, coalesce(min(started_at) filter (where not suspected_bot), min(started_at)) as first_started_at
from (
  select visitor_key, started_at, suspected_bot and order_key is null as suspected_bot
  from ${keyedSessions} left join ${orderSessions} using (session_key)
)
group by visitor_key`,
});

export const sessions = modelTable({
  name: 'sessions',
  scope: { person: 'visitor_key' },
  meaning: `Visits of the store. Where none are loaded, they are made of product events: whence those
visitors came is not known, so their channel is \`Unassigned\`. \`source\`, \`medium\` and \`campaign\` are as loaded, and never
null: \`(direct)\`, \`(internal)\` or \`(not set)\` stand for empty ones. Who comes back from paying or signing in within 30
minutes goes on with the visit before: both are one row, with the start, source and landing page of its first part.

\`own_orders\` are the valid orders that name the session, which is then converting. \`own_orders_by_time\` name none, and were placed while
it was open: tools of the contract count both. With either it is engaged, and never a suspected bot's. \`first_started_at\` is the
first session of the visitor, a suspected one only where there is no other.`,
  columns: {
    session_key: key,
    visitor_key: integer,
    started_at: moment,
    started_date: date,
    started_weekday: weekday,
    started_hour: hour,
    channel: name,
    source: name,
    medium: name,
    campaign: name,
    source_medium: name,
    landing_path: text,
    referrer_host: text,
    device: name,
    country: name,
    page_views: integer,
    engagement_s: money,
    is_engaged: flag,
    has_cart: flag,
    has_checkout: flag,
    is_converting: flag,
    own_orders: integer,
    own_orders_by_time: integer,
    is_identified: flag,
    is_suspected_bot: flag,
    first_started_at: optionalMoment,
    first_started_date: optionalDate,
  },
  order: ['started_at'],
  rows: relation`
with ordered as (
  select session_key, count(*) filter (where is_named) as own_orders, count(*) filter (where not is_named) as own_orders_by_time
  from ${orderSessions}
  group by session_key
),
ruled as (
  select s.*, coalesce(own_orders, 0) as own_orders, coalesce(own_orders_by_time, 0) as own_orders_by_time, own_orders is not null as has_order,
    nullif(c.channel, 'Internal') as own_channel
  from ${sourcedSessions} as s
  join ${sessionChannels} as c
    on c.loaded_source = coalesce(s.source, '') and c.loaded_medium = coalesce(s.medium, '')
      and c.loaded_campaign = coalesce(s.campaign, '') and c.is_internal = s.is_internal
      and c.has_source = s.has_source
  left join ordered using (session_key)
),
labelled as (
  select *,
    case
      when source is not null then source
      when medium is not null or not has_source then '(not set)'
      when is_internal then '(internal)'
      else '(direct)'
    end as source_label
  from ruled
)
select session_key, visitor_key, started_at, ${localDate('started_at')} as started_date,
  ${localWeekday('started_at')} as started_weekday, ${localHour('started_at')} as started_hour,
  -- Who comes back later than that, or from the store's own host, has the channel of the visit before.
  coalesce(last_value(own_channel ignore nulls) over (
    partition by visitor_key order by place rows between unbounded preceding and current row
  ), 'Internal') as channel,
  source_label as source, coalesce(medium, '(not set)') as medium, coalesce(campaign, '(not set)') as campaign,
  case when source is null and medium is null then source_label
    else source_label || ' / ' || coalesce(medium, '(not set)') end as source_medium,
  coalesce(landing_path, '(not set)') as landing_path, coalesce(referrer_host, '(not set)') as referrer_host,
  coalesce(device, '(not set)') as device, coalesce(country, '(not set)') as country,
  cast(page_views as integer) as page_views, cast(engagement_s as decimal(18,4)) as engagement_s,
  engagement_s > 10 or page_views >= 2 or has_order as is_engaged,
  cart as has_cart, checkout as has_checkout, own_orders > 0 as is_converting,
  cast(own_orders as integer) as own_orders, cast(own_orders_by_time as integer) as own_orders_by_time, is_identified,
  suspected_bot and not has_order as is_suspected_bot,
  first_started_at, ${localDate('first_started_at')} as first_started_date
from labelled
join ${firstSessions} using (visitor_key)
order by started_at, session_key`,
});
