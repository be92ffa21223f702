import { BUSINESS_CURRENCY, localDate } from '../../../model-table/business-values.ts';
import { date, integer, money, name } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { dailyRates } from './daily-rates.ts';
import { IS_COUNTED } from './orders.ts';

export const unpricedMoney = modelTable({
  name: 'unpriced_money',
  scope: 'whole',
  meaning: `Money in another currency of which no rate is known: one row per kind (\`orders\` that are valid, \`refunds\` of such orders by their own day, \`ad_costs\`, \`message_costs\`), local day
and currency. \`amount\` is in that currency. It is in no amount of any other table.`,
  columns: { kind: name, happened_date: date, currency: name, pieces_count: integer, amount: money },
  order: ['happened_date'],
  rows: relation`
with first_rates as (select currency, min(rate_date) as first_date from ${dailyRates} group by currency),
unpriced as (
  select o.order_id, o.currency, ${localDate('o.ordered_at')} as happened_date, o.total
  from ${stored.orders} as o
  left join first_rates as known on known.currency = o.currency and known.first_date <= ${localDate('o.ordered_at')}
  where o.currency <> ${BUSINESS_CURRENCY} and o.fx_rate is null and known.currency is null and ${IS_COUNTED}
)
select kind, happened_date, currency, cast(count(*) as integer) as pieces_count, cast(sum(amount) as decimal(18,4)) as amount
from (
  select 'orders' as kind, happened_date, currency, total as amount from unpriced
  union all
  select 'refunds', ${localDate('r.refunded_at')}, currency, r.amount from ${stored.refunds} as r join unpriced using (order_id)
  union all
  select 'ad_costs', "day", c.currency, cost
  from ${stored.adCosts} as c left join first_rates as known on known.currency = c.currency and known.first_date <= "day"
  where c.currency <> ${BUSINESS_CURRENCY} and known.currency is null
  union all
  select 'message_costs', ${localDate('s.sent_at')}, s.currency, cost
  from ${stored.sends} as s left join first_rates as known on known.currency = s.currency and known.first_date <= ${localDate('s.sent_at')}
  where s.currency <> ${BUSINESS_CURRENCY} and cost is not null and known.currency is null
)
group by kind, happened_date, currency
order by happened_date, kind, currency`,
});
