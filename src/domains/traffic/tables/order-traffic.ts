import { date, integer, key, moment, money, name } from '../../../model-table/column-kinds.ts';
import { modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { orders } from '../../orders/tables/orders.ts';
import { keyedSessions, orderPeople, orderSessions, sessions, sourcedSessions } from './sessions.ts';

const creditedSessions = workTable({
  name: 'credited_sessions',
  types: { order_key: 'integer', session_key: 'integer', place: 'bigint', click_rank: 'integer' },
  needs: [sessions],
  rows: relation`
select order_key, session_key, place, case when is_internal then 0 when channel = 'Direct' then 1 else 2 end as click_rank
from (
  select order_key, session_key
  from ${orderPeople} as o
  join ${keyedSessions} as s on s.visitor_key = o.visitor_key and started_s between ordered_s - 30 * 86400 and ordered_s
  union
  select order_key, session_key from ${orderSessions}
)
join ${sessions} using (session_key)
join ${sourcedSessions} using (session_key)
where not is_suspected_bot`,
});

export const orderTraffic = modelTable({
  name: 'order_traffic',
  scope: { person: 'order_key' },
  meaning: `The sessions that a valid order is credited to; orders without any are in no row, so untracked. The sessions of its
people that began in the 30 days before it (30 x 24 hours, whole seconds, both ends included) count, and always the one that
it was placed in; suspected bots' never do.

Last click: the latest that is neither Direct nor from an internal host, else the latest Direct, else the latest. First
click: the first of all. A way back from the payment has the channel of the visit before it, but is not counted as a click:
otherwise the payment gateway would get the credit.

\`own_session_key\`: the session that the order names. \`own_session_by_time_key\`: of an order that names none, the one of its people that was open.`,
  columns: {
    order_key: key,
    ordered_at: moment,
    ordered_date: date,
    revenue: money,
    own_session_key: integer,
    own_session_by_time_key: integer,
    last_session_key: integer,
    last_click_channel: name,
    first_session_key: integer,
    first_click_channel: name,
  },
  order: ['ordered_at'],
  needs: [creditedSessions],
  rows: relation`
with credited as (
  select order_key,
    max_by(session_key, click_rank * 4294967296 + place) as last_session_key,
    min_by(session_key, place) as first_session_key
  from ${creditedSessions}
  group by order_key
)
select order_key, ordered_at, ordered_date, revenue, case when own.is_named then own.session_key end as own_session_key,
  case when not own.is_named then own.session_key end as own_session_by_time_key,
  last_session_key, last_click.channel as last_click_channel,
  first_session_key, first_click.channel as first_click_channel
from credited
join ${orders} using (order_key)
left join ${orderSessions} as own using (order_key)
join ${sessions} as last_click on last_click.session_key = last_session_key
join ${sessions} as first_click on first_click.session_key = first_session_key
order by ordered_at, order_key`,
});
