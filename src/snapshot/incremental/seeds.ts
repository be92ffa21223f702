import { personOf } from '../../domains/identity/tables/identity.ts';
import { IS_COUNTED } from '../../domains/orders/tables/orders.ts';
import type { Session } from '../../store/duckdb-session.ts';

/**
 * SQL over `whole`, `changed` and `old`: the names of those who are concerned, or the rows of a table that
 * name them.
 */
type Seed = {
  /** Canonical tables; without a change in any of them nobody is concerned. */
  readonly reads: readonly string[];
} & (
  | { readonly names: string }
  | { readonly table: string; readonly rows: (session: Session) => Promise<string> }
);

/** An unchanged row is in `changed` twice, before and after; a changed one differs, and so is there once. */
const differing = (table: string, key: string, columns: readonly string[]) => `
  select ${key} from (select distinct ${[key, 'is_new', ...columns].join(', ')} from changed.${table})
  group by ${[key, ...columns].join(', ')} having count(*) = 1`;

const CAMPAIGNS = differing('campaigns', 'campaign_id', ['campaign_type', 'name']);

const MESSAGES = `
  select message_id from changed.messages
  union select message_id from changed.links
  union select message_id from whole.messages where campaign_id in (${CAMPAIGNS})`;

const LISTS = differing('interest_lists', 'code', []);

/**
 * Products that came back, are not of the catalogue, and are known nevertheless: somebody bought or viewed
 * them.
 */
export const RETURNED_UNLISTED = `
  with unlisted as (
    select distinct external_product_id from whole.refund_lines anti join whole.products using (external_product_id)
    where external_product_id is not null
  )
  select i.external_product_id
  from whole.order_items as i semi join unlisted using (external_product_id) join whole.orders as o using (order_id)
  where i.kind = 'product' and ${IS_COUNTED}
  union
  from unlisted semi join whole.product_events using (external_product_id)`;

/**
 * Persons whom a change in a table without persons concerns: a row of one person reads these columns of
 * products, campaigns, …, or asks how far the data go.
 */
export const SEEDS: readonly Seed[] = [
  {
    reads: ['products'],
    names: `
      select 'order ' || order_id as name from whole.order_items
      where external_product_id in (${differing('products', 'external_product_id', ['purchase_price', 'brand', 'categories'])})`,
  },
  {
    // A returned product that is not in the catalogue counts as long as somebody bought or viewed it.
    reads: ['products', 'orders', 'order_items', 'product_events'],
    names: `
      with known as (
        select distinct external_product_id from whole.refund_lines semi join whole.products using (external_product_id)
        union (${RETURNED_UNLISTED})
      ),
      known_before as (
        select distinct external_product_id from whole.refund_lines semi join old.products using (external_product_id)
      )
      select 'order ' || order_id as name from whole.refund_lines
      where external_product_id in ((from known except from known_before) union (from known_before except from known))`,
  },
  {
    reads: ['product_prices'],
    names: `
      select 'order ' || order_id as name
      from whole.order_items join whole.orders using (order_id)
      join (select external_product_id, min(valid_from) as valid_from from changed.product_prices group by all) as prices
        using (external_product_id)
      where ordered_at >= valid_from`,
  },
  {
    reads: ['messages', 'links', 'campaigns'],
    names: `select 'send ' || send_id as name from whole.sends where message_id in (${MESSAGES})`,
  },
  {
    reads: ['campaigns'],
    names: `
      select ${personOf('profile_id', 'email_hash', 'null')} as name from whole.audience_members
      where campaign_id in (${CAMPAIGNS})
      union all
      select 'visitor ' || visitor_id from whole.popup_events where campaign_id in (${CAMPAIGNS})
      union all
      select ${personOf('profile_id', 'email_hash', 'phone_hash')} from whole.consent_events
      where trim(source_detail) in (${CAMPAIGNS})`,
  },
  {
    reads: ['interest_lists'],
    names: `
      select ${personOf('profile_id', 'email_hash', 'null')} as name from whole.interest_list_events
      where code in (${LISTS})`,
  },
  {
    // An RFM state ends when its oldest order leaves the window, which nobody knows before the data go that
    // far.
    reads: ['orders'],
    table: 'orders',
    rows: async (session) => {
      // They are literals, so that DuckDB skips the row groups with orders of other times.
      const times = await session.rows(`
        select cast(least(before.moment, now.moment) - to_days(window_days) - interval 2 seconds as varchar) as since,
          cast(greatest(before.moment, now.moment) - to_days(window_days) + interval 2 seconds as varchar) as until
        from (select distinct window_days from old.rfm_profiles),
          (select max(ordered_at) as moment from old.orders) as before,
          (select max(ordered_at) as moment from whole.orders) as now
        where before.moment <> now.moment`);
      const left = times.map(
        ({ since, until }) => `ordered_at between timestamp '${since}' and timestamp '${until}'`,
      );
      return `from whole.orders where ${left.join(' or ') || 'false'}`;
    },
  },
];
