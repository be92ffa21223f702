import type { AttributionWindows } from '../../model/marketing/attribution-windows.ts';

/** How many hours before an order touches of each kind are credited; 0: never. */
interface Scenario {
  readonly name: string;
  readonly click: number;
  readonly open: number;
  readonly machineOpen: number;
  readonly delivery: number;
}

const ONLY_CLICKS = { open: 0, machineOpen: 0, delivery: 0 };

function scenarios({ click, open, delivery }: AttributionWindows): readonly Scenario[] {
  return [
    { name: 'configured', click, open, machineOpen: 0, delivery },
    { name: 'click_24h', click: 24, ...ONLY_CLICKS },
    { name: 'click_configured', click, ...ONLY_CLICKS },
    { name: 'configured_with_machine_opens', click, open, machineOpen: open, delivery },
    { name: 'configured_with_delivery_12h', click, open, machineOpen: 0, delivery: Math.max(12, delivery) },
  ];
}

/**
 * `order_attribution`: for each scenario the valid orders that are credited to a message, each at most once over e-mail
 * and SMS together. The latest touch wins; at one moment a click before an open before a delivery, then the later send.
 *
 * Of each kind only the last touch before an order can be credited, so one look at it per order and kind is enough for
 * all scenarios.
 */
export const attribution = (windows: AttributionWindows) => `
create temp table touches_by_message as
select customer_key, 'click' as kind, 1 as preference, happened_at as touched_at, send_key, link_key
from message_events join known_sends using (send_key)
where message_events.kind = 'click' and is_content and not is_machine
union all
select customer_key, 'open', 2, happened_at, send_key, null
from message_events join known_sends using (send_key)
where message_events.kind = 'open' and not is_machine and channel = 'email'
union all
select customer_key, 'machine_open', 3, happened_at, send_key, null
from message_events join known_sends using (send_key)
where message_events.kind = 'open' and is_machine and channel = 'email'
union all
select customer_key, 'delivery', 4, coalesce(delivered_at, sent_at), send_key, null
from known_sends where channel = 'sms' and outcome = 'delivered';

create temp table last_touches as
with distinct_touches as (
  select * from touches_by_message
  qualify row_number() over (
    partition by customer_key, kind, touched_at order by send_key desc, link_key nulls last
  ) = 1
),
orders_by_kind as (
  select order_key, customer_key, ordered_at, kind
  from orders, (values ('click'), ('open'), ('machine_open'), ('delivery')) as kinds(kind)
  where is_valid
)
select order_key, o.kind, preference, touched_at, send_key, link_key,
  epoch_us(ordered_at - touched_at) / 3.6e9 as hours_before
from orders_by_kind as o
asof join distinct_touches as t
  on t.customer_key = o.customer_key and t.kind = o.kind and t.touched_at <= o.ordered_at;

create table order_attribution as
with credited as (
  ${scenarios(windows).map(creditedTouches).join(' union all ')}
)
select scenario, order_key, send_key, kind as touch_kind, touched_at, link_key,
  s.channel, s.campaign_key, c.is_automation,
  o.customer_key, o.ordered_at, o.ordered_date, o.order_number, o.revenue, o.refunded
from credited
join known_sends as s using (send_key)
join known_campaigns as c using (campaign_key)
join orders as o using (order_key)
order by scenario, order_key;
`;

function creditedTouches({ name, click, open, machineOpen, delivery }: Scenario): string {
  const windows = Object.entries({ click, open, machine_open: machineOpen, delivery })
    .filter(([, hours]) => hours > 0)
    .map(([kind, hours]) => `(kind = '${kind}' and hours_before <= ${hours})`);
  return `(select '${name}' as scenario, order_key, send_key, kind, touched_at, link_key
  from last_touches
  where ${['false', ...windows].join(' or ')}
  qualify row_number() over (partition by order_key order by touched_at desc, preference, send_key desc) = 1)`;
}
