import { HAS_CART_EVENTS } from '../../../model-table/business-values.ts';
import { key, moment } from '../../../model-table/column-kinds.ts';
import { modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { customerKeys, visitorKeys } from '../../identity/tables/identity.ts';
import { orders } from '../../orders/tables/orders.ts';

/** How long a cart is left alone before it counts as abandoned. */
export const ABANDONED_AFTER_MINUTES = 60;

const cartChanges = workTable({
  name: 'cart_changes',
  types: {
    customer_key: 'integer',
    thing: 'varchar',
    is_added: 'boolean',
    at: 'timestamp',
    event_id: 'varchar',
  },
  needs: [visitorKeys],
  rows: relation`
select visitor_key as customer_key, external_product_id as thing, kind = 'add_to_cart' as is_added, "at", event_id
from ${stored.productEvents} join ${visitorKeys} using (visitor_id)
where kind in ('add_to_cart', 'remove_from_cart')
  and ${HAS_CART_EVENTS}
union all
select visitor_key, 'session', true, case when ended_at >= started_at then ended_at else started_at end, session_id
from ${stored.sessions} join ${visitorKeys} using (visitor_id)
where cart and not suspected_bot and not ${HAS_CART_EVENTS}`,
});

export const abandonedCarts = modelTable({
  name: 'abandoned_carts',
  scope: { person: 'customer_key' },
  meaning: `Each time that a profile changed a cart, left something in it, and for 60 minutes neither changed it again nor
ordered. Whether these minutes are over yet is for the question to ask. In a cart is what was added since the order before and
not removed; any order takes all of it, also one that is cancelled later.

Where no add-to-cart is loaded, sessions say who had a cart: until they ended, or began where no end is known.`,
  columns: { customer_key: key, changed_at: moment },
  order: ['changed_at'],
  needs: [cartChanges],
  rows: relation`
with emptied as (
  select customer_key, ordered_at from ${orders} where customer_key is not null
  union
  select visitor_key, ordered_at from ${orders}
),
carts as (
  select c.*, ordered_at
  from ${cartChanges} as c
  semi join ${customerKeys} using (customer_key)
  asof left join emptied on emptied.customer_key = c.customer_key and emptied.ordered_at >= c."at"
),
counted as (
  select *,
    case
      when is_added and lag(is_added) over of_thing is distinct from true then 1
      when not is_added and lag(is_added) over of_thing then -1
      else 0
    end as change
  from carts
  window of_thing as (partition by customer_key, ordered_at, thing order by "at", event_id)
),
followed as (
  select customer_key, "at", ordered_at,
    sum(change) over of_cart as things,
    lead("at") over of_cart as next_at
  from counted
  window of_cart as (partition by customer_key, ordered_at order by "at", event_id)
)
select customer_key, "at" as changed_at
from followed
where things > 0
  and coalesce(next_at >= "at" + interval ${ABANDONED_AFTER_MINUTES} minutes, true)
  and coalesce(ordered_at >= "at" + interval ${ABANDONED_AFTER_MINUTES} minutes, true)
order by changed_at, customer_key`,
});
