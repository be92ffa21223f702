import { localDate } from '../../../model-table/business-values.ts';
import { key, name, optionalDate, optionalMoment, text } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { customerKeys, profileCountries } from '../../identity/tables/identity.ts';
import { firstOrders, orders } from '../../orders/tables/orders.ts';
import { orderTraffic } from '../../traffic/tables/order-traffic.ts';
import { ownedProfiles } from './profiles.ts';

export const customers = modelTable({
  name: 'customers',
  scope: { person: 'customer_key' },
  meaning: `Customers with a valid order, and what their first one was: when, from where, and
through which channels (last and first click of the 30 days before it). \`profile_created_date\` is that of their oldest own profile. It is null where that is unknown.`,
  columns: {
    customer_key: key,
    first_ordered_at: optionalMoment,
    first_ordered_date: optionalDate,
    first_order_id: text,
    country: name,
    first_order_last_click_channel: name,
    first_order_first_click_channel: name,
    profile_created_date: optionalDate,
  },
  order: ['customer_key'],
  needs: [firstOrders],
  rows: relation`
select customer_key, first_ordered_at, first_ordered_date, first_order_id,
  coalesce(o.country, p.country) as country, last_click_channel as first_order_last_click_channel,
  first_click_channel as first_order_first_click_channel, ${localDate('profile_created_at')} as profile_created_date
from ${firstOrders}
join ${orders} as o using (customer_key)
join ${customerKeys} using (customer_key)
left join ${profileCountries} as p using (customer)
left join ${orderTraffic} using (order_key)
left join (
  select customer_key, min(created_at) as profile_created_at from ${ownedProfiles} group by customer_key
) as known using (customer_key)
where o.order_number = 1
order by customer_key`,
});
