import { localDate } from '../../../model-table/business-values.ts';
import { date, integer, key, moment, money, name } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { visitorKeys } from '../../identity/tables/identity.ts';
import { products } from './products.ts';

export const productEvents = modelTable({
  name: 'product_events',
  scope: { person: 'visitor_key' },
  meaning: `What visitors did with products. \`engagement_s\` is the foreground time of a view, capped at 1,800 seconds.
\`score\`: a view 1 + 1 per full 10 seconds (at most 6), add-to-cart 3, wish list and watchdog 2.`,
  columns: {
    product_key: key,
    visitor_key: integer,
    happened_at: moment,
    happened_date: date,
    kind: name,
    engagement_s: money,
    score: integer,
  },
  order: ['happened_at'],
  needs: [stored.productEvents],
  rows: relation`
select product_key, visitor_key, "at" as happened_at, ${localDate('"at"')} as happened_date, kind,
  case when kind = 'view' then least(engagement_s, 1800) else 0 end as engagement_s,
  cast(case kind
    when 'view' then 1 + least(6, floor(least(engagement_s, 1800) / 10))
    when 'add_to_cart' then 3
    when 'wishlist' then 2
    when 'watchdog' then 2
    else 0
  end as integer) as score
from ${stored.productEvents}
join ${products} using (external_product_id)
join ${visitorKeys} using (visitor_id)
order by happened_at, event_id`,
});
