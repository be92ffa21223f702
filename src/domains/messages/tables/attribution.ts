import { CLICK_WINDOW_H, DELIVERY_WINDOW_H, OPEN_WINDOW_H } from '../../../model-table/business-values.ts';
import { date, flag, integer, key, moment, money, name } from '../../../model-table/column-kinds.ts';
import { joined, modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { orders } from '../../orders/tables/orders.ts';
import { CREDITED_BY_CLICKS } from '../definitions/campaign-categories.ts';
import { knownCampaigns, links } from './campaign-contents.ts';
import { knownSends } from './known-sends.ts';
import { deliveredSends, messageEvents } from './message-events.ts';

/**
 * How many hours before an order touches of each kind are credited, as SQL; kinds that are missing: never.
 */
interface Scenario {
  readonly name: string;
  readonly hours: Readonly<Partial<Record<'click' | 'open' | 'machine_open' | 'delivery', string>>>;
}

const CONFIGURED = { click: CLICK_WINDOW_H, open: OPEN_WINDOW_H, delivery: DELIVERY_WINDOW_H };

const SCENARIOS: readonly Scenario[] = [
  { name: 'configured', hours: CONFIGURED },
  { name: 'click_24h', hours: { click: '24' } },
  { name: 'click_configured', hours: { click: CLICK_WINDOW_H } },
  { name: 'configured_with_machine_opens', hours: { ...CONFIGURED, machine_open: OPEN_WINDOW_H } },
  {
    name: 'configured_with_delivery_12h',
    hours: { ...CONFIGURED, delivery: `greatest(12, ${DELIVERY_WINDOW_H})` },
  },
];

/** Microseconds: no scenario credits a touch that lies further before an order. */
const LONGEST_WINDOW_US = `(greatest(${[...new Set(SCENARIOS.flatMap(({ hours }) => Object.values(hours)))].join(', ')}) * 3600000000)`;

/**
 * Time in pieces as long as the longest window: a touch that an order is credited to lies in its piece, or in
 * the one before.
 */
const pieceOf = (moment: string) => `epoch_us(${moment}) // ${LONGEST_WINDOW_US}`;

/** The touches that have an order near them. There are few of them in a million. */
const touchesByMessage = workTable({
  name: 'touches_by_message',
  types: {
    customer_key: 'integer',
    kind: 'varchar',
    preference: 'integer',
    touched_at: 'timestamp',
    send_key: 'integer',
    sent_at: 'timestamp',
    send_id: 'varchar',
    link_key: 'integer',
    link_id: 'varchar',
  },
  needs: [knownSends, knownCampaigns, orders],
  rows: relation`
with near_orders as (
  select distinct customer_key, ${pieceOf('ordered_at')} - before as piece
  from ${orders}, (values (0), (1)) as pieces(before)
  where is_valid and customer_key is not null
),
by_clicks as (
  select campaign_key from ${knownCampaigns} where campaign_category in ('${CREDITED_BY_CLICKS.join("', '")}')
),
touches as (
  select customer_key,
    case when e.kind = 'click' then 'click' when is_machine then 'machine_open' else 'open' end as kind,
    happened_at as touched_at, send_key, sent_at, send_id, case when e.kind = 'click' then link_key end as link_key
  from ${messageEvents} as e join ${knownSends} using (send_key)
  where (e.kind = 'click' and is_content and not is_machine) or (
      e.kind = 'open' and channel = 'email' and campaign_key not in (select campaign_key from by_clicks)
    )
  union all
  select customer_key, 'delivery', coalesce(delivered_at, sent_at), send_key, sent_at, send_id, null
  from ${deliveredSends} where channel = 'sms' and outcome = 'delivered' and campaign_key not in (select campaign_key from by_clicks)
)
select customer_key, kind,
  case kind when 'click' then 1 when 'open' then 2 when 'machine_open' then 3 else 4 end as preference,
  touched_at, send_key, sent_at, send_id, link_key, link_id
from (select *, ${pieceOf('touched_at')} as piece from touches)
semi join near_orders using (customer_key, piece)
left join ${links} using (link_key)`,
});

/**
 * The last touch of each kind before an order. Only that one can be credited, so one look per order and kind
 * is enough for all scenarios.
 */
const lastTouches = workTable({
  name: 'last_touches',
  types: {
    order_key: 'integer',
    kind: 'varchar',
    preference: 'integer',
    touched_at: 'timestamp',
    send_key: 'integer',
    sent_at: 'timestamp',
    send_id: 'varchar',
    link_key: 'integer',
    hours_before: 'double',
  },
  needs: [touchesByMessage, orders],
  rows: relation`
with distinct_touches as (
  select * from ${touchesByMessage}
  qualify row_number() over (
    partition by customer_key, kind, touched_at order by sent_at desc, send_id desc, link_id nulls last
  ) = 1
),
orders_by_kind as (
  select order_key, customer_key, ordered_at, kind
  from ${orders}, (values ('click'), ('open'), ('machine_open'), ('delivery')) as kinds(kind)
  where is_valid
)
select order_key, o.kind, preference, touched_at, send_key, sent_at, send_id, link_key,
  epoch_us(ordered_at - touched_at) / 3.6e9 as hours_before
from orders_by_kind as o
asof join distinct_touches as t
  on t.customer_key = o.customer_key and t.kind = o.kind and t.touched_at <= o.ordered_at`,
});

export const orderAttribution = modelTable({
  name: 'order_attribution',
  scope: { person: 'customer_key' },
  meaning: `For each scenario the valid orders that are credited to a message, each at most once over e-mail and SMS together. The
latest touch wins, of transactional and double opt-in messages a click alone; at one moment a click before an open before a delivery, then the later send.`,
  columns: {
    scenario: name,
    order_key: key,
    send_key: key,
    touch_kind: name,
    touched_at: moment,
    link_key: integer,
    channel: name,
    campaign_key: key,
    is_automation: flag,
    customer_key: key,
    ordered_at: moment,
    ordered_date: date,
    order_number: integer,
    revenue: money,
    refunded: money,
  },
  order: ['ordered_at'],
  needs: [lastTouches],
  rows: relation`
with credited as (
  ${joined(SCENARIOS.map(creditedTouches), ' union all ')}
)
select scenario, order_key, send_key, kind as touch_kind, touched_at, link_key,
  s.channel, s.campaign_key, c.is_automation,
  o.customer_key, o.ordered_at, o.ordered_date, o.order_number, o.revenue, o.refunded
from credited
join ${knownSends} as s using (send_key)
join ${knownCampaigns} as c using (campaign_key)
join ${orders} as o using (order_key)
order by scenario, o.ordered_at, order_key`,
});

function creditedTouches({ name, hours }: Scenario) {
  const windows = Object.entries(hours).map(
    ([kind, most]) => `(kind = '${kind}' and ${most} > 0 and hours_before <= ${most})`,
  );
  return relation`(select '${name}' as scenario, order_key, send_key, kind, touched_at, link_key
  from ${lastTouches}
  where ${windows.join(' or ')}
  qualify row_number() over (partition by order_key order by touched_at desc, preference, sent_at desc, send_id desc) = 1)`;
}
